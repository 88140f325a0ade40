"""Fields of an observable at the times of a plane, by an exact route."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from teacherstudent.house import catalogue
from teacherstudent.house.answers import added_by, ask_route, checked_answer, expected_shapes
from teacherstudent.house.certainty import recorded_doubts
from teacherstudent.house.declarations import Dynamics, Problem, Route, load
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.running import instance_and_options, time_grid
from teacherstudent.maps.budget import Budget
from teacherstudent.maps.columns import by_column
from teacherstudent.maps.field import UNKNOWN, Curve, Sample
from teacherstudent.maps.plane import Place
from teacherstudent.maps.question import Question
from teacherstudent.maps.verdicts import Claim


def values_at(
    asked: Question,
    name: str,
    entry: tuple[int, ...],
    place: Place,
    times: Sequence[float],
    more: Mapping[str, float] | None = None,
) -> tuple[np.ndarray, str]:
    """An observable with the parameters of a place, and `more`, at some times, (T,), and what was warned of.

    Steps are whole: each time stands for the step that is nearest. Raises `InputError`, and `IndexError`.
    """
    kind, clock, route = _found(asked.problem, asked.dynamics, asked.route)
    whole = np.rint(times) if clock.whole_time else np.asarray(times, dtype=float)
    moments, where = np.unique(whole, return_inverse=True)
    instance, options = instance_and_options(
        kind, clock, route, {**asked.given(place, more), **dict(asked.options)}
    )
    instance = asked.unrounded(instance, place, more)
    shapes = expected_shapes(kind, route, instance, options)
    if name not in shapes:  # some are given by an option only
        domain = f"one of the observables of this question: {', '.join(shapes)}"
        raise Absent("of", asked.of, domain, added_by(clock, [route], name))
    if len(entry) < len(shapes[name]):
        raise Absent("of", asked.of, f"one number: {name}{'[1]' * len(shapes[name])}, say")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", UnconvergedWarning)
        answer = ask_route(route, shapes, instance, time_grid(clock, moments), options)
    found = np.array([float(each[entry]) for each in answer[name]])
    return found[where], "; ".join(str(each.message) for each in said)


@catalogue.listed
def _found(problem: str, dynamics: str, route: str) -> tuple[Problem, Dynamics, Route]:
    """What these names mean: looked up once, for thousands of places."""
    kind = catalogue.find_problem(problem)
    return kind, kind.on_clock(dynamics), catalogue.find_route(kind, dynamics, route)


class Absent(InputError):
    """What is asked for is not given anywhere on the map."""


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
        fresh = by_column(self.question, (each for each in places if each not in self.known)).values()
        columns = self.budget.afforded(list(fresh)) if fresh else []
        answers = self._together(columns) or map(self._asked, columns)
        for column, found in zip(columns, answers, strict=True):
            self.known.update(zip(column, found, strict=True))
        for place in places:
            if place not in self.known:
                self.budget.take()
        return [self.known[place] for place in places]

    def _together(self, columns: Sequence[Sequence[Place]]) -> list[list[Sample]]:
        """Samples of columns that a route answers at once, at the times of all; [] where it does not."""
        asked = self.question
        kind, clock, route = _found(asked.problem, asked.dynamics, asked.route)
        if not route.batch or len(columns) < 2:
            return []
        moments = [[asked.moment(place) for place in column] for column in columns]
        whole = np.unique(np.rint(np.concatenate(moments)) if clock.whole_time else np.concatenate(moments))
        times, found = time_grid(clock, whole), []
        try:
            settled = []
            for place, *_ in columns:
                given = {**asked.given(place), **dict(asked.options)}
                instance, options = instance_and_options(kind, clock, route, given)
                settled.append((asked.unrounded(instance, place), options))
            shapes = expected_shapes(kind, route, *settled[0])
            if len(self.entry) < len(shapes[self.name]):
                return []
            instances, given_options = zip(*settled, strict=True)
            batch = load(route.batch)(instances, times, options=given_options, seeds=[None] * len(columns))
            answers = iter(batch)
            for own in moments:
                with recorded_doubts() as said:
                    answer = checked_answer(route, shapes, (times.size,), partial(next, answers, None))
                at = np.searchsorted(times, np.rint(own) if clock.whole_time else own)
                values = [float(each[self.entry]) for each in answer[self.name][at]]
                found.append([self._sample(value, "; ".join(said)) for value in values])
        except (InputError, LookupError, ArithmeticError, np.linalg.LinAlgError):
            return []  # they are asked one by one
        return found

    def sample(self, place: Place) -> Sample:
        return self.samples([place])[0]

    def beside(self, places: Sequence[Place], states: Sequence[float]) -> list[tuple[float, float]]:
        return [(sample.value, sample.state) for sample in self.samples(places)]

    def _asked(self, column: Sequence[Place]) -> list[Sample]:
        """Samples at places that differ in time only."""
        asked = self.question
        try:
            times = [asked.moment(place) for place in column]
            values, said = values_at(asked, self.name, self.entry, column[0], times)
        except Absent:
            raise
        except (InputError, IndexError) as error:
            return [Sample(UNKNOWN, reason=why_refused(asked, column[0], error))] * len(column)
        return [self._sample(float(value), said) for value in values]

    def _sample(self, value: float, said: str) -> Sample:
        if not math.isfinite(value):
            return Sample(UNKNOWN, reason=said or "not finite")
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
        return Claim(self.name, asked.dynamics, (asked.moment(place),), value, self.entry)


def why_refused(asked: Question, place: Place, error: Exception) -> str:
    """What is wrong there: of sizes that contradict each other, those that were given."""
    try:
        asked.instance(place)
    except InputError as given:
        return str(given)
    return str(error)


def wants_log_scale(samples: Sequence[Sample]) -> bool:
    """Whether values want a logarithmic scale: all above 0, over two decades or more."""
    values = np.array([each.value for each in samples if math.isfinite(each.value)])
    return bool(values.size and values.min() > 0 and values.max() > 100 * values.min())
