"""Routes of theory that answer many questions in one call, against the same route asked one by one."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from teacherstudent.house import catalogue
from teacherstudent.house.certainty import recorded_doubts
from teacherstudent.house.declarations import load
from teacherstudent.house.domains import Number
from teacherstudent.house.errors import InputError
from teacherstudent.house.running import instance_and_options
from tests.support import example_of

BATCHED = [each for each in catalogue.routes() if each.batch and not each.sampled]
COUNT = 12
TIMES = np.array([1.0, 3.0, 30.0, 1e4])


Answered = tuple[Any, dict[str, Any], Any]
"""Instance, options, and the route's own answer."""


def questions(route: Any) -> list[Answered]:
    """The problem's examples, and random ones near them, without those that the route refuses."""
    kind, random = catalogue.find_problem(route.problem), np.random.default_rng(2)
    clock, found = kind.on_clock(route.dynamics), []
    for example in kind.examples:
        for k in range(COUNT):
            given = example_of(route, example)
            for each in kind.parameters if k else ():
                value = given.get(each.name, each.default)
                if isinstance(each.domain, Number) and isinstance(value, float) and value:
                    given[each.name] = value * random.choice([0.3, 1.0, 2.0])
            try:
                instance, options = instance_and_options(kind, clock, route, given)
                with recorded_doubts():
                    found.append((instance, options, route.function()(instance, TIMES, **options)))
            except InputError:
                continue
    return found


@pytest.mark.parametrize(
    "route",
    [pytest.param(each, marks=[pytest.mark.thorough] * each.slow_to_map) for each in BATCHED],
    ids=lambda each: each.id,
)
def test_a_batch_gives_what_the_route_gives_of_each_question(route: Any) -> None:
    asked = questions(route)
    instances, options, singles = zip(*asked, strict=True)
    with recorded_doubts():
        answers = list(load(route.batch)(instances, TIMES, options=options, seeds=[None] * len(asked)))
    assert len(answers) == len(asked) > COUNT / 2
    for alone, together in zip(singles, answers, strict=True):
        assert set(together) == set(alone)
        for name, values in alone.items():
            allowed = 2 * route.accuracy * np.nanmax(np.abs(values), initial=0.0)
            np.testing.assert_allclose(together[name], values, rtol=0, atol=allowed, err_msg=name)


def test_paths_of_committees_are_followed_together_but_for_those_that_are_not_certain() -> None:
    """One of them diverges."""
    from teacherstudent.theory.committee import many, routes

    kind, times = catalogue.find_problem("committee"), np.array([0.0, 1.0, 20.0])
    problems = [kind.instance(learning_rate=each, noise=0.1) for each in (0.3, 1.0, 20.0)]
    certain = many.paths(problems, times)
    assert 0 in certain
    assert 1 in certain
    assert 2 not in certain
    with recorded_doubts():
        answers = list(many.asymptotic(problems, times, options=[{}] * 3, seeds=None))
        alone = [routes.asymptotic(each, times) for each in problems]
    for one, other in zip(answers, alone, strict=True):
        np.testing.assert_allclose(one["R"], other["R"], rtol=0, atol=1e-8)
    assert not many.paths(problems[:2], np.array([1e5]))  # at rest, steps stay short


def test_a_batch_warns_of_each_question_as_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    from teacherstudent.theory import resolvents

    monkeypatch.setattr(resolvents, "ROUNDING", -1.0)  # nothing is certified
    route = next(each for each in BATCHED if each.id == "multiscale/flow/asymptotic")
    instance, options, _ = questions(route)[0]
    answers = load(route.batch)([instance] * 2, np.ones(1), options=[options] * 2, seeds=[None] * 2)
    for _ in range(2):
        with recorded_doubts() as said:
            assert np.isnan(next(answers)["excess_risk"]).all()
        assert said == ["asymptotic route: no certified root; NaN at 1 of 1 times"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert next(answers, None) is None
