"""The turns that the front door gives are those of the risk itself."""

from __future__ import annotations

import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.house.domains import InputError

SETTING = dict(n=110, d=100, p=70)


@pytest.mark.parametrize(("curve", "dynamics"), [("flow", "flow"), ("ridge", "ridge")])
def test_neighbours_of_a_turn_lie_on_one_side_of_it(curve, dynamics):
    found = ts.turns("multiscale", curve=curve, kappa=30.0, noise=0.2, **SETTING)
    assert found["is_minimum"].values.tolist() == [True, False, True]
    for turn in found["turn"].values:
        at = found.sel(turn=turn)
        near = ts.curve(
            "multiscale",
            dynamics=dynamics,
            route="asymptotic",
            times=float(at["time"]) * np.array([0.95, 1.0, 1.05]),
            kappa=30.0,
            noise=0.2,
            **SETTING,
        )["excess_risk"].values
        assert near[1] == pytest.approx(float(at["excess_risk"]), rel=1e-9)
        assert (np.delete(near, 1) > near[1]).tolist() == [bool(at["is_minimum"])] * 2


def test_a_risk_that_only_falls_has_no_turn():
    found = ts.turns("multiscale", kappa=1.0, **SETTING)
    assert found.sizes["turn"] == 0
    assert [found[name].dtype.kind for name in ("turn", "time", "is_minimum")] == ["i", "f", "b"]


def test_the_onset_separates_none_from_a_pair():
    boundary = ts.onset("multiscale", kappa=(3.0, 12.0), accuracy=1e-4, **SETTING).value
    sizes = [ts.turns("multiscale", kappa=f * boundary, **SETTING).sizes["turn"] for f in (0.999, 1.001)]
    assert sizes == [0, 2]


def test_what_is_printed_says_that_it_is_approximate():
    assert ts.turns("multiscale", curve="printed", kappa=20.0, **SETTING).attrs["approximate"]


def test_turns_say_where_they_came_from_on_their_own_clock():
    found, ridges = (
        ts.turns("multiscale", curve=curve, kappa=30.0, **SETTING) for curve in ("flow", "ridge")
    )
    risk = ts.curve("multiscale", dynamics="flow", route="asymptotic", times=[1], kappa=30.0, **SETTING)
    for name in ("problem", "instance", "source", "teacherstudent", "numpy"):
        assert found.attrs[name] == risk.attrs[name]
    assert [each["time"].attrs["symbol"] for each in (found, ridges)] == ["s", "1/lambda_added"]
    assert found["time"].attrs["units"] == risk["time"].attrs["units"]


@pytest.mark.parametrize(("problem", "curve"), [("multiscale", "nonsense"), ("linear-network", None)])
def test_other_questions_are_refused(problem, curve):
    with pytest.raises(InputError, match="must be one of"):
        ts.turns(problem, curve=curve)
