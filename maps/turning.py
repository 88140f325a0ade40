"""Fields of a smooth curve's turns: how often it descends, when it is lowest, what stopping there gains."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from teacherstudent.house.declarations import Count, Turns
from teacherstudent.house.errors import InputError
from teacherstudent.house.theory_queries import ask_count
from teacherstudent.maps import folds, walking
from teacherstudent.maps.budget import Budget
from teacherstudent.maps.continuation import (
    Equations,
    Point,
    Unsolved,
    follow_curve,
    passes_near,
    solve_on_plane,
)
from teacherstudent.maps.curves import Curves, CurvesAt, curves_at
from teacherstudent.maps.field import UNKNOWN, Curve, Sample
from teacherstudent.maps.folds import Profile, profiles
from teacherstudent.maps.plane import Place
from teacherstudent.maps.question import Question
from teacherstudent.maps.verdicts import Claim

CLOSE = 1e-3
"""Length of the way between two places to which a change is narrowed before it is solved for."""

BESIDE = 2e-3
"""Distance from a curve within which a change is not told apart from it: so far away are labels read."""

Followed = defaultdict[int, list[np.ndarray]]
"""Curves that have been followed, by how many numbers were solved for: their points, (P, m) each."""

AROUND = 0.4
"""Log time before and after the flattest place of a slope, between which a change is drawn."""


def middle_of(one: Place, other: Place) -> Place:
    """The place in the middle of two."""
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


@dataclass
class Counted:
    """The regions of equal counts. `turns` is the curve whose turns are counted, where theory gives it."""

    question: Question
    count: Count
    turns: Turns | None
    jump: float = math.inf
    log: bool = False
    profiles: dict[Place, Profile | ArithmeticError] = field(default_factory=dict, repr=False)
    known: dict[Any, int] = field(default_factory=dict, repr=False)
    """Labels by what determines them: a profile's signs, or a place."""
    followed: Followed = field(default_factory=lambda: defaultdict(list), repr=False)
    budget: Budget = field(default_factory=Budget)

    def samples(self, places: Sequence[Place]) -> list[Sample]:
        self._look(places)
        return [self.sample(place) for place in places]

    def sample(self, place: Place) -> Sample:
        try:
            if not self.turns:
                return Sample(self._number(place, place), nearness=math.inf)
            found = self.profile(place)
            number = self._number(found.rising, place)
            return Sample(number, nearness=found.nearness, signs=found.rising)
        except (ArithmeticError, InputError) as error:
            return Sample(UNKNOWN, reason=str(error) or type(error).__name__)

    def beside(self, places: Sequence[Place], states: Sequence[float]) -> list[tuple[float, float]]:
        return [(math.nan, math.nan)] * len(places)  # regions have no values

    def _number(self, key: Any, place: Place) -> int:
        if key not in self.known:
            self.budget.take()
            self.known[key] = ask_count(self.count, self.question.instance(place))
        return self.known[key]

    def curves_at(self, places: Sequence[Place]) -> Curves:
        assert self.turns
        return curves_at(self.question, self.turns, places)

    def profile(self, place: Place) -> Profile:
        self._look([place])
        found = self.profiles[place]
        if isinstance(found, ArithmeticError):
            raise found
        return found

    def _look(self, places: Sequence[Place]) -> None:
        """Ask for the profiles that are not known, all at once."""
        fresh = [place for place in dict.fromkeys(places) if place not in self.profiles]
        if fresh and self.turns:
            fresh = list(self.budget.afforded(fresh))
            self.profiles.update(zip(fresh, profiles(self.curves_at(fresh)), strict=True))

    def traced(self, one: Place, other: Place) -> list[Curve]:
        if not self.turns:
            return walking.along_labels(self.sample, one, other)
        found = fold_between(self.profile, self.curves_at, one, other, self.followed)
        return walking.along_labels(self.sample, one, other) if found is None else found

    def claim(self, place: Place, other: Place) -> Claim | None:
        """The first rise of the curve; where it has none, the change around the slope's flattest place."""
        if not self.turns:
            raise InputError("spots", self.count.name, "0, because theory has no curve to test this count")
        if self.sample(place).label == UNKNOWN:
            return None
        shape, curve = self.profile(place), self.curves_at([place])
        falls = shape.tilts < 0
        if len(shape.rising) > 2 and shape.minima.size:
            start = float(shape.minima[0].mean())
            humps = shape.summits[(shape.tilts > 0) & (shape.summits > start)]
            if not humps.size:
                return None
            times = np.array([start, 2 * humps[0] - start])
        elif falls.any():
            flattest = float(shape.summits[falls][np.argmax(shape.tilts[falls])])
            times = flattest + np.array([-AROUND, AROUND])
        else:
            return None
        before, after = curve.at(np.zeros(2, dtype=int), times).value
        seen = tuple(float(each) for each in np.exp(times))
        return Claim(self.turns.observable, self.turns.dynamics, seen, float(after - before))


def fold_between(
    at: Callable[[Place], Profile], curves: CurvesAt, one: Place, other: Place, known: Followed
) -> list[Curve] | None:
    """The curve on which the signs of the slope first change on the way from one place to the other.

    None where it is not solved for. Nothing where it is known, or too close to one that is to be told apart.
    """
    found = change_between(at, curves, one, other)
    if found:
        return follow_curve(*found, known[found[1].at.size])
    try:
        place = np.array(bisect_slope_signs(at, one, other)[0])
    except ArithmeticError:
        return []
    return [] if passes_near([each[:, :2] for each in chain(*known.values())], place, BESIDE) else None


def bisect_slope_signs(at: Callable[[Place], Profile], one: Place, other: Place) -> tuple[Place, Place]:
    """Two places close together between which the signs that the slope has at `one` end.

    Raises `ArithmeticError` where they are not known.
    """
    signs = at(one).rising
    while math.dist(one, other) > CLOSE:
        middle = middle_of(one, other)
        one, other = (middle, other) if at(middle).rising == signs else (one, middle)
    return one, other


def change_between(
    at: Callable[[Place], Profile], curves: CurvesAt, one: Place, other: Place
) -> tuple[Equations, Point] | None:
    """Where the signs of the slope first change on the way, and the equations of that change.

    Two of them go at once in a fold, at a log time that is solved for too; a single one goes at an end of the
    curve.
    """
    try:
        one, other = bisect_slope_signs(at, one, other)
        near = [at(one), at(other)]
    except ArithmeticError:
        return None
    guesses: list[list[float]]
    before, after = (each.rising for each in near)
    if (len(before) - len(after)) % 2:
        equations, guesses = folds.escape_equations(curves, last=before[-1:] != after[-1:]), [[]]
    else:
        x = np.concatenate([each.summits for each in near])
        tilts = np.abs(np.concatenate([each.tilts for each in near]))
        equations, guesses = folds.fold_equations(curves), [[x[i]] for i in np.argsort(tilts)[:4]]
    for logs in guesses:
        start = on_way(equations, one, other, logs)
        if start is not None:
            return equations, start
    return None


def on_way(equations: Equations, one: Place, other: Place, logs: Sequence[float]) -> Any:
    """The point of a curve on the way between two places, close to these log times; None without."""
    middle = middle_of(one, other)
    guess = np.array([*middle, *(x / folds.SPAN for x in logs)])
    length = math.dist(one, other)
    across = np.zeros(guess.size)
    across[:2] = [-(other[1] - one[1]) / length, (other[0] - one[0]) / length]
    try:
        found = solve_on_plane(equations, guess, across, max(0.1, 2 * length))
    except Unsolved:
        return None
    return found if math.dist(found.at[:2], middle) < length else None
