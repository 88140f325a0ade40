"""Lessons 5 and 7: what they tell, and that they refuse what they say breaks."""

from __future__ import annotations

import importlib
import re
from typing import Any

import marimo as mo
import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.lessons.pages.outcomes import draw, outcomes


def lesson(name: str) -> Any:
    """The module of a lesson. It loads marimo, which takes seconds that not every process of tests needs."""
    return importlib.import_module(f"teacherstudent.lessons.{name}")


def flow_agrees(learning_rate: float) -> bool:
    """Whether stochastic descent at that rate keeps to the flow of the starving feature's loss."""
    steps = np.unique(np.rint(np.geomspace(0.02, 10, 8) / learning_rate).astype(int))
    question: dict[str, Any] = dict(s1=4.0, s2=2.0, delta=0.5, ridge=0.01)
    seen = lesson("starving").trained(steps, learning_rate, decoupled=False, **question)
    claimed = lesson("starving").theory(learning_rate * steps, decoupled=False, **question)
    return ts.compare(seen, claimed, resolvable=1e-3).agrees


def test_a_starving_feature_keeps_to_its_flow_with_small_steps_and_not_with_large_ones() -> None:
    assert flow_agrees(0.002)
    assert not flow_agrees(0.02)


def agrees(inputs: str = "gaussian", d: int = 40, rate: float = 0.1, formula: str = "limit") -> bool:
    """The certificate of lesson 7, with as many numbers drawn as there."""
    steps = np.unique(np.rint(np.geomspace(0.2, 5, 8) / rate).astype(int))
    seen = lesson("trust").trained(inputs, d, rate, steps, draws=40_000 // d)
    return ts.compare(seen, lesson("trust").claimed(formula, rate, steps)).agrees


def test_the_formula_of_the_last_lesson_holds_for_its_inputs_and_for_heavy_entries() -> None:
    assert agrees()
    assert agrees("entries")


@pytest.mark.parametrize(
    "broken", [dict(inputs="lengths"), dict(d=4), dict(rate=0.2, formula="flow")], ids=str
)
def test_a_broken_assumption_is_refused(broken: dict[str, Any]) -> None:
    assert not agrees(**broken)


@pytest.mark.parametrize("formula", ["noiseless", "tenth", "printed"])
def test_a_wrong_formula_is_refused(formula: str) -> None:
    assert not agrees(formula=formula)


def test_divergence_is_told_and_not_drawn() -> None:
    with pytest.raises(ValueError, match="the student diverges at the learning rate"):
        agrees("lengths", rate=0.3)


def of_the_first(s1: float, delta: float, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the module says of feature 1 where it has the strength s1, before anything is simulated."""
    from teacherstudent.lessons import kit, starving

    monkeypatch.setattr(kit, "on_demand", lambda button, work, doing="": None)
    at = dict(s1=s1, delta=delta, ridge=0.01, eta=0.001)
    sliders = {name: kit.slider(name, [value], value) for name, value in at.items()}
    outputs, _ = starving.app.run(defs=sliders | {"simulate": kit.simulate_button()})
    (text,) = (each for each in map(str, outputs) if "one per cent" in each)
    return text


@pytest.mark.parametrize("delta", [0.3, 0.8])
@pytest.mark.parametrize(("s1", "word"), [(4.0, "starves"), (1.0, "feeds"), (2.0, "equally strong")])
def test_the_stronger_starves_the_weaker_at_every_coupling(
    s1: float, delta: float, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = re.findall("starves|feeds|equally strong|Neither", of_the_first(s1, delta, monkeypatch))
    assert words == [word]


def test_without_coupling_neither_affects_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Neither feature affects the other" in of_the_first(4.0, 0.0, monkeypatch)


@pytest.mark.parametrize("delta", [0.1, 0.6])
def test_exchanged_examples_are_the_same_problem_with_the_other_sign(delta: float) -> None:
    def end(delta: float) -> np.ndarray:
        """The response to feature 2 in the end, and its derivative."""
        question: dict[str, Any] = dict(s1=4.0, s2=2.0, delta=delta, ridge=0.01, times=[1.0])
        answer = ts.curve("starvation", dynamics="primal", route="fixed-point", **question)
        return np.array([answer["z2"].item(), answer["dz2_ds1sq"].item()])

    assert end(float(np.sqrt(1 - delta**2))) == pytest.approx(-end(delta), rel=1e-9)


FINDINGS = ("finding", "suspect", "theorem", "decoupling", "scales", "schedule")


def said(monkeypatch: pytest.MonkeyPatch, **stated: str) -> str:
    """All that the lesson says before anything is simulated, its reader having stated so much."""
    from teacherstudent.lessons import kit, trust

    monkeypatch.setattr(kit, "on_demand", lambda button, work, doing="": None)
    _, defined = trust.app.run()
    made: dict[str, Any] = {name: defined[name] for name in FINDINGS}
    for name, value in stated.items():
        words = {word: meaning for meaning, word in made[name].options.items()}
        made[name] = mo.ui.radio(made[name].options, value=words[value])
    outputs, _ = trust.app.run(defs=made | {"run": kit.simulate_button()})
    return "\n".join(each.text for each in outputs if type(each) is kit.words.Markdown)


def test_nothing_is_told_before_the_reader_has_said_what_she_found(monkeypatch: pytest.MonkeyPatch) -> None:
    page = said(monkeypatch)
    assert page.count("*First choose") == 3
    assert "**rejected**" not in page
    assert "change the limit itself" not in " ".join(page.split())


@pytest.mark.parametrize(("finding", "suspect", "right"), [("lengths", "flow", 2), ("both", "none", 0)])
def test_a_finding_is_told_right_or_not(
    finding: str, suspect: str, right: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = said(monkeypatch, finding=finding, suspect=suspect)
    assert (page.count("**Right.**"), page.count("**Not right.**")) == (right, 2 - right)
    assert page.count("*First choose") == 1


@pytest.mark.parametrize(
    ("name", "true"), [("scales", "wrong"), ("theorem", "right"), ("decoupling", "right")]
)
def test_of_a_claim_alone_that_was_judged_the_outcome_is_told(
    name: str, true: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = said(monkeypatch, **{name: true})
    assert page.count("You expect") == page.count("This is correct") == 1
    assert ("the print, " in page) == (true == "wrong")


@pytest.mark.thorough
def test_outcomes_that_are_kept_are_those_of_today() -> None:
    def words(told: Any) -> Any:
        """Without numbers, of which those of the size of rounding differ between machines."""
        if isinstance(told, dict):
            return {name: words(each) for name, each in told.items()}
        return re.sub(r"\d[\d.e+-]*", "", told) if isinstance(told, str) else told

    assert words(draw()) == words(outcomes())
