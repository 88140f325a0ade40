"""What subsets of the rows answer: the exact flow on each, or real gradient descent, beside the formulas."""

from __future__ import annotations

import numpy as np
import xarray as xr

from teacherstudent.figures.measured_spectrum.mine.request import Request

EVERY = 3
"""Of the recorded times one in so many is measured."""

LONGEST_DESCENT = 3000
"""Steps of gradient descent that are taken."""

ERROR = "generalisation_error"
CALLED = {ERROR: "measured", "training_error": "measured_training", "error_rate": "measured_rate"}
ENDINGS = ("", "_stderr")
ROUTES = ("simulation", "asymptotic", "leverage")


def marks(asked: Request) -> np.ndarray:
    """The times at which subsets are looked at; the last one is among them."""
    return np.array(asked.times)[::-1][::EVERY][::-1]


def drawn(asked: Request) -> xr.Dataset:
    """Means over subsets, each trained exactly, with their standard errors, at each size and mark."""
    found = []
    for n in asked.sizes:
        found.append(asked.answer(n, "instance", marks(asked)))
    variables = {}
    for name, called in CALLED.items():
        for ending in ENDINGS:
            if f"{name}{ending}" in found[0]:
                values = [each[f"{name}{ending}"].values for each in found]
                said = f"{found[0][name].attrs['long_name']}: mean over subsets, trained exactly"
                attrs = {**found[0][name].attrs, "long_name": said}
                variables[f"{called}{ending}"] = (("size", "mark"), values, attrs)
    return xr.Dataset(variables)


def simulated(asked: Request) -> xr.Dataset:
    """The same by gradient descent, step by step, as far as the steps are few, beside its own formula.

    Without a step size of hers its steps are a fifth of the largest that the data allow by half: `gone` holds
    where they lead on the clock of the page.
    """
    at = marks(asked)
    shape = (len(asked.sizes), at.size)
    names = (
        "gone",
        "simulated_steps",
        "simulated",
        "simulated_stderr",
        "simulated_formula",
        "simulated_corrected",
    )
    found = {name: np.full(shape, np.nan) for name in names}
    for row, n in enumerate(asked.sizes):
        stepping = asked if asked.rate else asked.stepping(n)
        step = 1.0 if asked.rate else stepping.step(n)
        steps, first = np.unique(np.rint(at / step), return_index=True)
        some = (steps >= 1) & (steps <= LONGEST_DESCENT)
        if not some.any():
            continue
        steps, places = steps[some], first[some]
        answers = {route: stepping.answer(n, route, steps) for route in ROUTES}
        found["gone"][row, places] = steps * step
        found["simulated_steps"][row, places] = steps
        found["simulated"][row, places] = answers["simulation"][ERROR].values
        found["simulated_stderr"][row, places] = answers["simulation"][f"{ERROR}_stderr"].values
        found["simulated_formula"][row, places] = answers["asymptotic"][ERROR].values
        found["simulated_corrected"][row, places] = answers["leverage"][ERROR].values
    attrs = {"units": "output^2", "symbol": "E_g", "long_name": "error on new rows, by gradient descent"}
    return xr.Dataset({name: (("size", "mark"), values, attrs) for name, values in found.items()})
