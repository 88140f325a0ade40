"""Lesson 10 says what the theory says: its formulas, its jump, and which rule is the best."""

from __future__ import annotations

import numpy as np
import pytest

from teacherstudent.lessons import examples
from teacherstudent.theory.perceptron import binary, separability


@pytest.mark.parametrize("noise", [0.1, 0.7, 5.0])
def test_its_threshold_is_that_of_the_theory(noise: float) -> None:
    assert examples.separable_up_to(noise) == pytest.approx(separability.threshold(noise), rel=1e-5)


@pytest.mark.parametrize(("n", "d"), [(1, 5), (5, 5), (6, 5), (40, 20), (250, 100)])
def test_its_count_is_that_of_the_theory(n: int, d: int) -> None:
    assert examples.cover(n, d) == pytest.approx(separability.cover(n, d), rel=1e-12)


def test_its_jump_and_its_spinodal_are_those_of_the_theory() -> None:
    loads, overlaps, logarithms = examples.low_branch()
    assert float(np.interp(0, -logarithms, loads)) == pytest.approx(binary.transition(), rel=1e-5)
    assert loads[-1] == pytest.approx(binary.spinodal(), rel=1e-5)
    below = examples.limit([1.0], rule="gibbs", weights="binary")
    assert np.interp(1.0, loads, overlaps) == pytest.approx(below["R"].item(), rel=1e-4)
    assert np.interp(1.0, loads, logarithms) - np.log(2) == pytest.approx(below["entropy"].item(), rel=1e-4)


@pytest.mark.parametrize("alpha", [0.3, 1.1, 30.0])
def test_no_rule_is_better_than_bayes(alpha: float) -> None:
    errors = {rule: examples.limit([alpha], rule=rule)[examples.ERROR].item() for rule in examples.RULES}
    assert min(errors, key=errors.__getitem__) == "bayes"


def test_the_peak_is_where_there_are_as_many_examples_as_inputs() -> None:
    alphas = [0.5, 0.9, 0.9999, 1.1, 2.0]
    errors = examples.limit(alphas, rule="pseudo-inverse")[examples.ERROR].values
    assert int(np.argmax(errors)) == 2
    assert errors[2] == pytest.approx(0.5, abs=0.01)
    assert (examples.limit(alphas, rule="bayes")[examples.ERROR].diff("time") < 0).all()


def test_one_rule_is_wrong_of_four_labels_where_another_is_of_two() -> None:
    errors = [
        examples.limit([0.9999], rule=rule)[examples.ERROR].item() for rule in ("bayes", "pseudo-inverse")
    ]
    assert errors == pytest.approx([0.25, 0.5], abs=0.01)


@pytest.mark.thorough
def test_coins_are_counted_among_all_draws() -> None:
    """Draws without a student are no gap in the share: they count as none."""
    counted, margins = examples.stored(range(8), 5)
    share = counted.simulation["share"]
    assert share.sel(time=slice(1)).values == pytest.approx(1.0)
    assert share[-1] < 1
    assert np.isfinite(margins.simulation["margin"]).all()
