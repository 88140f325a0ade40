"""What is asked of a map: which problem, over which plane, and what is mapped of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from teacherstudent.house import catalogue
from teacherstudent.house.domains import Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import enlarged
from teacherstudent.maps.plane import Place, Plane

LARGE = 1e9
"""Sizes whose ratios have more digits than a map can show."""


@dataclass(frozen=True)
class Question:
    """A question to one problem whose two parameters vary over a plane; the others are fixed `values`.

    of: "descents", "stopping" or "gain" of the `curve` of that name that theory announces, or an observable
    by the `route` to the `dynamics`, with their options, at `time`.
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
    limit: bool = False
    """Whether the answer is that of infinite sizes, of which only the ratios matter."""

    def given(self, place: Place) -> dict[str, Any]:
        """All given values at a place, by name; whole numbers are rounded.

        In the limit sizes are enlarged first, so that what is a ratio of whole numbers changes smoothly.
        """
        if self.limit:
            parameters = catalogue.find_problem(self.problem).parameters
            found = {**dict(self.values), **self.plane.values(place)}
            fractional = {name: round(found[name]) for name in self._between(place)}
            return enlarged(parameters, {**found, **fractional}, LARGE)
        return self.drawable(place)

    def drawable(self, place: Place) -> dict[str, Any]:
        """All given values at a place at their own sizes; whole numbers are rounded."""
        domains = {each.name: each.domain for each in catalogue.find_problem(self.problem).parameters}
        found = dict(self.values)
        for name, value in self.plane.values(place).items():
            found[name] = round(value) if isinstance(domains.get(name), Whole) else value
        return found

    def instance(self, place: Place) -> Any:
        """The problem at a place. Raises `InputError` where the values contradict each other."""
        kind = catalogue.find_problem(self.problem)
        try:
            return self.unrounded(kind.instance(**self.given(place)), place)
        except InputError:
            kind.instance(**self.drawable(place))  # what is wrong, at the sizes that were given
            raise

    def unrounded(self, instance: Any, place: Place) -> Any:
        """The instance of the values given at a place, for what draws nothing: fractional numbers at their
        own values, so that nothing changes in steps."""
        between = self._between(place)
        return replace(instance, **between) if between else instance

    def _between(self, place: Place) -> dict[str, float]:
        """The place's values of fractional parameters, by name."""
        declared = catalogue.find_problem(self.problem).parameters
        fractional = {each.name for each in declared if each.fractional}
        return {name: value for name, value in self.plane.values(place).items() if name in fractional}
