"""Heavy tails: the tail index by one set of nodes for all orders, against nested quadrature for each."""

from __future__ import annotations

import numpy as np

from teacherstudent.benchmarks.declaration import Job, Pair, Side
from teacherstudent.problems.heavy_tails import PROBLEM

BATCH, D = 2, 3


def rates() -> np.ndarray:
    """Three, from light tails to nearly infinite variance."""
    return np.array([0.35, 0.5, 0.65])


def stored(quick: bool) -> Job:
    """The exact route, without what it remembers of earlier questions."""
    from teacherstudent.theory.heavy_tails import exact, growth

    problem = PROBLEM.instance(batch=BATCH, d=D)

    def solve() -> np.ndarray:
        growth.of.cache_clear()
        return exact.stationary(problem, rates())["tail_index"]

    return Job(solve)


def nested(quick: bool) -> Job:
    """Each index as a root of two nested adaptive integrals over the chi-square densities."""
    from scipy.integrate import dblquad
    from scipy.optimize import brentq

    def excess(s: float, k: float) -> float:
        def at(y: float, x: float) -> float:
            square = (1 - k * x) ** 2 + k**2 * x * y
            return float((square ** (s / 2) - 1) * np.exp(-(x + y) / 2) / 4)  # both chi-square of 2

        return float(dblquad(at, 0, 90, 0, 90, epsabs=1e-9)[0]) / s

    return Job(lambda: np.array([brentq(excess, 0.3, 12, (eta / BATCH,), xtol=1e-9) for eta in rates()]))


BENCHMARKS = (
    Pair(
        "heavy-tails-index",
        "tail index of SGD at three step sizes, d = 3, batches of 2",
        Side("exact route, with the same quadrature nodes for all orders", stored),
        Side("nested adaptive quadrature for each order, root by brentq", nested),
        within=1e-6,
        why="the nested quadrature has a tolerance of 1e-9",
    ),
)
