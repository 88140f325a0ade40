"""Heavy tails: the questions, quantities and legend entries that its figures share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import constants
from teacherstudent.figures.kit import legends
from teacherstudent.figures.kit.comparison import Curve, draws_minus_theory
from teacherstudent.house.grids import Span
from teacherstudent.problems.heavy_tails import PROBLEM

ID = "heavy-tails"
FEW = 6
"""Draws of the quick version of every figure."""
FEWEST = constants(__name__, FEW=3)
"""What makes a small run of every figure: the fewest draws with a standard error."""

STEP = {"symbol": "eta", "long_name": "step size", "units": "1/input^2"}
BATCH = {"symbol": "b", "long_name": "batch", "units": "examples"}
DIMENSION = {"symbol": "d", "long_name": "inputs", "units": "inputs"}
INDEX = {"symbol": "alpha", "long_name": "tail index", "units": "1"}
UNTOLD = "Points at which a draw has no index are omitted."


def ask_stationary_law(
    route: str, times: Span | Sequence[float], seeds: Sequence[int] | None = None, **values: Any
) -> xr.Dataset:
    """The stationary law by a route. What is NaN is not drawn: beyond infinite variance there is no risk."""
    return Curve(ID, "stationary", values).told(route, times, seeds)


def indices(rates: Sequence[float] | np.ndarray, **values: Any) -> np.ndarray:
    """Exact tail indices, (T,): NaN where there is none, 0 where no law is stationary."""
    found = ask_stationary_law("exact", [*map(float, rates)], **values)
    rho = found["lyapunov"].values
    return np.where(rho < 0, found["tail_index"].values, 0.0)


def rate_of(index: float, batch: int, d: int) -> float:
    """The step size at which ln h(index) = 0; of index 0 that at which rho = 0."""
    from scipy.optimize import brentq

    from teacherstudent.theory.heavy_tails import exact

    largest = exact.largest_rate(batch, d)
    if index == 0:
        return largest
    problem = PROBLEM.instance(batch=batch, d=d)

    def growth(eta: float) -> float:
        return float(exact.orders(problem, np.array([index]), learning_rate=eta)["log_growth"][0])

    return float(brentq(growth, 1e-3 * largest, largest, xtol=1e-12))


def compared(
    claimed: np.ndarray, drawn: np.ndarray, axis: str, places: Sequence[float], attrs: Any
) -> xr.Dataset:
    """Draws (S, P) at places along an axis, and what theory claims there: `index`, `index_stderr`, `z`.

    NaN where any draw tells nothing: the others are a selection.
    """
    like = xr.DataArray(claimed, {axis: (axis, list(places), attrs)}, axis, "index", INDEX)
    return draws_minus_theory(drawn, claimed, like, skipna=False).assign(claimed=(axis, claimed, INDEX))


def entries(what: str, provisos: Sequence[str] = ()) -> list[legends.Entry]:
    """What solid lines, markers and the band are."""
    return [
        legends.theory("theory: $h(\\alpha) = 1$, exact at this size"),
        legends.simulation(f"simulation: {what}, mean of draws ± 1 standard error"),
        legends.band(list(provisos)),
    ]
