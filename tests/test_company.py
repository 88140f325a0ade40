"""Every route that draws answers a seed and a time alone as among others, and two seeds differently."""

from __future__ import annotations

import warnings
from contextlib import suppress

import numpy as np
import pytest
import xarray as xr

from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Route
from teacherstudent.house.errors import InputError, UnconvergedWarning
from tests.cases import ask
from tests.test_catalogue import questions, recorded

ROUTES = [route for route in catalogue.routes() if route.sampled and not route.slow]
FIRST = {route.problem: route for route in reversed(ROUTES) if ".sims." in route.entry}
"""A simulation of each system; thorough tests ask the others, since programs take long to compile."""
COMPANY = 1e-11
"""Of the largest number: sums of another shape run in another order, step after step."""
STEPPED = {
    *("orthogonal-convolution/flow/frequencies", "orthogonal-convolution/flow/simulation"),
    "scale-invariant/flow/simulation",
}
"""Integrators that choose their steps by the times to record; their accuracy is held elsewhere."""
POPULATION = {"scale-invariant/descent/simulation", "scale-invariant/flow/simulation"}
"""Simulations whose first example is about the population: nothing is drawn that angles would show."""


def answered(route: Route, times: list[float], seeds: tuple[int, ...]) -> xr.Dataset:
    """The answer to the first example that the route answers."""
    name = f"{route.dynamics}/{route.name}"
    for question in questions(route):
        with warnings.catch_warnings(), suppress(InputError):
            warnings.simplefilter("ignore", UnconvergedWarning)
            return ask(route.problem, name, times, {**question, "seeds": seeds})
    raise AssertionError(f"{route.id} answers no example")


@pytest.mark.parametrize(
    "route",
    [
        pytest.param(each, id=each.id, marks=() if each in FIRST.values() else pytest.mark.thorough)
        for each in ROUTES
    ],
)
def test_a_draw_and_a_time_are_answered_alone_as_among_others(route: Route) -> None:
    *before, last = recorded(catalogue.find_problem(route.problem).on_clock(route.dynamics))
    among, alone = answered(route, [*before, last], (5, 3, 8)), answered(route, [last], (3,))
    for name, values in alone.data_vars.items():
        company = among[name].sel(seed=[3], time=[last])
        bound = (1e-9 if route.id in STEPPED else COMPANY) * (float(abs(values).max()) or 1.0)
        np.testing.assert_allclose(values, company, rtol=0, atol=bound, err_msg=str(name))
    if ".sims." in route.entry and route.id not in POPULATION:
        assert any((among[name].sel(seed=3) != among[name].sel(seed=8)).any() for name in alone.data_vars)
