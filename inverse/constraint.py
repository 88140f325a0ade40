"""Boxes of searched parameters, and a constraint between these."""

from __future__ import annotations

import ast
import itertools
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from teacherstudent.house.domains import Number
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Grid, Span
from teacherstudent.house.suggestions import did_you_mean
from teacherstudent.inverse.quantity import demand_arithmetic, evaluate
from teacherstudent.inverse.roots import Axis

FORM = "TEXT = VALUE, as width*time = 1e6, of parameters of --over and numbers with + - * / ^ ( )"
LONGEST, MARGIN = 200, 1e-9
"""Letters of a constraint; share of a side within which a value is at its end."""


@dataclass(frozen=True)
class Side(Axis):
    """The range of one searched parameter."""

    name: str = ""


@dataclass(frozen=True)
class Constraint:
    """That a text has a value. grows: whether it does so, or falls, with each parameter in it."""

    text: str
    tree: ast.expr
    grows: Mapping[str, bool]
    value: float = math.nan

    def left(self, point: Mapping[str, float]) -> float:
        """The text at a point. Raises `ArithmeticError` where it is not finite."""
        with np.errstate(all="ignore"):
            found = float(evaluate(self.tree, point)[0])
        if not math.isfinite(found):
            raise OverflowError("not finite")
        return found

    def solve(self, side: Side, others: Mapping[str, float]) -> float:
        """The value of a parameter that meets the constraint, or the end of its side that comes nearest."""
        from scipy.optimize import brentq

        def off(share: float) -> float:
            return self.left({**others, side.name: side.place(share)}) - self.value

        ends = off(0.0), off(1.0)
        if min(ends) >= 0 or max(ends) <= 0:
            return side.low if abs(ends[0]) < abs(ends[1]) else side.high
        if self.text.replace(" ", "") in (f"{a}*{b}" for a, b in itertools.permutations(self.grows, 2)):
            return self.value / next(others[name] for name in self.grows if name != side.name)
        return side.place(brentq(off, 0.0, 1.0, xtol=1e-16, rtol=1e-15, maxiter=1000))


@dataclass(frozen=True)
class Box:
    """Where is searched. A point is reached by shares of the free sides; a constraint gives the last one."""

    sides: tuple[Side, ...]
    constraint: Constraint | None = None

    @property
    def names(self) -> list[str]:
        return [each.name for each in self.sides]

    @property
    def solved(self) -> Side | None:
        """The side that the constraint is solved for: the last in it that is no whole number."""
        among = [each for each in self.sides if self.constraint and each.name in self.constraint.grows]
        return ([each for each in among if not each.whole] or among)[-1] if among else None

    @property
    def free(self) -> list[Side]:
        return [each for each in self.sides if each != self.solved]

    def reach(self, shares: Sequence[float] | np.ndarray) -> tuple[list[Side], dict[str, float]]:
        """The free sides, narrowed to what leaves values to later ones, and the point at these shares."""
        sides: list[Side] = []
        point: dict[str, float] = {}
        for each, share in zip(self.free, shares, strict=True):
            side = self._narrowed(each, point)
            value = side.place(float(share)) if side.low < side.high else side.low
            if side.whole:
                value = float(min(max(round(value), math.ceil(side.low)), side.high))
            point[side.name] = value
            sides.append(side)
        if self.constraint and self.solved:
            value = self.constraint.solve(self.solved, point)
            point[self.solved.name] = float(round(value)) if self.solved.whole else value
        return sides, point

    def points(self, shares: np.ndarray) -> np.ndarray:
        """The points, (P, m), at shares, (P, k)."""
        found = [self.reach(each)[1] for each in shares]
        return np.array([[each[name] for name in self.names] for each in found]).reshape(-1, len(self.sides))

    def ends(self, point: Sequence[float]) -> tuple[str, ...]:
        """The ends of the box at which a point is, in words."""
        shares = [(each.name, each.share(float(x))) for each, x in zip(self.sides, point, strict=True)]
        found = [
            (name, "lower" if share < MARGIN else "upper" * (share > 1 - MARGIN)) for name, share in shares
        ]
        return tuple(f"the {end} end of {name}" for name, end in found if end)

    def meeting(self, value: float) -> Box:
        """The box with that value of the constraint. Raises `InputError` where no point of it has that."""
        assert self.constraint is not None
        made = replace(self, constraint=replace(self.constraint, value=value))
        least, most = (
            self.constraint.left({x.name: self._end(x, top) for x in self.sides}) for top in (0, 1)
        )
        slack = MARGIN * max(abs(least), abs(most))
        if not least - slack <= value <= most + slack:
            domain = f"met somewhere in the box, where {self.constraint.text} is {least:.6g} to {most:.6g}"
            raise InputError("subject_to", f"{self.constraint.text} = {value:g}", domain)
        return made

    def _end(self, side: Side, top: int) -> float:
        """The end of a side at which the left side of the constraint is larger, or smaller."""
        assert self.constraint is not None
        return side.high if self.constraint.grows.get(side.name, True) == bool(top) else side.low

    def _narrowed(self, side: Side, known: Mapping[str, float]) -> Side:
        if self.constraint is None or side.name not in self.constraint.grows:
            return side
        others = ({x.name: self._end(x, top) for x in self.sides} | dict(known) for top in (0, 1))
        ends = [self.constraint.solve(side, each) for each in others]
        return replace(side, low=min(ends), high=max(ends))


def read_constraint(given: Any, sides: Sequence[Side]) -> tuple[Constraint, tuple[float, ...]]:
    """A constraint, with the values that it shall have. Nothing is executed. Raises `InputError`."""
    left, equals, right = given.partition("=") if isinstance(given, str) else ("", "", "")
    if not equals or len(given) > LONGEST or set("=<>!;") & set(right):
        raise InputError("subject_to", given, f"one equality as text: {FORM}")
    named = {each.name: each for each in sides}
    text = " ".join(left.split())
    for name in sorted(named, key=len, reverse=True):
        text = re.sub(rf"(?<![\w-]){name.replace('_', '-')}(?![\w-])", name, text)
    try:
        tree = ast.parse(text.replace("^", "**"), mode="eval").body
        demand_arithmetic(tree, power=True)
        used = dict.fromkeys(each.id for each in ast.walk(tree) if isinstance(each, ast.Name))
        if unknown := [name for name in used if name not in named]:
            domain = f"of parameters of --over, {', '.join(named)}, not {unknown[0]}"
            raise InputError("subject_to", given, domain, did_you_mean(unknown[0], named))
        made = Constraint(text, tree, {})
        grows = {name: _grows(made, named[name], [named[each] for each in used]) for name in used}
    except InputError:
        raise
    except (ArithmeticError, SyntaxError, RecursionError, MemoryError, TypeError, ValueError) as error:
        why = f", finite everywhere in the box ({error})" if isinstance(error, ArithmeticError) else ""
        raise InputError("subject_to", given, f"{FORM}{why}") from None
    if not used or None in grows.values():
        raise InputError("subject_to", given, f"{FORM}, that only grows or only falls with each parameter")
    values: Grid | Number = Grid(Number()) if ":" in right or "," in right else Number()
    try:
        read: Any = values.parse(right.strip())
    except ValueError as error:
        form = "TEXT = a number, or a range LO:HI:N[:log|lin]"
        raise InputError("subject_to", given, form, getattr(error, "hint", "")) from None
    listed = read.values() if isinstance(read, Span) else read if isinstance(read, tuple) else (read,)
    return replace(made, grows={name: bool(each) for name, each in grows.items()}), tuple(listed)


def _grows(constraint: Constraint, side: Side, used: Sequence[Side]) -> bool | None:
    """Whether the text grows with a parameter, from end to end of its side at every corner of the box."""
    found = set()
    shares = [side.place(i / 8) for i in range(9)]
    others = [each for each in used if each != side]
    for corner in itertools.product(*((each.low, each.high) for each in others)):
        rest = dict(zip([each.name for each in others], corner, strict=True))
        values = [constraint.left({**rest, side.name: x}) for x in shares]
        found |= {later > earlier for earlier, later in itertools.pairwise(values)}
    return found.pop() if len(found) == 1 else None
