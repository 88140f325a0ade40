"""The error over the strength of ridge regression, at the sizes that are looked at closely."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.measured_spectrum.mine.asked import DRAWING, Asked
from teacherstudent.figures.measured_spectrum.mine.judging import factors, preferred
from teacherstudent.house.running import run, summarise
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.theory.measured_spectrum.decomposition import decomposition

ERROR = "generalisation_error"

MOST = 57
"""Strengths of the ridge at which the error is computed."""

BELOW, ABOVE = 1e-3, 10.0
"""The least strength over that of the weakest mode, and the largest over that of the strongest."""

MARKS = 8
"""Strengths at which it is also measured."""


def over_ridge(asked: Asked) -> xr.Dataset:
    """Errors of ridge regression, (size, total_ridge), and what subsets measured, (size, ridge_mark).

    The strengths, of the loss 1/2 of the summed squares, are the inverses of the times of training.
    """
    strengths = _strengths(asked)
    marks = strengths[np.unique(np.rint(np.linspace(0, strengths.size - 1, MARKS)).astype(int))]
    limit, corrected, measured, scatter = [], [], [], []
    for n in asked.sizes:
        limit.append(at_ridge(asked, n, "asymptotic", strengths)[ERROR].values)
        corrected.append(at_ridge(asked, n, "leverage", marks)[ERROR].values)
        seen = at_ridge(asked, n, "instance", marks)
        measured.append(seen[ERROR].values)
        scatter.append(seen[f"{ERROR}_stderr"].values)
    said = {"units": "output^2", "symbol": "E_g"}
    whole, marked = ("size", "total_ridge"), ("size", "ridge_mark")
    variables = {
        "ridge_error": (whole, limit, "error of ridge regression on new rows, by the formula of a pool"),
        "ridge_corrected": (marked, corrected, "error of ridge regression, corrected by leverages"),
        "ridge_measured": (marked, measured, "error of ridge regression, mean over subsets"),
        "ridge_measured_stderr": (marked, scatter, "standard error of that mean"),
    }
    along = {"units": "feature^2", "symbol": "lambda", "long_name": "strength of the ridge"}
    return xr.Dataset(
        {
            name: (dims, values, {**said, "long_name": meant})
            for name, (dims, values, meant) in variables.items()
        },
        {"total_ridge": ("total_ridge", strengths, along), "ridge_mark": ("ridge_mark", marks, along)},
    )


def at_ridge(asked: Asked, n: int, route: str, strengths: Sequence[float] | np.ndarray) -> xr.Dataset:
    """What a route says of ridge regression on n rows, over `time` in the order of increasing strengths."""
    times = 1 / np.asarray(strengths, dtype=float)[::-1]
    drawn = asked.seeds if route in DRAWING else None
    values = {**asked.values, "ridge": 0.0, "init": 0.0}
    found = summarise(run(PROBLEM.id, "ridge", route, times, seeds=drawn, n=n, **values))
    return found.isel(time=slice(None, None, -1))


def _strengths(asked: Asked) -> np.ndarray:
    """Increasing strengths: from far below the weakest mode of all rows to above the strongest."""
    values = decomposition(asked.problem(asked.sizes[0])).eigenvalues
    low, high = BELOW * asked.sizes[0] * values[-1], ABOVE * asked.sizes[-1] * values[0]
    return np.geomspace(low, high, MOST)


def best(answer: xr.Dataset) -> list[dict[str, Any]]:
    """Of each size the best ridge among those computed, its error, and what was measured nearest to it.

    Errors are 95 %, simultaneous over all marks of the page: how far the formulas are apart, or how far one
    of them is from what was measured, with the error of that, whichever is more.
    """
    found = []
    for size in answer["size"].values.tolist():
        here = answer.sel(size=size)
        strengths, marks = answer["total_ridge"].values, answer["ridge_mark"].values
        at = int(np.argmin(here["ridge_error"].values))
        near = int(np.argmin(np.abs(np.log(marks / strengths[at]))))
        pool = here["ridge_error"].sel(total_ridge=marks)
        theory = preferred(
            pool.rename(total_ridge="ridge_mark").assign_coords(ridge_mark=marks), here["ridge_corrected"]
        )
        value = float(here["ridge_error"][at] * theory[near] / pool.values[near])
        measured = float(here["ridge_measured"][near])
        scatter = factors(answer)[0] * float(here["ridge_measured_stderr"][near])
        off = abs(1 - measured / float(theory[near])) + scatter / float(theory[near])
        apart = abs(1 - float(pool.values[near]) / float(theory[near]))
        found.append(
            {
                "n": size,
                "best": float(strengths[at]),
                "at_weakest": at == 0,
                "error": {"value": value, "error": value * max(off, apart)},
                "measured": {"value": measured, "error": scatter},
            }
        )
    return found
