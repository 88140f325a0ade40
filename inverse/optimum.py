"""The minima of a quantity of a problem: from its objective to points, and from reasons to words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from teacherstudent.house.grids import in_digits
from teacherstudent.inverse.constraint import Box
from teacherstudent.inverse.minima import Minimum, Search, find_minima
from teacherstudent.inverse.objective import Objective, Value

APART = 2.0
"""Standard errors of their difference within which two minima cannot be told apart."""


@dataclass(frozen=True)
class Optimum:
    """What a search found, with what must be known of it. lost: where there was no value and why, "" for nowhere."""

    search: Search
    lost: str = ""
    doubts: tuple[str, ...] = ()

    @property
    def best(self) -> Minimum | None:
        return self.search.minima[0] if self.search.minima else None


def find_optimum(objective: Objective, box: Box, largest: bool = False) -> Optimum:
    """The minima of an objective in a box, or its maxima where the `largest` value is best."""
    sign = -1.0 if largest else 1.0
    drawn = objective.sampled
    count = max(len(objective.seeds), 1)

    def ask(points: np.ndarray) -> np.ndarray:
        values = _values(objective, box, points)
        if drawn:
            return sign * np.array([np.full(count, np.nan) if v.draws is None else v.draws for v in values])
        return sign * np.array([v.value for v in values])

    search = find_minima(ask, box, drawn)
    rounding = objective.accuracy
    minima = tuple(
        replace(each, value=sign * each.value, value_error=max(each.value_error, rounding * abs(each.value)))
        for each in search.minima
    )
    found = replace(search, minima=minima, values=sign * search.values)
    return Optimum(found, _lost(objective, box, found), tuple(_doubts(found)))


def _values(objective: Objective, box: Box, points: np.ndarray) -> list[Value]:
    return objective([dict(zip(box.names, map(float, each), strict=True)) for each in points])


def _lost(objective: Objective, box: Box, search: Search) -> str:
    """Where no value was found, and why."""
    if not len(search.lost):
        return ""
    reasons = Counter(each.reason or "not finite" for each in _values(objective, box, search.lost))
    low, high = search.lost.min(axis=0), search.lost.max(axis=0)
    between = ", ".join(
        f"{name} from {in_digits(float(f'{a:.4g}'))} to {in_digits(float(f'{b:.4g}'))}"
        for name, a, b in zip(box.names, low, high, strict=True)
    )
    first, _ = reasons.most_common(1)[0]
    more = f" (and {len(reasons) - 1} other reasons)" if len(reasons) > 1 else ""
    return f"no value at {len(search.lost)} of {len(search.points)} points, within {between}: {first}{more}"


def _doubts(search: Search) -> list[str]:
    """What must be said of the best point."""
    if not search.minima:
        return []
    best, *others = search.minima
    said = []
    if best.ends:
        said.append(
            f"the best point is at {' and '.join(best.ends)}, not an optimum: a wider box may have a better one"
        )
    if best.note:
        said.append(f"the best point: {best.note}{_ties(search.box, best)}")
    for other in others:
        apart = abs(other.value - best.value)
        if not math.isnan(best.value_stderr):
            unsure = APART * math.hypot(best.value_stderr, other.value_stderr)
            if apart < unsure:
                said.append("another minimum is as low within the noise of the draws")
                break
        elif apart <= best.value_error + other.value_error:
            said.append("another minimum is equally low within the accuracy")
            break
    if not search.certified:
        said.append("three parameters are searched from several starts: a lower minimum is not excluded")
    return said


def _ties(box: Box, best: Minimum) -> str:
    if best.ties is None:
        return ""
    ranges = (
        f"{name} = {low:.4g} to {high:.4g}"
        for name, (low, high) in zip(box.names, best.ties.tolist(), strict=True)
        if low < high
    )
    return f", {', '.join(ranges)}"


