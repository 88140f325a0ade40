"""Random features: their limit at many times, against students on drawn features."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from teacherstudent.benchmarks.declaration import Job, Pair, Side, Slope
from teacherstudent.problems.random_features import PROBLEM

SHAPE: dict[str, Any] = {
    "activation": "erf", "psi1": 1.5, "psi2": 2.0, "noise": 0.5, "init": 0.5, "ridge": 0.02,
}  # fmt: skip
DRAWS = 100


def times() -> np.ndarray:
    """A hundred, from before anything is learned to the end."""
    return np.geomspace(0.01, 1e5, 100)


def curve(quick: bool) -> Job:
    """The asymptotic route at 100 flow times."""
    from teacherstudent.theory.random_features import asymptotic

    problem, at = PROBLEM.instance(**SHAPE), times()
    return Job(lambda: asymptotic.flow(problem, at)["excess_risk"])


def drawn(quick: bool) -> Job:
    """An average over 100 draws of features and samples: one decomposition each, and 2,000 fresh samples."""
    problem, at = PROBLEM.instance(**SHAPE), times()
    some = 10 if quick else 20

    def direct() -> np.ndarray:
        return np.mean([decomposed(problem, at, seed) for seed in range(some)], axis=0)

    return Job(direct, some / DRAWS)


def decomposed(problem: Any, at: np.ndarray, seed: int) -> np.ndarray:
    """The excess risk of flow on one draw, (T,), as plain NumPy has it."""
    from scipy.special import erf

    random, (n, width, d) = np.random.default_rng(seed), (problem.n, problem.width, problem.d)
    F, w = random.standard_normal((width, d)), random.standard_normal(d)
    z, fresh = (random.standard_normal((count, d)) / np.sqrt(d) for count in (n, 2000))
    phi, seen = (erf(each @ F.T) / np.sqrt(width) for each in (z, fresh))
    y = z @ w + problem.noise * random.standard_normal(n)
    left, singular, right = np.linalg.svd(phi)
    rates, count = np.zeros(width), singular.size
    rates[:count] = singular**2
    rates += problem.ridge
    moved = np.zeros(width)
    moved[:count] = singular * (y @ left[:, :count])
    kept = problem.init * random.standard_normal(width)
    p = np.exp(-rates * at[:, None])
    a = (1 - p) / rates * moved + p * (right @ kept)
    return np.asarray(np.mean((fresh @ w - a @ (seen @ right.T).T) ** 2, axis=1) / 2)


def sizes(quick: bool) -> Mapping[float, Callable[[], object]]:
    """The same at sizes that are up to a million times as large."""
    from teacherstudent.theory.random_features import asymptotic

    at, by_size = times(), {}
    for d in (10**2, 10**4, 10**6, 10**8):
        problem = PROBLEM.instance(**SHAPE, d=d)
        by_size[float(d)] = lambda problem=problem: asymptotic.flow(problem, at)
    return by_size


BENCHMARKS = (
    Pair(
        "random-features",
        "excess risk of random features at 100 times of training, asymptotic route",
        Side("exact limit on a contour", curve),
        Side("average over 100 drawn data sets with d = 100, one decomposition for each", drawn),
        within=0.2,
        why="the baseline averages few draws at d = 100, tested on 2,000 samples each",
    ),
    Slope(
        "random-features-size",
        "100 times of training of random features, with n, N and d growing together",
        exponent=0.0,
        slack=0.05,
        why="the limit depends only on ratios of sizes",
        measure_at=sizes,
    ),
)
