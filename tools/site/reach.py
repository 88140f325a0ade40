"""Which functions a check puts to the test: those that its claim and its evidence reach.

Followed are the globals and attributes that a function's code loads, through the functions of its own
room, down to the public functions of the witnesses. A route that is asked for by name counts as its
function: its name and that of its dynamics are among the texts on the way.
"""

from __future__ import annotations

import dis
import importlib
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from functools import partial
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from teacherstudent.house.catalogue import routes
from teacherstudent.paper_checks.judging.evidence import Check

WITNESSES = ("teacherstudent.theory.", "teacherstudent.sims.", "teacherstudent.optimisers.")
ROOM = "teacherstudent.paper_checks."


@dataclass(frozen=True)
class Reach:
    """What a check leads to: the functions behind its claim, and those that made its evidence."""

    claimed: frozenset[str]
    observed: frozenset[str]


def reach(check: Check) -> Reach:
    """The dotted names of the witnesses' public functions that a check puts to the test."""
    claimed, asked = _reached(check.claim)
    observed, given = _reached(check.evidence)
    own = [route for route in routes() if route.problem == check.problem]

    def entries(names: set[str], dynamics: set[str]) -> set[str]:
        return {
            each.entry.replace(":", ".") for each in own if each.name in names and each.dynamics in dynamics
        }

    claimed |= entries(asked, asked | given)
    return Reach(frozenset(claimed), frozenset((observed | entries(given, given)) - claimed))


def _reached(start: Any) -> tuple[set[str], set[str]]:
    """Functions of the witnesses on the way, and texts."""
    found, words = set(), set()
    for each in _everything(start):
        if isinstance(each, str):
            words.add(each)
        elif callable(each) and not (name := getattr(each, "__name__", "_")).startswith("_"):
            home = f"{getattr(each, '__module__', '')}."  # NumPy's ufuncs have none before 2.2
            if home.startswith(WITNESSES):
                found.add(home + name)
    return found, words


def _everything(start: Any) -> Iterator[Any]:
    """All that can be reached, once each; not beyond this room."""
    seen: set[int] = set()
    waiting = [start]
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        match each:
            case partial():
                waiting += [each.func, *each.args, *each.keywords.values()]
            case MethodType():
                waiting += [each.__func__, each.__self__]
            case FunctionType() if each.__module__.startswith(ROOM):
                waiting += loads(each)
            case dict():
                waiting += each.values()
            case tuple() | list():
                waiting += each
            case _ if (
                is_dataclass(each) and not isinstance(each, type) and type(each).__module__.startswith(ROOM)
            ):
                waiting += vars(each).values()


def loads(function: FunctionType) -> Iterator[Any]:
    """What a function's code loads from outside: globals, their attributes, imports, closures."""
    for cell in function.__closure__ or ():
        yield cell.cell_contents
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()
    yield from _loads(function.__code__, function.__globals__)


def _loads(code: CodeType, names: dict[str, Any]) -> Iterator[Any]:
    current: Any = None
    module = ""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            current = names.get(step.argval)
            yield current
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(current, ModuleType):
            current = getattr(current, step.argval, None)
            yield current
        elif step.opname == "IMPORT_NAME":
            module, current = step.argval, None
        elif step.opname == "IMPORT_FROM" and module.startswith((*WITNESSES, ROOM)):
            yield getattr(importlib.import_module(module), step.argval, None)
        else:
            current = None
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _loads(constant, names)
        elif isinstance(constant, str):
            yield constant
