"""Derivatives of theory answers: against closed forms, at edges and kinks, and what has none."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import xarray as xr

import teacherstudent
from teacherstudent.house.differences import REFUSED, STEPS, slope_at
from teacherstudent.house.errors import InputError, UnconvergedWarning
from tests.support import refusal, say

FLOW: dict[str, Any] = {"problem": "multiscale", "dynamics": "flow", "route": "asymptotic", "times": [1, 30]}


def curve(problem: str, **asked: Any) -> xr.Dataset:
    """With every word as a keyword."""
    return teacherstudent.curve(problem, **asked)


def isotropic(ridge: float, noise: float, alpha: float) -> dict[str, float]:
    """The excess risk of ridge regression on isotropic rows, and its derivatives, in closed form.

    q solves q z + q/(1 + q) = alpha; the risk is half of S/(1 - a^2/alpha) - noise^2, with a = q/(1 + q) and
    S = (1 - a)^2 + noise^2.
    """
    half = (1 + ridge - alpha) / 2
    q = (np.sqrt(half**2 + ridge * alpha) - half) / ridge
    a, b = q / (1 + q), 1 / (1 + q)
    s, left = b**2 + noise**2, 1 - a**2 / alpha
    by_a = (-2 * b / left + s * 2 * a / alpha / left**2) / 2
    moved = b**2 / (ridge + b**2)  # da/dalpha; da/dridge is -q times that
    return {
        "risk": (s / left - noise**2) / 2,
        "ridge": -q * moved * by_a,
        "noise": noise / left - noise,
        "alpha": moved * by_a - s * a**2 / alpha**2 / left**2 / 2,
    }


@pytest.mark.parametrize("time", [0.5, 4.0, 200.0])
def test_derivatives_are_those_of_the_closed_form_within_their_errors(time: float) -> None:
    shape = {"n": 150, "d": 100, "p": 100, "kappa": 1.0, "noise": 0.3, "ridge": 0.2, "times": [time]}
    asked = ["ridge", "noise", "n", "d", "p", "time", "init"]
    answer = teacherstudent.curve(
        "multiscale", dynamics="ridge", route="asymptotic", sensitivity=asked[:4] + asked[5:], **shape
    ).squeeze()
    exact = isotropic(0.2 + 1 / time, 0.3, 1.5)
    np.testing.assert_allclose(answer.excess_risk, exact["risk"], rtol=1e-10)
    expected = {
        "ridge": exact["ridge"],
        "noise": exact["noise"],
        "n": exact["alpha"] / 100,
        "time": -exact["ridge"] / time**2,
        "init": 0.0,
    }
    for name, value in expected.items():
        error = float(answer[f"d_excess_risk_d_{name}_error"])
        assert abs(float(answer[f"d_excess_risk_d_{name}"]) - value) <= error + 1e-13, name
        assert error < 1e-7 * (abs(value) + 0.01), name
    assert answer["d_excess_risk_d_ridge"].attrs["units"] == "output^2/(curvature of the summed loss)"


def test_sizes_move_by_their_ratios_and_fractional_ones_as_they_are() -> None:
    """As differences of the whole sizes nearby say, to the order of a step squared."""
    for problem, more in (("multiscale", {}), ("measured-spectrum", {"modes": "300:1:.6,700:.1:.4"})):
        asked = {**FLOW, "dynamics": "ridge", "noise": 0.5, **more, "problem": problem}
        name = "excess_risk" if problem == "multiscale" else "generalisation_error"
        sizes = {"d": 1000, "p": 600} if problem == "multiscale" else {}
        near = [curve(n=n, **sizes, **asked)[name].values for n in (1490, 1495, 1505, 1510)]
        slope = (near[0] - 8 * near[1] + 8 * near[2] - near[3]) / 60
        found = curve(n=1500, sensitivity="n", **sizes, **asked)
        np.testing.assert_allclose(found[f"d_{name}_d_n"], slope, rtol=1e-7)


def noisy(
    function: Callable[[float], Any], rounding: float, draw: np.random.Generator
) -> Callable[[float], Any]:
    """The function with relative rounding errors."""
    return lambda x: np.atleast_1d(function(x)) * (1 + rounding * draw.uniform(-1, 1))


def test_errors_of_derivatives_are_not_exceeded_more_often_than_once_in_a_hundred() -> None:
    draw = np.random.default_rng(0)
    exceeded = 0
    for _ in range(100):
        a, b, x = draw.uniform(0.2, 5), draw.uniform(0.2, 5), 10 ** draw.uniform(-2, 2)
        for function, slope in (
            (lambda y, a=a, x=x: np.exp(-a * y / x), -a / x * np.exp(-a)),
            (lambda y, b=b, x=x: np.sin(b * y / x), b / x * np.cos(b)),
            (lambda y, a=a, b=b, x=x: np.sqrt(a + b * (y / x) ** 2), b / x / np.sqrt(a + b)),
        ):
            found = slope_at(noisy(function, 1e-12, draw), x, low=0.0)
            exceeded += int(abs(found.value[0] - slope) > found.error[0])
            assert found.error[0] < 1e-5 * (abs(slope) + 1 / x)
    assert exceeded <= 3


def test_a_slope_at_an_edge_is_one_sided_and_a_kink_or_a_root_has_a_large_error() -> None:
    def at(function: Callable[[float], Any], point: float, **edges: float) -> tuple[float, float, str]:
        found = slope_at(lambda x: np.atleast_1d(np.asarray(function(x), float)), point, **edges)
        return float(found.value[0]), float(found.error[0]), found.reason

    value, error, _ = at(np.exp, 0.0, low=0.0)
    assert abs(value - 1) < error < 1e-8
    value, error, _ = at(lambda x: -np.exp(x), 0.0, high=0.0)
    assert abs(value + 1) < error < 1e-8
    assert at(lambda x: x**2, 0.0, low=0.0)[0] == pytest.approx(0, abs=1e-12)
    _, error, _ = at(lambda x: abs(x - 3) + x, 3.0, low=0.0)
    assert error >= 1 - 1e-9
    value, error, _ = at(np.sqrt, 0.0, low=0.0)
    assert error > abs(value)
    assert at(lambda x: round(10 * x), 3.0)[2] == STEPS
    assert np.isnan(at(lambda x: round(10 * x), 3.0)[0])
    assert at(lambda x: round(90 / x) * x, 0.1)[2] == STEPS  # slopes between steps are not the answer's
    value, error, _ = at(lambda x: 1 / (1 + (20 * (x - 3)) ** 2), 3.05)  # beside a narrow peak
    assert abs(value + 10) <= error < 1e-3
    value, error, _ = at(lambda x: x**3 if x <= 2 else np.nan, 2.0)  # no answer above
    assert abs(value - 12) <= error < 1e-6
    assert at(lambda x: 5.0 if x == 2 else np.nan, 2.0)[2] == REFUSED


def words_of(warned: pytest.WarningsRecorder) -> str:
    return " ".join(str(each.message) for each in warned)


def test_what_is_not_resolved_is_nan_with_the_reason() -> None:
    """At n = d the risk without ridge has a peak that no derivative describes."""
    asked = {**FLOW, "dynamics": "ridge", "times": [1e14], "n": 100, "noise": 0.5}
    with pytest.warns(UnconvergedWarning) as warned:
        found = teacherstudent.curve(sensitivity="n", **asked)
    assert "d_excess_risk_d_n is not resolved: its error is larger" in words_of(warned)
    assert np.isnan(found.d_excess_risk_d_n).all()
    assert (found.d_excess_risk_d_n_error > 1).all()


def test_routes_that_draw_have_no_derivative_beside_one_that_does_not() -> None:
    found = teacherstudent.curve(**{**FLOW, "route": "asymptotic,instance"}, seeds=3, sensitivity="noise")
    known = found["d_Q_d_noise"].notnull().all("time")
    assert known.sel(route="asymptotic")
    assert not known.sel(route="instance")


def test_an_automatic_rate_is_said_to_move() -> None:
    asked = {**FLOW, "dynamics": "descent"}
    assert "learning_rate auto changes" in teacherstudent.curve(sensitivity="kappa", **asked).attrs["remarks"]
    fixed = teacherstudent.curve(sensitivity="learning_rate", learning_rate=0.1, **asked)
    assert "auto" not in fixed.attrs["remarks"]
    assert fixed["d_excess_risk_d_learning_rate"].notnull().all()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"sensitivity": "foo"}, "--sensitivity foo: must be one of n, alpha, d, p, kappa, noise"),
        ({"sensitivity": "kapa"}, "did you mean kappa"),
        ({"sensitivity": "sigma"}, "said by its name"),
        ({"sensitivity": "scales"}, "a parameter that is a number"),
        ({"sensitivity": "alpha"}, "it is absent or replaced by another"),
        ({"sensitivity": []}, "names of inputs"),
        ({"sensitivity": "kappa,kappa"}, "each input once"),
        ({"sensitivity": "time", "dynamics": "descent"}, "counts whole steps; take differences"),
        ({"sensitivity": "learning_rate", "dynamics": "descent"}, "give it by --learning-rate VALUE"),
        ({"sensitivity": "n", "route": "printed"}, "`sweep` with --n 150,151 gives differences"),
        (
            {"sensitivity": "noise", "route": "instance"},
            "--route instance: must be a route without random draws",
        ),
        ({"uncertain": "noise"}, "as noise=0.1+-0.02"),
        ({"uncertain": {"noise": 0.1}}, "in Python {name: (value, sd)}"),
        ({"uncertain": 3}, "NAME=VALUE+-SD"),
        ({"uncertain": {}}, "one to 3 different inputs"),
        ({"uncertain": {"noise": (0.01, 0.02)}}, "an SD of at most 0.0033 does"),
        ({"uncertain": {"noise": (0.1, -0.02)}}, "SD a finite number > 0"),
        ({"uncertain": {"noise": (0.1, 0.02)}, "noise": 0.2}, "--noise 0.2: must be absent"),
        ({"uncertain": ["sigma_eps=.1+-.01", "noise=.1+-.01"]}, "given once"),
        ({"uncertain": {"scales": ("1:2", 1)}}, "a parameter that is a number"),
        ({"uncertain": {"learning_rate": ("auto", 1)}, "dynamics": "descent"}, "VALUE a number"),
        ({"uncertain": {"time": (1, 0.1)}}, "--uncertain time: must be one of n"),
    ],
)
def test_what_cannot_be_moved_is_refused_with_the_cure(more: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as refused:
        teacherstudent.curve(**{**FLOW, **more})
    assert words in str(refused.value)


def test_bars_are_those_of_a_square_of_the_noise() -> None:
    """The risk is A + B noise^2: for noise m +- s its variance is B^2 (4 m^2 s^2 + 2 s^4)."""
    quiet, loud = (teacherstudent.curve(noise=noise, **FLOW).excess_risk for noise in (0.0, 1.0))
    factor, m, s = (loud - quiet).values, 0.3, 0.1
    found = teacherstudent.curve(uncertain={"noise": (m, s)}, **FLOW)
    bar = factor * np.sqrt(4 * m**2 * s**2 + 2 * s**4)
    np.testing.assert_allclose(found.excess_risk_uncertainty, bar, rtol=1e-7)
    np.testing.assert_allclose(found.excess_risk_shift, factor * s**2, rtol=1e-7)
    np.testing.assert_allclose(found.R_uncertainty, 0, atol=1e-12)


def test_where_slopes_do_not_give_the_bar_it_is_said() -> None:
    asked = {**FLOW, "times": [1.0]}
    wide = teacherstudent.curve(uncertain={"kappa": (3.0, 0.4)}, **asked)
    assert (
        "R_uncertainty: a linear estimate by the slope would be more than 10 % off" in wide.attrs["remarks"]
    )
    narrow = teacherstudent.curve(uncertain={"kappa": (3.0, 0.05)}, **asked)
    assert "slope" not in narrow.attrs["remarks"]
    slope = teacherstudent.curve(sensitivity="kappa", kappa=3.0, **asked)["d_excess_risk_d_kappa"]
    np.testing.assert_allclose(narrow.excess_risk_uncertainty, 0.05 * abs(slope), rtol=1e-2)


def test_two_inputs_add_by_squares_and_an_answer_too_uneven_has_no_bar() -> None:
    both = {"noise": (0.5, 0.01), "kappa": ("30", "1%")}
    found = teacherstudent.curve(uncertain=both, sensitivity="noise,kappa", **FLOW)
    squares = (0.01 * found.d_excess_risk_d_noise) ** 2 + (0.3 * found.d_excess_risk_d_kappa) ** 2
    np.testing.assert_allclose(found.excess_risk_uncertainty**2, squares, rtol=1e-2)
    with pytest.warns(UnconvergedWarning) as warned:
        odd = teacherstudent.curve(
            noise=0.5, uncertain={"n": (101, 12)}, **{**FLOW, "dynamics": "ridge", "times": [1e9]}
        )
    assert "excess_risk_uncertainty is not resolved: the answer varies too" in " ".join(
        str(w.message) for w in warned
    )
    assert np.isnan(odd.excess_risk_uncertainty).all()


def test_the_command_line_has_the_columns_and_files_ask_again(here: Any) -> None:
    asked = ("curve", "multiscale", "--dynamics", "flow", "--route", "asymptotic", "--times", "1,30")
    more = ("--sensitivity", "noise,kappa", "--uncertain", "noise=0.3+-0.1", "--uncertain", "kappa=30+-5%")
    first = say(*asked, *more, "--settings", "q.toml")
    assert first.status == 0, first.err
    header, *rows = first.out.splitlines()
    assert header.endswith("Q_uncertainty,Q_shift,excess_risk_uncertainty,excess_risk_shift")
    assert "d_R_d_kappa,d_R_d_kappa_error" in header
    assert len(rows) == 2
    assert "noise = " not in (here / "q.toml").read_text("utf-8")
    assert say("curve", "multiscale", "--from", "q.toml").out == first.out
    told = {"noise": (0.3, 0.1), "kappa": (30, "5%")}
    python = teacherstudent.curve(uncertain=told, sensitivity=["noise", "kappa"], **FLOW)
    assert 'uncertain = ["noise=0.3+-0.1", "kappa=30+-5%"]' in python.attrs["settings"]
    assert json.loads(python.attrs["fixed"])["kappa"] == 30
    (here / "f.toml").write_text("uncertain = 'noise=.1+-.01'\nscatter = 3\n", encoding="utf-8")
    assert refusal(say(*asked, "--from", "f.toml")) == "--scatter 3: must be True or False; so says f.toml"


def test_a_band_is_drawn_and_explained() -> None:
    found = teacherstudent.curve(**{**FLOW, "times": "1:100:9"}, uncertain={"noise": (0.3, 0.1)})
    canvas = teacherstudent.plot(found, show="excess_risk")
    (band,) = canvas.axes[0].collections
    low, high = np.sort(np.unique(band.get_paths()[0].vertices[:, 1]))[[0, -1]]
    edges = (
        found.excess_risk + found.excess_risk_uncertainty,
        found.excess_risk - found.excess_risk_uncertainty,
    )
    np.testing.assert_allclose([high, low], [edges[0].max(), edges[1].min()], rtol=1e-12)
    legend = [
        text.get_text()
        for each in canvas.findobj(lambda one: hasattr(one, "get_texts"))
        for text in each.get_texts()
    ]
    assert "± 1 standard deviation due to noise 0.3 ± 0.1" in legend
