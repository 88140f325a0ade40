"""Simulated gradient descent at several sizes, against a plain NumPy loop over the same batch.

Both use the same data, drawn before the clock starts. The baseline takes steps on all draws at once by two
batched products with the inputs, and only a share of the steps.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial

import numpy as np

from teacherstudent.benchmarks.declaration import Job, Pair, Side
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.problems.multiscale.data import draw

RATE, STEPS, QUICK_STEPS = 0.2, 2000, 200
SHARES = {100: 0.1, 1000: 0.02, 4000: 0.01}
"""Share of the steps that the baseline takes."""


def steps(quick: bool) -> int:
    """Steps that both sides train for; fewer in a quick run."""
    return QUICK_STEPS if quick else STEPS


def problem_of(d: int) -> MultiScale:
    """Two scales, 1.5 samples for each feature."""
    return PROBLEM.instance(n=3 * d // 2, d=d, p=3 * d // 5, kappa=50.0, noise=0.3, init=0.1)


def simulation(d: int, seeds: int, precision: str, quick: bool) -> Job:
    """The step loop of the simulation, including the set-up of Z^T Z."""
    from teacherstudent.sims.multiscale.descent import student_trajectory

    draws = draw(problem_of(d), range(seeds))
    last = steps(quick)
    early = max(1, round(SHARES[d] * last))

    def ours() -> Iterable[float]:
        weights = student_trajectory(draws, np.array([early, last]), RATE, dtype=precision)
        return weights[0, 0, :50].astype(float)

    return Job(ours)


def numpy_loop(d: int, seeds: int, quick: bool) -> Job:
    """residual = X w - y, then w -= eta X^T residual, for all draws of the batch at once."""
    draws = draw(problem_of(d), range(seeds))
    inputs = draws.inputs * draws.strengths
    labels = (draws.inputs @ draws.teacher[:, :, None])[..., 0] + draws.noise
    early = max(1, round(SHARES[d] * steps(quick)))

    def theirs() -> Iterable[float]:
        weights = draws.initial.copy()
        for _ in range(early):
            residual = (inputs @ weights[:, :, None])[..., 0] - labels
            weights -= RATE * (residual[:, None, :] @ inputs)[:, 0]
        return weights[0, :50]

    return Job(theirs, early / steps(quick))


def too_large(d: int, seeds: int, quick: bool) -> str:
    """Why this size cannot be run on this machine; empty if it can."""
    needed = 2 * 8 * seeds * 1.5 * d * d / 2**30  # the inputs and a copy of them
    here = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    if needed > here / 2:
        return f"needs {needed:.0f} GiB of memory, more than half of the {here:.0f} here"
    if quick and seeds * d * d > 2e7:
        return "not measured in a quick run"
    return ""


def _pairs() -> Iterator[Pair]:
    for d in SHARES:
        for seeds in (1, 100, 1000):
            size = f"d = {d}, n = {3 * d // 2}, {seeds} seed{'s' * (seeds > 1)}"
            yield Pair(
                f"descent-{d}-{seeds}",
                f"{STEPS} steps of gradient descent, {size}",
                Side("simulation", partial(simulation, d, seeds, "float64")),
                Side(
                    "NumPy loop over steps, with two products of the whole batch in each step",
                    partial(numpy_loop, d, seeds),
                ),
                within=1e-9,
                why="rounding errors of a few steps",
                on_gpu=True,
                lacks=partial(too_large, d, seeds),
            )
    yield Pair(
        "descent-float32",
        f"{STEPS} steps of gradient descent, d = 100, n = 150, 100 seeds, in float32",
        Side("simulation in float32", partial(simulation, 100, 100, "float32")),
        Side("NumPy loop in float64", partial(numpy_loop, 100, 100)),
        within=1e-4,
        why="rounding of float32",
        on_gpu=True,
    )


BENCHMARKS = tuple(_pairs())
