"""Lesson 5 says who starves whom by the size of the response, whichever way its singular vector points."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import teacherstudent as ts


def said(s1: float, delta: float, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the lesson says of feature 1 where it has the strength s1, before anything is simulated."""
    from teacherstudent.lessons import kit, starving

    monkeypatch.setattr(kit, "on_demand", lambda button, work, doing="": None)
    at = dict(s1=s1, delta=delta, ridge=0.01, eta=0.001)
    sliders = {name: kit.slider(name, [value], value) for name, value in at.items()}
    outputs, _ = starving.app.run(defs=sliders | {"simulate": kit.simulate_button()})
    (text,) = (each for each in map(str, outputs) if "One per cent" in each)
    return text


@pytest.mark.parametrize("delta", [0.3, 0.8])
@pytest.mark.parametrize(("s1", "word"), [(4.0, "starves"), (1.0, "feeds"), (2.0, "equally strong")])
def test_the_stronger_starves_the_weaker_at_every_coupling(
    s1: float, delta: float, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = re.findall("starves|feeds|equally strong|Neither", said(s1, delta, monkeypatch))
    assert words == [word]


def test_without_coupling_neither_affects_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Neither feature affects the other" in said(4.0, 0.0, monkeypatch)


@pytest.mark.parametrize("delta", [0.1, 0.6])
def test_exchanged_examples_are_the_same_problem_with_the_other_sign(delta: float) -> None:
    def end(delta: float) -> np.ndarray:
        """The response to feature 2 in the end, and its derivative."""
        question: dict[str, Any] = dict(s1=4.0, s2=2.0, delta=delta, ridge=0.01, times=[1.0])
        answer = ts.curve("starvation", dynamics="primal", route="fixed-point", **question)
        return np.array([answer["z2"].item(), answer["dz2_ds1sq"].item()])

    assert end(float(np.sqrt(1 - delta**2))) == pytest.approx(-end(delta), rel=1e-9)
