"""What more rows than there are would bring: predictions at the best ridge within reach of the pool."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.measured_spectrum.mine.request import Request
from teacherstudent.house.errors import InputError
from teacherstudent.theory.measured_spectrum.predictions_beyond import ahead

FACTORS = (1, 2, 4, 10)
"""Multiples of the number of rows."""

NORMAL = 1.96
"""Standard errors in a 95 % error: these follow from the pool's formula, not from few draws."""


def predicted(asked: Request) -> xr.Dataset:
    """Errors for multiples of the number of rows, (ahead,), and the reason where none is given."""
    try:
        found = ahead(asked.problem(asked.sizes[-1]), FACTORS)
    except InputError as error:
        return xr.Dataset(attrs={"ahead_refused": str(error)})
    said = {"units": "output^2", "symbol": "E_g"}
    meant = {
        "ahead_ridge": ("best ridge within reach", [each.ridge for each in found]),
        "ahead_error": ("error on new rows at that ridge, from the pool's curve", [e.error for e in found]),
        "ahead_stderr": ("standard error of that prediction", [each.stderr for each in found]),
        "ahead_leave_one_out": ("leave-one-out error at that ridge", [e.leave_one_out for e in found]),
        "ahead_scatter": ("standard deviation between data sets", [each.scatter for each in found]),
    }
    return xr.Dataset(
        {name: (("ahead",), values, {**said, "long_name": text}) for name, (text, values) in meant.items()},
        {
            "ahead": (
                "ahead",
                [each.n for each in found],
                {"units": "rows", "symbol": "n", "long_name": "rows"},
            )
        },
        {"ahead_refused": next((each.reason for each in found if each.reason), "")},
    )


def facts(answer: xr.Dataset) -> list[dict[str, Any]]:
    """The predictions, each with a 95 % error that also covers the answer by leaving rows out."""
    if "ahead" not in answer.dims:
        return []
    found = []
    for n in answer["ahead"].values.tolist():
        here = answer.sel(ahead=n)
        value, alone = float(here["ahead_error"]), float(here["ahead_leave_one_out"])
        error = max(NORMAL * float(here["ahead_stderr"]), abs(alone - value))
        found.append(
            {
                "n": n,
                "ridge": float(here["ahead_ridge"]),
                "error": {"value": value, "error": error if np.isfinite(alone) else np.nan},
                "leave_one_out": alone,
                "scatter": float(here["ahead_scatter"]),
            }
        )
    return found
