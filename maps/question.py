"""What is asked of a map: which problem, over which plane, and what is mapped of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from teacherstudent.house import catalogue
from teacherstudent.house.domains import InputError, Whole
from teacherstudent.maps.plane import Place, Plane


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

    def given(self, place: Place) -> dict[str, Any]:
        """All given values at a place, by name; whole numbers are rounded."""
        domains = {each.name: each.domain for each in catalogue.find_problem(self.problem).parameters}
        found = dict(self.values)
        for name, value in self.plane.values(place).items():
            found[name] = round(value) if isinstance(domains.get(name), Whole) else value
        return found

    def instance(self, place: Place) -> Any:
        """The problem at a place. Raises `InputError` where the values contradict each other."""
        return catalogue.find_problem(self.problem).instance(**self.given(place))


def certain(read: Callable[[], Any]) -> tuple[Any, str]:
    """What it gives, or why nothing is certain there."""
    try:
        return read(), ""
    except (ArithmeticError, InputError) as error:
        return None, str(error) or type(error).__name__


def mapping(items: tuple[tuple[str, Any], ...]) -> Mapping[str, Any]:
    return dict(items)
