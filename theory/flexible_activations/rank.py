"""How many parameters examples leave free: a rank, counted without rounding.

The students that agree with N examples are, near almost every teacher, a manifold; its dimension is P less
the rank of the Jacobian of all N outputs in all parameters. Scales of the units are 2 r of these dimensions.

The Jacobian is a matrix of polynomials in parameters and inputs. Its rank is the same almost everywhere and
nowhere higher, and as high at random residues modulo a prime, but for a chance of at most the degree of a
minor over the prime, here below 1e-5. So whole numbers are drawn once, and the rank is counted in exact
arithmetic: no threshold says what is zero. The factors sqrt((2s - 1)!!) only scale columns, and are left out.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from teacherstudent.problems.flexible_activations import FlexibleActivations

PRIME = 2**31 - 1
"""Products of two residues are below 2^62, which int64 holds."""


def rank(problem: FlexibleActivations, times: np.ndarray) -> dict[str, np.ndarray]:
    """ambiguity, (T,), of almost every teacher after N examples: P - 2 r less the rank of their Jacobian."""
    found = np.array((0, *ranks(problem)))
    seen = found[np.minimum(np.rint(times).astype(int), found.size - 1)]
    return {"ambiguity": (problem.parameters - 2 * problem.units - seen).astype(float)}


@cache
def ranks(problem: FlexibleActivations) -> tuple[int, ...]:
    """The rank after 1, 2, ... examples, up to the first example that adds nothing: no later one does.

    What a generic example does not see of the parameters, none sees: its rows would be polynomials that
    vanish almost everywhere.
    """
    random = np.random.default_rng(0)
    V, W, c = (
        random.integers(1, PRIME, (size, problem.units))
        for size in (problem.inputs, problem.outputs, len(problem.powers))
    )
    rows, pivots = np.empty((0, problem.parameters), dtype=np.int64), np.empty(0, dtype=int)
    counted = [0]
    while len(counted) < 2 or counted[-1] > counted[-2]:
        x = random.integers(1, PRIME, problem.inputs)
        for row in jacobian(V, W, c, x, problem.powers):
            rows, pivots = extended(rows, pivots, row)
        counted.append(len(rows))
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


def extended(rows: np.ndarray, pivots: np.ndarray, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The reduced echelon form (R, P) modulo `PRIME`, and its pivots, with one more row.

    Each row of the form is 1 at its own pivot and 0 at all others. A row that depends on them adds nothing.
    """
    left = (row - np.sum(row[pivots, None] * rows % PRIME, axis=0)) % PRIME
    if not left.any():
        return rows, pivots
    pivot = int(np.argmax(left != 0))
    left = left * pow(int(left[pivot]), -1, PRIME) % PRIME
    rows = (rows - rows[:, pivot, None] * left) % PRIME
    return np.vstack([rows, left]), np.append(pivots, pivot)
