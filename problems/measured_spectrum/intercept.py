"""Which intercept a student has: what is chosen where nobody says, and what contradicts what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from teacherstudent.house.errors import InputError
from teacherstudent.problems.batches import FRESH
from teacherstudent.problems.measured_spectrum.instance import MeasuredSpectrum


def with_intercept(problem: MeasuredSpectrum, given: Mapping[str, Any]) -> MeasuredSpectrum:
    """The problem with the intercept that is asked for, or the default of such rows. Raises `InputError`."""
    asked, column = given["intercept"], bool(given["bias_column"])
    gaussian = problem.sampling == "population"
    if column and asked in ("trained", "pool"):
        raise InputError("bias_column", "yes", f"left out with --intercept {asked}: give one of the two")
    if column and gaussian:
        raise InputError("bias_column", "yes", "left out for Gaussian rows: a column of ones is not Gaussian")
    if asked == "pool" and not problem.measured:
        raise InputError(
            "intercept", asked, "trained or none for a law, which has no rows to compute a mean from"
        )
    if asked == "none" and gaussian and problem.measured:
        raise InputError("intercept", asked, "trained or pool for Gaussian rows, whose means are zero")
    chosen: Any = asked or ("trained" if problem.measured and not column else "none")
    if chosen == "trained" and problem.n < 2:
        hint = "--intercept pool uses the mean of all rows" if problem.measured else ""
        raise InputError("n", problem.n, "at least 2 for a trained intercept", hint)
    return replace(problem, intercept=chosen, bias_column=column)


def batch_remarks(problem: MeasuredSpectrum, times: Any, options: Mapping[str, Any]) -> str:
    """That an intercept is not trained on fresh rows."""
    if of_batches(problem, options["data"]) is problem:
        return ""
    return "fresh rows have no training mean, so the known intercept is used, as with --intercept pool"


def of_batches(problem: MeasuredSpectrum, data: str) -> MeasuredSpectrum:
    """The problem as batches meet it: fresh rows have no training means, so their mean is the known one."""
    if data == FRESH and problem.intercept == "trained":
        return replace(problem, intercept="pool" if problem.measured else "none")
    return problem
