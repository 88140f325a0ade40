"""Fields of how often an observable descends as a parameter grows, at one time of training.

Over the parameter theory announces no smooth curve. So the observable is asked for at values of it, and where
the change from one value to the next may hide two turns, and at boundaries, its slope and bend there by the
polynomial through five values close together. All is counted on the observable's logarithm, whose turns are
the same.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.maps.budget import Budget
from teacherstudent.maps.columns import by_column
from teacherstudent.maps.curves import Curves, one_by_one
from teacherstudent.maps.field import UNKNOWN, Curve, Sample
from teacherstudent.maps.folds import SPAN, Profile
from teacherstudent.maps.observed import values_at, why_refused
from teacherstudent.maps.plane import Along, Place
from teacherstudent.maps.question import Question
from teacherstudent.maps.turning import Followed, fold_between

FLAT = 1e-6
"""Slope, as a share of the value and over the whole range, below which it neither rises nor falls."""

STEP = 1 / 200
"""Distance of the five values, as a share of the range: their fourth power is what the slope misses."""

DOUBT = 0.5
"""A slope whose own extremum is nearer to zero than so much of the slopes beside it is looked at closely."""

BENT = 0.1
"""Change of the logarithm's own change from one value to the next above which one more lies between them."""

FINER = 5
"""How often the distance of two values may be halved: a peak is narrow where training goes on for long."""

SECANTS, NEAR = 6, 0.01
"""Steps towards a slope's own extremum, until they are so short a share of where it may lie."""

STENCIL = np.arange(-2, 3)
"""Of the five values, in steps."""


@dataclass(frozen=True)
class Motion:
    """Logarithm of the observable, slope and bend over x, (T,) each, as `house.declarations.Motion`."""

    value: np.ndarray
    slope: np.ndarray
    bend: np.ndarray
    size: np.ndarray
    clear: np.ndarray


@dataclass(frozen=True)
class Run:
    """The logarithm over x = `SPAN` times the share of the parameter's range, as a `SmoothCurve`."""

    field: Across
    place: Place
    low: float = 0.0
    high: float = SPAN
    charged: bool = False
    """Whether its values count as places of the map: a boundary asks for thousands."""

    def at(self, points: np.ndarray) -> Motion:
        """By the quartic through five values; raises `ArithmeticError` where one is not known."""
        rows = np.array([self._row(float(x) / SPAN) for x in points]) if len(points) else np.zeros((0, 3))
        value, slope, bend = rows.T
        slope, bend = slope / SPAN, bend / SPAN**2
        return Motion(value, slope, bend, np.ones_like(slope), np.abs(slope) * SPAN > FLAT)

    def _row(self, share: float) -> tuple[float, float, float]:
        if self.charged:
            self.field.budget.take(STENCIL.size)
        centre = min(max(share, 2 * STEP), 1 - 2 * STEP)
        values = [self.field.logarithms([self.place], centre + k * STEP)[0] for k in STENCIL]
        if not np.isfinite(values).all():
            raise ArithmeticError("not finite")
        quartic = np.polynomial.Polynomial.fit(STENCIL, values, 4, domain=[-1, 1])
        at = (share - centre) / STEP
        return quartic(at), quartic.deriv()(at) / STEP, quartic.deriv(2)(at) / STEP**2


@dataclass
class Across:
    """The regions of equally many descents over a parameter."""

    question: Question
    name: str
    jump: float = math.inf
    log: bool = False
    profiles: dict[Place, Profile | ArithmeticError] = field(default_factory=dict, repr=False)
    followed: Followed = field(default_factory=lambda: defaultdict(list), repr=False)
    budget: Budget = field(default_factory=Budget)

    @property
    def along(self) -> Along:
        assert self.question.along
        return self.question.along

    def samples(self, places: Sequence[Place]) -> list[Sample]:
        unknown = [place for place in places if place not in self.profiles]
        cost = self.along.count if self.profiles else 1  # the first grid is asked for in any case
        for column in by_column(self.question, unknown).values():
            self.budget.take(cost)
            self._look(column)
        return [self.sample(place) for place in places]

    def sample(self, place: Place) -> Sample:
        try:
            found = self.profile(place)
        except ArithmeticError as error:
            return Sample(UNKNOWN, reason=str(error))
        number = sum(not each for each in found.rising)
        return Sample(number, nearness=found.nearness, signs=found.rising)

    def beside(self, places: Sequence[Place], states: Sequence[float]) -> list[tuple[float, float]]:
        return [(math.nan, math.nan)] * len(places)  # regions have no values

    def traced(self, one: Place, other: Place) -> list[Curve]:
        return fold_between(self.profile, self.curves_at, one, other, self.followed) or []

    def curves_at(self, places: Sequence[Place]) -> Curves:
        return one_by_one([Run(self, place, charged=True) for place in places])

    def profile(self, place: Place) -> Profile:
        """That of the curve over the parameter. Raises `ArithmeticError`."""
        if place not in self.profiles:
            self.budget.take(self.along.count)
            self._look([place])
        found = self.profiles[place]
        if isinstance(found, ArithmeticError):
            raise found
        return found

    def logarithms(self, places: Sequence[Place], share: float) -> np.ndarray:
        """Of the observable at a share of the parameter's range, at places that differ in time only, (P,).

        Infinite where it is. Raises `ArithmeticError` where it has no value, or none above 0.
        """
        asked = self.question
        more = {self.along.name: self.along.value(share)}
        times = [asked.moment(place) for place in places]
        try:
            values, said = values_at(asked, self.name, (), places[0], times, more)
        except InputError as error:
            raise ArithmeticError(why_refused(asked, places[0], error)) from None
        at = f"at {self.along.name} = {more[self.along.name]:.4g}"
        if np.isnan(values).any():
            raise ArithmeticError(f"{said or 'no number'} {at}")
        if not (values > 0).all():
            raise ArithmeticError(f"{self.name} is not above 0 {at}")
        return np.log(values)

    def _look(self, column: Sequence[Place]) -> None:
        """The profiles of places that differ in time only."""
        try:
            shares, rows = self._resolved(column)
        except ArithmeticError as error:
            self.profiles.update(dict.fromkeys(column, error))
            return
        for place, row in zip(column, rows.T, strict=True):
            try:
                self.profiles[place] = profile_of(shares * SPAN, row, Run(self, place))
            except ArithmeticError as error:
                self.profiles[place] = error

    def _resolved(self, column: Sequence[Place]) -> tuple[np.ndarray, np.ndarray]:
        """Shares of the range, (C,), closer where logarithms bend, and these at all places, (C, P)."""
        fresh, smallest = np.linspace(0, 1, self.along.count), 1.01 / (self.along.count - 1) / 2**FINER
        known: dict[float, np.ndarray] = {}
        while fresh.size:
            known.update((float(share), self.logarithms(column, float(share))) for share in fresh)
            shares = np.array(sorted(known))
            rows = np.array([known[share] for share in shares.tolist()])
            gaps = np.diff(shares)
            with np.errstate(invalid="ignore"):
                slopes = np.diff(rows, axis=0) / gaps[:, None]
                changes = np.abs(np.diff(slopes, axis=0)) * np.minimum(gaps[1:], gaps[:-1])[:, None]
            bent = ~(changes <= BENT).all(axis=1)  # so it is beside an infinite one
            rough = np.append(bent, False) | np.append(False, bent)
            fresh = (shares[:-1] + gaps / 2)[rough & (gaps > smallest)]
        return shares, rows


def profile_of(points: np.ndarray, row: np.ndarray, curve: Run) -> Profile:
    """The profile of a curve of which values at some points are known, (C,): looked at closely in doubt."""
    gaps = np.diff(points)
    middles = points[:-1] + gaps / 2
    with np.errstate(invalid="ignore"):
        slopes = np.diff(row) / gaps  # infinite on both sides of where the value is
    found = [*zip(middles.tolist(), slopes.tolist(), [False] * slopes.size, strict=True)]
    found += [(x, slope, True) for x, slope in _critical(middles, slopes, curve)]
    found = sorted(each for each in found if abs(each[1]) * SPAN > FLAT)
    rises = [slope > 0 for _, slope, _ in found]
    runs = tuple(each for i, each in enumerate(rises) if i == 0 or each != rises[i - 1])
    turns = [i for i in range(1, len(found)) if rises[i] and not rises[i - 1]]
    inner = [(x, slope) for x, slope, critical in found if critical]
    return Profile(
        runs,
        np.array([[found[i - 1][0], found[i][0]] for i in turns]).reshape(-1, 2),
        np.array([x for x, _ in inner]),
        np.array([slope for _, slope in inner]),
        min((abs(slope) for _, slope in inner), default=math.inf),
    )


def _critical(middles: np.ndarray, slopes: np.ndarray, curve: Run) -> Iterator[tuple[float, float]]:
    """Where the slope comes nearest to zero without passing it, and both ends, with the slope there."""
    for end, near, beyond in ((curve.low, 0, 1), (curve.high, -1, -2)):
        share = (end - middles[near]) / (middles[beyond] - middles[near])
        slope = slopes[near] + share * (slopes[beyond] - slopes[near])
        if not slope * slopes[near] > DOUBT * slopes[near] ** 2:
            slope = float(curve.at(np.array([end])).slope[0])
        yield end, float(slope)
    for i in range(1, slopes.size - 1):
        before, here, after = slopes[i - 1 : i + 2].tolist()
        least = abs(here) < min(abs(before), abs(after)) < math.inf
        if least and here * before > 0 and here * after > 0:
            yield _summit(middles[i - 1 : i + 2], slopes[i - 1 : i + 2], curve)


def _summit(x: np.ndarray, slopes: np.ndarray, curve: Run) -> tuple[float, float]:
    """The slope's own extremum, of three slopes around it by the parabola, or closely in doubt."""
    parabola = np.polynomial.Polynomial.fit(x - x[1], slopes, 2, domain=[-1, 1])
    curvature = float(parabola.deriv(2)(0.0))
    at = -float(parabola.deriv()(0.0)) / curvature
    slope = float(parabola(at))
    if slope * slopes[1] > 0 and abs(slope) > DOUBT * min(abs(slopes[0]), abs(slopes[2])):
        return x[1] + at, slope
    last, before = x[0] - x[1], 0.0
    for i in range(SECANTS):
        motion = curve.at(np.array([x[1] + at]))
        slope, bend = float(motion.slope[0]), float(motion.bend[0])
        if i and at != last and bend != before:
            curvature = (bend - before) / (at - last)
        last, before = at, bend
        at = min(max(at - bend / curvature, x[0] - x[1]), x[2] - x[1])
        if abs(at - last) < NEAR * (x[2] - x[0]):
            break
    return float(x[1] + last), slope
