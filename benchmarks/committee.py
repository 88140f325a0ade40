"""The equations of committee machines: all moments at once beside loops over the printed sums."""

from __future__ import annotations

from typing import Any

import numpy as np

from teacherstudent.benchmarks.declaration import Job, Pair, Side
from teacherstudent.problems.committee import PROBLEM

OVERLAPS = [
    [0.10, 0.02, 0.03, 0.05],
    [0.04, 0.12, 0.01, 0.02],
    [0.01, 0.03, 0.09, 0.06],
    [0.02, 0.01, 0.05, 0.11],
]
QUESTION: dict[str, Any] = {
    "width": 4,
    "teacher_width": 4,
    "learning_rate": 0.5,
    "initial_overlaps": OVERLAPS,
}
LATE, STEP = 1e4, 0.5


def solved(quick: bool) -> Job:
    """All overlaps of K = M = 4 that differ, to t = 1e4; the excess risk at t = 1, 2 and 3."""
    from teacherstudent.theory.committee import ode

    problem, times = PROBLEM.instance(**QUESTION), np.array([1.0, 2.0, 3.0, LATE])
    return Job(lambda: ode.solve(problem, times).excess_risk[:3])


def looped(quick: bool) -> Job:
    """The first 3 units of time by the classical method of Runge and Kutta, term by term."""
    problem = PROBLEM.instance(**QUESTION)
    return Job(lambda: plain_risks(problem), 3 / LATE)


def plain_risks(problem: Any) -> list[float]:
    """At t = 1, 2, 3, as a short script has it."""
    K, eta = problem.width, problem.learning_rate
    u = np.array([*problem.second_layer, *(-each for each in problem.teacher_second_layer)])
    C = np.block(
        [[np.array(problem.Q0), np.array(problem.R0)], [np.array(problem.R0).T, np.array(problem.T)]]
    )
    found = []
    for step in range(round(3 / STEP)):
        k1 = plain_slopes(C, u, K, eta)
        k2 = plain_slopes(C + STEP / 2 * k1, u, K, eta)
        k3 = plain_slopes(C + STEP / 2 * k2, u, K, eta)
        k4 = plain_slopes(C + STEP * k3, u, K, eta)
        C = C + STEP / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if (step + 1) % round(1 / STEP) == 0:
            d = 1 + np.diagonal(C)
            found.append(float(u @ np.arcsin(C / np.sqrt(np.outer(d, d))) @ u / np.pi))
    return found


def plain_slopes(C: np.ndarray, u: np.ndarray, K: int, eta: float) -> np.ndarray:
    """Of all overlaps, by loops over four units, erf."""
    from math import asin, pi, sqrt

    N, slopes, d = len(C), np.zeros_like(C), 1 + np.diagonal(C)

    def third(i: int, b: int) -> float:
        total = 0.0
        for c in range(N):
            root = sqrt(d[i] * d[c] - C[i, c] ** 2)
            total += u[c] * 2 / pi * (C[b, c] * d[i] - C[i, b] * C[i, c]) / (d[i] * root)
        return total

    def left(i: int, j: int, c: int, e: int, own: float) -> float:
        return float(
            (d[i] * d[j] - C[i, j] ** 2) * own
            - C[j, c] * C[j, e] * d[i]
            - C[i, c] * C[i, e] * d[j]
            + C[i, j] * (C[i, c] * C[j, e] + C[i, e] * C[j, c])
        )

    for i in range(K):
        for m in range(K, N):
            slopes[i, m] = slopes[m, i] = -eta * u[i] * third(i, m)
        for j in range(i, K):
            total = -eta * (u[i] * third(i, j) + u[j] * third(j, i))
            for c in range(N):
                for e in range(N):
                    sizes = sqrt(left(i, j, c, c, d[c]) * left(i, j, e, e, d[e]))
                    angle = asin(left(i, j, c, e, C[c, e]) / sizes)
                    scale = eta**2 * u[i] * u[j] * u[c] * u[e] * 4 / pi**2
                    total += scale * angle / sqrt(d[i] * d[j] - C[i, j] ** 2)
            slopes[i, j] = slopes[j, i] = total
    return slopes


BENCHMARKS = (
    Pair(
        "committee",
        "all overlaps of a student with 4 units and a teacher with 4, up to 1e4 d examples",
        Side("all averages computed at once, with the longest step for which two integrations agree", solved),
        Side(f"Runge-Kutta in steps of {STEP}, loops over four units", looped),
        within=1e-3,
        why="the baseline's steps",
    ),
)
