"""One number of an answer, read from text: observables at a moment, combined by + - * / and numbers.

The text is cut into names by a regular expression, and what is left is read by Python's own grammar, of which
only arithmetic is allowed. Nothing is executed.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem
from teacherstudent.house.errors import InputError
from teacherstudent.house.ranges import ends_of
from teacherstudent.house.suggestions import did_you_mean

FORM = "observables NAME[:[DYNAMICS/]ROUTE][@TIME|@end] of the problem, combined by + - * / ( ) and numbers"
LONGEST = 500
"""Letters of a quantity."""

END = "end"
SCATTER = "_scatter"
"""What stands behind the name of an observable for its standard deviation between draws."""

COUNT, SLOPE = "descents", "slope"
"""Words for what theory announces of a curve: a number of descents, and the slope over log time."""

_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_NAME = (
    r"(?P<name>[^\W\d]\w*)(?P<entry>(?:\[\d+\])*)(?::(?P<route>[^\W\d][\w-]*(?:/[^\W\d][\w-]*)?))?"
    rf"(?:@(?P<moment>{_NUMBER}|\w+))?"
)
_TOKEN = re.compile(rf"(?P<number>{_NUMBER})|(?:(?P<fold>min|max)\(\s*(?=[^()]*\)))?{_NAME}(?(fold)\s*\))")
_BINARY = {ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide}


@dataclass(frozen=True)
class Term:
    """One name of a quantity.

    kind: "observable", "parameter" (its own value), or `COUNT` or `SLOPE` of a curve. entry: along the
    observable's own axes. dynamics, route: "" for those of the question. moment: a time, `END`, or None for
    `time` itself. fold: "min" or "max" over the times asked, or "".
    """

    name: str
    kind: str = "observable"
    entry: tuple[int, ...] = ()
    dynamics: str = ""
    route: str = ""
    moment: float | str | None = None
    fold: str = ""


@dataclass(frozen=True)
class Quantity:
    """A number that answers give; made by `quantity`.

    Attributes:
        text: As it was written.
        terms: The names in it, in order.
    """

    text: str
    terms: tuple[Term, ...]
    tree: ast.expr = field(repr=False, compare=False)

    def evaluate(self, values: Mapping[Term, Any]) -> tuple[Any, Any]:
        """The number, and its size without cancellation, from the value of each term: floats, or (S,).

        An error of a relative e in each term changes the number by at most about e times its size.
        """
        with np.errstate(all="ignore"):
            return evaluate(self.tree, {f"_{i}": values[term] for i, term in enumerate(self.terms)})

    @property
    def stepped(self) -> bool:
        """Whether it changes by whole steps: it is a count."""
        return [each.kind for each in self.terms] == [COUNT]


def quantity(text: str, problem: Problem, option: str = "where") -> Quantity:
    """Read a quantity of a problem.

    Args:
        text: As `excess_risk@end`, `training_error@100 / excess_risk@end`,
            `excess_risk:ridge/asymptotic@end - excess_risk:flow/asymptotic@end` or `min(excess_risk)`. With
            spaces around a minus sign after a route's name, since names have dashes.
        problem: Whose observables, parameters and routes the names are.
        option: The option that a refusal names.

    Returns:
        The quantity; nothing is computed.

    Raises:
        InputError: For an unknown name, with the nearest one, and for what is no arithmetic.
    """
    if not isinstance(text, str) or not text.strip() or len(text) > LONGEST or not text.isprintable():
        raise InputError(option, text, FORM)
    terms: list[Term] = []
    wrong = InputError(option, text, FORM)

    def placed(match: re.Match[str]) -> str:
        if match["number"]:
            return f" {match[0]} "
        terms.append(_term(match, problem, option, text))
        return f" _{len(terms) - 1} "

    spelled = _TOKEN.sub(placed, text)
    if re.search(r"[^\w\s.()+*/-]", spelled):
        raise wrong
    try:
        tree = ast.parse(spelled.strip(), mode="eval").body
        demand_arithmetic(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise wrong from None
    return Quantity(" ".join(text.split()), tuple(terms), tree)


def _term(match: re.Match[str], problem: Problem, option: str, text: str) -> Term:
    """The term that a name stands for. Raises `InputError`."""
    name, folded = match["name"], match["fold"] or ""
    entry = tuple(int(each) for each in re.findall(r"\d+", match["entry"]))
    dynamics, _, route = (match["route"] or "").rpartition("/")
    observables = {each.name for each in problem.observables}
    numeric = {each.name for each in problem.parameters if ends_of(each.domain)} | {"time"}
    counted = {COUNT, SLOPE} if any(each.problem == problem.id for each in catalogue.counts()) else set()
    if name in counted or (name in numeric and name not in observables):
        kind = name if name in counted else "parameter"
        if entry or route or folded or match["moment"]:
            raise InputError(option, text, f"made of {name} alone, without a route or a moment")
        return Term(name, kind)
    if name.removesuffix(SCATTER) not in observables and name not in observables:
        among = [*observables, *counted, *numeric]
        domain = f"made of names of {problem.id}, not {name}: {', '.join(sorted(observables | counted))}"
        raise InputError(option, text, domain, did_you_mean(name, among))
    if folded and match["moment"]:
        raise InputError(option, text, f"made of {folded}(NAME) without @TIME: it is of all times")
    if dynamics:
        problem.on_clock(dynamics)
    if route:
        _demand_route(problem, dynamics, route, option, text)
    moment = _moment(match["moment"], option, text)
    return Term(name, "observable", entry, dynamics, route, moment, folded)


def _demand_route(problem: Problem, dynamics: str, route: str, option: str, text: str) -> None:
    own = [each for each in catalogue.routes() if each.problem == problem.id]
    names = dict.fromkeys(each.name for each in own if dynamics in ("", each.dynamics))
    if route not in names:
        hint = did_you_mean(route, names)
        if "-" in route:
            hint = "; ".join(filter(None, (hint, "a minus sign needs spaces around it")))
        raise InputError(option, text, f"made of routes {', '.join(names)}, not {route}", hint)


def _moment(text: str | None, option: str, whole: str) -> float | str | None:
    if text is None or text == END:
        return text
    try:
        moment = float(text)
    except ValueError:
        moment = math.nan
    if not math.isfinite(moment):
        raise InputError(option, whole, f"made of NAME@TIME or NAME@{END}, not @{text}")
    return moment


def demand_arithmetic(node: ast.AST, power: bool = False) -> None:
    """Raise `ValueError` for anything but sums and products, or powers, of finite numbers and names."""
    match node:
        case ast.BinOp(left, op, right) if type(op) in _BINARY or (power and isinstance(op, ast.Pow)):
            demand_arithmetic(left, power)
            demand_arithmetic(right, power)
        case ast.UnaryOp(ast.USub() | ast.UAdd(), operand):
            demand_arithmetic(operand, power)
        case ast.Name():
            pass
        case ast.Constant(int() | float() as value) if not isinstance(value, bool) and math.isfinite(value):
            pass
        case _:
            raise ValueError("not arithmetic")


def evaluate(node: ast.AST, values: Mapping[str, Any]) -> tuple[Any, Any]:
    """What arithmetic of names gives, and its size without cancellation, which of powers is not known."""
    match node:
        case ast.Constant(int() | float() as value):
            return float(value), 0.0  # a number has no error
        case ast.Name(name):
            return values[name], np.abs(values[name])
        case ast.UnaryOp(op, operand):
            value, size = evaluate(operand, values)
            return (-value if isinstance(op, ast.USub) else value), size
        case ast.BinOp(left, op, right):
            (a, da), (b, db) = evaluate(left, values), evaluate(right, values)
            if isinstance(op, ast.Pow):
                return np.power(a, b), math.nan
            value = _BINARY[type(op)](a, b)
            if isinstance(op, ast.Add | ast.Sub):
                return value, da + db
            if isinstance(op, ast.Mult):
                return value, np.abs(a) * db + np.abs(b) * da
            return value, da / np.abs(b) + np.abs(value) * db / np.abs(b)
    raise AssertionError("not arithmetic")
