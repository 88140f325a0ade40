"""One question asked backwards with what was found, and the sentences that say it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from teacherstudent.house.grids import in_digits
from teacherstudent.house.rounding import describe_rounding, rounded_values
from teacherstudent.inverse.asking import Condition, Searched
from teacherstudent.inverse.objective import TIME, Objective
from teacherstudent.inverse.roots import Found, Height, Root, find_roots

SAMPLES, SAMPLES_DRAWN, SAMPLES_COUNTED, SAMPLES_TIME = 65, 17, 33, 257
"""Points that are looked at first: of a parameter, where a route draws, of a dear count, and of time, for
which one call gives all."""

MINIMISED, MINIMISED_DRAWN = 20, 3
"""Near misses that are looked at closely; fewer where a route draws."""

BESIDE = 0.05
"""Relative distance to both sides over which the slope of what is drawn is taken."""

LOOSE = 0.3
"""Standard error of a root, relative to it, beyond which the slope at it says little of how far off it is."""

MOST_TOLD = 3
"""Near misses, or gaps, that are told one by one."""


@dataclass(frozen=True)
class Solved:
    """One question; `swept`: name and value of what was given several times, or ("", None)."""

    condition: Condition
    searched: Searched
    asked: Objective
    swept: tuple[str, Any]
    accuracy: float
    found: Found

    @property
    def has_values(self) -> bool:
        """Whether any point has a value."""
        return bool(np.isfinite(self.found.values).any())

    @property
    def reason(self) -> str:
        """Why there is none in the middle of the range."""
        (middle,) = self.asked([{self.searched.name: self.searched.axis.place(0.5)}])
        return middle.reason

    def label(self, several: bool) -> str:
        """Which of several questions it is, in words."""
        name, value = self.swept
        swept = f"{name} = {in_digits(value) if isinstance(value, float) else value}" if name else ""
        return ", ".join(filter(None, (self.condition.text if several else "", swept)))

    def row(self, root: Root) -> tuple[Any, ...]:
        """What is told of a root: its value, and the columns of an answer."""
        level, direction = self.condition.level, "rising" if root.rising else "falling"
        sides = (root.below + level, root.above + level)
        kind = root.kind if root.certified else "end of range"
        bracket = (root.value, root.low, root.high, root.accuracy)
        return (*bracket, self.stderr(root), direction, *sides, kind, self._residual(root))

    def rounded(self) -> str:
        """That the first root is one of a ratio which whole counts round; "" where nothing is rounded."""
        kind, name, value = self.asked.problem, self.searched.name, self.found.roots[0].value
        if self.searched.axis.whole or name not in {each.name for each in kind.parameters}:
            return ""
        instance = self.asked.instance({**self.asked.values, name: value})
        return describe_rounding([rounded_values(kind, {name: value}, instance)])

    def stderr(self, root: Root) -> float:
        """The standard error of the quantity at a root over its slope, a difference with the same draws."""
        if not self.asked.sampled:
            return math.nan
        name, axis = self.searched.name, self.searched.axis
        step = max(BESIDE * abs(root.value), 1.0 if axis.whole else 0.0)
        low, high = max(axis.low, root.value - step), min(axis.high, root.value + step)
        here, below, above = self.asked([{name: place} for place in (root.value, low, high)])
        change = abs(above.value - below.value)
        return here.stderr * (high - low) / change if change else math.inf

    def _residual(self, root: Root) -> float:
        """The quantity at the root minus the level."""
        (here,) = self.asked([{self.searched.name: root.value}])
        return here.value - self.condition.level


def search(
    condition: Condition, searched: Searched, asked: Objective, swept: tuple[str, Any], accuracy: float | None
) -> Solved:
    """Find every place at which the condition holds."""

    def heights(places: Sequence[float]) -> list[Height]:
        found = asked([{searched.name: place} for place in places])
        return [Height(each.value - condition.level, each.rounding, each.reason) for each in found]

    counted = condition.quantity.stepped
    usual = SAMPLES_COUNTED if counted else SAMPLES_DRAWN if asked.sampled else SAMPLES
    found = find_roots(
        heights,
        searched.axis,
        accuracy=(wanted := accuracy or (1e-5 if asked.sampled else 1e-8)),
        samples=SAMPLES_TIME if searched.name == TIME else usual,
        stepped=counted,
        minimise=MINIMISED_DRAWN if asked.sampled else MINIMISED,
    )
    return Solved(condition, searched, asked, swept, wanted, found)


def sentences(solved: Sequence[Solved]) -> Iterator[str]:
    """What must be known of a search: how dense it was, and what was seen beside roots."""
    first = solved[0]
    axis, name = first.searched.axis, first.searched.name
    worst = max(each.found.resolution for each in solved)
    apart = f"{100 * math.expm1(worst):.2g} %" if axis.log else in_digits(float(f"{worst:.2g}"))
    missed = f"roots less than {apart} apart may be missed" if worst else "all of them"
    default = "" if first.searched.given else f" (a default; --for {name}=LO:HI sets it)"
    count = min(len(each.found.places) for each in solved)
    ends = f"{in_digits(axis.low)} to {in_digits(axis.high)}"
    points = f"{count} points" + " or more" * (len(solved) > 1)
    yield f"{name} was searched from {ends}{default}, at {points}: {missed}"
    if axis.whole:
        yield f"{name} is a whole number: each root is the first value, from below, that reaches the level"
    several = len({each.condition.text for each in solved}) > 1
    for each in solved:
        label = each.label(several)
        yield from (f"{label}: {line}" if label else line for line in _seen(each))


def _seen(solved: Solved) -> Iterator[str]:
    """What is to be said of one question."""
    found, level, name = solved.found, solved.condition.level, solved.searched.name
    if not solved.has_values:
        yield f"no point of the range has a value: {solved.reason}"
        return
    if not found.roots:
        values = found.values + level
        near = int(np.nanargmin(np.abs(found.values)))
        yield (
            f"the level {level:g} is not crossed: values are between {np.nanmin(values):.6g} and "
            f"{np.nanmax(values):.6g}, the nearest {values[near]:.6g} at {name} = {found.places[near]:.6g}"
        )
    worst = max((root.accuracy for root in found.roots if root.kind == "crossing"), default=0.0)
    if worst > 2 * solved.accuracy and not solved.searched.axis.whole:
        yield f"an accuracy of {worst:.2g} is the best possible: closer to the root, rounding hides the sign"
    loose = [f"{root.value:.4g}" for root in found.roots if solved.stderr(root) > LOOSE * abs(root.value)]
    if loose:
        yield f"{name} = {', '.join(loose)}: too few draws: the standard error is as large as the root"
    touches = [
        (f"comes within {each.distance:.2g} of" if each.distance else "touches")
        + f" the level at {name} = {each.value:.6g}, and turns back"
        for each in found.touches
    ]
    gaps = [
        f"from {name} = {each.low:.6g} to {each.high:.6g}: {each.reason}"
        + "; the quantity is below the level on one side of this range and above it on the other"
        * each.changes
        for each in found.gaps
    ]
    for lines in (touches, gaps):
        yield from lines[:MOST_TOLD]
        if len(lines) > MOST_TOLD:
            yield f"and {len(lines) - MOST_TOLD} more such places"
