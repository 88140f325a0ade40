"""Problems drawn at random, on which these checks compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from teacherstudent.problems.starvation import PROBLEM, Starvation
from teacherstudent.theory.starvation import flow


def orthonormal(n: int, random: np.random.Generator) -> np.ndarray:
    """A rotation drawn at random, (n, n)."""
    return np.linalg.qr(random.standard_normal((n, n)))[0]


def coupled(turns: np.ndarray, delta: float) -> np.ndarray:
    """A rotation (n, n) that is 1 + delta `turns` to first order, with `turns` (n, n) antisymmetric.

    Cayley's form; for two features and turns ((0, -1), (1, 0)) it is 6.3.15 up to delta^3.
    """
    half, one = delta / 2 * turns, np.eye(len(turns))
    return np.linalg.solve(one - half, one + half)


def drawn_turns(n: int, random: np.random.Generator) -> np.ndarray:
    """Couplings of size 1/2 to 1 and of either sign between all pairs of features, (n, n), antisymmetric."""
    below = np.tril(random.uniform(0.5, 1, (n, n)) * random.choice([-1.0, 1.0], (n, n)), -1)
    return np.asarray(below - below.T)


def drawn_problems(seeds: Sequence[int], n: int | None = None, missing: int = 0) -> Iterator[Starvation]:
    """One problem a seed: random U, 2 to 12 features of strength 0.1 to 10, ridge 1e-3 to 10.

    The last `missing` features have strength 0.
    """
    for seed in seeds:
        random = np.random.default_rng(seed)
        size = int(random.integers(2, 13)) if n is None else n
        strengths = 10 ** random.uniform(-1, 1, size)
        strengths[size - missing :] = 0
        vectors, ridge = orthonormal(size, random), 10 ** random.uniform(-3, 1)
        yield PROBLEM.instance(vectors=vectors, strengths=strengths, ridge=ridge)


# Any flow of the theory by the name of its dynamics ----------------------------------------------------

DUAL = ("dual", "decoupled")
SHIFTED = ("decoupled", "primal-decoupled")
DYNAMICS = tuple(clock.name for clock in PROBLEM.dynamics)


def flowing(
    problem: Starvation, dynamics: str, times: np.ndarray, alpha0: float = 1e-8, shift: float = 0.0
) -> np.ndarray:
    """z (T, n) of the theory's flow."""
    options = {"alpha0": alpha0} if dynamics in DUAL else {}
    options |= {"shift": shift} if dynamics in SHIFTED else {}
    of = getattr(flow, dynamics.replace("-", "_"))
    named = of(problem, times, learning_rate="auto", **options)
    return np.stack([named["z1"], named["z2"]], axis=-1) if problem.n == 2 else named["z"]
