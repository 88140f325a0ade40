"""Scale-invariant weights: what the captions say holds for the numbers drawn."""

from __future__ import annotations

import json

import numpy as np
import pytest
import xarray as xr

from teacherstudent.figures.scale_invariant import digits, effective_rate_numbers


def test_what_averaging_leaves_out_is_fluctuation_and_lag() -> None:
    """sphere-effective-rate: sqrt v grows by 2 a a unit of time where the radius falls as exp(-a t)."""
    d, memory, a = effective_rate_numbers.D, 1 - effective_rate_numbers.BETA2, 0.1
    t = np.linspace(1, 3, 9)
    settled = 1 - 0.9 ** (np.rint(t * d) + 1)
    columns = {"effective_learning_rate": ("time", 2 / settled), "radius": ("time", np.exp(-a * t))}
    theory = xr.Dataset(columns, {"time": t}, {"instance": json.dumps({"beta1": 0.9})})
    bound = effective_rate_numbers.left_out(theory)
    np.testing.assert_allclose(bound, 100 * (4 * memory + 2 * a / (d * memory)), rtol=1e-9)


@pytest.mark.parametrize(("chosen", "edge"), [(1.0, False), (8.0, True)])
def test_a_rate_at_the_edge_of_the_grid_is_told(chosen: float, edge: bool) -> None:
    """sphere-digits: a larger rate may be better."""
    answer = xr.Dataset({"chosen": ("scheme", [chosen])}, {"scheme": ["adam"], "multiple": [1.0, 8.0]})
    assert digits.at_edge(answer, "adam") == edge
