"""Variance of the test error of ridge regression between data sets: draws of two sizes, and the limit."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth
from teacherstudent.paper_checks.judging.finite_size import agree_extrapolated
from teacherstudent.paper_checks.measured_spectrum import check
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.theory.measured_spectrum import scatter
from teacherstudent.theory.measured_spectrum.scatter import Mixed

ID = "measured-spectrum"
SIZES = {60: 5000, 120: 3000}
"""Modes, and draws of each size."""

RIDGES = np.array([0.2, 0.02])
"""For each mode."""


def question(size: int, noise: float = 0.5) -> dict[str, Any]:
    """Two scales of modes and 3/4 as many rows."""
    return {"modes": ((size // 4, 1.0, 1.0), (3 * size // 4, 0.1, 0.3)), "n": 3 * size // 4, "noise": noise}


def drawn(seeds: Seeds) -> dict[int, np.ndarray]:
    """Evidence: squared differences of test errors from their mean, times the size, (S, T), by size."""
    found = {}
    for size, draws in SIZES.items():
        asked = {"seeds": seeds(draws, f"size {size}"), **question(size)}
        test = run(ID, "ridge", "instance", 1 / (size * RIDGES), **asked)["generalisation_error"].values
        found[size] = size * (test - test.mean(axis=0)) ** 2 * draws / (draws - 1)
    return found


def limit(_: object, **changed: float) -> np.ndarray:
    """The claim: the variance of the limit, times the size, (T,)."""
    size = max(SIZES)
    asked = {"observable": ("scatter",), "sampling": "population", **question(size, **changed)}
    answer = run(ID, "ridge", "asymptotic", 1 / (size * RIDGES), **asked)
    found: np.ndarray = size * answer["generalisation_error_scatter"].values ** 2
    return found


def frozen(_: object) -> np.ndarray:
    """Wrong: the test error that is added to the loss does not change kappa."""
    size = max(SIZES)
    kept, *moving, _ = scatter.population(PROBLEM.instance(**question(size)), size * RIDGES)
    df2, shared = (Mixed(each.value, 0 * each.slope, 0 * each.mixed) for each in moving)
    return size * scatter.variance(question(size)["n"], kept, df2, shared)


def of_test_rows(evidence: object) -> np.ndarray:
    """Wrong: squared errors of n independent test rows, 2 test^2/n."""
    size = max(SIZES)
    answer = run(ID, "ridge", "asymptotic", 1 / (size * RIDGES), **question(size))
    found: np.ndarray = size * 2 * answer["generalisation_error"].values ** 2 / question(size)["n"]
    return found


SCATTER = check(
    id="own-scatter",
    title="variance of the test error between Gaussian data sets, from two sizes, against the limit",
    ref="two-point formula for minima of the loss",
    evidence=drawn,
    claim=limit,
    judge=agree_extrapolated,
    effect=Contrast("kappa fixed", "what the response of kappa adds"),
    teeth=(
        Tooth("kappa fixed", frozen),
        Tooth("errors of n independent rows", of_test_rows),
        Tooth("no noise", partial(limit, noise=0.0)),
    ),
    slow=True,
)

CHECKS = (SCATTER,)
