"""Stable noise: the questions and tables that its figures share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import constants
from teacherstudent.figures.kit.comparison import Curve, mean_and_error, standardised
from teacherstudent.house.grids import Span

ID = "stable-noise"
FEW = 12
"""Draws of the quick version of every figure."""
FEWEST = constants(__name__, FEW=3)
"""What makes a small run of every figure: the fewest draws with a standard error."""
LABEL = "simulation −\ntheory\n[std. errors]"


def asked(
    dynamics: str,
    route: str,
    times: Span | Sequence[float],
    seeds: Sequence[int] | None = None,
    **values: Any,
) -> xr.Dataset:
    """The answer of a route. What is NaN is not drawn."""
    return Curve(ID, dynamics, values).told(route, times, seeds)


def compared(sample: np.ndarray, claimed: np.ndarray, like: xr.DataArray) -> xr.Dataset:
    """Draws (S, P) along the one axis of `like`: means by its name, standard errors, residuals `z`."""
    (axis,) = like.dims
    mean, error = mean_and_error(xr.DataArray(sample, dims=("seed", axis)))
    gap = mean - xr.DataArray(claimed, dims=axis)
    name = str(like.name)
    found = {name: mean, f"{name}_stderr": error, "z": standardised(gap, error, "theory")}
    whole = xr.Dataset(found, {axis: like[axis]}, {"n_seeds": len(sample)})
    whole[name].attrs.update(like.attrs)
    return whole
