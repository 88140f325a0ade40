"""Stable noise: the questions and tables that its figures share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import xarray as xr

from teacherstudent.figures.declaration import constants
from teacherstudent.figures.kit.comparison import Curve
from teacherstudent.house.grids import Span

ID = "stable-noise"
FEW = 12
"""Draws of the quick version of every figure."""
FEWEST = constants(__name__, FEW=3)
"""What makes a small run of every figure: the fewest draws with a standard error."""


def ask_route(
    dynamics: str,
    route: str,
    times: Span | Sequence[float],
    seeds: Sequence[int] | None = None,
    **values: Any,
) -> xr.Dataset:
    """The answer of a route. What is NaN is not drawn."""
    return Curve(ID, dynamics, values).told(route, times, seeds)
