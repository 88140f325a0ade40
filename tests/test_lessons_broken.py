"""Lessons 5 and 7 pass what holds and refuse what they say breaks: steps, sizes, tails, formulas."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import teacherstudent as ts


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
    with pytest.raises(ValueError, match="2 over the largest eigenvalue"):
        agrees("lengths", rate=0.3)
