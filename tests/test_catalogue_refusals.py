"""What is no valid question is refused in one line: for every problem, dynamics and route there is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Dynamics, Problem, Route
from teacherstudent.house.domains import Choice, Domain, Matrix, Number, OrWord, Pairs, Several, Switch, Whole
from teacherstudent.house.errors import InputError
from teacherstudent.house.parameters import LEARNING_RATE, REQUIRED, Parameter
from teacherstudent.house.running import instance_and_options, run
from tests.support import TOY, StubRoute, example_of


def just_outside(domain: Domain) -> Iterator[Any]:
    """Values that the domain excludes, first those nearest to its bounds."""
    match domain:
        case Number():
            for bound, is_open, away in (
                (domain.low, domain.low_open, -math.inf),
                (domain.high, domain.high_open, math.inf),
            ):
                yield bound if is_open else math.nextafter(bound, away)
            yield math.nan
        case Whole():
            yield from (domain.low - 1, domain.low + 0.5)
            if domain.high is not None:
                yield domain.high + 1
        case Choice():
            yield from (f"{domain.words[0]} too", "")
        case OrWord():
            yield from just_outside(domain.otherwise)
            yield f"{domain.word} too"
        case Several():
            yield ()
            yield from ((value,) for value in just_outside(domain.each))
        case Pairs():
            yield from (((value, 1),) for value in just_outside(domain.count))
            yield from (((1, value),) for value in just_outside(domain.value))
        case Matrix():
            yield from ((), ((),), ((1.0, 0.0), (0.0,)), (1.0, 0.0))
            yield from (((1.0,), (0.0,)),) * domain.square
            yield from (((value,),) for value in just_outside(domain.entry))
    yield from (object(), *(() if isinstance(domain, Switch) else (True,)))


QUESTIONS = [
    (problem, clock, route)
    for problem in catalogue.problems().values()
    for clock in problem.dynamics
    for route in catalogue.routes()
    if (route.problem, route.dynamics) == (problem.id, clock.name)
]
every_question = pytest.mark.parametrize(
    ("problem", "clock", "route"), QUESTIONS, ids=[route.id for *_, route in QUESTIONS]
)
GIVEN = {
    f"{owner}-{each.option}": (problem, clock, route, each)
    for problem, clock, route in QUESTIONS
    for owner, parameters in {
        problem.id: problem.parameters,
        f"{problem.id}/{clock.name}": clock.options,
        route.id: route.options,
    }.items()
    for each in parameters
}
"""Every parameter and option once, with a route that takes it."""

OWNED = {
    f"{route.id}-{option.option}": (problem, clock, route, owner, option)
    for problem, clock, route in QUESTIONS
    for of, _, owner in QUESTIONS
    for option in owner.options
    if of is problem and option not in route.options
}
"""Options of routes, each with a route that has it not."""

INSTEAD = {
    f"{problem.id}-{each.option}-{replaced}": (problem, clock, route, each, replaced)
    for problem, clock, route in QUESTIONS
    for each in problem.parameters
    for replaced in each.instead_of
}


def given(problem: Problem, clock: Dynamics, route: Route) -> dict[str, Any]:
    """The values without which nothing can be asked, from the problem's first example."""
    parameters = (*problem.parameters, *clock.options, *route.options)
    example = {**problem.examples[0], **route.example}
    return {each.name: example[each.name] for each in parameters if each.default is REQUIRED}


def refusal(problem: Problem, clock: Dynamics, route: Route, **values: Any) -> InputError:
    """What is said of these values, beside those that must be given; one line."""
    with pytest.raises(InputError) as caught:
        instance_and_options(problem, clock, route, {**given(problem, clock, route), **values})
    assert str(caught.value).isprintable()
    return caught.value


@pytest.mark.parametrize(("problem", "clock", "route", "parameter"), GIVEN.values(), ids=GIVEN)
def test_a_value_just_outside_its_domain_is_refused(
    problem: Problem, clock: Dynamics, route: Route, parameter: Parameter
) -> None:
    for value in just_outside(parameter.domain):
        said = refusal(problem, clock, route, **{parameter.name: value})
        assert (said.option, said.value, said.domain) == (parameter.name, value, parameter.domain.describe())
        assert str(said).startswith(f"--{parameter.option} ")


@every_question
def test_a_name_that_nothing_has_is_refused_with_those_that_there_are(
    problem: Problem, clock: Dynamics, route: Route
) -> None:
    said = refusal(problem, clock, route, nonsense=1)
    known = [f"--{each.option}" for each in (*problem.parameters, *clock.options, *route.options)]
    assert said.option == "nonsense"
    assert said.domain.endswith(f": {', '.join(known)}")


@pytest.mark.parametrize(("problem", "clock", "route", "owner", "option"), OWNED.values(), ids=OWNED)
def test_an_option_of_another_route_is_refused_with_its_owner(
    problem: Problem, clock: Dynamics, route: Route, owner: Route, option: Parameter
) -> None:
    said = refusal(problem, clock, route, **{option.name: option.default})
    assert (said.option, said.value) == (option.name, option.default)
    assert said.domain.startswith(f"absent for route {route.name} of {clock.name}: an option of ")
    assert f"--dynamics {owner.dynamics} --route {owner.name}" in said.domain


@pytest.mark.parametrize(
    ("problem", "clock", "route", "parameter", "replaced"), INSTEAD.values(), ids=INSTEAD
)
def test_a_parameter_beside_the_one_that_replaces_it_is_refused(
    problem: Problem, clock: Dynamics, route: Route, parameter: Parameter, replaced: str
) -> None:
    said = refusal(problem, clock, route, **{parameter.name: 1, replaced: 1})
    assert (said.option, said.domain) == (replaced, f"absent where --{parameter.option} is given")


@every_question
def test_what_is_no_time_of_the_clock_is_refused(problem: Problem, clock: Dynamics, route: Route) -> None:
    outside = [
        [value]
        for value in just_outside(clock.time.domain)
        if type(value) in (int, float) and not (clock.whole_time and value % 1)  # those are rounded
    ]
    seeds = [0, 1] if route.sampled else None
    for times in ([], [2.0, 1.0], "now", *outside):
        with pytest.raises(InputError, match=r"^--times ") as caught:
            run(problem.id, clock.name, route.name, times, seeds=seeds, **given(problem, clock, route))
        assert str(caught.value).isprintable()


STEPPING = [
    (problem, clock, route)
    for problem, clock, route in QUESTIONS
    if LEARNING_RATE in clock.options and "ridge" in {each.name for each in problem.parameters}
]


@pytest.mark.parametrize(("problem", "clock", "route"), STEPPING, ids=[route.id for *_, route in STEPPING])
def test_an_automatic_step_is_stable_with_any_ridge(problem: Problem, clock: Dynamics, route: Route) -> None:
    seeds = [0, 1] if route.sampled else None
    question = example_of(route, ridge=1e12, learning_rate="auto")
    answer = run(problem.id, clock.name, route.name, [0, 1, 30], seeds=seeds, **question)
    for values in answer.data_vars.values():
        assert np.isfinite(values).all()
        first, last = (np.abs(values.sel(time=time)).max() for time in (0, 30))
        assert last <= 10 * first + 1  # a step that diverges grows by more than a decade


def test_a_required_parameter_is_given_with_every_question() -> None:
    path = TOY.on_clock("path")
    route = StubRoute("toy", "path", "stub", "", "", "", answer=lambda *_: {})
    assert given(TOY, path, route) == {"strength": TOY.examples[0]["strength"]}
    for parameter in TOY.parameters:
        test_a_value_just_outside_its_domain_is_refused(TOY, path, route, parameter)
