"""Constraints between searched parameters: sums of products of powers, and the boxes that they leave."""

from __future__ import annotations

import ast
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
from teacherstudent.maps.plane import Axis

FORM = "PRODUCT = VALUE, as width*time = 1e6, of the parameters of --over with + - * / ^ and numbers"
LONGEST = 200
"""Characters of a constraint."""

BISECTIONS = 200
CLOSE = 1e-9
"""Shares of an axis within which a value is at its end."""

Monomials = dict[tuple[tuple[str, float], ...], float]
"""Coefficients by (name, power) pairs, in the order of names."""


@dataclass(frozen=True)
class Searched(Axis):
    """A parameter to search over; `whole` says that only whole numbers are values."""

    whole: bool = False

    def at_end(self, value: float) -> str:
        """The end at which a value is, "" inside."""
        share = self.along(value)
        return "lower" if share < CLOSE else "upper" if share > 1 - CLOSE else ""


@dataclass(frozen=True)
class Constraint:
    """sum_i c_i prod_j x_j^p_ij = value. text: the left side as it was given."""

    text: str
    terms: tuple[tuple[tuple[tuple[str, float], ...], float], ...]
    value: float = math.nan

    @property
    def names(self) -> list[str]:
        return sorted({name for powers, _ in self.terms for name, _ in powers})

    def left(self, point: Mapping[str, float]) -> float:
        """The left side at a point."""
        return math.fsum(
            scale * math.prod(point[name] ** power for name, power in powers) for powers, scale in self.terms
        )

    def grows(self, name: str) -> bool | None:
        """Whether the left side grows with a parameter; None where that depends on the others."""
        signs = {scale * dict(powers)[name] > 0 for powers, scale in self.terms if name in dict(powers)}
        return signs.pop() if len(signs) == 1 else None

    def solved(self, axis: Searched, others: Mapping[str, float]) -> float:
        """The value of one parameter that meets the constraint; the nearest end of its axis where none does."""
        name = axis.name
        own = [(dict(powers), scale) for powers, scale in self.terms if name in dict(powers)]
        if len(own) == 1:
            powers, scale = own[0]
            rest = replace(self, terms=tuple(each for each in self.terms if name not in dict(each[0])))
            factor = scale * math.prod(others[one] ** p for one, p in powers.items() if one != name)
            ratio = (self.value - rest.left(others)) / factor
            if ratio <= 0 and powers[name] != 1:  # too small or too large for any power
                return axis.low if powers[name] > 0 else axis.high
            return min(max(ratio ** (1 / powers[name]), axis.low), axis.high)
        low, high = (axis.low, axis.high) if self.grows(name) else (axis.high, axis.low)
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            if self.left({**others, name: middle}) < self.value:
                low = middle
            else:
                high = middle
        return high


@dataclass(frozen=True)
class Box:
    """Where is searched: axes, and a constraint that takes one of them. Points are reached by shares, (k,)."""

    axes: tuple[Searched, ...]
    constraint: Constraint | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.axes)

    @property
    def solved(self) -> Searched | None:
        """The axis for which the constraint is solved: the last that is no whole number."""
        if self.constraint is None:
            return None
        among = [each for each in self.axes if each.name in self.constraint.names]
        return ([each for each in among if not each.whole] or among)[-1]

    @property
    def free(self) -> tuple[Searched, ...]:
        return tuple(each for each in self.axes if each != self.solved)

    def axes_at(self, shares: Sequence[float]) -> tuple[list[Searched], dict[str, float]]:
        """The free axes as the constraint narrows them, one after another, and the point at these shares."""
        found: list[Searched] = []
        point: dict[str, float] = {}
        for axis, share in zip(self.free, shares, strict=True):
            narrow = self._narrowed(axis, point)
            value = narrow.value(float(share)) if narrow.low < narrow.high else narrow.low
            if axis.whole:
                value = min(max(float(round(value)), math.ceil(axis.low)), math.floor(axis.high))
            found.append(narrow)
            point[axis.name] = value
        if self.constraint is not None and (last := self.solved):
            value = self.constraint.solved(last, point)
            point[last.name] = float(round(value)) if last.whole else value
        return found, point

    def points(self, shares: np.ndarray) -> np.ndarray:
        """The points, (P, m), at shares, (P, k)."""
        found = [self.axes_at(each)[1] for each in shares]
        return np.array([[each[name] for name in self.names] for each in found]).reshape(-1, len(self.axes))

    def shares(self, at: np.ndarray, known: Mapping[int, float]) -> np.ndarray:
        """The shares of a point at which some free coordinates have known values, the others shares of `at`."""
        found = at.copy()
        for i, value in known.items():
            axis = self.axes_at(found)[0][i]
            found[i] = min(max(axis.along(value), 0.0), 1.0) if axis.low < axis.high else 0.0
        return found

    def ends(self, point: Sequence[float]) -> tuple[str, ...]:
        """The ends of the box at which a point is, in words."""
        return tuple(
            f"the {end} end of {axis.name}"
            for axis, value in zip(self.axes, point, strict=True)
            if (end := axis.at_end(float(value)))
        )

    def meeting(self, value: float) -> Box:
        """The same with another value of the constraint. Raises `InputError` where no point has it."""
        assert self.constraint is not None
        asked = replace(self.constraint, value=value)
        low, high = ({each.name: self._end(each, top) for each in self.axes} for top in (False, True))
        least, most = asked.left(low), asked.left(high)
        slack = CLOSE * max(abs(least), abs(most))
        if not least - slack <= value <= most + slack:
            domain = f"met in the box, where {asked.text} is from {least:.6g} to {most:.6g}"
            raise InputError("subject_to", f"{asked.text} = {value:g}", domain)
        return replace(self, constraint=asked)

    def _end(self, axis: Searched, top: bool) -> float:
        """The end of an axis at which the left side is larger, or smaller."""
        assert self.constraint is not None
        grows = axis.name not in self.constraint.names or bool(self.constraint.grows(axis.name))
        return axis.high if grows == top else axis.low

    def _narrowed(self, axis: Searched, known: Mapping[str, float]) -> Searched:
        """The part of an axis that leaves values to the axes after it."""
        if self.constraint is None or axis.name not in self.constraint.names:
            return axis
        ends = []
        for top in (True, False):
            others = {each.name: self._end(each, top) for each in self.axes if each.name != axis.name}
            ends.append(self.constraint.solved(axis, {**others, **known}))
        return replace(axis, low=min(ends), high=max(ends))


def read_constraint(given: Any, axes: Sequence[Searched]) -> tuple[Constraint, tuple[float, ...] | None]:
    """A constraint, and its values where these are several. Raises `InputError`."""
    if not isinstance(given, str):
        raise InputError("subject_to", given, f"one constraint as text: {FORM}")
    left, equals, right = given.partition("=")
    if len(given) > LONGEST or not equals or set("=<>!") & set(right) or set("<>!") & set(left):
        raise InputError("subject_to", given, f"one equality: {FORM}")
    names = {each.name: each for each in axes}
    try:
        terms = _parsed(left, names, given)
    except (ArithmeticError, SyntaxError, RecursionError, MemoryError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("subject_to", given, FORM) from None
    found = Constraint(" ".join(left.split()), tuple(terms.items()))
    if not found.names:
        raise InputError("subject_to", given, FORM)
    bent = {name for powers in terms for name, power in powers if len(powers) > 1 or power != 1}
    for name in found.names:
        if found.grows(name) is None:
            raise InputError("subject_to", given, f"a left side that only grows, or only falls, with {name}")
        if name in bent and names[name].low <= 0:
            raise InputError("subject_to", given, f"of parameters above 0 in products: --over {names[name]}")
    several = ":" in right or "," in right
    try:
        read: Any = (Grid(Number()) if several else Number()).parse(right.strip())
    except ValueError as error:
        hint = str(getattr(error, "hint", ""))
        raise InputError("subject_to", given, "= a number, or a range LO:HI:COUNT[:log|lin]", hint) from None
    if not several:
        return replace(found, value=read), None
    return found, tuple(read.values()) if isinstance(read, Span) else read


def _parsed(text: str, names: Mapping[str, Any], given: str) -> Monomials:
    """The monomials of a left side."""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<![\w-]){name.replace('_', '-')}(?![\w-])", name, text)

    def walk(node: ast.AST) -> Monomials:
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return {(): float(number)}
            case ast.Name(id=name):
                if name not in names:
                    domain = f"of the parameters of --over: {', '.join(names)}"
                    raise InputError("subject_to", given, domain, did_you_mean(name, names))
                return {((name, 1.0),): 1.0}
            case ast.UnaryOp(op=ast.USub(), operand=one):
                return _product({(): -1.0}, walk(one))
            case ast.BinOp(left=one, op=ast.Add(), right=other):
                return _sum(walk(one), walk(other))
            case ast.BinOp(left=one, op=ast.Sub(), right=other):
                return _sum(walk(one), _product({(): -1.0}, walk(other)))
            case ast.BinOp(left=one, op=ast.Mult(), right=other):
                return _product(walk(one), walk(other))
            case ast.BinOp(left=one, op=ast.Div(), right=other):
                return _product(walk(one), _power(walk(other), -1.0))
            case ast.BinOp(left=one, op=ast.Pow(), right=other):
                ((powers, exponent),) = walk(other).items()
                if powers:
                    raise ValueError("no number")
                return _power(walk(one), exponent)
        raise ValueError("neither a parameter, a number nor + - * / ^")

    found = walk(ast.parse(text.strip().replace("^", "**"), mode="eval").body)
    if not all(map(math.isfinite, found.values())):
        raise ValueError("not finite")
    return {powers: scale for powers, scale in found.items() if scale}


def _sum(one: Monomials, other: Monomials) -> Monomials:
    return {powers: one.get(powers, 0.0) + other.get(powers, 0.0) for powers in {**one, **other}}


def _product(one: Monomials, other: Monomials) -> Monomials:
    found: Monomials = {}
    for (a, x), (b, y) in ((a, b) for a in one.items() for b in other.items()):
        names = sorted({*dict(a), *dict(b)})
        powers = ((name, dict(a).get(name, 0.0) + dict(b).get(name, 0.0)) for name in names)
        found = _sum(found, {tuple(each for each in powers if each[1]): x * y})
    return found


def _power(one: Monomials, exponent: float) -> Monomials:
    ((powers, scale),) = one.items()
    raised = scale**exponent
    if isinstance(raised, complex):
        raise ValueError("a root of a negative number")
    return {tuple((name, power * exponent) for name, power in powers): raised}
