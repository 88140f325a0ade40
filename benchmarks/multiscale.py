"""The computation of Fig. 3, asymptotic curves and maps, and the instance route, against published scripts.

The published scripts of Fig. 3 loop in Python over seeds and times, with a matrix power and an inverse at
each. The other baselines decompose each drawn X^T X once, for all times, as a careful user of NumPy does.
Baselines do a share of the seeds, to whose number the cost is proportional.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from teacherstudent.benchmarks.declaration import Job, Pair, Side
from teacherstudent.house.grids import Span
from teacherstudent.house.running import run
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.problems.multiscale.data import draw

SHAPE: dict[str, Any] = {"n": 150, "d": 100, "p": 60}
KAPPAS = (1.0, 50.0, 1e5)
SCATTER = "two draws of d = 100 compared with the limit of large d"


# Fig. 3 ------------------------------------------------------------------------------------------


def figure_3(quick: bool) -> Job:
    """3 condition numbers x 100 seeds x 100 times: gradient descent and ridge regression."""
    seeds, times = 10 if quick else 100, Span(1, 1e6, 100)

    def ours() -> Iterable[float]:
        found: list[float] = []
        for kappa in KAPPAS:
            for dynamics in ("descent", "ridge"):
                answer = run(
                    "multiscale", dynamics, "simulation", times, seeds=range(seeds), kappa=kappa, **SHAPE
                )
                found.extend(answer["R"].sel(time=1e6, seed=0, method="nearest").values.ravel())
        return found

    return Job(ours)


def figure_3_published(quick: bool) -> Job:
    """A matrix power and an inverse at every seed and time."""
    seeds, some = 10 if quick else 100, 1 if quick else 2
    steps = np.unique(np.rint(np.geomspace(1, 1e6, 100)))
    d = SHAPE["d"]

    def theirs() -> Iterable[float]:
        found = []
        for kappa in KAPPAS:
            draws = draw(PROBLEM.instance(**SHAPE, kappa=kappa), range(some))
            for seed in range(some):
                inputs, teacher = draws.inputs[seed] * draws.strengths, draws.teacher[seed]
                gram, target = inputs.T @ inputs, inputs.T @ (draws.inputs[seed] @ teacher)
                eta = 1 / np.linalg.eigvalsh(gram)[-1]
                curves = []
                for step in steps:
                    power = np.linalg.matrix_power(np.eye(d) - eta * gram, int(step))
                    ended = np.linalg.inv(gram) @ target
                    ridge = np.linalg.inv(gram + np.eye(d) / step) @ target
                    curves.append(
                        [teacher @ (draws.strengths * w) / d for w in (ended - power @ ended, ridge)]
                    )
                if seed == 0:
                    found += curves[-1]
        return found

    return Job(theirs, some / seeds)


# Curves and maps in the limit ----------------------------------------------------------------------


def curve(quick: bool) -> Job:
    """The asymptotic route at 100 flow times."""
    from teacherstudent.theory.multiscale import asymptotic

    problem, times = PROBLEM.instance(**SHAPE, kappa=50.0), np.geomspace(1, 1e6, 100)
    return Job(lambda: asymptotic.flow(problem, times)["R"])


def curve_drawn(quick: bool) -> Job:
    """An average over 100 drawn data sets, each decomposed once."""
    times = np.geomspace(1, 1e6, 100)
    return Job(lambda: decomposed(PROBLEM.instance(**SHAPE, kappa=50.0), times, 100))


def decomposed(problem: MultiScale, times: np.ndarray, seeds: int) -> np.ndarray:
    """R of gradient flow averaged over drawn data, (T,): the eigenvalues of each X^T X serve all times."""
    strengths = np.repeat(problem.sigmas, problem.counts)
    R = np.zeros((seeds, len(times)))
    for seed in range(seeds):
        random = np.random.default_rng(seed)
        inputs = random.standard_normal((problem.n, problem.d)) / np.sqrt(problem.d) * strengths
        R[seed] = np.mean(1 - np.exp(-np.outer(times, np.linalg.eigvalsh(inputs.T @ inputs))), axis=1)
    return R.mean(axis=0)


def cells(quick: bool) -> tuple[list[MultiScale], np.ndarray]:
    """The problems of a map over kappa and noise, and its times."""
    side = 10 if quick else 40
    grid = [(kappa, noise) for kappa in np.geomspace(1, 100, side) for noise in np.geomspace(0.01, 1, side)]
    return [PROBLEM.instance(**SHAPE, kappa=k, noise=e) for k, e in grid], np.geomspace(1, 1e6, 64)


def map_of_theory(quick: bool) -> Job:
    """The asymptotic route, cell by cell."""
    from teacherstudent.theory.multiscale import asymptotic

    problems, times = cells(quick)
    return Job(lambda: [asymptotic.flow(problem, times)["R"] for problem in problems][-1])


def map_drawn(quick: bool) -> Job:
    """The same average over 100 drawn data sets in every cell."""
    problems, times = cells(quick)
    return Job(lambda: decomposed(problems[-1], times, 100), 1 / len(problems))


# The instance route --------------------------------------------------------------------------------


def instance_times(quick: bool) -> np.ndarray:
    """Recorded times: as many as a film has frames."""
    return np.geomspace(1, 1e6, 200 if quick else 1000)


def instance_route(quick: bool) -> Job:
    """One decomposition for each draw, from which all times are computed."""
    from teacherstudent.theory.multiscale import instance

    problem, times = PROBLEM.instance(**SHAPE, kappa=50.0), instance_times(quick)
    seeds = range(5 if quick else 50)
    return Job(lambda: instance.flow(problem, times, seeds=seeds)["Q"][0, -20:])


def instance_by_hand(quick: bool) -> Job:
    """Q alone: the eigenvectors of each X^T X, then products for all times."""
    problem, times = PROBLEM.instance(**SHAPE, kappa=50.0), instance_times(quick)
    draws = draw(problem, range(5 if quick else 50))

    def of_one(inputs: np.ndarray) -> np.ndarray:
        moments = draws.strengths[:, None] * (inputs.T @ inputs)
        c, vectors = np.linalg.eigh(moments * draws.strengths)
        f = -np.expm1(-np.outer(times, c)) / c
        cross, modulated = vectors.T @ moments, draws.strengths[:, None] * vectors
        overlap = modulated.T @ modulated
        learned = np.sum((f @ (overlap * (cross @ cross.T))) * f, axis=1)
        return (learned + problem.noise**2 * f**2 @ (c * np.diagonal(overlap))) / problem.d

    def theirs() -> Iterable[float]:
        found = [of_one(inputs)[-20:] for inputs in draws.inputs]
        return found[0]

    return Job(theirs)


BENCHMARKS = (
    Pair(
        "figure-3",
        "Fig. 3 of pezeshki2022 ch. 4, cold: 3 kappas x 100 seeds x 100 times, descent and ridge",
        Side("simulation, including imports and compilation", figure_3),
        Side("published script: a matrix power and an inverse at every seed and time", figure_3_published),
        within=1e-4,
        why="a matrix power of 1e6 steps and the inverse of a matrix of condition 1e10",
        cold=True,
    ),
    Pair(
        "curve",
        "R(t) at 100 times, asymptotic route",
        Side("exact limit on a contour", curve),
        Side("average over 100 drawn data sets, each decomposed once", curve_drawn),
        within=0.1,
        why=SCATTER,
    ),
    Pair(
        "map",
        "R(t) at 64 times on a map of 40 x 40 kappas and noises, asymptotic route",
        Side("exact limit on a contour, computed cell by cell", map_of_theory),
        Side("average over 100 data sets in every cell, each decomposed once", map_drawn),
        within=0.1,
        why=SCATTER,
    ),
    Pair(
        "instance",
        "Q(t) at 1000 times for each of 50 drawn data sets, instance route",
        Side("R, Q, errors and outputs, with their digits checked", instance_route),
        Side("Q alone by NumPy, each data set decomposed once, no digits checked", instance_by_hand),
        within=1e-9,
        why="rounding errors of two ways to compute the same number",
    ),
)
