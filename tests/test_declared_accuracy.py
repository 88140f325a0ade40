"""Every exact route is as accurate as it declares: compared with a second route, or by other means.

A system's other means stand in `tests/<system>/references.py`: `REFERENCES`, functions by the route's id that
take what the route takes, in higher precision or by another method, and give what it gives.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
import xarray as xr

from teacherstudent.house import catalogue
from teacherstudent.house.running import instance_and_options
from tests.test_catalogue import EXACT, THEORY, answers, comparable, furthest

Reference = Callable[..., Mapping[str, Any]]


def references(problem: str) -> dict[str, Reference]:
    """Those of that system, none where it has no such file."""
    module = f"tests.{problem.replace('-', '_')}.references"
    try:
        return importlib.import_module(module).REFERENCES
    except ModuleNotFoundError as error:
        if error.name and module.startswith(error.name):
            return {}
        raise


ALONE = [
    route
    for route in THEORY
    if not route.approximate and not any(route in pair and comparable(*pair) for pair in EXACT)
]
"""Exact routes that no other exact route answers for."""

REFERRED = {
    name: reference
    for problem in dict.fromkeys(route.problem for route in ALONE)
    for name, reference in references(problem).items()
}


def test_every_exact_route_in_the_folder_is_compared_with_something() -> None:
    assert ALONE
    assert not [route.id for route in ALONE if route.id not in REFERRED]
    assert not set(REFERRED) - {route.id for route in THEORY}


@pytest.mark.parametrize("name", REFERRED)
def test_a_route_is_as_accurate_as_it_declares(name: str) -> None:
    (route,) = (each for each in THEORY if each.id == name)
    problem = catalogue.find_problem(route.problem)
    for question, found, _ in answers(route):
        instance, options = instance_and_options(problem, problem.on_clock(route.dynamics), route, question)
        draws = {"seeds": found["seed"].values} if route.sampled else {}
        by_other_means = REFERRED[name](instance, found["time"].values, **draws, **options)
        assert by_other_means.keys() == set(found.data_vars)
        exact = found.copy(data={each: np.asarray(by_other_means[each]) for each in found.data_vars})
        assert furthest(found, exact) <= route.accuracy


def test_an_error_above_the_accuracy_is_noticed() -> None:
    name = next(iter(REFERRED))
    (route,) = (each for each in THEORY if each.id == name)
    _, found, _ = answers(route)[0]
    assert furthest(found, found * (1 + 2 * route.accuracy)) > route.accuracy
    assert not furthest(found, xr.full_like(found, np.nan)) <= route.accuracy
