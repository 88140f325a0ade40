"""A name means one thing: commands, parameters, dynamics and routes never share one."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import click
import pytest

import teacherstudent
from teacherstudent.cli.command import command, command_names
from teacherstudent.cli.groups import Group
from teacherstudent.cli.options import Option
from teacherstudent.cli.question import Question, routes
from teacherstudent.figures.gallery import page
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem
from teacherstudent.house.domains import Number
from teacherstudent.house.parameters import RESERVED, Parameter, demand_names_apart
from tests.roundings import repeated
from tests.support import TOY

PROBLEMS = catalogue.problems()
every_problem = pytest.mark.parametrize("problem", PROBLEMS.values(), ids=PROBLEMS)


def declared(problem: Problem) -> dict[str, Parameter]:
    """Every parameter and option of that problem, of its dynamics and of its routes."""
    owners = [*problem.dynamics, *(each for each in catalogue.routes() if each.problem == problem.id)]
    own = [*problem.parameters, *(option for owner in owners for option in owner.options)]
    return {each.name: each for each in own}


def questions() -> Iterator[tuple[str, click.Command]]:
    """Every command on every problem that it takes, and the one that has its problem."""
    for name in command_names():
        group = command(name)
        if isinstance(group, Group):
            for problem in group.names():
                loaded = group.get_command(click.Context(group), problem)
                assert loaded
                yield f"{name} {problem}", loaded
        elif isinstance(group, Question):
            yield name, group


QUESTIONS = dict(questions())


@pytest.mark.parametrize("asked", QUESTIONS.values(), ids=QUESTIONS)
def test_no_two_options_of_a_command_share_a_name(asked: click.Command) -> None:
    counted = Counter(name for each in asked.params for name in {each.name, *each.opts})
    assert not [name for name, count in counted.items() if count > 1]


@every_problem
def test_no_parameter_or_option_has_a_name_that_is_in_use(problem: Problem) -> None:
    names = set(declared(problem))
    assert not names & RESERVED
    assert not names & {each.name for each in problem.observables}
    for example in problem.examples:
        given = {
            name: example[name] for name in example if name in {each.name for each in problem.parameters}
        }
        assert not names & set(problem.coordinates(problem.instance(**given)))


def test_all_names_that_functions_commands_and_answers_use_are_reserved() -> None:
    """Or else a parameter of that name could be declared, and would never be heard of."""
    functions = [getattr(teacherstudent, name) for name in teacherstudent.__all__]
    signatures = [inspect.signature(each).parameters for each in functions if inspect.isfunction(each)]
    asking = [each for each in signatures if "values" in each]
    assert len(asking) > 3
    own = {each.name for each in (*page().rows, *page().options)} - {"seed", "seeds", "times"}
    own |= {"estimator"} - set(declared(PROBLEMS[page().problem]))  # of the page, which asks no other system
    used = {name for each in asking for name in each} - {"values"} - own
    questions = [each for each in QUESTIONS.values() if isinstance(each, Question)]
    assert len(questions) > len(PROBLEMS)
    for asked in questions:
        names = {name for each in asked.options for name in (each.name, *(o[2:] for o in each.opts))}
        used |= {str(name).replace("-", "_") for name in names} - set(declared(asked.problem)) - own
    assert used | {"help", "time", "point", "reason"} == RESERVED


SHARED = Parameter("shared", "x", "1", Number(), "a number", 0.0)


def test_no_other_word_for_a_parameter_is_a_name_in_use() -> None:
    other = replace(SHARED, name="other", symbol="z")
    demand_names_apart("here", [replace(SHARED, also=("word",)), replace(other, also=("word",))], [])
    used = [{"also": ("shared",)}, {"also": ("seeds",)}, {"symbol": "shared"}]
    for wrong in (replace(other, **words) for words in used):
        with pytest.raises(ValueError, match=r"^here: the synonym \w+ of other is a name in use$"):
            demand_names_apart("here", [SHARED, wrong], [])
    with pytest.raises(ValueError, match="the synonym growth of other"):
        demand_names_apart("here", [replace(other, also=("growth",))], [], taken=["growth"])


def test_a_name_in_use_cannot_be_declared() -> None:
    demand_names_apart("here", [SHARED], [])
    demand_names_apart("here", [], [SHARED, SHARED])
    wider = replace(SHARED, domain=Number(0))
    for parameters, options in (([SHARED, wider], []), ([SHARED], [SHARED]), ([], [SHARED, wider])):
        with pytest.raises(ValueError, match=r"^here: the name shared is already in use$"):
            demand_names_apart("here", parameters, options)


@pytest.mark.parametrize("name", ["at_once", "seeds", "time", "growth", "pace"])
def test_a_problem_cannot_declare_it(name: str) -> None:
    """A function's own, an answer's own, an observable, an option of a dynamics."""
    with pytest.raises(ValueError, match=f"^toy: the name {name} is already in use$"):
        replace(TOY, parameters=(*TOY.parameters, replace(SHARED, name=name)))


def test_a_route_cannot_declare_it(monkeypatch: pytest.MonkeyPatch) -> None:
    first, *others = catalogue.routes.__wrapped__()
    taken = PROBLEMS[first.problem].parameters[0]
    wrong = [replace(first, options=(taken,)), *others]
    monkeypatch.setattr(
        catalogue, "announcements", lambda room, attribute: [wrong] if room == "theory" else []
    )
    with pytest.raises(ValueError, match=f"the name {taken.name} is already in use"):
        catalogue.routes.__wrapped__()


@pytest.mark.parametrize("other", [("mine", "theirs"), ("his", "mine"), ("help", "theirs")])
def test_a_command_cannot_be_built_with_it(other: tuple[str, str]) -> None:
    options = [Option("mine", "Question"), Option(other[0], "Question", other[1])]
    with pytest.raises(ValueError, match=r"^toy: two options are called "):
        Question(TOY, options=options, choices=routes)


def test_the_minibatch_is_swept_and_not_the_points_of_a_call() -> None:
    question = dict(problem="scale-invariant", dynamics="descent", data="minibatch", n=8, d=3, seeds=2)
    asked = dict(**question, route="simulation", times=[2])
    swept = teacherstudent.sweep(batch=[1, 8], at_once=2, **asked)
    assert swept["batch"].values.tolist() == [1, 8]
    for batch in (1, 8):
        alone = teacherstudent.curve(batch=batch, **asked)
        assert repeated(swept["angle"].sel(batch=batch), alone["angle"])
    assert len(set(swept["angle"].values.ravel().tolist())) == 2
