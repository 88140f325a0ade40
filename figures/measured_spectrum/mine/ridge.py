"""The error over the strength of ridge regression, and the best strength, which may be negative."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.measured_spectrum.mine.judging import factors, preferred
from teacherstudent.figures.measured_spectrum.mine.request import DRAWING, Request
from teacherstudent.house.running import run, summarise
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.theory.measured_spectrum.best_ridge import error_at, least
from teacherstudent.theory.measured_spectrum.decomposition import decomposition

ERROR = "generalisation_error"

MOST = 57
"""Strengths of the ridge at which the error is computed."""

BELOW, ABOVE = 1e-3, 10.0
"""The least strength over that of the weakest mode, and the largest over that of the strongest."""

MARKS = 8
"""Strengths at which it is also measured."""


def over_ridge(asked: Request) -> xr.Dataset:
    """Errors of ridge regression, (size, total_ridge), and what subsets measured, (size, ridge_mark).

    Strengths are those of the loss 1/2 of the summed squares. The best one of each size, (size,), is that of
    the limit; `best_corrected` is the error by leverages there.
    """
    strengths = _strengths(asked)
    marks = strengths[np.unique(np.rint(np.linspace(0, strengths.size - 1, MARKS)).astype(int))]
    whole, marked, best = ("size", "total_ridge"), ("size", "ridge_mark"), ("size",)
    variables: dict[str, tuple[tuple[str, ...], list[Any], str]] = {
        "ridge_error": (whole, [], "error of ridge regression on new rows, by the formula of a pool"),
        "ridge_corrected": (marked, [], "error of ridge regression, corrected by leverages"),
        "ridge_measured": (marked, [], "error of ridge regression, mean over subsets"),
        "ridge_measured_stderr": (marked, [], "standard error of that mean"),
        "best_ridge": (best, [], "strength of the best ridge, by the formula of a pool"),
        "best_error": (best, [], "error at the best ridge, by the formula of a pool"),
        "best_corrected": (best, [], "error at the best ridge, corrected by leverages"),
        "best_measured": (best, [], "error at the best ridge, mean over subsets; NaN for a negative ridge"),
        "best_measured_stderr": (best, [], "standard error of that mean"),
    }
    for n in asked.sizes:
        found = _of_size(asked, n, strengths, marks)
        for name, (_, values, _) in variables.items():
            values.append(found[name])
    said = {"units": "output^2", "symbol": "E_g"}
    along = {"units": "feature^2", "symbol": "lambda", "long_name": "strength of the ridge"}
    described = {
        name: (dims, values, {**(along if name == "best_ridge" else said), "long_name": meant})
        for name, (dims, values, meant) in variables.items()
    }
    return xr.Dataset(
        described,
        {"total_ridge": ("total_ridge", strengths, along), "ridge_mark": ("ridge_mark", marks, along)},
    )


def _of_size(asked: Request, n: int, strengths: np.ndarray, marks: np.ndarray) -> dict[str, Any]:
    """Each variable of one size."""
    strength, error, corrected = _best(asked, n)
    known = 0 < strength < np.inf
    drawn = np.unique([*marks, strength]) if known else marks
    seen = at_ridge(asked, n, "instance", drawn)
    mean, stderr = seen[ERROR].values, seen[f"{ERROR}_stderr"].values
    places, place = np.searchsorted(drawn, marks), int(np.searchsorted(drawn, strength))
    return {
        "ridge_error": at_ridge(asked, n, "asymptotic", strengths)[ERROR].values,
        "ridge_corrected": at_ridge(asked, n, "leverage", marks)[ERROR].values,
        "ridge_measured": mean[places],
        "ridge_measured_stderr": stderr[places],
        "best_ridge": strength,
        "best_error": error,
        "best_corrected": corrected,
        "best_measured": mean[place] if known else np.nan,
        "best_measured_stderr": stderr[place] if known else np.nan,
    }


def _best(asked: Request, n: int) -> tuple[float, float, float]:
    """The best strength of the limit, with its error by both formulas; NaN where no minimum is certified.

    Where the least error is 0 to rounding, so is the strength: its sign and size are of rounding.
    """
    problem = asked.problem(n)
    try:
        found = least(problem)
    except ArithmeticError:
        return np.nan, np.nan, np.nan
    if found.error < asked.floor(n):
        return 0.0, 0.0, 0.0
    known = np.isfinite(found.ridge) and not found.at_edge
    corrected = error_at(problem, np.array([found.ridge]), by_rows=True)[0] if known else np.nan
    return found.ridge, found.error, float(corrected)


def at_ridge(asked: Request, n: int, route: str, strengths: Sequence[float] | np.ndarray) -> xr.Dataset:
    """What a route says of ridge regression on n rows, over `time` in the order of increasing strengths."""
    times = 1 / np.asarray(strengths, dtype=float)[::-1]
    drawn = asked.seeds if route in DRAWING else None
    values = {**asked.values, "ridge": 0.0, "init": 0.0}
    found = summarise(run(PROBLEM.id, "ridge", route, times, seeds=drawn, n=n, **values))
    return found.isel(time=slice(None, None, -1))


def _strengths(asked: Request) -> np.ndarray:
    """Increasing strengths: from far below the weakest mode of all rows to above the strongest."""
    values = decomposition(asked.problem(asked.sizes[0])).eigenvalues
    low, high = BELOW * asked.sizes[0] * values[-1], ABOVE * asked.sizes[-1] * values[0]
    return np.geomspace(low, high, MOST)


def best(answer: xr.Dataset) -> list[dict[str, Any]]:
    """Of each size the best ridge and its error, `measured` where that ridge is positive.

    better: a strength at which less was measured than at the best one, beyond the errors of both, or None.

    Errors are 95 %: how far the formulas are apart, or how far theory is from what was measured with the
    error of that, whichever is more. A negative ridge is not measured.
    """
    single, found = factors(answer)[0], []
    for size in answer["size"].values.tolist():
        here = answer.sel(size=size)
        theory = float(preferred(here["best_error"], here["best_corrected"]))
        measured = float(here["best_measured"])
        scatter = single * float(here["best_measured_stderr"])
        errors = single * here["ridge_measured_stderr"].values
        low = int(np.nanargmin(here["ridge_measured"].values + errors))
        less = float(here["ridge_measured"][low]) + errors[low] < measured - scatter
        apart = abs(theory - float(here["best_error"]))
        off = abs(theory - measured) + scatter if np.isfinite(measured) else np.nan
        found.append(
            {
                "n": size,
                "best": float(here["best_ridge"]),
                "error": {"value": theory, "error": float(np.fmax(apart, off))},
                "measured": {"value": measured, "error": scatter},
                "better": float(here["ridge_mark"][low]) if less else None,
            }
        )
    return found
