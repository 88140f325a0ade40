"""Fields of the lowest point of a smooth curve: when to stop training, and what that gains."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from teacherstudent.house.declarations import Turns
from teacherstudent.maps import folds, walking
from teacherstudent.maps.budget import Budget
from teacherstudent.maps.continuation import follow_curve
from teacherstudent.maps.curves import Curves, curves_at
from teacherstudent.maps.field import UNKNOWN, Curve, Sample
from teacherstudent.maps.folds import Profile, profiles
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

SHORTEST = 2e-4
"""Step below which the labels show a boundary better than equations: a noiseless error at the end vanishes
ever faster where samples come to be as many as dimensions."""

Low = tuple[Profile, np.ndarray, np.ndarray, float]
Lows = dict[Place, Low | ArithmeticError]
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
        self._look(places)
        return [self.sample(place) for place in places]

    def sample(self, place: Place) -> Sample:
        return self._known(place)[0]

    def beside(self, places: Sequence[Place], states: Sequence[float]) -> list[tuple[float, float]]:
        """By Newton steps from the best times given to the minima close to them."""
        curves, x = self.curves_at(places), np.array(states, dtype=float) * math.log(10)
        found: list[tuple[float, float]] = [(math.nan, math.nan)] * len(places)
        with np.errstate(invalid="ignore"):
            left = np.flatnonzero((curves.low < x) & (x < curves.high))
        end = curves.at(left, curves.high[left])
        ends = {int(i): (float(v), float(s)) for i, v, s in zip(left, end.value, end.slope, strict=True)}
        met: set[int] = set()
        for _ in range(NEWTON):
            motion = curves.at(left, x[left])
            with np.errstate(invalid="ignore", divide="ignore"):
                step = motion.slope / motion.bend
                near = (motion.bend > 0) & (np.abs(step) < NEAR)
                far = ~((motion.bend > 0) & (np.abs(step) <= FAR))
            x[left] -= step
            lowest = motion.value - motion.slope * step / 2
            for i, value in zip(left[near].tolist(), lowest[near].tolist(), strict=True):
                last, slope = ends[i]
                found[i] = self._shown(last - value, float(x[i]), slope), float(x[i]) / math.log(10)
                met.add(i)
            left = left[~near & ~far]
            left = left[(curves.low[left] < x[left]) & (x[left] < curves.high[left])]
            if not left.size:
                break
        rest = [i for i in range(len(places)) if i not in met and i not in curves.reasons]
        for i, sample in zip(rest, self.samples([places[i] for i in rest]), strict=True):
            found[i] = sample.value, sample.state
        return found

    def _look(self, places: Sequence[Place]) -> None:
        """Ask for the minima of all places where they are not known."""
        fresh = [place for place in dict.fromkeys(places) if place not in self.known]
        fresh = list(self.budget.afforded(fresh)) if fresh else fresh
        new = [place for place in fresh if place not in self.lows]
        if new:
            self.lows.update(zip(new, lows_of(self.curves_at(new)), strict=True))
        for place in fresh:
            low = self.lows[place]
            if isinstance(low, ArithmeticError):
                self.known[place] = Sample(UNKNOWN, reason=str(low) or type(low).__name__), math.nan
            else:
                self.known[place] = self._sample(*low)

    def _known(self, place: Place) -> tuple[Sample, float]:
        self._look([place])
        return self.known[place]

    def _sample(
        self, shape: Profile, minima: np.ndarray, values: np.ndarray, last: float
    ) -> tuple[Sample, float]:
        end = float(values[-1])
        rivals = [end - SEEN * abs(end), *values[:-1]]
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

    def curves_at(self, places: Sequence[Place]) -> Curves:
        return curves_at(self.question, self.turns, places)

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
            guesses = [(folds.equal_minima_equations(self.curves_at), [x, y])]
        else:
            end = folds.equal_to_end(self.curves_at, SEEN), [x if first.label == STOPS else y]
            guesses = [end, (folds.escape_equations(self.curves_at), [])]
        for equations, logs in guesses:
            start = on_way(equations, one, other, logs)
            if start is None:
                continue
            curves = one_way(follow_curve(equations, start, shortest=SHORTEST))
            if first.label == second.label or all("end" not in curve.ends for curve in curves):
                return curves
            break
        return walking.along_labels(self.sample, one, other)

    def claim(self, place: Place, other: Place) -> Claim | None:
        """The change from the earlier to the later of what is best on the two sides of a boundary."""
        (here, x), (there, y) = self._known(place), self._known(other)
        if UNKNOWN in (here.label, there.label):
            return None
        curve = self.curves_at([place])
        end = float(curve.high[0])
        times = sorted(end if math.isnan(each) else min(each, end) for each in (x, y))
        if not times[0] < times[1]:
            return None
        before, after = curve.at(np.zeros(2, dtype=int), np.array(times)).value
        seen = math.exp(times[0]), math.exp(times[1])
        return Claim(self.turns.observable, self.turns.dynamics, seen, float(after - before))

    def _closer(self, middle: Place, one: Place, other: Place) -> bool:
        """Whether the lowest point in the middle goes on from that of the first place, not of the other."""
        here, first, second = (self.sample(place) for place in (middle, one, other))
        if first.label != second.label:
            return here.label == first.label
        return abs(here.state - first.state) <= abs(here.state - second.state)


def lows_of(curves: Curves) -> list[Low | ArithmeticError]:
    """Of each curve its profile, log times of its minima, (M,), values there and at its end, (M + 1,), and
    its last slope; or why these are not certain."""
    shapes = profiles(curves)
    known = [i for i, each in enumerate(shapes) if not isinstance(each, ArithmeticError)]
    brackets = [each.minima for each in shapes if not isinstance(each, ArithmeticError)]
    of = np.repeat(known, [len(each) for each in brackets]).astype(int)
    minima = refine_minima(curves, of, np.concatenate([*brackets, np.zeros((0, 2))]))
    ends = curves.at(np.array(known, dtype=int), curves.high[known])
    whole = dict(zip(known, zip(ends.value, ends.slope, strict=True), strict=True))
    values = curves.at(of, minima).value
    found: list[Low | ArithmeticError] = []
    for i, shape in enumerate(shapes):
        if isinstance(shape, ArithmeticError):
            found.append(shape)
            continue
        end, last = whole[i]
        lows = np.append(values[of == i], end)
        if np.all(np.isfinite(lows)):
            found.append((shape, minima[of == i], lows, float(last)))
        else:
            found.append(ArithmeticError("the curve is not finite at its minima or its end"))
    return found


def one_way(curves: Sequence[Curve]) -> list[Curve]:
    """Where two equal minima become one, their line turns back: of both ways the longer one."""
    if all("cusp" not in curve.ends for curve in curves):
        return list(curves)
    longest = max(curves, key=lambda curve: np.linalg.norm(np.diff(curve.points, axis=0), axis=1).sum())
    first, last = ("critical" if end == "cusp" else end for end in longest.ends)
    return [Curve(longest.points, (first, last))]


def refine_minima(curves: Curves, of: np.ndarray, brackets: np.ndarray) -> np.ndarray:
    """The minima of curves `of`, (M,), in these brackets of log time, (M, 2), where slopes begin to rise."""
    low, high = brackets.T
    at = (low + high) / 2
    for _ in range(POLISHED if at.size else 0):
        motion = curves.at(of, at)
        rising = motion.slope > 0
        low, high = np.where(rising, low, at), np.where(rising, at, high)
        with np.errstate(divide="ignore", invalid="ignore"):
            better = at - motion.slope / motion.bend
        at = np.where((better > low) & (better < high), better, (low + high) / 2)
    return at
