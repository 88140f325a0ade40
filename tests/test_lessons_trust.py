"""Lesson 7 tells what is known only after its reader has said what she found, and keeps what it tells."""

from __future__ import annotations

import re
from typing import Any

import marimo as mo
import pytest

from teacherstudent.lessons.pages.outcomes import draw, outcomes

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
    assert page.count("*First say") == 3
    assert "refused" not in page
    assert "change the limit itself" not in " ".join(page.split())


@pytest.mark.parametrize(("finding", "suspect", "right"), [("lengths", "flow", 2), ("both", "none", 0)])
def test_a_finding_is_told_right_or_not(
    finding: str, suspect: str, right: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = said(monkeypatch, finding=finding, suspect=suspect)
    assert (page.count("**Right.**"), page.count("**Not so.**")) == (right, 2 - right)
    assert page.count("*First say") == 1


@pytest.mark.parametrize(
    ("name", "true"), [("scales", "wrong"), ("theorem", "right"), ("decoupling", "right")]
)
def test_of_a_claim_alone_that_was_judged_the_outcome_is_told(
    name: str, true: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = said(monkeypatch, **{name: true})
    assert page.count("You expect") == page.count("So it is") == 1
    assert ("the print, " in page) == (true == "wrong")


@pytest.mark.thorough
def test_outcomes_that_are_kept_are_those_of_today() -> None:
    def words(told: Any) -> Any:
        """Without numbers, of which those of the size of rounding differ between machines."""
        if isinstance(told, dict):
            return {name: words(each) for name, each in told.items()}
        return re.sub(r"\d[\d.e+-]*", "", told) if isinstance(told, str) else told

    assert words(draw()) == words(outcomes())
