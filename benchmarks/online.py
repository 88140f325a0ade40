"""Committee machines trained online, against a plain NumPy loop over the same examples.

Both draw the examples as they go, by the same generator. The baseline takes one step after the other: fields,
errors and a product of the first layer's size for each example, and only a share of the steps. The question
that matters, 1e7 examples for each of 8 students, takes 200 times as long as what is measured here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from teacherstudent.benchmarks.declaration import Job, Pair, Side
from teacherstudent.problems.committee import PROBLEM
from teacherstudent.problems.committee.data import draw

SHAPE: dict[str, Any] = {"width": 4, "teacher_width": 4, "d": 1000, "learning_rate": 0.5, "noise": 0.1}
STEPS, QUICK_STEPS, SEEDS, SHARE = 50_000, 5_000, 8, 0.05


def simulation(quick: bool) -> Job:
    """The simulation, with its draws and what it records: R after a share of the steps, and at the end."""
    from teacherstudent.sims.committee.online import online

    problem, steps = PROBLEM.instance(**SHAPE), QUICK_STEPS if quick else STEPS
    times = np.array([SHARE, 1.0]) * steps / problem.d
    return Job(lambda: online(problem, times, seeds=range(SEEDS))["R"][:, 0].ravel())


def numpy_loop(quick: bool) -> Job:
    """lambda = w x/sqrt(d), then w -= eta/sqrt(d) (v Delta g') x^T, example by example."""
    from scipy.special import erf

    from teacherstudent.sims.committee.streams import INPUTS, NOISE, generator

    problem = PROBLEM.instance(**SHAPE)
    drawn, root = draw(problem, range(SEEDS)), np.sqrt(problem.d)
    some = round(SHARE * (QUICK_STEPS if quick else STEPS))

    def learned(seed: int) -> np.ndarray:
        inputs, noise = generator(seed, INPUTS), generator(seed, NOISE)
        w, teacher = drawn.student[seed].copy(), drawn.teacher[seed]
        for _ in range(some):
            x = inputs.standard_normal(problem.d)
            field = w @ x / root
            label = np.sum(erf(teacher @ x / root / np.sqrt(2))) + problem.noise * noise.standard_normal()
            error = np.sum(erf(field / np.sqrt(2))) - label
            push = problem.learning_rate / root * error * np.sqrt(2 / np.pi) * np.exp(-(field**2) / 2)
            w -= push[:, None] * x
        return (w @ teacher.T / problem.d).ravel()

    def theirs() -> Iterable[float]:
        return np.concatenate([learned(seed) for seed in range(SEEDS)])

    return Job(theirs, SHARE)


BENCHMARKS = (
    Pair(
        "online-committee",
        "50,000 online steps of K = M = 4 units, d = 1000, 8 seeds",
        Side("simulation in blocks of examples", simulation),
        Side("NumPy loop, one example at a time", numpy_loop),
        within=1e-9,
        why="rounding errors of a few thousand steps",
    ),
)
