"""Fields of the lowest point of a smooth curve: when to stop training, and what that gains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from teacherstudent.house.declarations import Turns
from teacherstudent.house.errors import InputError
from teacherstudent.maps import folds, walking
from teacherstudent.maps.budget import Budget
from teacherstudent.maps.continuation import follow_curve
from teacherstudent.maps.field import UNKNOWN, Curve, Sample
from teacherstudent.maps.folds import Profile, profile
from teacherstudent.maps.plane import Place
from teacherstudent.maps.question import Question
from teacherstudent.maps.turning import CLOSE, middle_of, on_way
from teacherstudent.maps.verdicts import Claim

NEVER, STOPS = 0, 1
"""Labels: training to the end is best; stopping before is."""

MEANINGS = {NEVER: "training to the end is best", STOPS: "stopping early is best"}

DECADES = 0.05
"""The least jump of the best time, in powers of ten."""

NEWTON = 5
"""Steps to a minimum of which it is known about where it is, after which it is searched for."""

NEAR, FAR = 0.01, 1.0
"""Steps in log time: the next one would be the square of it, and so large that it leads elsewhere."""

SETTLED = 1e-3
"""Slope at the last time, as a share of the gain, above which the curve has not come to its end."""

MOVING = "the curve still changes at the last time"

SEEN = 1e-9
"""The least gain, as a share of the error at the end, for which stopping counts as better than the end.

A minimum that moves ever later gains ever less. Rounding hides the gain long before the minimum is gone.
"""

Lows = dict[Place, tuple[Profile, np.ndarray, np.ndarray, float]]
"""By place what `lows_of` says."""


POLISHED = 4
"""Newton steps, kept within their brackets, to each minimum."""


@dataclass
class Stopped:
    """The best time to stop (its logarithm to base 10), or what it gains against the end."""

    question: Question
    turns: Turns
    gain: bool
    log: bool
    jump: float = DECADES
    known: dict[Place, tuple[Sample, float]] = field(default_factory=dict, repr=False)
    """Samples, each with the log time of the lowest minimum."""
    budget: Budget = field(default_factory=Budget)
    lows: Lows = field(default_factory=dict, repr=False)
    """The minima at each place: two fields of one curve may share them."""

    def samples(self, places: Sequence[Place]) -> list[Sample]:
        return [self.sample(place) for place in places]

    def sample(self, place: Place) -> Sample:
        return self._known(place)[0]

    def beside(self, place: Place, state: float) -> tuple[float, float]:
        """By Newton steps from the best time given to the minimum close to it."""
        try:
            curve, x = self.curve_at(place), state * math.log(10)
            for _ in range(NEWTON):
                if not curve.low < x < curve.high:
                    break
                motion = curve.at(np.array([x, curve.high]))
                slope, bend = float(motion.slope[0]), float(motion.bend[0])
                if not bend > 0 or abs(slope) > FAR * bend:
                    break
                x -= slope / bend
                if abs(slope) < NEAR * bend:
                    lowest, end = float(motion.value[0]) - slope**2 / bend / 2, float(motion.value[1])
                    return self._shown(end - lowest, x, float(motion.slope[1])), x / math.log(10)
        except ArithmeticError:
            return math.nan, math.nan
        sample = self.sample(place)
        return sample.value, sample.state

    def _known(self, place: Place) -> tuple[Sample, float]:
        if place not in self.known:
            self.budget.take()
            try:
                self.known[place] = self._asked(place)
            except (ArithmeticError, InputError) as error:
                lost = Sample(UNKNOWN, reason=str(error) or type(error).__name__)
                self.known[place] = lost, math.nan
        return self.known[place]

    def _asked(self, place: Place) -> tuple[Sample, float]:
        if place not in self.lows:
            self.lows[place] = lows_of(self.curve_at(place))
        shape, minima, (*values, end), last = self.lows[place]
        rivals = [end - SEEN * abs(end), *values]
        order = np.argsort(rivals, kind="stable")
        best = int(order[0])
        lowest = rivals[best]
        second = rivals[int(order[1])] if len(order) > 1 else math.inf
        near = min(shape.nearness, (second - lowest) / abs(lowest) if lowest else math.inf)
        signs = (*shape.rising, *(i == best for i in range(len(order))))
        time = float(minima[best - 1]) if best else math.nan
        gained = self._shown(end - lowest, time, last) if best else math.nan
        lost = MOVING if best and math.isnan(gained) else ""
        found = Sample(STOPS if best else NEVER, gained, near, signs, time / math.log(10), lost)
        return found, time

    def _shown(self, gained: float, time: float, last: float) -> float:
        """What is mapped, of a time and what it gains, where the curve ends with that slope."""
        if not self.gain:
            return time / math.log(10)
        if abs(last) > SETTLED * gained:
            return math.nan
        if not self.log:
            return gained
        return math.log10(gained) if gained > 0 else math.nan

    def curve_at(self, place: Place) -> Any:
        try:
            return self.turns.smooth(self.question.instance(place))
        except InputError as error:
            raise ArithmeticError(str(error)) from None

    def traced(self, one: Place, other: Place) -> list[Curve]:
        while math.dist(one, other) > CLOSE:
            middle = middle_of(one, other)
            one, other = (middle, other) if self._closer(middle, one, other) else (one, middle)
        (first, x), (second, y) = self._known(one), self._known(other)
        if UNKNOWN in (first.label, second.label):
            return []
        if first.label == second.label:
            if not abs(first.state - second.state) > self.jump:
                return []
            guesses = [(folds.equal_minima_equations(self.curve_at), [x, y])]
        else:
            end = folds.equal_to_end(self.curve_at, SEEN), [x if first.label == STOPS else y]
            guesses = [end, (folds.escape_equations(self.curve_at), [])]
        for equations, logs in guesses:
            start = on_way(equations, one, other, logs)
            if start is not None:
                return one_way(follow_curve(equations, start))
        return walking.along_labels(self.sample, one, other)

    def level(self, level: float, low: Place, high: Place) -> list[Curve]:
        while math.dist(low, high) > CLOSE:
            middle = middle_of(low, high)
            value = self.sample(middle).value
            if math.isnan(value):
                break
            low, high = (low, middle) if value > level else (middle, high)
        if self.gain:
            gain, (_, x), (_, y) = 10**level if self.log else level, self._known(low), self._known(high)
            equations, logs = folds.below_end(self.curve_at, gain), [(x + y) / 2]
        else:
            equations, logs = folds.turning_at(self.curve_at, level * math.log(10)), []
        start = on_way(equations, low, high, logs) if all(map(math.isfinite, logs)) else None
        if start is None:
            return [walking.along_level(lambda place: self.sample(place).value, level, low, high)]
        return [Curve(each.points, each.ends, level) for each in follow_curve(equations, start)]

    def claim(self, place: Place, other: Place) -> Claim | None:
        """The change from the earlier to the later of what is best on the two sides of a boundary."""
        (here, x), (there, y) = self._known(place), self._known(other)
        if UNKNOWN in (here.label, there.label):
            return None
        curve = self.curve_at(place)
        times = sorted(curve.high if math.isnan(each) else min(each, curve.high) for each in (x, y))
        if not times[0] < times[1]:
            return None
        before, after = curve.at(np.array(times)).value
        seen = math.exp(times[0]), math.exp(times[1])
        return Claim(self.turns.observable, self.turns.dynamics, seen, float(after - before))

    def _closer(self, middle: Place, one: Place, other: Place) -> bool:
        """Whether the lowest point in the middle goes on from that of the first place, not of the other."""
        here, first, second = (self.sample(place) for place in (middle, one, other))
        if first.label != second.label:
            return here.label == first.label
        return abs(here.state - first.state) <= abs(here.state - second.state)


def lows_of(curve: Any) -> tuple[Profile, np.ndarray, np.ndarray, float]:
    """Its profile, log times of its minima, (M,), values there and at its end, (M + 1,), and its last slope.

    Raises `ArithmeticError` where these are not certain.
    """
    shape = profile(curve)
    minima = refine_minima(curve, shape.minima)
    motion = curve.at(np.append(minima, curve.high))
    if not np.all(np.isfinite(motion.value)):
        raise ArithmeticError("the curve is not finite at its minima or its end")
    return shape, minima, motion.value, float(motion.slope[-1])


def one_way(curves: Sequence[Curve]) -> list[Curve]:
    """Where two equal minima become one, their line turns back: of both ways the longer one."""
    if all("cusp" not in curve.ends for curve in curves):
        return list(curves)
    longest = max(curves, key=lambda curve: np.linalg.norm(np.diff(curve.points, axis=0), axis=1).sum())
    first, last = ("critical" if end == "cusp" else end for end in longest.ends)
    return [Curve(longest.points, (first, last))]


def refine_minima(curve: Any, brackets: np.ndarray) -> np.ndarray:
    """The minima in these brackets of log time, (M, 2), where the slope goes from falling to rising."""
    low, high = brackets.T
    at = (low + high) / 2
    for _ in range(POLISHED if at.size else 0):
        motion = curve.at(at)
        rising = motion.slope > 0
        low, high = np.where(rising, low, at), np.where(rising, at, high)
        with np.errstate(divide="ignore", invalid="ignore"):
            better = at - motion.slope / motion.bend
        at = np.where((better > low) & (better < high), better, (low + high) / 2)
    return at
