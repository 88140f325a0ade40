"""How many parameters examples leave free: a rank, counted without rounding.

The students that agree with N examples are, near almost every teacher, a manifold; its dimension is P less
the rank of the Jacobian of all N outputs in all parameters. Scales of the units are 2 r of these dimensions.

The Jacobian is a matrix of polynomials in parameters and inputs. Its rank is the same almost everywhere and
nowhere higher, and as high at random residues modulo a prime, but for a chance of at most the degree of a
minor over the prime, here below 1e-5. So whole numbers are drawn once, and the rank is counted in exact
arithmetic: no threshold says what is zero. The factors sqrt((2s - 1)!!) only scale columns, and are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from teacherstudent.problems.flexible_activations import FlexibleActivations

PRIME = 2**31 - 1
"""Products of two residues are below 2^62, which int64 holds."""


def rank(problem: FlexibleActivations, times: np.ndarray) -> dict[str, np.ndarray]:
    """ambiguity and direction_ambiguity, (T,), of almost every teacher after N examples.

    The former is P - 2 r less the rank of the Jacobian. Of these dimensions the coefficients alone have r K
    less the rank of its columns by c: what turns no direction is, but for scales, a change of c.
    """
    found = np.array(((0, 0), *ranks(problem)))
    whole, of_c = found[np.minimum(np.rint(times).astype(int), len(found) - 1)].T
    free = problem.parameters - 2 * problem.units - whole
    coefficients = problem.units * len(problem.powers) - of_c
    return {"ambiguity": free.astype(float), "direction_ambiguity": (free - coefficients).astype(float)}


@cache
def ranks(problem: FlexibleActivations) -> tuple[tuple[int, int], ...]:
    """The rank after 1, 2, ... examples, and that of the columns by c, up to the first that adds nothing.

    No later one does. What a generic example does not see of the parameters, none sees: its rows would be
    polynomials that vanish almost everywhere.
    """
    random = np.random.default_rng(0)
    V, W, c = (
        random.integers(1, PRIME, (size, problem.units))
        for size in (problem.inputs, problem.outputs, len(problem.powers))
    )
    whole, of_c = (Echelon.empty(size) for size in (problem.parameters, c.size))
    counted = [(0, 0)]
    while len(counted) < 2 or counted[-1] != counted[-2]:
        x = random.integers(1, PRIME, problem.inputs)
        for row in jacobian(V, W, c, x, problem.powers):
            whole, of_c = whole.extended(row), of_c.extended(row[-c.size :])
        counted.append((len(whole.pivots), len(of_c.pivots)))
    return tuple(counted[1:])


def jacobian(V: np.ndarray, W: np.ndarray, c: np.ndarray, x: np.ndarray, powers: range) -> np.ndarray:
    """d f_k/d (W, V, c) at one input modulo `PRIME`, (n, P), for V (m, r), W (n, r), c (K, r), x (m,).

    f_k = sum_i W_ki g_i(z_i), z = V^T x: by W_li delta_kl g_i, by V_ji W_ki g_i' x_j, by c_is W_ki z_i^s.
    """
    z = np.sum(V * x[:, None] % PRIME, axis=0) % PRIME
    upto = [np.ones_like(z)]
    for _ in range(powers[-1]):
        upto.append(upto[-1] * z % PRIME)
    power = np.stack([upto[s] for s in powers])
    slope = np.stack([s * upto[s - 1] % PRIME for s in powers])
    g, dg = (np.sum(c * each % PRIME, axis=0) % PRIME for each in (power, slope))
    outputs = len(W)
    by_W = np.eye(outputs, dtype=np.int64)[:, :, None] * g
    by_V = W[:, None] * (x[:, None] * dg % PRIME) % PRIME
    by_c = W[:, None] * power % PRIME
    return np.concatenate([each.reshape(outputs, -1) for each in (by_W, by_V, by_c)], axis=1)


@dataclass(frozen=True)
class Echelon:
    """Independent rows (R, P) modulo `PRIME`, reduced: each is 1 at its own pivot, 0 at all others."""

    rows: np.ndarray
    pivots: np.ndarray

    @classmethod
    def empty(cls, width: int) -> Echelon:
        """No rows yet, of that width."""
        return cls(np.empty((0, width), dtype=np.int64), np.empty(0, dtype=int))

    def extended(self, row: np.ndarray) -> Echelon:
        """The form with one more row; the same if that depends on those before."""
        left = (row - np.sum(row[self.pivots, None] * self.rows % PRIME, axis=0)) % PRIME
        if not left.any():
            return self
        pivot = int(np.argmax(left != 0))
        left = left * pow(int(left[pivot]), -1, PRIME) % PRIME
        rows = (self.rows - self.rows[:, pivot, None] * left) % PRIME
        return Echelon(np.vstack([rows, left]), np.append(self.pivots, pivot))
