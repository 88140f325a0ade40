"""Checks that are data: what becomes of a question, who judges, what a check says of itself."""

from __future__ import annotations

from inspect import ismethod
from typing import Any

import numpy as np
import pytest

from teacherstudent.paper_checks.judging.comparison import (
    ABSENT,
    Comparison,
    Found,
    Judge,
    Own,
    Values,
    changed,
    in_flow_time,
    otherwise,
    scaled,
    shifted,
    then,
)
from teacherstudent.paper_checks.judging.declared import declared
from teacherstudent.paper_checks.judging.evidence import Check, Claim, Seeds, run_check
from teacherstudent.paper_checks.judging.judges import (
    Accuracies,
    AtOrder,
    AtSizes,
    Bound,
    FirstOrder,
    InGroups,
    Means,
    PairedMeans,
    Rounding,
)
from teacherstudent.paper_checks.ledger import checks
from tests.roundings import same

STEPS = {"times": [1, 10], "learning_rate": 0.2}
SMALL: dict[str, Any] = {"n": 6, "d": 4, "p": 2, "kappa": 2.0, "noise": 0.3, "ridge": 0.05}


def check(**more: Any) -> Check:
    """A check of descent, simulated and exact given the inputs, with changes."""
    fields: dict[str, Any] = {
        "clocks": {"descent": STEPS}, "questions": SMALL, "routes": ("simulation", "instance"),
        "observables": ("R",), "draws": 3, "wrong": {"no ridge": {"ridge": 0.0}},
    }  # fmt: skip
    return declared(id="toy", problem="multiscale", ref="Eq. 1", **fields | more)


def judge_of(made: Check) -> Any:
    """The judge that was chosen."""
    return made.judge


def test_a_change_is_another_value_a_function_of_it_or_its_absence() -> None:
    asked = {"noise": 0.5, "times": [1, 2], "init": 0.1}
    wrong = changed(asked, {"noise": scaled(2.0), "times": shifted(1), "init": ABSENT, "ridge": scaled(3.0)})
    assert wrong == {"noise": 1.0, "times": [2, 3]}, "a function leaves alone what was not asked"
    assert changed(asked, {"ridge": 0.2})["ridge"] == 0.2
    flow = changed({**asked, "learning_rate": 0.5}, in_flow_time("flow/asymptotic"))
    assert flow == {"noise": 0.5, "init": 0.1, "times": [0.5, 1.0], "route": "flow/asymptotic"}
    assert asked == {"noise": 0.5, "times": [1, 2], "init": 0.1}


@pytest.mark.parametrize(
    ("more", "judge"),
    [
        ({}, Accuracies()),
        ({"routes": ("simulation", "asymptotic")}, Means()),
        ({"routes": ("asymptotic", "printed")}, Accuracies()),
        ({"routes": ("simulation", "asymptotic"), "draws": {5: 9}, "questions": dict}, AtSizes()),
        ({"judge": PairedMeans()}, PairedMeans()),
    ],
)
def test_what_routes_are_exact_for_chooses_the_judge(more: dict[str, Any], judge: Judge) -> None:
    assert judge_of(check(**more)) == judge


def test_functions_and_a_sentence_follow_from_the_routes() -> None:
    made = check(routes=("simulation", "measured-spectrum/*/asymptotic"), averaged="flow/instance")
    assert made.functions == (
        "theory.multiscale.instance:flow",
        "sims.multiscale.descent:descent",
        "theory.measured_spectrum.asymptotic:descent",
    )
    assert made.compared.startswith(
        "R under descent: simulation (averages by flow/instance except for the last)"
    )
    assert "draws: 3" in made.compared
    assert made.compared.endswith(Means.says)
    assert made.title == made.compared.partition(";")[0]


def test_every_judge_says_in_words_what_it_holds_routes_to() -> None:
    said = {each.compared.rpartition("; ")[2] for each in checks().values() if each.compared}
    assert len(said) > 5
    assert all(said)


def values_of(found: Found, claim: Claim) -> list[Values]:
    """What is claimed."""
    answers: list[Values] = claim(found)
    return answers


def test_evidence_has_the_draws_of_its_name_and_the_claim_the_same() -> None:
    made = check(questions={"few": SMALL, "many": {**SMALL, "n": 9}}, routes=("instance", "instance"))
    found = made.evidence(Seeds("toy"))
    assert [case.seeds for case in found.cases] == [Seeds("toy")(3, "few"), Seeds("toy")(3, "many")]
    for case, claimed in zip(found.cases, values_of(found, made.claim), strict=True):
        np.testing.assert_array_equal(case.values["R"], claimed["R"])
        assert case.flat.shape == (3, 2)


def test_claims_may_be_altered_and_less_those_of_another_dynamics() -> None:
    made = check(routes=("instance", "instance"), less={"route": "flow/{}", "learning_rate": ABSENT})
    found = made.evidence(Seeds("toy"))
    other = check(routes=("instance", "instance")).evidence(Seeds("toy"))
    (twice,) = values_of(found, then(lambda seen: {"R": 2 * seen["R"]}))
    same(twice["R"], 2 * found.cases[0].values["R"], roundings=4)
    assert np.abs(found.cases[0].values["R"] - other.cases[0].values["R"]).max() > 0.01
    assert "theory.multiscale.instance:flow" in made.functions
    (stepped,) = values_of(other, otherwise({"route": "simulation"}))
    assert stepped["R"].shape == (3, 2)


@pytest.mark.parametrize(
    ("judge", "off", "passes"),
    [
        (Accuracies(), 1e-13, True),
        (Accuracies(), 1e-9, False),
        (Bound(1e-6, "stated"), 1e-7, True),
        (Bound(1e-6, "stated"), 1e-5, False),
        (Bound(1e-6, "stated", of_largest=True), 1e-7, True),
        (Bound(1e-6, "stated", least=1e6), 1e-5, True),
        (Rounding(1e3, "a thousand operations"), 1e-13, True),
        (Rounding(lambda asked: asked["n"], "n of them"), 1e-13, False),
        (PairedMeans(), 1e-13, True),
        (PairedMeans(), 1e-3, False),
    ],
)
def test_each_judge_tells_an_error_that_is_too_large(judge: Judge, off: float, passes: bool) -> None:
    made = check(
        routes=("instance", "instance"),
        judge=judge,
        claim=then(lambda seen: {"R": (1 + off) * seen["R"]}),
        draws=20,
    )
    found = made.evidence(Seeds("toy"))
    assert judge(found, values_of(found, made.claim)).agrees == passes


def test_orders_and_rates_go_along_numbers() -> None:
    """Descent at falling rates nears its flow in proportion to them, as its simulation does."""

    def refined(rate: float) -> dict[str, Any]:
        return {**SMALL, "times": [round(1.0 / rate)], "learning_rate": rate}

    at_flow: dict[str, Any] = {
        "clocks": {"descent": {}}, "questions": refined, "stream": "", "observables": ("R", "Q"),
        "claimed": {"times": [1.0], "learning_rate": ABSENT}, "wrong": {"5 % fast": {"times": scaled(1.05)}},
    }  # fmt: skip
    rates = (0.04, 0.02, 0.01)
    drawn = check(
        **at_flow, draws=dict.fromkeys(rates, 2), routes=("instance", "flow/instance"), judge=FirstOrder(3.0)
    )
    limit = check(
        **at_flow, draws=dict.fromkeys(rates, 0), routes=("asymptotic", "flow/asymptotic"), judge=AtOrder(1.0)
    )
    for made in (drawn, limit):
        outcome = run_check(made)
        assert outcome.passed, outcome.why


def test_groups_are_judged_each_along_its_own_numbers() -> None:
    seen = []

    def judge(found: Found, claimed: list[Values]) -> Any:
        seen.append((list(found.along()), len(claimed)))
        return Means()(found, claimed)

    questions = {
        (noise, rate): {"noise": noise, "learning_rate": rate} for noise in (0, 1) for rate in (0.1, 0.2)
    }
    made = check(
        questions={name: {**SMALL, **each} for name, each in questions.items()}, judge=InGroups(judge)
    )
    found = made.evidence(Seeds("toy"))
    made.judge(found, made.claim(found))
    assert seen == [([0.1, 0.2], 2)] * 2


def test_a_check_may_have_routes_of_its_own() -> None:
    def noise(dynamics: str, question: dict[str, Any], seeds: list[int]) -> Values:
        assert dynamics == "descent"
        return {"R": np.full((len(seeds), len(question["times"])), question["noise"])}

    made = check(routes=(Own(noise), Own(noise)), judge=Rounding(1, "none"), wrong={"louder": {"noise": 0.4}})
    assert run_check(made).passed
    assert "noise against noise" in made.compared
    assert not made.functions, "they are measured"


def test_a_size_may_have_several_questions_each_under_its_own_dynamics() -> None:
    def questions(d: int) -> list[dict[str, Any]]:
        asked = {**SMALL, "d": d}
        return [{**asked, "under": "ridge"}, {**asked, "under": "descent"}, {**asked, "under": "descent"}]

    clocks = {"descent": STEPS, "ridge": {"times": [1.0]}}
    made = check(clocks=clocks, questions=questions, draws={4: 2, 6: 3}, judge=AtSizes(extrapolated=True))
    found = made.evidence(Seeds("toy"))
    assert [case.dynamics for case in found.cases] == ["ridge", "descent", "descent"] * 2
    assert [case.name for case in found.last.cases] == [6] * 3
    assert {d: sample.shape for d, sample in found.along().items()} == {4: (2, 5), 6: (3, 5)}
    assert len(made.claim(found)) == 3


def test_no_check_compares_a_route_with_itself() -> None:
    compared = 0
    for check in checks().values():
        asked = check.evidence.__self__ if ismethod(check.evidence) else None
        if isinstance(asked, Comparison) and getattr(check.claim, "args", ()) == otherwise({}).args:
            questions = asked.questions.values() if isinstance(asked.questions, dict) else [{}]
            pairs = [each.get("routes", asked.routes) for each in questions if isinstance(each, dict)]
            assert asked.claimed or all(first != second for first, second in pairs), check.id
            compared += 1
    assert compared > 80
