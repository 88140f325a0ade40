"""Worst groups: what the captions say holds for the numbers drawn."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from teacherstudent.figures.spurious_groups import ch8_fig1, ch8_fig2
from teacherstudent.paper_checks.judging.draws import RESOLVABLE
from tests.drawing import numbers
from tests.roundings import copied, same


@pytest.mark.thorough
def test_no_balancing_is_needed_where_the_map_of_groups_says_so() -> None:
    """map-groups: a weak spurious feature needs none; the published setting does."""
    shown = numbers("map-groups")["plane_gamma_n"]
    weak, published = (shown.sel(gamma_s=gamma_s, gamma_n=4, method="nearest") for gamma_s in (0.125, 4))
    assert float(weak["zero"]) > 0.99
    assert float(weak["gain"]) > 0
    assert float(published["zero"]) < 0.01
    assert float(published["gain"]) < 0
    minority = numbers("map-groups")["plane_minority"]
    assert np.all(abs(minority["gain"].sel(minority=0.5)) < RESOLVABLE)  # nothing is left out


def test_equal_colours_are_equal_probabilities() -> None:
    """ch8-fig1: one scale for all students, the inverse of its own inverse, odd about 1/2."""
    probability = np.array([0.4, 0.4999, 0.5, 0.5001, 0.6])
    scale = ch8_fig1.stretched(probability)
    np.testing.assert_allclose(scale, -scale[::-1], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ch8_fig1.relaxed(scale), probability, rtol=1e-12)


def test_the_title_says_how_many_seeds_chose_an_epoch() -> None:
    assert ch8_fig1.chosen(np.array([7, 7])) == "epoch 7"
    assert ch8_fig1.chosen(np.array([1, 500, 1])) == "epoch 1 (2 of 3 seeds) or 500 (1 of 3 seeds)"
    assert ch8_fig1.chosen(np.array([20, 33, 46])) == "epochs 20 to 46"


def test_methods_that_do_not_know_the_groups_are_drawn_by_the_best_of_them() -> None:
    """ch8-fig2: at each epoch, with the standard error of that method."""
    shown = {"erm": [0.5, 0.0], "rwy": [0.1, 0.2], "suby": [0.0, 0.0], "jtt": [0.0, 0.1]}
    answers = {
        method: xr.Dataset(
            {
                "worst_group_accuracy": ("time", values),
                "worst_group_accuracy_stderr": ("time", np.array(values) / 10),
            }
        )
        for method, values in shown.items()
    }
    best = ch8_fig2.best_of_the_blind(answers | {"subg": answers["erm"] + 1})
    assert copied(best["worst_group_accuracy"], [0.5, 0.2])
    assert same(best["worst_group_accuracy_stderr"], [0.05, 0.02], 2)
