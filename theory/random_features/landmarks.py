"""Landmarks of the excess risk over gradient flow: its extrema, and how often it descends."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.theory import turning
from teacherstudent.theory.random_features.edges import lower, upper
from teacherstudent.theory.random_features.model import Model
from teacherstudent.theory.random_features.motion import Flow

APART = 1e-3
"""Where the spectrum begins at 0, it counts as beginning where it would if n or N were less by this share."""

SLOWEST = 1e-100
"""Least rate whose time is a number with room to spare."""


def risk_curve(problem: RandomFeatures, curve: str = "flow") -> turning.Curve:
    """The excess risk of gradient flow over log s. Raises `InputError` as `time_range` does."""
    model = Model.of(problem)
    flow, (low, high) = Flow.of(model), np.log(time_range(model))
    return turning.Curve(lambda x: flow.at(x).times(0.5), low, min(high, flow.last))


def time_range(model: Model) -> tuple[float, float]:
    """Times between which everything happens: before the fastest mode, after the slowest, with a margin.

    Initial weights that no sample sees, which there are for N > n, are left to the ridge alone. Raises
    `InputError` for a ridge whose time scale overflows.
    """
    slowest = max(lower(model) or _nearly_lower(model), model.ridge)
    if model.init and model.ridge and model.width > model.samples:
        slowest = model.ridge
        if slowest < SLOWEST:
            domain = (
                f"0 or at least {SLOWEST:g} with init > 0 and N > n: a smaller ridge has an effect "
                "only at times that are too late"
            )
            raise InputError("ridge", slowest, domain)
    return 0.03 / (upper(model) + model.ridge), 1e3 / slowest


def _nearly_lower(model: Model) -> float:
    """The lower edge where one of the two sizes that are equal is a little less."""
    name = "samples" if model.samples <= model.width else "width"
    return lower(replace(model, **{name: (1 - APART) * getattr(model, name)}))


def extrema(problem: RandomFeatures, curve: str = "flow") -> tuple[turning.Extremum, ...]:
    """Every minimum and maximum of the excess risk over time. Raises as `risk_curve` does."""
    return turning.extrema(risk_curve(problem, curve))


def descents(problem: RandomFeatures, curve: str = "flow") -> int:
    """How often the excess risk descends over training. Raises as `risk_curve` does."""
    return turning.descents(risk_curve(problem, curve))
