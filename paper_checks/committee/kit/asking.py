"""Questions put to the routes of the committee machine, and their answers as rows of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.house.catalogue import find_problem, find_route
from teacherstudent.house.running import run

ID, CLOCK = "committee", "online"
ORDERS = ("R", "Q", "excess_risk")
"""Observables of a student whose second layer is fixed."""

BOTH_LAYERS: dict[str, Any] = {
    "width": 3,
    "teacher_width": 2,
    "learning_rate": 0.6,
    "second_layer_learning_rate": 0.4,
    "noise": 0.3,
    "weight_decay": 0.1,
    "second_layer_weight_decay": 0.05,
    "teacher_overlaps": ((1.0, 0.3), (0.3, 0.8)),
    "initial_overlaps": ((0.2, -0.1), (0.1, 0.3), (-0.2, 0.05)),
    "student_overlaps": ((0.5, 0.1, 0.0), (0.1, 0.6, -0.05), (0.0, -0.05, 0.4)),
    "initial_second_layer": (1.0, 0.7, -0.5),
    "teacher_second_layer": (1.0, -0.8),
}
"""A question without any symmetry: both layers are trained, with noise and both decays."""


def ask(route: str, times: Sequence[float] | np.ndarray, **question: Any) -> xr.Dataset:
    """The answer of a route."""
    return run(ID, CLOCK, route, times, **question)


def numbers(answer: xr.Dataset, names: Sequence[str] = ORDERS) -> np.ndarray:
    """These observables at all times side by side: (P,), of a sampled route (S, P)."""
    leading = answer.sizes.get("seed")
    shape = (-1,) if leading is None else (leading, -1)
    return np.concatenate([answer[name].values.reshape(shape) for name in names], axis=-1)


def entry(route: str) -> str:
    """The function behind a route, as `Check.functions` names it."""
    return find_route(find_problem(ID), CLOCK, route).entry.partition(".")[2]


def accuracy(*routes: str) -> float:
    """The declared accuracies of these routes together, relative to an observable's largest magnitude."""
    return sum(find_route(find_problem(ID), CLOCK, route).accuracy for route in routes)
