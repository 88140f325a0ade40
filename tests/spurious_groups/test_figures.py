"""Worst groups: what the captions say holds for the numbers drawn."""

from __future__ import annotations

import numpy as np

from teacherstudent.paper_checks.judging.draws import RESOLVABLE
from tests.drawing import numbers


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
