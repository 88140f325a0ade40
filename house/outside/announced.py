"""What a system from outside announces, held to what can be used.

`problem.py` has the `PROBLEM`. The `ROUTES`, and `COUNTS`, `TURNS`, `SPECTRUM` and `WINDOW` where there are
some, stand there too, or in `theory.py` or `sims.py`: a file that announces something is imported by every
command, any other when it is first used. Functions are named as `theory:risk`: a module of the system, and a
function.
"""

from __future__ import annotations

import importlib.util
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, TypeVar

from teacherstudent.house import outside
from teacherstudent.house.declarations import (
    WITNESSES,
    Count,
    Problem,
    Route,
    Spectrum,
    Turns,
    Window,
    witness,
)
from teacherstudent.house.errors import InputError
from teacherstudent.house.outside import GROUP, System, sources

T = TypeVar("T")

TABLES = {"ROUTES": Route, "COUNTS": Count, "TURNS": Turns}
SINGLE = {"SPECTRUM": Spectrum, "WINDOW": Window}
ENTRIES = ("entry", "needs", "batch", "cautions", "curve")
"""Fields that name a function."""
PACKAGE = __name__.partition(".")[0]
ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclass(frozen=True)
class Announced:
    """What one system says of itself; functions are named by whole module names."""

    system: System
    problem: Problem
    tables: dict[str, tuple[Any, ...]]

    def short(self, function: str) -> str:
        """A function as checks name it: `theory.py:risk`, `theory.solver:risk`; one of ours as it is."""
        _, _, within = self.system.package.partition(".")
        module, _, name = function.removeprefix(f"{within}.").partition(":")
        return f"{module}.py:{name}" if module in WITNESSES else f"{module}:{name}"

    def refusal(self, why: str, cure: str = "") -> InputError:
        """What is wrong with what it announces, at the line that does."""
        file, line = _where(self.system, "ROUTES") or ("problem.py", 0)
        return self.system.refusal(why, file, line, cure)


def systems() -> tuple[System, ...]:
    """Those that are installed, then those that were named. Raises `InputError`."""
    outside.mount_environment()
    named = outside.named_systems()
    folders = {each.folder for each in named}
    return (*(each for each in _installed() if each.folder not in folders), *named)


def owner_of(entry: str) -> System | None:
    """The system whose function `module:function` is; None of this package's own."""
    with suppress(InputError):
        return next((each for each in systems() if entry.startswith(f"{each.package}.")), None)
    return None


@cache
def _installed() -> tuple[System, ...]:
    found = (_tolerant(_located, each) for each in sorted(entry_points(group=GROUP)))
    return tuple(each for each in found if each)


def _located(point: EntryPoint) -> System:
    """The system of an entry point. Raises `InputError`."""
    distribution, version = (
        (point.dist.name, point.dist.version) if point.dist else ("an unknown package", "")
    )
    system = System(point.module, Path(), "", distribution, version)
    with system.explained():
        spec = importlib.util.find_spec(point.module)
    if spec is None or not spec.submodule_search_locations:
        raise system.refusal(f"the entry point {point.name} names no package {point.module}")
    if set(point.module.split(".")) & set(WITNESSES):  # by which the functions of a witness are told
        raise system.refusal(f"its package may not be called {' or '.join(WITNESSES)}")
    folder = Path(next(iter(spec.submodule_search_locations))).resolve()
    system = replace(system, folder=folder)
    sources.demand_syntax(system)
    return replace(system, digest=sources.digest(folder))


_TOLD: set[str] = set()


def _tolerant(ask: Callable[[Any], T], of: Any) -> T | None:
    """What `ask` gives; None, with a warning, once, where it refuses: others are not to suffer."""
    try:
        return ask(of)
    except InputError as error:
        if str(error) not in _TOLD:
            _TOLD.add(str(error))
            with warnings.catch_warnings():  # where warnings are errors it is none: others are not to suffer
                warnings.simplefilter("always")
                warnings.warn(f"left out: {str(error).removeprefix('--')}", stacklevel=2)
        return None


def sound(check: Callable[[Announced], Announced]) -> tuple[Announced, ...]:
    """What every system announces and `check` accepts, which raises `InputError`.

    One that is installed and cannot be used is left out with a warning; one that was named is refused.
    """
    found = []
    for system in systems():
        if system.named:
            found.append(check(announced(system)))
        elif kept := _tolerant(lambda each: check(announced(each)), system):
            found.append(kept)
    return tuple(found)


@cache
def announced(system: System) -> Announced:
    """What a system announces. Imports its `problem.py`. Raises `InputError` for what cannot be used."""
    if sources.source(system.folder, "problem") is None:
        raise system.refusal("the folder contains no problem.py")
    problem = getattr(system.module("problem"), "PROBLEM", None)
    if not isinstance(problem, Problem):
        said = "it has no PROBLEM" if problem is None else f"PROBLEM is {type(problem).__name__}, no Problem"
        raise system.refusal(said, "problem.py", _line(system, "problem", "PROBLEM"))
    if not isinstance(problem.id, str) or not ID.fullmatch(problem.id):
        raise system.refusal(
            f"the id {problem.id!r} must be lower-case letters, digits and dashes",
            "problem.py", _line(system, "problem", "PROBLEM"),
        )  # fmt: skip
    tables = {
        name: tuple(_listed(system, problem, name, kind)) for name, kind in {**TABLES, **SINGLE}.items()
    }
    found = Announced(system, problem, tables)
    if not tables["ROUTES"]:
        raise system.refusal("it has no ROUTES", "problem.py")
    return found


def _listed(system: System, problem: Problem, name: str, kind: Any) -> Iterator[Any]:
    """What its files announce by that name."""
    for module in ("problem", *WITNESSES):
        line = _line(system, module, name)
        if not line:
            continue
        value, file = getattr(system.module(module), name, ()), f"{module}.py"
        for each in value if isinstance(value, tuple | list) else [value]:
            if not isinstance(each, kind):
                raise system.refusal(f"{name} holds {type(each).__name__}, no {kind.__name__}", file, line)
            if each.problem != problem.id:
                raise system.refusal(f"{name} is of {each.problem}, not of {problem.id}", file, line)
            yield _whole(system, each, file, line)


def _whole(system: System, each: Any, file: str, line: int) -> Any:
    """With whole names of its functions, which must exist."""
    changes = {}
    for name in ENTRIES:
        entry = getattr(each, name, "")
        if not entry or entry.startswith(f"{PACKAGE}."):
            continue
        module, _, function = entry.removeprefix(f"{system.package}.").partition(":")
        first = module.partition(".")[0]
        if name == "entry" and first not in WITNESSES:
            raise system.refusal(
                f"{entry} is in neither theory.py nor sims.py, as theory:risk is", file, line
            )
        if name in ("batch", "curve") and first != witness(f"{system.package}.{each.entry}"):
            raise system.refusal(f"{name} {entry} is not in the same file as {each.entry}", file, line)
        path = sources.source(system.folder, module)
        if path is None:
            raise system.refusal(f"{entry}: there is no {module.replace('.', '/')}.py", file, line)
        names = sources.bound(path)
        if function and not names.keys() & {function, "*", "__getattr__"}:
            raise system.refusal(f"{entry}: {path.name} has no {function}", file, line)
        if not function and not (isinstance(each, Route) and not each.dynamics):
            raise system.refusal(f"{entry} must name a function, as theory:risk", file, line)
        changes[name] = f"{system.package}.{module}{function and ':'}{function}"
    return replace(each, **changes)


def _line(system: System, module: str, name: str) -> int:
    """The line at which a module binds that name; 0 where it does not."""
    path = sources.source(system.folder, module)
    return sources.bound(path).get(name, 0) if path else 0


def _where(system: System, name: str) -> tuple[str, int] | None:
    found = ((f"{each}.py", _line(system, each, name)) for each in ("problem", *WITNESSES))
    return next((each for each in found if each[1]), None)


def table(system: System, module: str, name: str, kind: type) -> tuple[Any, ...]:
    """The table of that name in `checks.py` or `figures.py`; () where there is none. Raises `InputError`."""
    line = _line(system, module, name)
    if not line:
        return ()
    value = getattr(system.module(module), name, None)
    if not isinstance(value, tuple | list) or not all(isinstance(each, kind) for each in value):
        raise system.refusal(f"{name} must be a tuple, each a {kind.__name__}", f"{module}.py", line)
    return tuple(value)
