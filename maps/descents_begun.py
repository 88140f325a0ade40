"""Fields over a parameter and time: how many descents of a smooth curve have begun by then.

A descent begins at the start of a curve that starts by falling, and at every maximum. So the boundaries are
the times of maxima, as functions of the parameter, and lines of constant parameter, from where a maximum and
a minimum are born together on to later times.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from teacherstudent.house.declarations import Turns
from teacherstudent.house.errors import InputError
from teacherstudent.house.theory_queries import ask_turns
from teacherstudent.maps import folds, walking
from teacherstudent.maps.budget import Budget
from teacherstudent.maps.continuation import Unsolved, follow_curve, solve_on_plane
from teacherstudent.maps.curves import Curves, curves_at
from teacherstudent.maps.field import UNKNOWN, Curve, Sample
from teacherstudent.maps.folds import Profile, profiles
from teacherstudent.maps.plane import Place
from teacherstudent.maps.question import Question
from teacherstudent.maps.turning import change_between, on_way
from teacherstudent.maps.verdicts import Claim

NEAR = 0.1
"""Furthest that the birth of two turns may lie from where their curve is seen to turn back."""


@dataclass(frozen=True)
class Column:
    """The curve of one value of the parameter: how it runs, and the log times of its turns, (J,)."""

    profile: Profile
    turns: np.ndarray
    maxima: np.ndarray

    def begun(self, x: float) -> int:
        """The descents that have begun at that log time."""
        falls = not self.profile.rising[0] if self.profile.rising else False
        return int(falls) + int(np.sum(self.maxima <= x))


@dataclass
class Begun:
    """Regions of equally many descents begun."""

    question: Question
    turns: Turns
    jump: float = math.inf
    log: bool = False
    columns: dict[float, Column | ArithmeticError] = field(default_factory=dict, repr=False)
    budget: Budget = field(default_factory=Budget)

    @property
    def clock(self) -> int:
        """Which coordinate is the time."""
        found = self.question.plane.clock
        assert found is not None
        return found

    def when(self, place: Place) -> float:
        """The log time at a place."""
        time = self.question.moment(place)
        return math.log(time) if time > 0 else -math.inf

    def placed(self, across: float, x: float) -> Place:
        """The place of a parameter's share at a log time."""
        plane = self.question.plane
        along = (plane.x, plane.y)[self.clock].along(math.exp(x))
        return (along, across) if self.clock == 0 else (across, along)

    def samples(self, places: Sequence[Place]) -> list[Sample]:
        return [self.sample(place) for place in places]

    def sample(self, place: Place) -> Sample:
        try:
            column = self.column(place)
        except ArithmeticError as error:
            return Sample(UNKNOWN, reason=str(error) or type(error).__name__)
        shape = column.profile
        return Sample(column.begun(self.when(place)), nearness=shape.nearness, signs=shape.rising)

    def beside(self, places: Sequence[Place], states: Sequence[float]) -> list[tuple[float, float]]:
        return [(math.nan, math.nan)] * len(places)  # regions have no values

    def curves_at(self, places: Sequence[Place]) -> Curves:
        return curves_at(self.question, self.turns, places)

    def column(self, place: Place) -> Column:
        """That of a place. Raises `ArithmeticError`."""
        across = place[1 - self.clock]
        if across not in self.columns:
            self.budget.take()
            try:
                self.columns[across] = self._column(place)
            except ArithmeticError as error:
                self.columns[across] = error
        found = self.columns[across]
        if isinstance(found, ArithmeticError):
            raise found
        return found

    def _column(self, place: Place) -> Column:
        (shape,) = profiles(self.curves_at([place]))
        if isinstance(shape, ArithmeticError):
            raise shape
        try:
            found = ask_turns(self.turns, self.question.instance(place))
        except InputError as error:
            raise ArithmeticError(str(error)) from None
        times = np.array([math.log(each.time) for each in found])
        lows = np.array([bool(each.is_minimum) for each in found], dtype=bool)
        return Column(shape, times, times[~lows])

    def traced(self, one: Place, other: Place) -> list[Curve]:
        one, other = walking.apart(self.sample, one, other)
        if UNKNOWN in (self.sample(one).label, self.sample(other).label):
            return []
        equations = folds.turn_equation(self.curves_at, self.when)
        start = on_way(equations, one, other, [])
        if start is not None:
            return [part for curve in follow_curve(equations, start) for part in self._maxima(curve)]
        return self._line_between(one, other) or walking.along_labels(self.sample, one, other)

    def _maxima(self, curve: Curve) -> list[Curve]:
        """The maxima on a curve of turns, and the lines of constant parameter on which they are born."""
        places = [(float(x), float(y)) for x, y in curve.points]
        times = np.array([self.when(place) for place in places])
        falling = (self.curves_at(places).at(np.arange(times.size), times).bend < 0).tolist()
        found: list[Curve] = []
        runs = [list(run) for _, run in itertools.groupby(range(len(places)), lambda i: falling[i])]
        for i, run in enumerate(runs):
            if not falling[run[0]]:
                continue
            before = self._birth(places[run[0] - 1], places[run[0]]) if i else None
            after = self._birth(places[run[-1]], places[run[-1] + 1]) if i < len(runs) - 1 else None
            ends = ["birth" if before else curve.ends[0], "birth" if after else curve.ends[1]]
            points = [*([before] if before else []), *(places[k] for k in run), *([after] if after else [])]
            if len(points) > 1:
                found.append(Curve(np.array(points), (ends[0], ends[1])))
            for end, kind in ((points[0], ends[0]), (points[-1], ends[1])):
                found += self._line(end, kind) if kind in ("birth", "end") else []
        return found

    def _birth(self, one: Place, other: Place) -> Place | None:
        """Where a maximum and a minimum are born, between one of each on their curve; None if not found."""
        middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
        guess, fixed = np.array([*middle, self.when(middle) / folds.SPAN]), np.zeros(3)
        fixed[self.clock] = 1.0  # the equations do not know it
        try:
            at = solve_on_plane(folds.fold_equations(self.curves_at), guess, fixed, NEAR).at
        except Unsolved:
            return None
        place = self.placed(float(at[1 - self.clock]), float(at[2]) * folds.SPAN)
        return place if all(0 <= each <= 1 for each in place) else None

    def _line_between(self, one: Place, other: Place) -> list[Curve]:
        """The line on which turns are born between two places: not within the map, its birth is before it."""
        found = change_between(lambda place: self.column(place).profile, self.curves_at, one, other)
        if not found:
            return []
        at = found[1].at
        place = float(at[0]), float(at[1])
        x = float(at[2]) * folds.SPAN if at.size > 2 else float(self.curves_at([place]).high[0])
        return self._line(self.placed(place[1 - self.clock], x), "birth" if at.size > 2 else "end")

    def _line(self, birth: Place, kind: str) -> list[Curve]:
        """From a birth on to the last time of the map, where the parameter is what it is there."""
        first = birth[self.clock]
        if first >= 1:
            return []
        ends = np.array([birth, birth])
        ends[:, self.clock] = max(first, 0.0), 1.0
        return [Curve(ends, (kind if first > 0 else "frame", "frame"))]

    def claim(self, place: Place, other: Place) -> Claim | None:
        """Whether the curve has risen or fallen since it last turned, or began."""
        if self.sample(place).label == UNKNOWN:
            return None
        column, curve, x = self.column(place), self.curves_at([place]), self.when(place)
        earlier = column.turns[column.turns < x]
        times = np.array([earlier[-1] if earlier.size else float(curve.low[0]), x])
        if not times[0] < times[1] <= curve.high[0]:
            return None
        before, after = curve.at(np.zeros(2, dtype=int), times).value
        seen = tuple(float(each) for each in np.exp(times))
        return Claim(self.turns.observable, self.turns.dynamics, seen, float(after - before))
