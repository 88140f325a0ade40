"""The flow of gradient starvation against a plain SciPy loop over its equation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from teacherstudent.benchmarks.declaration import Job, Pair, Side
from teacherstudent.problems.starvation import PROBLEM, Starvation

COUPLINGS = 20


def problems(quick: bool) -> tuple[list[Starvation], np.ndarray]:
    """Two features at several couplings, and the times."""
    deltas = np.linspace(0, 0.9, 3 if quick else COUPLINGS)
    return [PROBLEM.instance(delta=delta) for delta in deltas], np.geomspace(1e-3, 30, 100)


def flow(quick: bool) -> Job:
    """The theory's flow: a stiff solver in the logit of alpha, with its Jacobian."""
    from teacherstudent.theory.starvation import flow

    asked, times = problems(quick)
    options: dict[str, Any] = {"alpha0": 1e-8, "learning_rate": "auto"}

    def ours() -> Iterable[float]:
        return [flow.dual(problem, times, **options)["z1"][-1] for problem in asked]

    return Job(ours)


def plain_loop(quick: bool) -> Job:
    """solve_ivp with default method on Eq. 6.3.9 as printed, to the accuracy of a figure."""
    from scipy.integrate import solve_ivp

    asked, times = problems(quick)

    def theirs() -> Iterable[float]:
        found = []
        for problem in asked:
            U, s = problem.U, problem.s
            A = U @ np.diag(s**2) @ U.T / problem.ridge

            def velocity(_: float, alpha: np.ndarray, A: np.ndarray = A) -> np.ndarray:
                return np.log((1 - alpha) / alpha) - A @ alpha

            solution = solve_ivp(velocity, (0, times[-1]), [1e-8, 1e-8], t_eval=times, rtol=1e-6, atol=1e-12)
            found.append((s**2 * (solution.y[:, -1] @ U) / problem.ridge)[0])
        return found

    return Job(theirs)


BENCHMARKS = (
    Pair(
        "starvation",
        f"dual flow of two features at {COUPLINGS} couplings and 100 times",
        Side("stiff solver in the logit of alpha, to 1e-11", flow),
        Side("solve_ivp with its defaults on Eq. 6.3.9, to 1e-6", plain_loop),
        within=1e-4,
        why="the tolerance of the baseline, magnified by dividing by the ridge of 0.01",
    ),
)
