"""What theory claims about measured rows, beside gradient descent on rows that are drawn from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Numbers
from teacherstudent.figures.kit.comparison import Curve, Times, mean_and_error
from teacherstudent.house.catalogue import find_problem
from teacherstudent.house.grids import Span
from teacherstudent.problems.measured_spectrum import PROBLEM

ID = "measured-spectrum"
RISK = "generalisation_error"
CLAIMS = {"asymptotic": "limit of rotated rows", "leverage": "limit corrected row by row"}
"""Routes of theory, each with what it claims."""


SPREAD = {
    "units": "1",
    "long_name": "spread of the rows' susceptibilities",
    "symbol": "std chi/(1 + mean chi)",
}


def spread(curve: Curve, times: Times) -> np.ndarray:
    """What the certificate judges by, at these times, (T,)."""
    from teacherstudent.theory.measured_spectrum.trust import trust

    values = dict(curve.values)
    flow = np.asarray(times) * float(values.pop("learning_rate", 1.0))
    return trust(PROBLEM.instance(**values), flow).spread


def doubted(curve: Curve, answer: xr.Dataset) -> xr.Dataset:
    """The answer to that question, with the `spread` at each of its times."""
    return answer.assign(spread=("time", spread(curve, answer["time"].values), SPREAD))


LEVERAGES = 24
"""Times of the line of the corrected limit, each of which takes long."""


def answers(name: str, curve: Curve, dense: Span, sparse: Times, seeds: Sequence[int]) -> Numbers:
    """Both claims (`asymptotic_<name>`, `leverage_<name>`), the `simulation_` with them, and its `turns_`."""
    limit = curve.by("asymptotic", dense)
    drawn = curve.by("simulation", sparse, seeds)
    return {
        f"asymptotic_{name}": doubted(curve, limit),
        f"leverage_{name}": curve.by("leverage", Span(dense.low, dense.high, LEVERAGES)),
        f"simulation_{name}": doubted(curve, curve.compared(drawn, CLAIMS)),
        f"turns_{name}": turns(limit, drawn),
    }


def turns(limit: xr.Dataset, drawn: xr.Dataset) -> xr.Dataset:
    """Where the limit says that the risk turns, and how much it changes in between on drawn rows.

    Over `turn`: the time, whether it is a minimum, and from the second on the change of the simulated risk
    from the turn before, draw by draw, with its standard error, both at the recorded times that are nearest.
    The simulation has no say in which times these are.
    """
    risk, times = limit[RISK].values, limit["time"].values
    slope = np.sign(np.diff(risk))
    places = np.flatnonzero(slope[1:] * slope[:-1] < 0) + 1
    near = drawn[RISK].sel(time=times[places], method="nearest").transpose("seed", "time")
    change, error = mean_and_error(near.diff("time")) if places.size > 1 else (np.empty(0), np.empty(0))
    first = [np.nan] * min(places.size, 1)
    columns = {
        "time": ("turn", times[places], limit["time"].attrs),
        "is_minimum": ("turn", slope[places - 1] < 0),
        "change": ("turn", np.concatenate([first, change]), limit[RISK].attrs),
        "change_stderr": ("turn", np.concatenate([first, error]), {"units": limit[RISK].attrs["units"]}),
    }
    return xr.Dataset(columns, attrs={"meaning": "minima and maxima of the risk that the limit predicts"})


def over_n(answers: Sequence[xr.Dataset], sizes: Sequence[int]) -> xr.Dataset:
    """Answers at one time each, or at none, along the number of training rows."""
    (rows,) = (each for each in find_problem(ID).parameters if each.name == "n")
    attrs = {"units": rows.unit, "long_name": rows.meaning, "symbol": rows.symbol}
    flat = [answer.isel(time=0, drop=True, missing_dims="ignore") for answer in answers]
    return xr.concat(flat, xr.IndexVariable("n", list(sizes), attrs), combine_attrs="override")
