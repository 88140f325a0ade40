"""Landmarks of the excess risk over gradient flow: its extrema, and how often it descends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.theory import turning
from teacherstudent.theory.random_features.edges import lower, upper
from teacherstudent.theory.random_features.model import Model
from teacherstudent.theory.random_features.motion import Flow
from teacherstudent.theory.spectral.motion import Curves

APART = 1e-3
"""Where the spectrum begins at 0, it counts as beginning where it would if n or N were less by this share."""

SLOWEST = 1e-100
"""Least rate whose time is a number with room to spare."""


def risk_curve(problem: RandomFeatures, curve: str = "flow") -> turning.Curve:
    """The excess risk of gradient flow over log s. Raises `InputError` as `time_range` does."""
    model = Model.of(problem)
    flow, (low, high) = Flow.of(model), np.log(time_range(model))
    return turning.Curve(lambda x: flow.at(x).times(0.5), low, min(high, flow.last))


def risk_curves(problems: Sequence[RandomFeatures], curve: str = "flow") -> Curves:
    """The curves of many problems, to be asked together. Raises as `time_range` does."""
    models = [Model.of(each) for each in problems]
    low, high = np.zeros((2, len(models)))
    groups = []
    for size in {each.u.size for each in models}:
        numbers = np.flatnonzero([each.u.size == size for each in models])
        whole = Model.stacked([models[i] for i in numbers.tolist()])
        lowest = lower(whole)
        low[numbers], high[numbers] = np.log(time_range(whole, lowest))
        unseen = (whole.init > 0) & (whole.width > whole.samples)
        kind = np.array([whole.ridge > 0, lowest > 0, whole.beyond > 0, unseen]).T @ [1, 2, 4, 8]
        for each in np.unique(kind):
            some = np.flatnonzero(kind == each)
            groups.append((numbers[some], Flow.of(whole.rows(some), lowest[some])))
    return Curves.of(low, high, groups)


def time_range(model: Model, lowest: Any = None) -> tuple[Any, Any]:
    """Times between which everything happens: before the fastest mode, after the slowest, with a margin.

    Initial weights that no sample sees, which there are for N > n, are left to the ridge alone. lowest: the
    lower edge, where it is known. Raises `InputError` for a ridge whose time scale overflows.
    """
    lowest = lower(model) if lowest is None else lowest
    if not np.all(lowest):
        lowest = np.where(lowest, lowest, _nearly_lower(model))
    slowest = np.maximum(lowest, model.ridge)
    unseen = (model.init > 0) & (np.asarray(model.ridge) > 0) & (model.width > model.samples)
    slowest = np.where(unseen, model.ridge, slowest)[()]
    if np.any(unseen & (slowest < SLOWEST)):
        domain = (
            f"0 or at least {SLOWEST:g} with init > 0 and N > n: a smaller ridge has an effect "
            "only at times that are too late"
        )
        raise InputError("ridge", float(np.min(slowest)), domain)
    return 0.03 / (upper(model) + model.ridge), 1e3 / slowest


def _nearly_lower(model: Model) -> Any:
    """The lower edge where one of the two sizes that are equal is a little less."""
    few = model.samples <= model.width
    samples, width = (
        np.where(less, (1 - APART) * size, size)[()]
        for less, size in ((few, model.samples), (~np.asarray(few), model.width))
    )
    return lower(replace(model, samples=samples, width=width))


def extrema(problem: RandomFeatures, curve: str = "flow") -> tuple[turning.Extremum, ...]:
    """Every minimum and maximum of the excess risk over time. Raises as `risk_curve` does."""
    return turning.extrema(risk_curve(problem, curve))


def descents(problem: RandomFeatures, curve: str = "flow") -> int:
    """How often the excess risk descends over training. Raises as `risk_curve` does."""
    return turning.descents(risk_curve(problem, curve))
