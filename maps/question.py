"""What is asked of a map: which problem, over which plane, and what is mapped of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from teacherstudent.house import catalogue
from teacherstudent.house.domains import Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import with_larger_sizes
from teacherstudent.maps.plane import CLOCK, Along, Place, Plane

LARGE = 1e9
"""Sizes whose ratios have more digits than a map can show."""


@dataclass(frozen=True)
class Question:
    """A question to one problem whose two parameters vary over a plane; the others are fixed `values`.

    of: "descents", "stopping" or "gain" of the `curve` of that name that theory announces, or an observable
    by the `route` to the `dynamics`, with their options, at `time`. Where an axis is the clock, `descents`
    are those that have begun by then, and an observable is that of then. along: the parameter over which
    descents are counted, at `time` or that of the axis, by the route to the dynamics; None: over training.
    """

    problem: str
    plane: Plane
    of: str
    values: tuple[tuple[str, Any], ...] = ()
    curve: str = ""
    dynamics: str = ""
    route: str = ""
    options: tuple[tuple[str, Any], ...] = ()
    time: float = 0.0
    along: Along | None = None
    limit: bool = False
    """Whether the answer is that of infinite sizes, of which only the ratios matter."""

    @property
    def axes(self) -> tuple[str, ...]:
        """The parameters that have no value of their own."""
        names = (self.plane.x.name, self.plane.y.name, *([self.along.name] if self.along else ()))
        return tuple(name for name in names if name != CLOCK)

    def moment(self, place: Place) -> float:
        """The time at a place."""
        return self.time if self.plane.clock is None else self.plane.values(place)[CLOCK]

    def given(self, place: Place, more: Mapping[str, float] | None = None) -> dict[str, Any]:
        """All given values at a place, by name, and `more`; whole numbers are rounded.

        In the limit sizes are enlarged first, so that what is a ratio of whole numbers changes smoothly.
        """
        if self.enlarges:
            parameters = catalogue.find_problem(self.problem).parameters
            found = self._rounded(place, more, {each.name for each in parameters if each.extensive})
            return with_larger_sizes(parameters, found, LARGE)
        return self.drawable(place, more)

    def drawable(self, place: Place, more: Mapping[str, float] | None = None) -> dict[str, Any]:
        """All given values at a place at their own sizes; whole numbers are rounded."""
        return self._rounded(place, more)

    @property
    def enlarges(self) -> bool:
        """Whether only ratios of sizes matter: not where an option of the dynamics is one too, a batch's."""
        if not self.limit or not self.dynamics:
            return self.limit
        clock = catalogue.find_problem(self.problem).on_clock(self.dynamics)
        return not any(each.extensive for each in clock.options)

    def instance(self, place: Place) -> Any:
        """The problem at a place. Raises `InputError` where the values contradict each other."""
        kind = catalogue.find_problem(self.problem)
        try:
            return self.unrounded(kind.instance(**self.given(place)), place)
        except InputError:
            kind.instance(**self.drawable(place))  # what is wrong, at the sizes that were given
            raise

    def unrounded(self, instance: Any, place: Place, more: Mapping[str, float] | None = None) -> Any:
        """The instance of the values given at a place, for what draws nothing: fractional numbers at their
        own values, so that nothing changes in steps."""
        between = self._between(place, more)
        return replace(instance, **between) if between else instance

    def _rounded(
        self, place: Place, more: Mapping[str, float] | None, smooth: Collection[str] = ()
    ) -> dict[str, Any]:
        """All given values at a place, whole numbers rounded but for those that are `smooth`."""
        declared = catalogue.find_problem(self.problem).parameters
        whole = {each.name for each in declared if isinstance(each.domain, Whole)}
        varied = self._varied(place, more)
        near = {name: round(value) for name, value in varied.items() if name in whole.difference(smooth)}
        return {**dict(self.values), **varied, **near}

    def _varied(self, place: Place, more: Mapping[str, float] | None) -> dict[str, float]:
        return {**self.plane.parameters(place), **(more or {})}

    def _between(self, place: Place, more: Mapping[str, float] | None = None) -> dict[str, float]:
        """The place's values of fractional parameters, by name."""
        declared = catalogue.find_problem(self.problem).parameters
        fractional = {each.name for each in declared if each.fractional}
        return {name: value for name, value in self._varied(place, more).items() if name in fractional}
