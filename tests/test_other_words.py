"""A parameter answers to its symbol and to other words of the field; lists stand wherever grids do."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

import teacherstudent
from teacherstudent.cli.command import COMMANDS
from teacherstudent.cli.options import Declared
from teacherstudent.cli.question import MACHINERY, Question
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Problem, Route
from teacherstudent.house.domains import Choice
from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.ranges import OrGrid, Single, ends_of
from teacherstudent.house.running import instance_and_options
from teacherstudent.house.synonyms import parameters_meant, synonyms
from teacherstudent.house.topics import TOPICS, Topic, topic_of, what_answers
from tests.fuzzing import leaves
from tests.roundings import repeated
from tests.support import example_of, refusal, say
from tools.nested import ROOT
from tools.site.answers import understood

QUESTIONS = {" ".join(path): found for path, found in leaves(COMMANDS) if isinstance(found, Question)}
every_question = pytest.mark.parametrize("name", QUESTIONS)
FIRST = {f"{route.problem}/{route.dynamics}": route for route in reversed(catalogue.routes())}
"""A route of every dynamics."""

GLOSSARY = (ROOT / "docs" / "glossary.md").read_text("utf-8").lower()

FLOW = ("multiscale", "--dynamics", "flow", "--route", "asymptotic", "--d", "8", "--p", "4")


@pytest.mark.parametrize("route", FIRST.values(), ids=FIRST)
def test_another_word_for_a_parameter_means_that_parameter(route: Route) -> None:
    kind = catalogue.find_problem(route.problem)
    clock = kind.on_clock(route.dynamics)
    own = [*kind.parameters, *clock.options, *route.options]
    asked = example_of(route)
    for each in own:
        for word in synonyms(each) if each.name in asked else ():
            said = {f"{word}_" if name == each.name else name: value for name, value in asked.items()}
            if len(parameters_meant(word, own)) == 1:
                assert instance_and_options(kind, clock, route, said) == instance_and_options(
                    kind, clock, route, asked
                )
                continue
            with pytest.raises(InputError) as caught:
                instance_and_options(kind, clock, route, said)
            assert f"--{each.option} (" in str(caught.value)


@pytest.mark.parametrize("route", FIRST.values(), ids=FIRST)
def test_the_symbol_of_a_clock_is_answered_with_the_option_that_it_is(route: Route) -> None:
    kind = catalogue.find_problem(route.problem)
    clock = kind.on_clock(route.dynamics)
    word, known = clock.time.symbol, QUESTIONS[f"curve {route.problem}"].parameters
    if word in {each.name for each in known} or parameters_meant(word, known):
        return
    hint = f"did you mean --times, which is {word} under {clock.name}?"
    line = ("curve", route.problem, "--dynamics", clock.name, "--route", route.name, f"--{word}", 2)
    assert refusal(say(*line)).endswith(hint)
    with pytest.raises(InputError) as caught:
        instance_and_options(kind, clock, route, {word: 2})
    assert str(caught.value).endswith(hint)


@pytest.mark.parametrize("problem", catalogue.problems().values(), ids=lambda each: each.id)
def test_other_words_of_a_choice_are_known_in_capitals(problem: Problem) -> None:
    options = (option for clock in problem.dynamics for option in clock.options)
    for each in (*problem.parameters, *options):
        for other, word in each.domain.others if isinstance(each.domain, Choice) else ():
            with pytest.raises(InputError, match=rf"; did you mean {word}\?$"):
                each.check(other.upper())


@every_question
def test_every_other_word_stands_in_the_help(name: str) -> None:
    found = QUESTIONS[name]
    for each in found.parameters:
        if f"--{each.option}" in {option.opts[0] for option in found.options}:
            for word in synonyms(each):
                assert f"--{word.replace('_', '-')} for --{each.option}" in (found.epilog or "")


def test_the_shell_takes_other_words_wherever_the_name_stands() -> None:
    asked = ("curve", *FLOW, "--times", "1,2")
    named = say(*asked, "--ridge", "0.5", "--noise", "1", "--n", "30")
    assert named.status == 0
    assert say(*asked, "--lambda=0.5", "--sigma-eps", "1", "--samples", "30") == named
    twice = refusal(say(*asked, "--lambda", "1", "--ridge", "1"))
    assert twice.startswith("--ridge (twice): must be given once")


def test_a_word_for_two_parameters_is_refused_with_both_unless_the_dynamics_tells() -> None:
    line = "--sigma 1: must be said by its name: --noise (standard deviation of the label noise) or --init ("
    assert refusal(say("curve", *FLOW, "--sigma", "1")).startswith(line)
    groups = ("curve", "spurious-groups", "--eta=-1")
    assert "--learning-rate (learning rate of stochastic descent) or --step-size (" in refusal(say(*groups))
    assert refusal(say(*groups, "--dynamics", "normalised")).startswith("--step-size -1: must be")


def test_a_list_stands_wherever_a_grid_does() -> None:
    curve = say("curve", *FLOW, "--times", "1,10,100")
    assert [line.split(",")[0] for line in curve.out.splitlines()] == ["time", "1.0", "10.0", "100.0"]
    assert say("curve", *FLOW, "--times", "1:100:3") == curve
    swept = say("sweep", *FLOW, "--times", "5", "--kappa", "1,5,10")
    assert [line.split(",")[0] for line in swept.out.splitlines()] == ["kappa", "1.0", "5.0", "10.0"]
    words = ("scale-invariant", "--dynamics", "flow", "--route", "theory", "--times", "1", "--loss")
    assert [line.split(",")[0] for line in say("sweep", *words, "mse,correlation").out.splitlines()] == [
        "loss",
        "mse",
        "correlation",
    ]


def test_python_takes_the_texts_of_the_shell() -> None:
    asked: dict[str, Any] = {"problem": "multiscale", "dynamics": "flow", "route": "asymptotic", "n": 12}
    listed = teacherstudent.curve(**asked, times=[1, 10], scales=[(6, 1.0), (6, 0.1)])
    typed = teacherstudent.curve(**asked, times="1,10", scales="6:1,6:0.1")
    assert repeated(typed.drop_attrs(), listed.drop_attrs())
    asked |= {"d": 8, "p": 4}
    swept = teacherstudent.sweep(**asked, times="1,10", kappa="1,5,10")
    again = teacherstudent.sweep(**asked, times=[1, 10], kappa=[1, 5, 10])
    assert repeated(swept.drop_attrs(), again.drop_attrs())


def inside(parameter: Parameter) -> str:
    """A number that this parameter takes."""

    def holds(text: str) -> bool:
        try:
            parameter.parse(text)
        except InputError:
            return False
        return True

    return next(text for text in ("0.3", "1", "2", "10", "300") if holds(text))


@every_question
def test_several_values_are_taken_or_the_command_that_takes_them_is_named(name: str) -> None:
    """By every option that takes a number, as a list and as a grid."""
    for option in QUESTIONS[name].options:
        if not isinstance(option.type, Declared) or option.section in MACHINERY:
            continue
        parameter = option.type.parameter
        if not isinstance(parameter.domain, OrGrid | Single) or not ends_of(parameter.domain.each):
            continue
        one = inside(parameter)
        listed, grid = f"{one},{one}", f"{one}:{one}:1"
        if isinstance(parameter.domain, OrGrid):
            assert parameter.parse(listed) == [parameter.parse(one)] * 2
            assert isinstance(parameter.parse(grid), Span)
            continue
        for several in (listed, grid):
            with pytest.raises(InputError, match=r"; only `sweep` takes several values$"):
                parameter.parse(several)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.words[0])
def test_a_word_of_the_field_is_answered_by_what_to_type(topic: Topic) -> None:
    if topic.command:
        understood(shlex.split(topic.command))
    said = what_answers(topic.words[0])
    assert topic.command in said if topic.command else "no system here covers" in said
    assert any(word in GLOSSARY for word in topic.words)
    for word in topic.words:
        typed = word.title().replace(" ", "-").rstrip("s") + "s"
        for words in ([typed], ["curve", typed], ["list", typed]):
            assert said in refusal(say(*words))
        with pytest.raises(InputError) as caught:
            catalogue.find_problem(typed)
        assert said in str(caught.value)


def test_no_word_has_two_topics_and_other_words_have_none() -> None:
    words = [word for each in TOPICS for word in each.words]
    assert [topic_of(word) for word in words] == [each for each in TOPICS for _ in each.words]
    assert what_answers("multiscael") == what_answers(None) == ""
