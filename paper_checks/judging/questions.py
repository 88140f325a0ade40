"""Questions put to the routes of one problem, and their answers as rows of numbers."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.house.catalogue import find_problem, find_route
from teacherstudent.house.declarations import Route
from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run


@dataclass(frozen=True)
class Questions:
    """Questions about one problem."""

    problem: str

    def answer(self, dynamics: str, route: str, times: Any, **question: Any) -> xr.Dataset:
        """The answer of a route. What it is not certain of is NaN, which no judge agrees with."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnconvergedWarning)
            return run(self.problem, dynamics, route, np.atleast_1d(times), **question)

    def __call__(self, dynamics: str, route: str, times: Any, *names: str, **question: Any) -> np.ndarray:
        """Those observables at all times side by side: (P,), of a sampled route (S, P)."""
        return rows(self.answer(dynamics, route, times, **question), names)

    def entry(self, dynamics: str, route: str) -> str:
        """The function behind a route, as `Check.functions` names it."""
        return self._route(dynamics, route).entry.partition(".")[2]

    def accuracy(self, dynamics: str, *routes: str) -> float:
        """The declared accuracies of these routes together, relative to an observable's largest magnitude."""
        return sum(self._route(dynamics, route).accuracy for route in routes)

    def _route(self, dynamics: str, route: str) -> Route:
        return find_route(find_problem(self.problem), dynamics, route)


def rows(answer: xr.Dataset, names: Sequence[str]) -> np.ndarray:
    """These observables at all times side by side: (P,), of a sampled route (S, P)."""
    leading = answer.sizes.get("seed")
    shape = (-1,) if leading is None else (leading, -1)
    return np.concatenate([answer[name].values.reshape(shape) for name in names], axis=-1)
