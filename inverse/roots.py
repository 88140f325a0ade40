"""All places in a range at which a function changes its sign, each in a bracket of two evaluated points.

The function is known at single points only, so nothing excludes that a root was missed: `Found.resolution`
says how far apart the points are. They are denser where the function bends, and where it comes near to zero
without crossing it, it is minimised.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

import numpy as np
from scipy import optimize

BENT = 0.05
"""Distance from the chord, as a share of the range of values, from which on an interval is halved."""

WIDE = 1e-3
"""Share of the range from which on a stretch of zeros has two ends, and is no single place."""

NEAR = 0.02
"""Distance from zero, as a share of the usual one, from which on a near miss is told."""

HALVINGS = 12
"""Of the way to a point without a value."""

ZERO = 1e-8
"""Share of the range, in units of which the accuracy of a root at zero is stated."""

JUMP, POLE = 0.5, 2.0
"""What is left of a function over a thousandth of the way: of its change at a jump, of itself at a pole."""


@dataclass(frozen=True)
class Height:
    """The function at a point: `rounding` and less is zero. A NaN has a reason."""

    value: float
    rounding: float = 0.0
    reason: str = ""

    @property
    def sign(self) -> int | None:
        """-1, 0 or 1; None where it has no value."""
        if not math.isfinite(self.value):
            return None
        return 0 if abs(self.value) <= self.rounding else int(math.copysign(1, self.value))


Function = Callable[[Sequence[float]], Sequence[Height]]
"""The function at several points, which it may compute together."""


@dataclass(frozen=True)
class Axis:
    """The range `low` to `high`, walked evenly in the logarithm if `log`; whole numbers only if `whole`."""

    low: float
    high: float
    log: bool = False
    whole: bool = False

    def place(self, share: float) -> float:
        """The value at a share of the way; beyond 0 and 1 outside of the range."""
        if share in (0, 1):
            return self.high if share else self.low
        if self.log:
            return math.exp((1 - share) * math.log(self.low) + share * math.log(self.high))
        return (1 - share) * self.low + share * self.high

    def share(self, place: float) -> float:
        """Where a value lies on the way from `low` to `high`."""
        if self.log:
            return math.log(place / self.low) / math.log(self.high / self.low)
        return (place - self.low) / (self.high - self.low)

    def between(self, low: float, high: float) -> float:
        """The middle of two values."""
        middle = math.sqrt(low) * math.sqrt(high) if self.log else low + (high - low) / 2
        return min(max(float(math.floor(middle)), low + 1), high) if self.whole else middle

    def grid(self, count: int) -> list[float]:
        """So many values from end to end; of whole numbers each once."""
        found = [self.place(i / (count - 1)) for i in range(count)]
        return sorted({float(round(each)) for each in found} if self.whole else set(found))

    def wide(self, low: float, high: float, accuracy: float) -> bool:
        """Whether a bracket can and must be made smaller."""
        if self.whole:
            return high - low > 1
        largest = max(abs(low), abs(high), accuracy * (self.high - self.low))
        return high - low > 2 * accuracy * largest


Kind = Literal["crossing", "jump", "start", "end"]


@dataclass(frozen=True)
class Root:
    """A place at which the sign of the function changes.

    Attributes:
        kind: "crossing"; "jump", where it has no value in between; "start" and "end" of a stretch on which
            the function is zero.
        value: The best guess; of whole numbers the first that reaches or passes the level, or the last of a
            stretch at it.
        low: An evaluated point below, at which the sign is certain.
        high: An evaluated point above, with another sign.
        below: The function at `low`.
        above: The function at `high`.
        accuracy: Half the width of the bracket, relative to the value, or near 0 to 1e-8 of the range.
        certified: Whether signs were seen on both sides; not at the end of a range that cannot be left.
    """

    kind: Kind
    value: float
    low: float
    high: float
    below: float
    above: float
    accuracy: float
    certified: bool = True

    @property
    def rising(self) -> bool:
        """Whether the function is larger above the root."""
        return self.above > self.below


@dataclass(frozen=True)
class Touch:
    """Where the function comes near to zero and turns back; distance 0: it is zero within rounding."""

    value: float
    distance: float


@dataclass(frozen=True)
class Gap:
    """A stretch between evaluated points without a root; `changes`: the sign changes across it."""

    low: float
    high: float
    reason: str
    changes: bool = False


@dataclass(frozen=True)
class Found:
    """All roots of a function in a range, and what was seen of it.

    Attributes:
        roots: In order.
        touches: Near misses, in order.
        gaps: Stretches without values, and poles, in order.
        places: Every point that was evaluated, (N,), increasing.
        values: The function there, (N,).
        resolution: Largest distance of neighbouring places between which there may be others: of their
            logarithms where the axis has these.
    """

    roots: tuple[Root, ...]
    touches: tuple[Touch, ...]
    gaps: tuple[Gap, ...]
    places: np.ndarray
    values: np.ndarray
    resolution: float


def find_roots(
    function: Function,
    axis: Axis,
    *,
    accuracy: float = 1e-8,
    samples: int = 65,
    stepped: bool = False,
    minimise: int = 20,
) -> Found:
    """Find all roots of a function in a range.

    Args:
        function: Of several points; it may give NaN, with a reason.
        axis: The range.
        accuracy: Relative half width of the brackets. They stay wider where rounding hides the sign.
        samples: Points that are looked at first; up to twice as many are added where the function bends.
        stepped: Whether the function is a count, which has jumps only.
        minimise: Near misses that are looked at closely, the nearest first.

    Returns:
        The roots with their brackets, near misses, stretches without values, and the samples.
    """
    search = _Search(function, axis, accuracy, stepped)
    search.at(axis.grid(samples))
    search.close_gaps()
    if not stepped:
        search.refine(3 * samples)
        search.minimise(minimise)
        search.close_gaps()
    return search.found()


@dataclass
class _Search:
    """The points evaluated so far."""

    function: Function
    axis: Axis
    accuracy: float
    stepped: bool
    known: dict[float, Height] = field(default_factory=dict)
    sampled: list[float] = field(default_factory=list)
    poles: list[Gap] = field(default_factory=list)

    def at(self, places: Iterable[float]) -> list[Height]:
        """The function there; whoever asks has these points among the samples from now on."""
        asked = [float(round(each)) if self.axis.whole else each for each in places]
        if new := sorted({each for each in asked if each not in self.known}):
            self.known.update(zip(new, self.function(new), strict=True))
            self.sampled = sorted(self.known)
        return [self.known[each] for each in asked]

    def one(self, place: float) -> Height:
        return self.at([place])[0]

    def sign(self, place: float) -> int | None:
        return self.one(place).sign

    def close_gaps(self) -> None:
        """Halve the way from each value to a neighbour without one."""
        for one, other in list(pairwise(self.sampled)):
            if (self.sign(one) is None) != (self.sign(other) is None):
                self.halve(one, other, lambda place: self.sign(place) is None, 2.0**-HALVINGS)

    def halve(
        self, low: float, high: float, label: Callable[[float], object], accuracy: float | None = None
    ) -> tuple[float, float]:
        """Both sides of a change of a label, by halving."""
        before = label(low)
        while self.axis.wide(low, high, self.accuracy if accuracy is None else accuracy):
            middle = self.axis.between(low, high)
            if not low < middle < high:
                break
            low, high = (middle, high) if label(middle) == before else (low, middle)
        return low, high

    def refine(self, most: int) -> None:
        """Add the middles of intervals at which the function bends."""
        while len(self.sampled) < most:
            places = np.array(self.sampled)
            values = np.array([self.known[each].value for each in self.sampled])
            finite = np.isfinite(values)
            usual = np.median(np.abs(values[finite])) if finite.any() else 0.0
            if not usual > 0:
                return
            bent = np.arcsinh(values / usual)
            shares = np.array([self.axis.share(each) for each in places])
            part = (shares[1:-1] - shares[:-2]) / (shares[2:] - shares[:-2])
            off = np.abs(bent[1:-1] - (1 - part) * bent[:-2] - part * bent[2:])
            rounded = max(self.known[each].rounding for each in self.sampled) / usual
            allowed = BENT * np.ptp(bent[finite]) + 4 * rounded
            wanted = np.flatnonzero(off > allowed)
            chosen = {int(i) for i in wanted} | {int(i) + 1 for i in wanted}
            middles = [float(self.axis.between(places[i], places[i + 1])) for i in sorted(chosen)]
            steps = [shares[i + 1] - shares[i] for i in sorted(chosen)]
            new = [
                each
                for each, step in zip(middles, steps, strict=True)
                if each not in self.known and step > WIDE / 100
            ]
            if not new:
                return
            self.at(new[: most - len(self.sampled)])

    def minimise(self, most: int) -> None:
        """Look closely at places where the function comes near to zero, and turns back between samples."""
        near = []
        places = list(self.sampled)
        for i, place in enumerate(places):
            own = self.known[place]
            around = [self.known[each] for each in places[max(0, i - 1) : i + 2] if each != place]
            signs = {each.sign for each in around if each.sign is not None}
            if own.sign is None or len(signs) != 1 or own.sign not in (0, *signs):
                continue
            farther = [abs(each.value) - abs(own.value) for each in around if each.sign is not None]
            if min(farther) >= 0 and max(farther) > own.rounding:
                ends = places[max(0, i - 1)], places[min(i + 1, len(places) - 1)]
                near.append((abs(own.value), place, ends, next(iter(signs))))
        for value, place, (low, high), sign in sorted(near)[:most]:
            if value <= self.known[place].rounding:
                self._approach(low, place, sign)
                self._approach(place, high, sign)
            else:
                self._approach(low, high, sign)

    def _approach(self, low: float, high: float, sign: int) -> None:
        """Minimise the distance from zero, up to the first point with another sign."""

        class Crossed(Exception):
            pass

        def distance(share: float) -> float:
            height = self.one(self.axis.place(share))
            if height.sign == -sign:
                raise Crossed
            return math.inf if height.sign is None else sign * height.value

        shares = (self.axis.share(low), self.axis.share(high))
        with suppress(Crossed):
            optimize.minimize_scalar(
                distance, bounds=shares, method="bounded", options={"xatol": 1e-9, "maxiter": 60}
            )

    def found(self) -> Found:
        """Roots between the samples, and what else was seen."""
        signs = [(each, sign) for each in list(self.sampled) if (sign := self.sign(each)) is not None]
        roots: list[Root] = []
        touches = self._touches()
        runs = _runs(signs)
        for i, (sign, first, last) in enumerate(runs):
            before, after = (runs[i - 1] if i else None), (runs[i + 1] if i + 1 < len(runs) else None)
            if sign and after and after[0]:
                roots += self._between(last, after[1], "crossing")
            elif not sign:
                roots += self._zeros(first, last, before, after, touches)
        gaps = self._gaps()
        places = np.array(self.sampled)
        values = np.array([self.known[each].value for each in self.sampled])
        apart = np.diff(np.log(places) if self.axis.log else places)
        seen = np.isfinite(np.diff(values)) & ~(self.axis.whole & (np.diff(places) <= 1))
        resolution = float(np.max(apart[seen], initial=0.0))
        return Found(
            tuple(sorted(roots, key=lambda each: each.value)),
            tuple(sorted(touches, key=lambda each: each.value)),
            tuple(sorted([*gaps, *self.poles], key=lambda each: each.low)),
            places,
            values,
            resolution,
        )

    def _zeros(
        self,
        first: float,
        last: float,
        before: tuple[int, float, float] | None,
        after: tuple[int, float, float] | None,
        touches: list[Touch],
    ) -> list[Root]:
        """What a run of zeros is: a root, a touch, or a stretch with two ends."""
        narrow = self.axis.share(last) - self.axis.share(first) < WIDE and not self.stepped
        if self.axis.whole:
            narrow = first == last and not self.stepped
        if narrow and before and after and before[0] != after[0]:
            return self._between(before[2], after[1], "crossing")
        if narrow and (before or after) and not (before and after):
            return self._at_end(first, last, before, after)
        if narrow and before and after:
            touches.append(Touch(self.axis.between(first, last), 0.0))
            return []
        starts = self._between(before[2], first, "start") if before else []
        return [*starts, *(self._between(last, after[1], "end") if after else [])]

    def _at_end(
        self,
        first: float,
        last: float,
        before: tuple[int, float, float] | None,
        after: tuple[int, float, float] | None,
    ) -> list[Root]:
        """A root at an end of the range, with a sign seen beyond it where the function can be asked there."""
        at, inside = (last, before[2]) if before else (first, after[1] if after else first)
        for step in (self.accuracy, 1e3 * self.accuracy):
            beyond = at + math.copysign(max(abs(at), self.accuracy) * step, at - inside)
            if self.axis.whole:
                beyond = at + math.copysign(1, at - inside)
            (height,) = self.function([beyond])
            if height.sign and height.sign != self.sign(inside):
                self.known[beyond] = height
                return self._between(min(inside, beyond), max(inside, beyond), "crossing")
        low, high = self.halve(min(inside, at), max(inside, at), self.sign)
        return [replace(self._root("crossing", low, high, at), certified=False)]

    def _between(self, low: float, high: float, kind: Kind) -> list[Root]:
        """The root between two points with different signs, in a bracket as narrow as it can be."""
        if kind != "crossing" or self.stepped or self.axis.whole:
            low, high = self.halve(low, high, self.sign)
            if self.axis.whole and kind == "crossing" and 0 in (self.sign(low), self.sign(high)):
                exact = low if self.sign(low) == 0 else high
                return [self._root(kind, exact - 1, exact + 1, exact)]
            reached = (low if kind == "end" else high) if self.axis.whole else None
            kind = "jump" if self.stepped and kind == "crossing" else kind
            return [] if None in (self.sign(low), self.sign(high)) else [self._root(kind, low, high, reached)]
        first, last = low, high
        guess = self._solve(low, high)
        if guess is None:  # a value is missing in between
            return []
        low, high = self._bracket(guess, first, last)
        far = 1000 * max(guess - low, high - guess)
        wide = [max(first, guess - far), min(last, guess + far)]
        near, beyond = ([self.one(each).value for each in ends] for ends in ((low, high), wide))
        change, before = abs(near[1] - near[0]), abs(beyond[1] - beyond[0])
        if any(abs(one) > POLE * abs(other) for one, other in zip(near, beyond, strict=True)):
            self.poles.append(Gap(low, high, "a pole, where the sign changes through infinity", True))
            return []
        if change > JUMP * before and wide[1] - wide[0] > 2 * (high - low):
            return [self._root("jump", low, high, guess)]
        return [self._root(kind, low, high, guess)]

    def _solve(self, low: float, high: float) -> float | None:
        """The root by SciPy's solver of smooth functions; None where the function has no value on the way."""

        def height(share: float) -> float:
            found = self.one(self.axis.place(share)).value
            if not math.isfinite(found):
                raise ArithmeticError
            return found

        try:
            shares = [self.axis.share(each) for each in (low, high)]
            return self.axis.place(optimize.toms748(height, *shares, xtol=1e-15, rtol=1e-14, maxiter=200))
        except ArithmeticError:
            self.close_gaps()
            return None
        except RuntimeError:  # a pole, or steps: halving ends on both
            low, high = self.halve(low, high, self.sign)
            return self.axis.between(low, high)

    def _bracket(self, guess: float, first: float, last: float) -> tuple[float, float]:
        """Points on both sides of a root, as near as signs are certain there and not nearer than needed."""
        want = self.sign(first), self.sign(last)
        unit = self.accuracy * max(abs(guess), self.accuracy * (self.axis.high - self.axis.low))
        ends = []
        for wanted, limit, way in ((want[0], first, -1), (want[1], last, 1)):
            step = unit * 0.9
            while (place := guess + way * step) * way < limit * way and self.sign(place) != wanted:
                step *= 2
            ends.append(place if place * way < limit * way else limit)
        return ends[0], ends[1]

    def _root(self, kind: Kind, low: float, high: float, value: float | None = None) -> Root:
        below, above = (float(each.value) for each in self.at([low, high]))
        middle = float(low + (high - low) / 2 if value is None else value)
        unit = max(abs(middle), ZERO * (self.axis.high - self.axis.low))
        accuracy = float((high - low) / 2 / unit)
        return Root(kind, middle, float(low), float(high), below, above, accuracy)

    def _touches(self) -> list[Touch]:
        """Near misses: nearer to zero than both neighbours, with the same sign; of close ones the nearest."""
        heights = [(each, self.known[each]) for each in self.sampled]
        usual = np.median([abs(height.value) for _, height in heights if height.sign is not None] or [0.0])
        found: list[Touch] = []
        for (_, one), (place, own), (_, other) in zip(heights, heights[1:], heights[2:], strict=False):
            lowest = abs(own.value) < abs(one.value) and abs(own.value) <= abs(other.value) < math.inf
            if not own.sign or not own.sign == one.sign == other.sign or abs(own.value) >= NEAR * usual:
                continue
            if lowest and found and self.axis.share(place) - self.axis.share(found[-1].value) < WIDE:
                found[-1] = min(found[-1], Touch(place, abs(own.value)), key=lambda each: each.distance)
            elif lowest:
                found.append(Touch(place, abs(own.value)))
        return found

    def _gaps(self) -> list[Gap]:
        """Runs of points without a value, between the nearest points that have one, with the usual reason."""
        found, run = [], []
        last = self.axis.low
        for place in [*self.sampled, None]:
            if place is not None and self.sign(place) is None:
                run.append(self.known[place].reason or "not finite")
                continue
            here = self.axis.high if place is None else place
            if run:
                ends = {self.sign(each) if each in self.known else None for each in (last, here)}
                found.append(Gap(last, here, Counter(run).most_common(1)[0][0], {-1, 1} <= ends))
            run, last = [], here
        return found


def _runs(signs: Sequence[tuple[float, int]]) -> list[tuple[int, float, float]]:
    """Stretches of one sign: the sign, the first and the last place."""
    found: list[tuple[int, float, float]] = []
    for place, sign in signs:
        if found and found[-1][0] == sign:
            found[-1] = (sign, found[-1][1], place)
        else:
            found.append((sign, place, place))
    return found
