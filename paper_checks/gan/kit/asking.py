"""Questions put to the routes of a generator against discriminators, and their answers as rows of numbers."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from teacherstudent.house.catalogue import find_problem, find_route
from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run

ID = "gan"


def ask(
    dynamics: str, route: str, times: Sequence[float] | np.ndarray, *names: str, **question: Any
) -> np.ndarray:
    """Those observables at all times side by side: (P,), of a sampled route (S, P).

    Of observables that are not asked for, what a route is not certain of does not matter.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnconvergedWarning)
        answer = run(ID, dynamics, route, times, **question)
    leading = answer.sizes.get("seed")
    shape = (-1,) if leading is None else (leading, -1)
    return np.concatenate([answer[name].values.reshape(shape) for name in names], axis=-1)


def entry(dynamics: str, route: str) -> str:
    """The function behind a route, as `Check.functions` names it."""
    return find_route(find_problem(ID), dynamics, route).entry.partition(".")[2]


def accuracy(dynamics: str, route: str) -> float:
    """The declared accuracy of a route, relative to an observable's largest magnitude."""
    return find_route(find_problem(ID), dynamics, route).accuracy
