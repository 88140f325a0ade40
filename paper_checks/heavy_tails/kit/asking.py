"""Questions put to the routes of heavy tails."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from teacherstudent.house.catalogue import find_problem, find_route
from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run

ID = "heavy-tails"


def ask(
    dynamics: str,
    route: str,
    name: str,
    times: Sequence[float] | np.ndarray | float,
    seeds: Sequence[int] | None = None,
    **question: Any,
) -> np.ndarray:
    """One observable over times, (T,); of a sampled route one row a seed, (S, T). NaN where it is not told.

    What is said of the other observables concerns nobody here: beyond infinite variance there is no risk.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnconvergedWarning)
        answer = run(ID, dynamics, route, np.atleast_1d(times), seeds=seeds, **question)
    values: np.ndarray = answer[name].values
    return values


def entry(dynamics: str, route: str) -> str:
    """The function of that route, as checks name it."""
    return find_route(find_problem(ID), dynamics, route).entry.partition(".")[2]
