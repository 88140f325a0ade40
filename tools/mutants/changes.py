"""Small changes to one file's text: what somebody could have typed wrong, and Python would still run.

A change replaces one expression. Numbers move by 1 to 2 % or by one, operators turn, terms and signs get
lost, edges of comparisons move. What is never computed with is left alone: names, annotations,
documentation, messages, and what raises an error.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

TURNED: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
SWAPPED = {"min": "max", "minimum": "maximum", "fmin": "fmax", "argmin": "argmax", "any": "all"}
SWAPPED |= {right: left for left, right in SWAPPED.items()}
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.MatMult)
NOT_NUMBERS = (ast.JoinedStr, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.ListComp)
LARGE = 50
"""From here on a whole number moves by 2 %, below by one."""


class Place(Enum):
    """What an expression is for: a term of a formula, an index, the bound of a slice, or anything else."""

    PLAIN = auto()
    TERM = auto()
    INDEX = auto()
    BOUND = auto()


@dataclass(frozen=True)
class Change:
    """One replaced expression.

    line: where it begins; statement: the first and last line of the statement that holds it (of a compound
    one, of its head); inside: whether that stands in a function. The text from `start` to `end` goes.
    """

    file: str
    line: int
    statement: tuple[int, int]
    inside: bool
    start: int
    end: int
    before: str
    after: str
    text: str
    """The whole statement, or its head."""

    def applied(self, source: str) -> str:
        """The file's text with the change."""
        assert source[self.start : self.end] == self.before
        return source[: self.start] + self.after + source[self.end :]


def draw(changes: list[Change], count: int, seed: int) -> list[Change]:
    """Changes of `count` different statements, one of each, drawn at random; all where there are fewer."""
    by_statement: dict[tuple[str, tuple[int, int]], list[Change]] = {}
    for change in changes:
        by_statement.setdefault((change.file, change.statement), []).append(change)
    chance = random.Random(seed)
    places = sorted(by_statement)
    return [chance.choice(by_statement[each]) for each in chance.sample(places, min(count, len(places)))]


def changes_of(file: str, source: str) -> Iterator[Change]:
    """Every change of a file, in the order of its text."""
    offsets = _line_offsets(source)
    for statement, inside in _statements(ast.parse(source).body, inside=False):
        first, last = _extent(statement)
        text = source[offsets[first] : offsets[last + 1]].strip()
        for node, place in _expressions(statement):
            for other in _variants(node, place):
                start, end = _span(source, offsets, node)
                yield Change(
                    file,
                    node.lineno,
                    (first, last),
                    inside,
                    start,
                    end,
                    source[start:end],
                    f"({other})",
                    text,
                )


def statement_at(source: str, start: int) -> tuple[int, tuple[int, int], bool]:
    """The line of a place in the text, the extent of its statement, and whether that is in a function."""
    line = source.count("\n", 0, start) + 1
    found = ((line, line), False)
    for statement, inside in _statements(ast.parse(source).body, inside=False):
        first, last = _extent(statement)
        if first <= line <= last:
            found = ((first, last), inside)
    return line, *found


def _statements(body: list[ast.stmt], inside: bool) -> Iterator[tuple[ast.stmt, bool]]:
    """Statements that compute something, and whether each stands in a function."""
    for statement in body:
        is_function = isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef)
        if not isinstance(statement, ast.Import | ast.ImportFrom | ast.Raise | ast.Assert):
            yield statement, inside
        for name in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, name, []), inside or is_function)
        for holder in (*getattr(statement, "handlers", []), *getattr(statement, "cases", [])):
            yield from _statements(holder.body, inside)


def _extent(statement: ast.stmt) -> tuple[int, int]:
    """First and last line of a statement; of a compound one, of its head."""
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno
    return statement.lineno, max(statement.lineno, last or 0)


def _expressions(statement: ast.stmt) -> Iterator[tuple[ast.expr, Place]]:
    """The expressions that belong to a statement itself and are computed with, each with its place."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return  # documentation
    left_out = {"annotation", "returns", "decorator_list", "bases", "keywords"}
    for name, value in ast.iter_fields(statement):
        for child in value if isinstance(value, list) else [value]:
            if name not in left_out and isinstance(child, ast.AST) and not isinstance(child, ast.stmt):
                yield from _within(child, Place.PLAIN)


def _within(node: ast.AST, place: Place) -> Iterator[tuple[ast.expr, Place]]:
    """Every expression below a node, the node first."""
    if isinstance(node, ast.JoinedStr | ast.arg | ast.pattern):
        return
    if isinstance(node, ast.keyword) and node.arg in {"axis", "dtype", "examples"}:
        return
    if isinstance(node, ast.expr):
        yield node, place
    inner = Place.PLAIN
    if isinstance(node, ast.BinOp):
        inner = Place.TERM
    elif isinstance(node, ast.Slice):
        inner = Place.BOUND
    elif place is Place.INDEX and isinstance(node, ast.Tuple | ast.UnaryOp):
        inner = Place.INDEX
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                is_index = isinstance(node, ast.Subscript) and name == "slice"
                yield from _within(child, Place.INDEX if is_index else inner)


def _variants(node: ast.expr, place: Place) -> Iterator[str]:
    """What could stand in the place of an expression."""
    if place is Place.BOUND:
        yield from (f"{ast.unparse(node)} {sign} 1" for sign in "+-")
    match node:
        case ast.Constant(value=bool() | str() | bytes() | None):
            return
        case ast.Constant(value=int() as n) if place is not Place.BOUND:
            if n >= LARGE:
                yield str(round(1.02 * n))
            elif n and place is Place.TERM:
                yield repr(round(1.01 * n, 12))
            else:
                yield str(n + 1)
        case ast.Constant(value=float() as x) if x:
            yield repr(float(f"{1.02 * x:.12g}"))
        case ast.UnaryOp(op=ast.USub() | ast.Not()):
            yield ast.unparse(node.operand)
        case ast.BinOp(op=op, left=left, right=right) if not _holds_names(left, right):
            if type(op) in TURNED:
                yield ast.unparse(ast.BinOp(left, TURNED[type(op)](), right))
            if isinstance(op, ast.Add | ast.Sub):
                yield ast.unparse(left)
            if isinstance(op, ast.Add):
                yield ast.unparse(right)
            if isinstance(op, ARITHMETIC):
                yield f"1.01 * ({ast.unparse(node)})"
        case ast.BoolOp(op=op, values=values):
            yield ast.unparse(ast.BoolOp(TURNED[type(op)](), values))
        case ast.Compare(ops=ops):
            for k, edge in enumerate(ops):
                if type(edge) in TURNED:
                    turned = [*ops[:k], TURNED[type(edge)](), *ops[k + 1 :]]
                    yield ast.unparse(ast.Compare(node.left, turned, node.comparators))
        case ast.Name(id=name) if name in SWAPPED:
            yield SWAPPED[name]
        case ast.Attribute(attr=name, value=value) if name in SWAPPED:
            yield ast.unparse(ast.Attribute(value, SWAPPED[name], ast.Load()))


def _holds_names(*operands: ast.expr) -> bool:
    """Whether text or lists are joined, not numbers added."""
    return any(
        isinstance(each, NOT_NUMBERS) or (isinstance(each, ast.Constant) and isinstance(each.value, str))
        for each in operands
    )


def _line_offsets(source: str) -> list[int]:
    """Where line k = 1, 2, ... begins in the text, and where the text ends."""
    offsets = [0, 0]
    for line in source.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    return offsets


def _span(source: str, offsets: list[int], node: ast.expr) -> tuple[int, int]:
    """Where an expression begins and ends in the text; Python counts its columns in bytes."""

    def place(line: int, column: int) -> int:
        text = source[offsets[line] : offsets[line + 1]]
        return offsets[line] + len(text.encode()[:column].decode())

    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)
