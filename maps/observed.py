"""Fields of an observable at one time, by an exact route."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from teacherstudent.house import catalogue
from teacherstudent.house.answers import ask, owed
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.running import settle, time_grid
from teacherstudent.maps.budget import Budget
from teacherstudent.maps.field import UNKNOWN, Curve, Sample
from teacherstudent.maps.labelled import along_level
from teacherstudent.maps.plane import Place
from teacherstudent.maps.question import Question
from teacherstudent.maps.verdicts import Claim


@dataclass
class Observed:
    """An observable, or one entry of it along its own axis; its logarithm where `log` says so."""

    question: Question
    name: str
    entry: tuple[int, ...] = ()
    log: bool = False
    jump: float = math.inf
    known: dict[Place, Sample] = field(default_factory=dict, repr=False)
    budget: Budget = field(default_factory=Budget)

    def samples(self, places: Sequence[Place]) -> list[Sample]:
        return [self.sample(place) for place in places]

    def sample(self, place: Place) -> Sample:
        if place not in self.known:
            self.budget.take()
            self.known[place] = self._asked(place)
        return self.known[place]

    def beside(self, place: Place, state: float) -> tuple[float, float]:
        sample = self.sample(place)
        return sample.value, sample.state

    def _asked(self, place: Place) -> Sample:
        asked = self.question
        kind = catalogue.find_problem(asked.problem)
        route = catalogue.find_route(kind, asked.dynamics, asked.route)
        clock = kind.on_clock(asked.dynamics)
        try:
            values = {**asked.given(place), **dict(asked.options)}
            instance, options = settle(kind, clock, route, values)
            instance = asked.unrounded(instance, place)
            shapes = owed(kind, route, instance, options)
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always", UnconvergedWarning)
                answer = ask(route, shapes, instance, time_grid(clock, [asked.time]), options)
            value = float(answer[self.name][0][self.entry]) if self.name in shapes else None
        except (InputError, IndexError) as error:
            return Sample(UNKNOWN, reason=_why(asked, place, error))
        if value is None:  # some are given by an option only
            raise InputError("of", asked.of, f"one of those that these options give: {', '.join(shapes)}")
        if not math.isfinite(value):
            return Sample(UNKNOWN, reason="; ".join(str(each.message) for each in said) or "not finite")
        if self.log and value <= 0:
            return Sample(UNKNOWN, reason="not above 0")
        return Sample(0, math.log10(value) if self.log else value)

    def traced(self, one: Place, other: Place) -> list[Curve]:
        return []

    def claim(self, place: Place, other: Place) -> Claim | None:
        sample, asked = self.sample(place), self.question
        if sample.label == UNKNOWN:
            return None
        value = 10**sample.value if self.log else sample.value
        return Claim(self.name, asked.dynamics, (asked.time,), value, self.entry)

    def level(self, level: float, low: Place, high: Place) -> list[Curve]:
        return [along_level(lambda place: self.sample(place).value, level, low, high)]


def _why(asked: Question, place: Place, error: Exception) -> str:
    """What is wrong there: of sizes that contradict each other, those that were given."""
    try:
        asked.instance(place)
    except InputError as given:
        return str(given)
    return str(error)


def spread(samples: Sequence[Sample]) -> bool:
    """Whether values want a logarithmic scale: all above 0, over two decades or more."""
    values = np.array([each.value for each in samples if math.isfinite(each.value)])
    return bool(values.size and values.min() > 0 and values.max() > 100 * values.min())
