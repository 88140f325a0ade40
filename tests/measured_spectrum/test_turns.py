"""Turns of the test error over training: none that is not there, and an answer where there are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import teacherstudent


@pytest.mark.parametrize("law", [{"source": 2.3, "n": 1}, {"source": 2.3, "n": 50}])
def test_a_power_law_whose_error_only_falls_is_answered(law: dict[str, Any]) -> None:
    """Its 400 modes are taken together, and no time is left to look at more closely."""
    found = teacherstudent.turns("measured-spectrum", **law)
    assert found["is_minimum"].values.tolist() == []


@pytest.mark.parametrize(
    "asked",
    [
        {"problem": "measured-spectrum", "modes": "17:0.08:3.9,5:0.029:0.13", "n": 3},
        {"problem": "multiscale", "scales": "30:1,20:0.3", "n": 5},
    ],
)
def test_weights_that_only_the_ridge_moves_turn_nothing_at_the_end(asked: dict[str, Any]) -> None:
    """A ridge above the spectrum's lower edge: they are gone before what rows teach comes to rest, and the
    error rises up to the end."""
    found = teacherstudent.turns(**asked, noise=3, ridge=1, init=0.5)
    assert found["is_minimum"].values.tolist() == [True]
    observable = next(iter(set(found.data_vars) - {"time", "is_minimum"}))
    problem = asked["problem"]
    rest = {name: value for name, value in asked.items() if name != "problem"} | {
        "noise": 3,
        "ridge": 1,
        "init": 0.5,
    }
    times = [float(found["time"][0]), 10.0, 1e3]
    values = teacherstudent.curve(problem, dynamics="flow", route="asymptotic", times=times, **rest)[
        observable
    ]
    assert np.all(np.diff(values.values.ravel()) > 0)
