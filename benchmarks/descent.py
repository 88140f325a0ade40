"""Simulated gradient descent at several sizes, against plain NumPy in the same form.

Both use the same data, drawn before the clock starts, and compute X^T X. The baseline does a share of the
draws, one after the other. A second baseline diagonalises X^T X instead of taking steps.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np

from teacherstudent.benchmarks.declaration import Job, Pair, Side
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.problems.multiscale.data import draw

RATE, STEPS, QUICK_STEPS = 0.2, 2000, 200
SHARES = {100: 100, 1000: 4, 4000: 1}
"""Draws at each d that the baseline does at most."""


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
    last = np.array([steps(quick)])

    def ours() -> Iterable[float]:
        return student_trajectory(draws, last, RATE, dtype=precision)[0, 0, :50].astype(float)

    return Job(ours)


def by_hand(d: int, seeds: int, way: Callable[..., np.ndarray], quick: bool) -> Job:
    """Weights of a share of the draws, each by that way from X^T X, X^T y and the weights at time 0."""
    some = min(seeds, SHARES[d])
    draws = draw(problem_of(d), range(some))
    inputs = draws.inputs * draws.strengths
    labels = (draws.inputs @ draws.teacher[:, :, None])[..., 0] + draws.noise

    def theirs() -> Iterable[float]:
        trained = [
            way(x.T @ x, x.T @ y, start, steps(quick))
            for x, y, start in zip(inputs, labels, draws.initial, strict=True)
        ]
        return trained[0][:50]

    return Job(theirs, some / seeds)


def stepped(gram: np.ndarray, pull: np.ndarray, weights: np.ndarray, count: int) -> np.ndarray:
    """w -= eta (X^T X w - X^T y), step by step."""
    for _ in range(count):
        weights = weights - RATE * (gram @ weights - pull)
    return weights


def diagonalised(gram: np.ndarray, pull: np.ndarray, weights: np.ndarray, count: int) -> np.ndarray:
    """The same by the powers of the eigenvalues of a step."""
    c, vectors = np.linalg.eigh(gram)
    kept = (1 - RATE * c) ** count
    return np.asarray(vectors @ (kept * (vectors.T @ weights) + (1 - kept) / c * (vectors.T @ pull)))


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
    loop = "NumPy loop over steps on X^T X, a product whose symmetry NumPy uses and XLA does not"
    for d in SHARES:
        for seeds in (1, 100, 1000):
            size = f"d = {d}, n = {3 * d // 2}, {seeds} seed{'s' * (seeds > 1)}"
            yield Pair(
                f"descent-{d}-{seeds}",
                f"{STEPS} steps of gradient descent, {size}",
                Side("simulation", partial(simulation, d, seeds, "float64")),
                Side(loop, partial(by_hand, d, seeds, stepped)),
                within=1e-9,
                why="rounding errors of a few thousand steps",
                on_gpu=True,
                lacks=partial(too_large, d, seeds),
            )
    for d, seeds in ((100, 100), (1000, 1)):
        yield Pair(
            f"descent-diagonalised-{d}",
            f"{STEPS} steps of gradient descent, d = {d}, n = {3 * d // 2}, {seeds} seed{'s' * (seeds > 1)}",
            Side("simulation", partial(simulation, d, seeds, "float64")),
            Side(
                "NumPy, X^T X diagonalised once: no steps. The simulation takes every step, because it tests "
                "formulas that rest on eigenvalues",
                partial(by_hand, d, seeds, diagonalised),
            ),
            within=1e-9,
            why="rounding errors of a few thousand steps",
        )
    yield Pair(
        "descent-float32",
        f"{STEPS} steps of gradient descent, d = 100, n = 150, 100 seeds, in float32",
        Side("simulation in float32", partial(simulation, 100, 100, "float32")),
        Side(f"{loop}, in float64", partial(by_hand, 100, 100, stepped)),
        within=1e-4,
        why="rounding of float32",
        on_gpu=True,
    )


BENCHMARKS = tuple(_pairs())
