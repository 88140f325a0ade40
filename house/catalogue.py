"""Finds what announces itself: problems, and in the rooms of the witnesses what they give for each.

A problem is a module of `problems` with a `PROBLEM`; a witness of it is a subpackage of
`theory` or `sims` with `ROUTES` and, where it has them, `COUNTS` (boundaries), `TURNS` (extrema over
time), `SPECTRUM` (eigenvalues of the inputs) and `WINDOW` (times worth recording). Looking them up imports
declarations only: no JAX, no SciPy.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import _lru_cache_wrapper, cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

from teacherstudent.house import outside
from teacherstudent.house.declarations import (
    WITNESSES,
    Algorithm,
    Count,
    Problem,
    Route,
    Spectrum,
    Turns,
    Window,
    witness,
)
from teacherstudent.house.errors import InputError
from teacherstudent.house.outside.announced import Announced, announced, sound
from teacherstudent.house.parameters import demand_names_apart, pick
from teacherstudent.house.suggestions import nearest_words, one_of
from teacherstudent.house.topics import what_answers


class Named(Protocol):
    """What can be looked up by its id."""

    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=Named)
C = TypeVar("C", Count, Turns)
A = TypeVar("A")

PACKAGE = __name__.partition(".")[0]

_LISTINGS: list[_lru_cache_wrapper[Any]] = []


def listed(function: Callable[..., A]) -> _lru_cache_wrapper[A]:
    """A listing that is made once, until a system comes or goes (`forget`)."""
    made = cache(function)
    _LISTINGS.append(made)
    return made


def forget() -> None:
    """Let every listing be made anew."""
    for each in _LISTINGS:
        each.cache_clear()


def announcements(room: str, attribute: str, deeper: bool = True) -> list:
    """The given attribute of every module of a room that has it, by the module's name.

    Asked are the modules of the room and those of its subpackages, one a system. In the rooms of the
    witnesses only the subpackages themselves are: modules there would load SciPy or JAX. So it is elsewhere
    without `deeper`, for what `--help` must know at once.
    """
    deeper = deeper and room not in WITNESSES
    modules = [importlib.import_module(name) for name in _modules(f"{PACKAGE}.{room}", deeper)]
    return [getattr(module, attribute) for module in modules if hasattr(module, attribute)]


def _modules(package: str, deeper: bool) -> Iterator[str]:
    for module in sorted(pkgutil.iter_modules(importlib.import_module(package).__path__), key=_name):
        name = f"{package}.{module.name}"
        if module.ispkg or deeper:
            yield name
        if module.ispkg and deeper:
            below = importlib.import_module(name).__path__
            yield from sorted(each.name for each in pkgutil.iter_modules(below, f"{name}."))


def _name(module: pkgutil.ModuleInfo) -> str:
    return module.name


def by_id(entries: Iterable[T]) -> dict[str, T]:
    """Entries by their `id`. Raises `ValueError` where two share one."""
    table: dict[str, T] = {}
    for entry in entries:
        if table.setdefault(entry.id, entry) is not entry:
            raise ValueError(f"two entries are called {entry.id}")
    return table


@listed
def algorithms() -> dict[str, Algorithm]:
    """Every algorithm that trains students which are linear in their features, by name, in order."""
    found = announcements("theory.algorithms", "ALGORITHM")
    return {each.name: each for each in sorted(found, key=lambda each: (each.place, each.name))}


@listed
def problems() -> dict[str, Problem]:
    """Every declared problem by its id."""
    return by_id([*_own().values(), *(each.problem for each in from_outside())])


@listed
def _own() -> dict[str, Problem]:
    """The problems of this package."""
    return by_id(_trained(each) for each in announcements("problems", "PROBLEM"))


@listed
def from_outside() -> tuple[Announced, ...]:
    """The systems that live outside this package (`house.outside`).

    Raises `InputError` where one that was named cannot be used, or has an id or a name that is in use.
    """
    places = dict.fromkeys(_own(), "teacherstudent itself")

    def whole(found: Announced) -> Announced:
        id = found.problem.id
        if id in places:
            raise found.refusal(f"the id {id} is also that of {places[id]}", "give only one of these ids")
        try:
            problem = _trained(found.problem)
            own = [option for route in found.tables["ROUTES"] for option in route.options]
            options = [option for clock in problem.dynamics for option in clock.options]
            demand_names_apart(f"routes of {id}", problem.parameters, (*options, *own))
        except ValueError as error:
            raise found.refusal(str(error)) from None
        clocks = {clock.name for clock in problem.dynamics}
        for route in found.tables["ROUTES"]:
            if route.dynamics and route.dynamics not in clocks:
                raise found.refusal(f"a route under {route.dynamics}, which is no dynamics of {id}")
        places[id] = found.system.place
        return replace(found, problem=problem)

    return sound(whole)


def system_of(problem: str) -> dict[str, str]:
    """Where the system of that problem lives, its version and the digest of its code; {} of one of ours."""
    for each in from_outside():
        if each.problem.id == problem:
            of = each.system
            return {"system": str(of.folder), "system_version": of.version, "system_digest": of.digest}
    return {}


def use(folder: Any, option: str = outside.OPTION) -> str:
    """Let the system of a folder belong to the catalogue: its id. Runs its code. Raises `InputError`."""
    system = outside.mount(folder, option)
    forget()
    try:
        from_outside()
    except BaseException:
        leave(system.folder)
        raise
    return announced(system).problem.id


def leave(folder: Path) -> None:
    """Let the system of a folder no longer belong to the catalogue."""
    outside.unmount(folder)
    forget()


@contextmanager
def using(folders: Sequence[str]) -> Iterator[None]:
    """In this block the systems of these folders belong to the catalogue. Raises `InputError`."""
    before = outside.named_systems()
    try:
        for folder in folders:
            use(folder)
        yield
    finally:
        for system in set(outside.named_systems()) - set(before):
            leave(system.folder)


def _trained(problem: Problem) -> Problem:
    """With the dynamics of all algorithms, where its students are linear."""
    if problem.linear is None:
        return problem
    own = problem.linear.dynamics(tuple(algorithms().values()))
    return replace(problem, dynamics=(*problem.dynamics, *own))


@listed
def routes() -> tuple[Route, ...]:
    """Every route that a witness announces.

    Raises `ValueError` where an option has the name of a parameter, or of another option, of its problem.
    """
    found = tuple(
        route for room in WITNESSES for table in _tables(room, "ROUTES") for route in _followed(room, table)
    )
    for problem in problems().values():
        own = [option for route in found if route.problem == problem.id for option in route.options]
        options = [option for clock in problem.dynamics for option in clock.options]
        demand_names_apart(f"routes of {problem.id}", problem.parameters, (*options, *own))
    return found


@listed
def routes_under(problem: str, dynamics: str) -> dict[str, Route]:
    """The routes of a problem under that dynamics, by name."""
    return {each.name: each for each in routes() if (each.problem, each.dynamics) == (problem, dynamics)}


def _tables(room: str, attribute: str) -> list[Sequence[Any]]:
    """The tables of that name of every system, from a room and from outside."""
    theirs = (
        [entry for entry in each.tables[attribute] if witness(entry.entry) == room] for each in from_outside()
    )
    return [*announcements(room, attribute), *theirs]


def _followed(room: str, table: Sequence[Route]) -> Sequence[Route]:
    """The routes of a table, with one under each algorithm for those that stand for all."""
    if all(route.dynamics for route in table):
        return table
    taken = {(route.problem, route.dynamics, route.name) for route in table}
    found = []
    for route in table:
        clocks = problems()[route.problem].dynamics
        order = {clock.name: place for place, clock in enumerate(clocks)}
        for name in [route.dynamics] if route.dynamics else _algorithms_of(room):
            if route.dynamics or (name in order and (route.problem, name, route.name) not in taken):
                entry, needs = (
                    f"{each}:{name}" if each and ":" not in each else each
                    for each in (route.entry, route.needs)
                )
                scheduled = route.scheduled and (bool(route.dynamics) or algorithms()[name].scheduled)
                own = replace(route, dynamics=name, entry=entry, needs=needs, scheduled=scheduled)
                found.append((order[name], own))
    return [route for _, route in sorted(found, key=lambda each: each[0])]


def _algorithms_of(room: str) -> list[str]:
    """The names of the algorithms that a witness follows for any source."""
    if room == "theory":
        return [name for name, each in algorithms().items() if each.composes]
    package = importlib.import_module(f"{PACKAGE}.{room}.algorithms")
    return [each.name for each in pkgutil.iter_modules(package.__path__)]


@listed
def counts() -> tuple[Count, ...]:
    """Every count that a witness announces."""
    return tuple(count for room in WITNESSES for table in _tables(room, "COUNTS") for count in table)


@listed
def turns() -> tuple[Turns, ...]:
    """The turns of every curve that a witness announces."""
    return tuple(curve for room in WITNESSES for table in _tables(room, "TURNS") for curve in table)


@listed
def spectra() -> dict[str, Spectrum]:
    """Every spectrum that a witness announces, by its problem."""
    return by_id(_single("SPECTRUM"))


@listed
def windows() -> dict[str, Window]:
    """Every window that a witness announces, by its problem."""
    return by_id(_single("WINDOW"))


def _single(attribute: str) -> Iterator[Any]:
    """What every system announces at most once."""
    for room in WITNESSES:
        yield from announcements(room, attribute)
    for each in from_outside():
        yield from each.tables[attribute]


def find_problem(name: str) -> Problem:
    """The problem of that id. Raises `InputError`."""
    among, listed = problems(), "teacherstudent list problems"
    if not (isinstance(name, str) and name in among) and (said := what_answers(name)):
        raise InputError("problem", name, one_of(among, listed), said)
    return pick("problem", name, among, listed, lambda: outside.HOW)


def parameter_names(problem: Problem) -> set[str]:
    """The names of all values of a question: parameters of the problem, options of dynamics and routes."""
    own = [*problem.parameters, *(option for clock in problem.dynamics for option in clock.options)]
    own += [option for route in routes() if route.problem == problem.id for option in route.options]
    return {each.name for each in own}


def find_route(problem: Problem, dynamics: str, name: str) -> Route:
    """The route of that name to that dynamics. Raises `InputError` that lists the choices."""
    problem.on_clock(dynamics)
    among = routes_under(problem.id, dynamics)
    return pick("route", name, among, hint=lambda: other_dynamics_with_route(problem, dynamics, name))


def other_dynamics_with_route(problem: Problem, dynamics: str, name: str) -> str:
    """Under which other dynamics there is a route of that name, or nearly; "" where under none."""
    own = [route for route in routes() if route.problem == problem.id and route.dynamics != dynamics]
    near = next(iter(nearest_words(name, dict.fromkeys(route.name for route in own))), "")
    clocks = [route.dynamics for route in own if route.name == near]
    return f"{near} is a route under --dynamics {' or '.join(clocks)}, not {dynamics}" if near else ""


def of_problem(problem: str, entries: Iterable[C]) -> dict[str, C]:
    """Those counts or turns that are announced for that problem, by name.

    Raises `InputError` that lists the problems with some, where it has none.
    """
    entries = tuple(entries)
    pick("problem", problem, dict.fromkeys(entry.problem for entry in entries))
    return {entry.name: entry for entry in entries if entry.problem == problem}
