"""The turns that the front door gives are those of the risk itself; a wrong boundary is caught."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import teacherstudent as ts
from teacherstudent.house.errors import InputError
from teacherstudent.paper_checks.judging.evidence import Seeds
from teacherstudent.paper_checks.multiscale import landmarks as checked
from teacherstudent.problems.multiscale import PROBLEM
from tests.multiscale import arbitrary_precision

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


@pytest.mark.parametrize("kappa", [6.0, 10.0, 50.0])
def test_rounding_is_no_turn(kappa):
    """At n = d the risk falls for ever, by every formula, to where differences would be rounding."""
    for curve in ("printed", "ridge", "flow"):
        found = ts.turns("multiscale", curve=curve, n=100, d=100, p=70, kappa=kappa)
        assert found.sizes["turn"] in (0, 2)
        assert np.all(found["time"] < 1e3)
    with pytest.raises(InputError, match="different numbers"):
        ts.onset("multiscale", curve="printed", n=100, d=100, p=70, kappa=(6.0, 10.0))
    assert ts.onset("multiscale", curve="printed", n=100, d=100, p=70, kappa=(6.0, 50.0)).above == 2


@pytest.mark.thorough
def test_a_brief_turn_late_in_training_is_seen():
    """A minimum of .0055, from which the risk rises by 3e-13 of what 40 digits confirm."""
    asked = PROBLEM.instance(n=99, d=100, p=10, kappa=4.0)
    found = ts.turns("multiscale", n=99, d=100, p=10, kappa=4.0)
    assert found["is_minimum"].values.tolist() == [True]
    lowest, later = (arbitrary_precision.flow(asked, s)[2] for s in (float(found["time"][0]), 8e6))
    assert lowest < later


def test_the_printed_risk_is_followed_to_its_pole():
    """n < d: it becomes infinite, and negative beyond."""
    asked = dict(n=90, d=100, p=50, kappa=20.0)
    found = ts.turns("multiscale", curve="printed", **asked)
    assert found["is_minimum"].values.tolist() == [True, False, True]
    assert np.all(found["excess_risk"] > 0)
    late = ts.curve("multiscale", dynamics="ridge", route="printed", times=[1e12], **asked)
    assert late["excess_risk"] < 0


@pytest.mark.parametrize("curve", ["flow", "ridge", "printed"])
@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("noise", 1e200, "noise"),
        ("ridge", 1e200, "ridge"),
        ("init", 1e60, "init"),
        ("kappa", 1e200, "scales"),
    ],
)
def test_a_value_beyond_all_numbers_is_named(curve, name, value, shown):
    with pytest.raises(InputError, match=f"^--{shown} .*e.200|^--{shown} 1e.60"):
        ts.turns("multiscale", curve=curve, **{name: value})


def test_a_spectrum_is_refused_where_its_strengths_are_no_numbers_any_more():
    with pytest.raises(InputError, match=r"^--scales 60:1,40:1e-200: must be of strengths from"):
        ts.spectrum("multiscale", kappa=1e200)
    widest = ts.spectrum("multiscale", kappa=1e50, noise=1e200)
    assert np.all(np.isfinite(widest["density"]))


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


@pytest.mark.thorough
def test_a_wrong_boundary_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer draws than the check itself, which is slow."""
    monkeypatch.setattr(checked, "DRAWS", 100)
    monkeypatch.setattr(checked, "GROUPS", 20)
    evidence = checked.simulated(Seeds("a wrong boundary is caught"))
    assert checked.within_its_error(evidence, checked.onset("flow", evidence)).agrees
    for wrong in (
        partial(checked.onset, "printed"),
        partial(checked.scaled, 2.0),
        partial(checked.scaled, 0.4),
    ):
        assert checked.within_its_error(evidence, wrong(evidence)).refutes
