"""Smooth curves over x = log time of many places, built and asked together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.house.declarations import Turns, load
from teacherstudent.house.errors import InputError
from teacherstudent.maps.plane import Place
from teacherstudent.maps.question import Question

PARTS = ("value", "slope", "bend", "size", "clear")


class Moved(NamedTuple):
    """Motions (`house.declarations.Motion`) at some places and log times, of one shape."""

    value: np.ndarray
    slope: np.ndarray
    bend: np.ndarray
    size: np.ndarray
    clear: np.ndarray


@dataclass(frozen=True)
class Curves:
    """The curves of P places on [low, high], (P,) each, NaN where there is none; `reasons` say why, by place.

    ask: from places and log times, (R,) each, within the ranges, to a motion.
    """

    low: np.ndarray
    high: np.ndarray
    reasons: dict[int, str]
    ask: Callable[[np.ndarray, np.ndarray], Any]

    def at(self, which: np.ndarray, x: np.ndarray) -> Moved:
        """The motions of places `which` at log times x, of one shape; NaN where nothing is known."""
        which, x = np.broadcast_arrays(which, x)
        with np.errstate(invalid="ignore"):
            known = (self.low[which] <= x) & (x <= self.high[which])
        found = Moved(*np.full((5, *x.shape), np.nan))
        if known.any():
            motion = self.ask(which[known], x[known])
            for values, name in zip(found, PARTS, strict=True):
                values[known] = getattr(motion, name)
        return found._replace(clear=found.clear == 1)


CurvesAt = Callable[[Sequence[Place]], Curves]
"""From places to the curves there."""


def curves_at(question: Question, turns: Turns, places: Sequence[Place]) -> Curves:
    """The curves of a question at places."""
    instances: list[Any] = []
    for place in places:
        try:
            instances.append(question.instance(place))
        except InputError as error:
            instances.append(ArithmeticError(str(error)))
    known = [i for i, each in enumerate(instances) if not isinstance(each, ArithmeticError)]
    if turns.curves and known:
        try:
            whole = load(turns.curves)([instances[i] for i in known], turns.name)
        except (InputError, ArithmeticError):  # of which place, they are asked one by one
            pass
        else:
            numbers = np.full(len(places), -1)
            numbers[known] = np.arange(len(known))
            low, high = np.full((2, len(places)), np.nan)
            low[known], high[known] = whole.low, whole.high
            reasons = {i: str(each) for i, each in enumerate(instances) if isinstance(each, ArithmeticError)}
            return Curves(low, high, reasons, lambda which, x: whole.at(numbers[which], x))
    return one_by_one(
        [each if isinstance(each, ArithmeticError) else _made(turns, each) for each in instances]
    )


def _made(turns: Turns, instance: Any) -> Any:
    """The curve of an instance, or why there is none."""
    try:
        return turns.smooth(instance)
    except (InputError, ArithmeticError) as error:
        return ArithmeticError(str(error) or type(error).__name__)


def one_by_one(made: Sequence[Any]) -> Curves:
    """`SmoothCurve`s, or the error in the place of one, that are asked one after another."""
    low, high = np.full((2, len(made)), np.nan)
    reasons: dict[int, str] = {}
    for i, curve in enumerate(made):
        if isinstance(curve, ArithmeticError):
            reasons[i] = str(curve)
        else:
            low[i], high[i] = curve.low, curve.high

    def ask(which: np.ndarray, x: np.ndarray) -> Moved:
        found = Moved(*np.full((5, x.size), np.nan))
        for i in np.unique(which):
            mine = which == i
            try:
                motion = made[i].at(x[mine])
            except ArithmeticError as error:
                reasons[int(i)] = str(error) or type(error).__name__
                continue
            for values, name in zip(found, PARTS, strict=True):
                values[mine] = getattr(motion, name)
        return found

    return Curves(low, high, reasons, ask)
