"""Every route of every problem keeps what the catalogue says of it: nothing here names a system.

A route is asked the problem's own examples (`Problem.examples`, completed by `Route.example`).
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import xarray as xr

from teacherstudent.house import catalogue
from teacherstudent.house.answers import expected_shapes
from teacherstudent.house.certainty import nan_where
from teacherstudent.house.declarations import Dynamics, Problem, Route
from teacherstudent.house.domains import Choice, Domain, Several, Switch
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.memory import need_of
from teacherstudent.house.provenance import commit
from teacherstudent.house.running import instance_and_options, run, time_grid
from teacherstudent.house.tables import ColumnNames
from tests.support import TOY

ROUTES = catalogue.routes()
PROBLEMS = list(catalogue.problems().values())
THEORY = [route for route in ROUTES if ".theory." in route.entry]
LONG = {
    *("committee/online/asymptotic", "committee/online/instance", "measured-spectrum/sgd/asymptotic"),
    *("measured-spectrum/sgd/instance", "multiscale/sgd/instance", "stable-noise/exit/spectral"),
    *("scale-invariant/online/averaged", "gan/generator/kernel"),
}
"""Routes that take seconds at hard times: one that shares their code is asked by `make test`."""
LONG_PAIRS = {"heavy-tails/stationary/exact-transfer"}

every_route = pytest.mark.parametrize(
    "route",
    [pytest.param(each, marks=[pytest.mark.thorough] if each.slow else []) for each in ROUTES],
    ids=lambda route: route.id,
)
every_theory = pytest.mark.parametrize(
    "route",
    [
        pytest.param(each, marks=[pytest.mark.thorough] if each.slow or each.id in LONG else [])
        for each in THEORY
    ],
    ids=lambda route: route.id,
)
every_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.id)


def recorded(clock: Dynamics) -> list[float]:
    """A few early times on that clock."""

    def valid(time: float) -> bool:
        try:
            clock.time.domain.check(int(time) if clock.whole_time and time == int(time) else time)
        except ValueError:
            return False
        return True

    return [time for time in (0.25, 0.75, 1.0, 3.0) if valid(time)]


def questions(*routes: Route) -> Iterator[dict[str, Any]]:
    """The problem's examples, completed by those of the routes, without names that these do not know.

    Those that become equal are asked once.
    """
    problem = catalogue.find_problem(routes[0].problem)
    clock = problem.on_clock(routes[0].dynamics)
    options = [option for route in routes for option in route.options]
    known = {each.name for each in (*problem.parameters, *clock.options, *options)}
    found: list[dict[str, Any]] = []
    for example in problem.examples:
        whole = {**example, **{name: value for route in routes for name, value in route.example.items()}}
        question = {name: value for name, value in whole.items() if name in known}
        if question not in found:
            found.append(question)
    yield from found


def answer(route: Route, question: Mapping[str, Any]) -> xr.Dataset:
    """The route's answer, over two draws where it draws, at a few early times."""
    clock = catalogue.find_problem(route.problem).on_clock(route.dynamics)
    seeds = {"seeds": (0, 1)} if route.sampled else {}
    return run(route.problem, route.dynamics, route.name, recorded(clock), **seeds, **question)


@cache
def answers(route: Route) -> tuple[tuple[dict[str, Any], xr.Dataset, bool], ...]:
    """Those examples that the route answers, each with its answer and whether that came with a warning."""
    found = []
    for question in questions(route):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", UnconvergedWarning)
            with suppress(InputError):
                found.append((question, answer(route, question), bool(said)))
    return tuple(found)


def _routes(problem: Problem) -> list[Route]:
    return [route for route in ROUTES if route.problem == problem.id]


def lacked() -> Iterator[tuple[Route, str]]:
    """Routes with each group of observables that may be asked for, and that they do not give."""
    for route in ROUTES:
        for option in catalogue.find_problem(route.problem).on_clock(route.dynamics).options:
            each = option.domain.each if isinstance(option.domain, Several) else None
            if option.name == "observable" and isinstance(each, Choice) and route.gives:
                missing = {group for name, group in each.others if name not in route.gives}
                yield from ((route, group) for group in each.words if group in missing)


@pytest.mark.parametrize(("route", "group"), [*lacked()], ids=lambda each: getattr(each, "id", each))
def test_a_group_of_observables_that_a_route_does_not_give_is_refused(route: Route, group: str) -> None:
    """It is not left out in silence."""
    question, *_ = answers(route)[0]
    with pytest.raises(InputError, match=f"^--observable {group}: must be "):
        answer(route, {**question, "observable": (group,)})


@every_route
def test_a_route_gives_what_it_declares_finite_or_with_a_warning(route: Route) -> None:
    """Names, shapes and types are held by the house; here, that it gives any and along which axes."""
    problem = catalogue.find_problem(route.problem)
    assert answers(route), "it refuses every example: Route.example must add what they lack"
    for question, found, warned in answers(route):
        instance, options = instance_and_options(problem, problem.on_clock(route.dynamics), route, question)
        assert list(found.data_vars) == list(expected_shapes(problem, route, instance, options))
        leading = ("seed", "time") if route.sampled else ("time",)
        for each in problem.observables:
            if each.name in found:
                values = found[each.name]
                assert values.dims == (*leading, *each.dims)
                assert not np.isinf(values).any()
                assert warned or np.isfinite(values).all()


@pytest.mark.parametrize(
    "problem",
    [
        pytest.param(each, marks=[pytest.mark.thorough] if any(route.slow for route in _routes(each)) else [])
        for each in PROBLEMS
    ],
    ids=lambda problem: problem.id,
)
def test_the_examples_ask_for_every_observable_that_a_route_declares(problem: Problem) -> None:
    everything = {each.name for each in problem.observables}
    declared = set().union(*(route.gives or everything for route in _routes(problem)))
    given = {name for route in _routes(problem) for _, found, _ in answers(route) for name in found.data_vars}
    assert given == declared == everything


@every_route
def test_an_answer_says_where_it_came_from(route: Route) -> None:
    problem = catalogue.find_problem(route.problem)
    for question, found, _ in answers(route):
        instance, options = instance_and_options(problem, problem.on_clock(route.dynamics), route, question)
        said = found.attrs
        named = {"problem": route.problem, "dynamics": route.dynamics, "route": route.name}
        assert said.items() >= {**named, "route_version": route.version}.items()
        assert said["source"] == route.source
        assert said["approximate"] == route.approximate
        assert json.loads(said["instance"]) == json.loads(json.dumps(vars(instance), default=str))
        assert json.loads(said["options"]) == json.loads(json.dumps(options, default=str))
        own = (*problem.on_clock(route.dynamics).options, *route.options)
        assert json.loads(said["options"]).keys() == {option.name for option in own}
        assert said["numpy"] == np.__version__
        assert said["teacherstudent"]
        room = route.entry.split(".")[1] if route.entry else ""
        used = {"theory": ("scipy",), "sims": ("jax", "jaxlib")}.get(room, ())
        assert said.items() >= {name: version(name) for name in used}.items()
        assert said["commit"] == commit()


@every_route
def test_every_variable_and_coordinate_has_a_unit_and_a_name(route: Route) -> None:
    for _, found, _ in answers(route):
        assert set(found.dims) <= set(found.coords)
        for values in found.variables.values():
            assert values.attrs["units"]
            assert values.attrs["long_name"]
        assert found["time"].attrs["units"]


@every_problem
def test_units_symbols_and_meanings_are_declared(problem: Problem) -> None:
    """Words need no unit; everything that is a number has one."""
    clocks = problem.dynamics
    options = [option for owner in (*clocks, *_routes(problem)) for option in owner.options]
    for observable in problem.observables:
        assert observable.meaning
        assert observable.symbol
        assert observable.unit
    for parameter in (*problem.parameters, *(clock.time for clock in clocks), *options):
        assert parameter.meaning
        assert parameter.unit or _words(parameter.domain), parameter.name


def _words(domain: Domain) -> bool:
    return isinstance(domain.each if isinstance(domain, Several) else domain, Choice | ColumnNames | Switch)


# Hard times -----------------------------------------------------------------------------------------

some_examples = pytest.mark.parametrize(
    "examples",
    [pytest.param(1, id="first"), pytest.param(None, id="all", marks=pytest.mark.thorough)],
)

HARD = (1e-12, 1.0, 1e4, 1e12, 1e28)
"""From where nothing has been learned yet to where only a number as large as this is left to reach."""


def answered(route: Route, question: Mapping[str, Any], times: Sequence[float]) -> xr.Dataset | None:
    """The route's answer at those times, or None where it refuses them; what is uncertain is NaN."""
    seeds = {"seeds": (0, 1)} if route.sampled else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnconvergedWarning)
        with suppress(InputError):
            return run(route.problem, route.dynamics, route.name, list(times), **seeds, **question)
    return None


@cache
def hard_answers(route: Route, examples: int | None) -> tuple[tuple[xr.Dataset, ...], ...]:
    """For so many examples (None: all), each hard time asked alone, and last all of these asked together."""
    found = []
    for question in questions(route):
        alone = [answered(route, question, [time]) for time in HARD]
        given = [each for each in alone if each is not None]
        if given:
            times = [float(each["time"][0]) for each in given]
            together = answered(route, question, times)
            assert together is not None, f"{route.id} refuses {times}, each of which it answers alone"
            found.append((*given, together))
        if len(found) == examples:
            break
    return tuple(found)


@some_examples
@every_theory
def test_a_time_asked_among_others_is_answered_as_when_asked_alone(
    route: Route, examples: int | None
) -> None:
    """Relative to what it is at that time; each number of its own where it can be zero but not less."""
    positive = {each.name for each in catalogue.find_problem(route.problem).observables if each.nonnegative}
    assert hard_answers(route, examples)
    for *alone, together in hard_answers(route, examples):
        for each in alone:
            for name, values in each.data_vars.items():
                among = together[name].sel(time=each["time"])
                size = values if name in positive else abs(values).max()
                np.testing.assert_array_equal(np.isnan(among), np.isnan(values), str(name))
                assert not (abs(among - values) > 2 * route.accuracy * size).any(), name


@some_examples
@every_theory
def test_what_is_declared_nonnegative_is_not_negative_at_any_time(route: Route, examples: int | None) -> None:
    problem = catalogue.find_problem(route.problem)
    for answer in (*hard_answers(route, examples), *([found] for _, found, _ in answers(route))):
        for each in problem.observables:
            if each.nonnegative and each.name in answer[-1] and not route.approximate:
                assert not (answer[-1][each.name] < 0).any(), each.name


# Two exact routes to one dynamics ------------------------------------------------------------------


def comparable(one: Route, other: Route) -> bool:
    """Whether two exact routes are so for the same: what holds whatever is drawn holds for each draw."""
    kinds = {one.exact_for, other.exact_for}
    return len(kinds) == 1 or kinds == {"question", "draw"}


EXACT = [
    (one, other)
    for one, other in combinations(THEORY, 2)
    if (one.problem, one.dynamics) == (other.problem, other.dynamics)
    and not (one.approximate or other.approximate)
]
PAIRS = [
    pytest.param(one, other, id=id, marks=pytest.mark.thorough if id in LONG_PAIRS else ())
    for one, other in EXACT
    for id in [f"{one.id}-{other.name}"]
    if comparable(one, other) and not (one.gives and other.gives and set(one.gives).isdisjoint(other.gives))
]


def furthest(one: xr.Dataset, other: xr.Dataset) -> float:
    """Largest difference of an observable that both give, relative to its largest magnitude.

    NaN where one alone has a number, or none has any.
    """
    gaps = []
    for name in one.data_vars.keys() & other.data_vars.keys():
        size = max(float(abs(each[name]).max()) for each in (one, other))
        neither = np.isnan(one[name]) & np.isnan(other[name])
        gap = abs(one[name] - other[name]).where(~neither, 0.0 if np.isfinite(size) else np.nan)
        gaps.append(float(gap.max(skipna=False)) / (size or 1.0))
    return float(np.max(gaps)) if gaps else math.nan


def both(one: Route, other: Route) -> Iterator[tuple[xr.Dataset, xr.Dataset]]:
    """The answers of two routes to each example that both answer."""
    for question in questions(one, other):
        try:
            yield answer(one, question), answer(other, question)
        except InputError:
            continue


@pytest.mark.parametrize(("one", "other"), PAIRS)
@pytest.mark.filterwarnings("ignore::teacherstudent.house.errors.UnconvergedWarning")
def test_two_exact_routes_agree_within_the_accuracy_that_they_declare(one: Route, other: Route) -> None:
    gaps = [furthest(*found) for found in both(one, other)]
    assert gaps or parted(one, other), "no example that both answer"
    assert np.max(gaps, initial=0.0) <= one.accuracy + other.accuracy


def parted(one: Route, other: Route) -> bool:
    """Whether one of the two serves a part of the questions only, by its own example; the other the rest."""
    known = {each.name for each in catalogue.find_problem(one.problem).parameters}
    return bool(known & one.example.keys()) != bool(known & other.example.keys())


@pytest.mark.thorough
def test_routes_that_are_exact_for_different_things_are_seen_to_differ() -> None:
    """Else the comparison above could not fail: a limit is not a finite size, an end is not a time."""
    apart: dict[frozenset[str], float] = {}
    for one, other in EXACT:
        if not comparable(one, other):
            kinds = frozenset((one.exact_for, other.exact_for))
            gaps = [furthest(*found) - one.accuracy - other.accuracy for found in both(one, other)]
            apart[kinds] = max(apart.get(kinds, 0.0), *gaps)
    assert apart
    assert min(apart.values()) > 0


# The tests themselves, on a toy that breaks what each of them holds ----------------------------------


@pytest.fixture
def modes(toy: Any) -> Route:
    """The toy's route to both of its observables."""
    return next(route for route in catalogue.routes() if route.name == "modes")


BY_ROUTE = [
    test_a_route_gives_what_it_declares_finite_or_with_a_warning,
    test_an_answer_says_where_it_came_from,
    test_every_variable_and_coordinate_has_a_unit_and_a_name,
]


@pytest.mark.parametrize("held", BY_ROUTE, ids=lambda held: held.__name__)
def test_a_new_system_passes_for_nothing(modes: Route, held: Callable[[Route], None]) -> None:
    held(modes)
    assert len(answers(modes)) == 2


def changed(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> None:
    """Put another toy in the place of the toy."""
    monkeypatch.setitem(catalogue.problems(), "toy", replace(TOY, **changes))
    answers.cache_clear()


def test_a_route_that_refuses_every_example_is_noticed(modes: Route, monkeypatch: pytest.MonkeyPatch) -> None:
    changed(monkeypatch, examples=({"part": 9},))
    with pytest.raises(AssertionError, match="refuses every example"):
        test_a_route_gives_what_it_declares_finite_or_with_a_warning(modes)


def test_a_coordinate_without_a_unit_is_noticed(modes: Route, monkeypatch: pytest.MonkeyPatch) -> None:
    changed(monkeypatch, coordinates=lambda toy: {"mode": ("mode", list(range(len(toy.sizes))))})
    with pytest.raises(KeyError, match="units"):
        test_every_variable_and_coordinate_has_a_unit_and_a_name(modes)


def test_a_unit_that_is_not_declared_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    test_units_symbols_and_meanings_are_declared(TOY)
    without = replace(TOY.parameters[0], unit="")
    with pytest.raises(AssertionError, match="strength"):
        test_units_symbols_and_meanings_are_declared(replace(TOY, parameters=(without,)))


@pytest.mark.parametrize(("shift", "agrees"), [(0.0, True), (1e-13, True), (1e-11, False)])
def test_an_error_above_the_declared_accuracy_is_noticed(
    toy: Any, modes: Route, shift: float, agrees: bool
) -> None:
    toy("shifted", lambda toy, times: {"growth": toy.strength * times * (1 + shift)})
    shifted = catalogue.routes()[-1]
    with nullcontext() if agrees else pytest.raises(AssertionError):
        test_two_exact_routes_agree_within_the_accuracy_that_they_declare(modes, shifted)


@pytest.mark.parametrize(
    ("growth", "held"),
    [
        (
            lambda toy, times: times / times.max(),
            test_a_time_asked_among_others_is_answered_as_when_asked_alone,
        ),
        (
            lambda toy, times: times + 1e-20 * (times.size > 1),
            test_a_time_asked_among_others_is_answered_as_when_asked_alone,
        ),
        (
            lambda toy, times: nan_where(np.full(times.shape, times.max() > 1e20), "no root", times),
            test_a_time_asked_among_others_is_answered_as_when_asked_alone,
        ),
        (lambda toy, times: -1e-18 * times, test_what_is_declared_nonnegative_is_not_negative_at_any_time),
    ],
    ids=["relative to the last", "small beside the last", "lost with the last", "negative by rounding"],
)
def test_an_answer_that_hard_times_spoil_is_noticed(
    toy: Any, modes: Route, monkeypatch: pytest.MonkeyPatch, growth: Any, held: Callable[..., None]
) -> None:
    changed(monkeypatch, observables=tuple(replace(each, nonnegative=True) for each in TOY.observables))
    hard_answers.cache_clear()
    held(modes, None)
    toy("spoiled", lambda toy, times: {"growth": growth(toy, times)})
    with pytest.raises(AssertionError):
        held(catalogue.routes()[-1], None)


def test_a_number_that_is_lost_agrees_with_nothing(toy: Any, modes: Route) -> None:
    toy("lost", lambda toy, times: {"growth": nan_where(times > 1, "no root", times)})
    with pytest.raises(UnconvergedWarning, match="no root"):
        test_two_exact_routes_agree_within_the_accuracy_that_they_declare(modes, catalogue.routes()[-1])


MEMORY = 4e9
"""Bytes that a draw of a question of defaults may take: those of a small machine."""


@pytest.mark.parametrize("problem", catalogue.problems().values(), ids=lambda each: each.id)
def test_a_question_with_all_defaults_takes_little_memory(problem: Problem) -> None:
    """Where no times are given those of the dynamics are meant: they must be fit for every route."""
    for route in catalogue.routes():
        if route.problem != problem.id or not route.needs:
            continue
        clock = problem.on_clock(route.dynamics)
        with suppress(InputError):  # what has no default, or is a question for another route
            instance, options = instance_and_options(problem, clock, route, {})
            grid = time_grid(clock, clock.times)
            need = need_of(route, expected_shapes(problem, route, instance, options), instance, grid, options)
            assert 8 * need.numbers(times=grid.size, seeds=1, **need.sizes) < MEMORY, route.id
