"""What whole counts make of a value: a ratio of counts is rounded, and whoever asked is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from teacherstudent.house.declarations import Problem
from teacherstudent.house.grids import in_digits

SAME = 1e-12
"""Relative distance below which two numbers differ by arithmetic alone."""

Changes = Mapping[str, tuple[float, float]]
"""By name the value that was asked, and the one that the instance has."""


def rounded_values(problem: Problem, stated: Mapping[str, Any], instance: Any) -> Changes:
    """The values, given or default, that the instance has otherwise than `stated`."""
    used = problem.realised(instance)
    return {
        name: (stated[name], value)
        for name, value in used.items()
        if name in stated and abs(value - stated[name]) > SAME * abs(stated[name])
    }


def describe_rounding(changes: Iterable[Changes]) -> str:
    """What was rounded to what, of several changes of one value the largest; "" where nothing was."""
    worst: dict[str, tuple[float, float]] = {}
    for each in changes:
        for name, pair in each.items():
            worst[name] = max(worst.get(name, pair), pair, key=_share)
    return "; ".join(
        f"{name} = {in_digits(asked)} is rounded to {used:.6g}, since counts are whole"
        for name, (asked, used) in worst.items()
    )


def _share(pair: tuple[float, float]) -> float:
    asked, used = pair
    return abs(used - asked) / abs(asked)
