"""One pass of stochastic gradient descent: a contour against a recursion of second moments step by step."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from teacherstudent.benchmarks.declaration import Job, Pair, Side
from teacherstudent.problems.multiscale import PROBLEM, MultiScale

BATCH, LEARNING_RATE, LAST, FIRST = 4, 0.01, 1_000_000, 10_000


def question() -> tuple[MultiScale, np.ndarray]:
    """Two scales, and 100 times to a million steps."""
    return PROBLEM.instance(n=150, d=100, p=60, kappa=50.0, noise=0.3), np.unique(
        np.rint(np.geomspace(1, LAST, 111))
    )


def one_pass(quick: bool) -> Job:
    """The excess risk at all times; those up to `FIRST` are compared."""
    from teacherstudent.theory.multiscale.sgd import asymptotic

    problem, times = question()

    def ours() -> Iterable[float]:
        answer = asymptotic(problem, times, learning_rate=LEARNING_RATE, batch=BATCH, data="fresh")
        return list(answer["excess_risk"][times <= FIRST])

    return Job(ours)


def recursion(quick: bool) -> Job:
    """The same moments by their recursion, for a share of the steps."""
    problem, times = question()

    def theirs() -> Iterable[float]:
        counts, noise = np.array(problem.counts), problem.noise**2
        c = problem.n / problem.d * np.square(problem.sigmas)
        step, own = 1 - LEARNING_RATE * c, (LEARNING_RATE * c) ** 2 / BATCH
        error, wanted, found = counts / problem.d, set(times), []
        for k in range(FIRST + 1):
            if k in wanted:
                found.append(error.sum() / 2)
            error = (step**2 + own) * error + own * counts * (error.sum() + noise)
        return found

    return Job(theirs, FIRST / LAST)


BENCHMARKS = (
    Pair(
        "one-pass",
        "excess risk of one pass at 100 times up to a million steps, asymptotic route",
        Side("closed-form transform, integrated on a contour", one_pass),
        Side("step-by-step recursion of the second moments", recursion),
        within=1e-11,
        why="rounding errors of ten thousand steps",
    ),
)
