"""Any flow of the theory by the name of its dynamics."""

from __future__ import annotations

import numpy as np

from teacherstudent.problems.starvation import PROBLEM, Starvation
from teacherstudent.theory.starvation import flow

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
