"""Boxes of searched parameters, and a constraint between these: a sum of products of powers."""

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
from teacherstudent.inverse.roots import Axis

FORM = "PRODUCT = VALUE of parameters of --over, as width*time = 1e6, with + - * / ^ and numbers"
LONGEST = 200
"""Letters of a constraint."""

CLOSE = 1e-9
"""Share of an axis within which a value is at its end."""

Monomials = dict[tuple[tuple[str, float], ...], float]
"""Coefficients by (name, power) pairs, in the order of names."""


@dataclass(frozen=True)
class Side(Axis):
    """The range of one searched parameter."""

    name: str = ""


@dataclass(frozen=True)
class Constraint:
    """sum_i c_i prod_j x_j^p_ij = value, each parameter in one term. text: the left side as it was written."""

    text: str
    terms: Monomials
    value: float = math.nan

    @property
    def names(self) -> list[str]:
        return sorted({name for powers in self.terms for name, _ in powers})

    def left(self, point: Mapping[str, float]) -> float:
        """The left side at a point."""
        return math.fsum(
            scale * math.prod(point[name] ** power for name, power in powers)
            for powers, scale in self.terms.items()
        )

    def grows(self, name: str) -> bool:
        """Whether the left side grows with a parameter."""
        return any(scale * dict(powers).get(name, 0.0) > 0 for powers, scale in self.terms.items())

    def solve(self, axis: Side, others: Mapping[str, float]) -> float:
        """The value of a parameter that meets the constraint, or the end of its axis that is nearest to it."""
        ((own, scale),) = ((dict(p), c) for p, c in self.terms.items() if axis.name in dict(p))
        rest = {powers: c for powers, c in self.terms.items() if axis.name not in dict(powers)}
        power = own.pop(axis.name)
        factor = scale * math.prod(others[name] ** each for name, each in own.items())
        ratio = (self.value - replace(self, terms=rest).left(others)) / factor
        if ratio <= 0 and power != 1:  # too little for any value above 0
            return axis.low if power > 0 else axis.high
        return min(max(ratio ** (1 / power), axis.low), axis.high)


@dataclass(frozen=True)
class Box:
    """Where is searched. A point is reached by shares of the free sides; the constraint gives the last one."""

    sides: tuple[Side, ...]
    constraint: Constraint | None = None

    @property
    def names(self) -> list[str]:
        return [each.name for each in self.sides]

    @property
    def solved(self) -> Side | None:
        """The side that the constraint is solved for: the last in it that is no whole number."""
        if self.constraint is None:
            return None
        among = [each for each in self.sides if each.name in self.constraint.names]
        return ([each for each in among if not each.whole] or among)[-1]

    @property
    def free(self) -> list[Side]:
        return [each for each in self.sides if each != self.solved]

    def reach(self, shares: Sequence[float]) -> tuple[list[Side], dict[str, float]]:
        """The free sides, each narrowed to what leaves values to those after it, and the point at these shares."""
        sides: list[Side] = []
        point: dict[str, float] = {}
        for each, share in zip(self.free, shares, strict=True):
            side = self._narrowed(each, point)
            value = side.place(float(share)) if side.low < side.high else side.low
            point[side.name] = (
                float(min(max(round(value), math.ceil(side.low)), side.high)) if side.whole else value
            )
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
        shares = {each.name: each.share(float(x)) for each, x in zip(self.sides, point, strict=True)}
        low = {name: "lower" for name, share in shares.items() if share < CLOSE}
        high = {name: "upper" for name, share in shares.items() if share > 1 - CLOSE}
        return tuple(f"the {end} end of {name}" for name, end in {**low, **high}.items())

    def meeting(self, value: float) -> Box:
        """The box with that value of the constraint. Raises `InputError` where no point of it has that."""
        assert self.constraint is not None
        text, made = self.constraint.text, replace(self, constraint=replace(self.constraint, value=value))
        try:
            least, most = (
                self.constraint.left({x.name: self._end(x, top) for x in self.sides}) for top in (0, 1)
            )
            made.reach([0.5] * len(self.free))
        except ArithmeticError:
            raise InputError("subject_to", text, "finite everywhere in the box") from None
        slack = CLOSE * max(abs(least), abs(most))
        if not least - slack <= value <= most + slack:
            domain = f"met somewhere in the box, where {text} is from {least:.6g} to {most:.6g}"
            raise InputError("subject_to", f"{text} = {value:g}", domain)
        return made

    def _end(self, side: Side, top: int) -> float:
        """The end of a side at which the left side of the constraint is larger, or smaller."""
        assert self.constraint is not None
        return side.high if self.constraint.grows(side.name) == bool(top) else side.low

    def _narrowed(self, side: Side, known: Mapping[str, float]) -> Side:
        if self.constraint is None or side.name not in self.constraint.names:
            return side
        others = ({x.name: self._end(x, top) for x in self.sides} | dict(known) for top in (0, 1))
        ends = [self.constraint.solve(side, each) for each in others]
        return replace(side, low=min(ends), high=max(ends))


def read_constraint(given: Any, sides: Sequence[Side]) -> tuple[Constraint, tuple[float, ...]]:
    """A constraint, with the values that its left side shall have. Raises `InputError`."""
    left, equals, right = given.partition("=") if isinstance(given, str) else ("", "", "")
    if not equals or len(given) > LONGEST or set("=<>!;") & set(right + left.replace("=", "")):
        raise InputError("subject_to", given, f"one equality as text: {FORM}")
    low = {each.name: each.low for each in sides}
    try:
        terms = _monomials(left, low, given)
    except InputError:
        raise
    except (ArithmeticError, SyntaxError, RecursionError, MemoryError, ValueError):
        raise InputError("subject_to", given, FORM) from None
    every = [name for powers in terms for name, _ in powers]
    if not every or len(set(every)) < len(every):
        raise InputError("subject_to", given, f"{FORM}, each parameter in one product")
    for name in (n for powers in terms for n, power in powers if len(powers) > 1 or power != 1):
        if low[name] <= 0:
            raise InputError(
                "subject_to", given, f"of parameters above 0 in products: {name} begins at {low[name]:g}"
            )
    domain = Grid(Number()) if ":" in right or "," in right else Number()
    try:
        read: Any = domain.parse(right.strip())
    except ValueError as error:
        form = "TEXT = a number, or a range LO:HI:COUNT[:log|lin]"
        raise InputError("subject_to", given, form, getattr(error, "hint", "")) from None
    values = read.values() if isinstance(read, Span) else read if isinstance(read, tuple) else (read,)
    return Constraint(" ".join(left.split()), terms), tuple(values)


def _monomials(text: str, names: Mapping[str, Any], given: str) -> Monomials:
    """The products in a left side, read by Python's grammar, of which only arithmetic is allowed."""
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<![\w-]){name.replace('_', '-')}(?![\w-])", name, text)

    def scaled(one: Monomials, other: Monomials, sign: float = 1.0) -> Monomials:
        found: Monomials = {}
        for (a, x), (b, y) in ((a, b) for a in one.items() for b in other.items()):
            powers = {name: dict(a).get(name, 0.0) + sign * dict(b).get(name, 0.0) for name, _ in (*a, *b)}
            key = tuple(sorted((name, power) for name, power in powers.items() if power))
            found[key] = found.get(key, 0.0) + x * y**sign
        return found

    def read(node: ast.AST) -> Monomials:
        match node:
            case ast.Constant(value) if type(value) in (int, float):
                return {(): float(value)}
            case ast.Name(name):
                if name not in names:
                    domain = f"of parameters of --over, {', '.join(names)}, not {name}"
                    raise InputError("subject_to", given, domain, did_you_mean(name, names))
                return {((name, 1.0),): 1.0}
            case ast.UnaryOp(ast.USub(), one):
                return scaled({(): -1.0}, read(one))
            case ast.BinOp(one, ast.Add() | ast.Sub() as op, other):
                right = scaled({(): 1.0 if isinstance(op, ast.Add) else -1.0}, read(other))
                left = read(one)
                return {key: left.get(key, 0.0) + right.get(key, 0.0) for key in {**left, **right}}
            case ast.BinOp(one, ast.Mult(), other):
                return scaled(read(one), read(other))
            case ast.BinOp(one, ast.Div(), other) if len(under := read(other)) == 1:
                return scaled(read(one), under, -1.0)
            case ast.BinOp(one, ast.Pow(), other) if list(over := read(other)) == [()]:
                ((powers, scale),) = read(one).items()
                if scale < 0:
                    raise ValueError("a power of a negative number")
                return {tuple((name, power * over[()]) for name, power in powers): scale ** over[()]}
        raise ValueError("neither a parameter, a number nor + - * / ^")

    found = read(ast.parse(text.strip().replace("^", "**"), mode="eval").body)
    if not all(map(math.isfinite, found.values())):
        raise ValueError("not finite")
    return {powers: scale for powers, scale in found.items() if scale}
