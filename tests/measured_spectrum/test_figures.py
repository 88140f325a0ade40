"""Measured rows: what the captions and the words in the pictures say holds for the numbers drawn."""

from __future__ import annotations

import re

import numpy as np
import pytest
import xarray as xr
from matplotlib.lines import Line2D

from teacherstudent.figures.gallery import figures
from teacherstudent.figures.kit.comparison import Curve
from teacherstudent.figures.measured_spectrum import claims, own_digits, own_kernel, own_trust, panels, rows
from teacherstudent.figures.measured_spectrum.claims import RISK
from teacherstudent.house.grids import Span
from teacherstudent.house.tables import as_table
from teacherstudent.paper_checks.judging.agreement import above_zero, quantile
from teacherstudent.theory.measured_spectrum import trust
from teacherstudent.theory.measured_spectrum.trust import UNSURE
from tests.drawing import numbers, sketched
from tools.nested import ROOT
from tools.site.citations import keys_of

OWN = sorted(name for name in figures() if name.startswith("own-"))
SUBSETS = range(20)


def test_the_second_descent_is_in_the_simulations_own_numbers() -> None:
    """Panel (c) of own-digits: real gradient descent falls, rises and falls at times that the limit names."""
    labels = {"targets": as_table(rows.parity()), "task": "classification"}
    given = {
        **labels,
        "features": as_table(own_digits.both()),
        "n": own_digits.FEW,
        "learning_rate": own_digits.SLOW_RATE,
    }
    curve = Curve(claims.ID, "descent", given)
    limit = curve.by("asymptotic", Span(1, 1e7, 60))
    places = claims.turns(limit, limit.expand_dims(seed=2))["time"].values
    assert places.size == 3
    risk = curve.by("simulation", (1, *places), SUBSETS)[RISK].values
    fall, rise, second = np.diff(risk).T
    verdict = above_zero(np.stack([-fall, rise, -second]), "output^2")
    assert verdict.agrees, verdict


def test_the_risk_peaks_where_rows_are_as_many_as_features_and_the_error_rate_with_it() -> None:
    """Panel (b) of own-digits, at a third and at three times as many rows."""
    images, _ = rows.digits()
    given = {
        "features": as_table(rows.rectified(own_digits.FEATURES, images)),
        "targets": as_table(rows.parity()),
    }
    names = (RISK, panels.RATE)
    below, at, above = (
        Curve(claims.ID, "ridge", {**given, "task": "classification", "n": n})
        .by("simulation", (1 / own_digits.RIDGE,), SUBSETS)[list(names)]
        .isel(time=0)
        for n in (own_digits.FEATURES // 3, own_digits.FEATURES, 3 * own_digits.FEATURES)
    )
    higher = np.stack([(at - side)[name].values for side in (below, above) for name in names])
    verdict = above_zero(higher, "observable")
    assert verdict.agrees, verdict


def test_a_population_knows_nothing_of_the_rows_that_a_pool_has_left() -> None:
    """Panel (c) of own-trust, at more than half of the pool: too low, by twice what the pool's misses."""
    images, _ = rows.digits()
    given = {
        "features": as_table(rows.rectified(own_digits.FEATURES, images)),
        "targets": as_table(rows.parity()),
    }
    values, time = {**given, "task": "classification", "n": 1000}, (100.0,)
    found = Curve(claims.ID, "ridge", values).simulation(time, list(SUBSETS), claims.CLAIMS).isel(time=0)
    endless = Curve(claims.ID, "ridge", {**values, "sampling": "population"}).by("asymptotic", time)
    missed = float(found[RISK] - endless[RISK][0])
    assert missed > quantile(1, len(SUBSETS) - 1) * float(found[f"{RISK}_stderr"])
    assert abs(float(found[RISK] - found[f"{RISK}_asymptotic"])) < missed / 2


@pytest.mark.parametrize("figure", OWN)
def test_a_figure_names_works_that_its_theory_stands_on(figure: str) -> None:
    """All are among the sources of the derivation."""
    page = (ROOT / "docs" / "derivations" / "measured-spectrum.md").read_text(encoding="utf-8")
    sources = page[page.index("{#sources}") :]
    stated = figures()[figure]
    assert all(f"`{key}`" in sources for key in (stated.paper, *keys_of(stated.ref)))


@pytest.mark.thorough
def test_claims_over_rows_are_drawn_at_more_numbers_of_rows_than_were_drawn() -> None:
    """No line has corners at the simulated sizes only; all of these are on it."""
    for module in (own_digits, own_kernel, own_trust):
        lines = getattr(module, "LINE_SIZES", module.SIZES)
        drawn_at = getattr(module, "SIMULATED_SIZES", module.SIZES)
        assert set(drawn_at) <= set(lines)
        assert len(lines) > 1.5 * len(drawn_at)
    for name in ("asymptotic_stopped_rbf", "leverage_end_ntk", "stop_rbf"):
        assert numbers("own-kernel")[name].sizes["n"] == 3


def test_few_rows_are_grey_and_not_in_the_medians() -> None:
    cases = numbers("own-trust")["cases"]
    lines = sketched("own-trust").axes[0].get_lines()
    grey = [line for line in lines if line.get_color() == own_trust.FEW]
    assert sum(len(line.get_xdata()) for line in grey) == 2 * int(cases["few"].sum()) > 0  # both formulas
    many = cases.isel(point=(~cases["few"] & (cases["spread"] < trust.SURE)).values)
    medians = [float(line.get_ydata()[0]) for line in lines if len(line.get_ydata()) == 1]
    assert np.isclose(medians, abs(many["off_asymptotic"]).median()).any()


@pytest.mark.parametrize("figure", OWN)
def test_a_picture_says_what_is_fixed_and_how_far_its_claims_are_off(figure: str) -> None:
    above, below = (legend.get_title().get_text() for legend in sketched(figure).legends)
    assert re.search(r"\d+ digits", above)
    assert re.search(r"ridge", above)
    assert "per cent" in (below or sketched(figure).axes[0].get_ylabel())
    texts = (text.get_text() for legend in sketched(figure).legends for text in legend.get_texts())
    entries = " ".join(" ".join(texts).split())
    assert "real rows are not rotated at random" in entries
    assert "drawn subsets" in entries


@pytest.mark.thorough
def test_the_limit_is_pale_where_the_certificate_warns() -> None:
    limit = numbers("own-digits")["asymptotic_trained_20"]
    solid = limit[RISK].where(limit["spread"] < UNSURE)
    shown = {line.get_alpha(): line.get_ydata() for line in drawn_lines(limit)}
    assert 0 < int(solid.count()) < solid.size
    np.testing.assert_array_equal(shown[None], solid)
    np.testing.assert_array_equal(shown[panels.PALE["alpha"]], limit[RISK])


def drawn_lines(limit: xr.Dataset) -> list[Line2D]:
    """The solid lines of the first panel of own-digits."""
    solid = [line for line in sketched("own-digits").axes[0].get_lines() if line.get_linestyle() == "-"]
    return [line for line in solid if np.array_equal(line.get_xdata(), limit["time"])]


@pytest.mark.thorough
def test_the_words_at_the_peak_are_those_of_its_numbers() -> None:
    answer = numbers("own-digits")["simulation_sizes_0"].sel(n=20)
    below = sketched("own-digits").legends[-1].get_title().get_text()
    words = re.search(r"without noise: (.*?)\. ", " ".join(below.split()))[1]
    names = (RISK, f"{RISK}_asymptotic", f"{RISK}_leverage")
    assert re.findall(r"\d+\.\d\d", words) == [f"{float(answer[name]):.2f}" for name in names]


def over_time(values: list[float], **attrs: str) -> xr.DataArray:
    return xr.DataArray(values, {"time": [1.0, 2.0, 4.0, 8.0]}, ("time",), attrs={"units": "1", **attrs})


def test_turns_are_those_of_the_limit_and_changes_those_of_the_draws() -> None:
    limit = xr.Dataset({RISK: over_time([3.0, 1.0, 2.0, 0.0])})
    draws = xr.concat([over_time([9.0, 1.0, 1.5, 9.0]), over_time([9.0, 2.0, 3.5, 9.0])], "seed")
    found = claims.turns(limit, xr.Dataset({RISK: draws}))
    assert found["time"].values.tolist() == [2.0, 4.0]
    assert found["is_minimum"].values.tolist() == [True, False]
    np.testing.assert_allclose(found["change"], [np.nan, 1.0])
    np.testing.assert_allclose(found["change_stderr"], [np.nan, 0.5])  # 0.5 and 1.5
    monotone = xr.Dataset({RISK: over_time([3.0, 2.0, 1.0, 0.0])})
    assert claims.turns(monotone, xr.Dataset({RISK: draws})).sizes["turn"] == 0


def test_stopping_at_another_time_costs_what_it_measures() -> None:
    draws = xr.concat([over_time([4.0, 2.1, 2.0, 5.0]), over_time([4.0, 1.9, 2.0, 7.0])], "seed")
    found = own_kernel.stopping_times(xr.Dataset({RISK: draws}), 3)
    assert float(found["measured"]) == 2.0  # both are 2 in the mean: the first
    assert (float(found["earliest"]), float(found["latest"])) == (2.0, 4.0)
    assert float(found["predicted"]) == 8.0
    assert float(found["cost"]) == pytest.approx(100 * 4 / 2)
    assert float(found["cost_stderr"]) == pytest.approx(100 * 1.1 / 2)  # 2.9 and 5.1


def test_relative_errors_are_told_apart_by_the_spread() -> None:
    risk = over_time([1.0, 1.0, 2.0, 2.0])
    answer = xr.Dataset(
        {
            RISK: risk,
            f"{RISK}_asymptotic": over_time([1.0, 1.02, 1.0, 2.0]),
            f"{RISK}_leverage": over_time([1.0, 1.04, 2.0, 3.0]),
            "spread": over_time([0.0, 0.1, UNSURE, 3.0]),
        }
    )
    said = panels.off([answer])
    assert "spreads below 0.2: limit 1.0 (2), corrected 2.0 (4)" in said
    assert "spreads above 0.2: limit 25.0 (50), corrected 25.0 (50)" in said


def test_captions_state_the_sizes_that_are_drawn() -> None:
    caption = own_digits.FIGURE.caption
    for stated in (own_digits.FEATURES, own_digits.FEW, own_digits.SLOW, own_digits.SUBSETS, rows.POOL):
        assert re.search(rf"\b{stated}\b", caption)


def test_features_have_the_trace_one_and_no_dark_pixel() -> None:
    pixels = rows.pixels()
    assert pixels.shape == (rows.POOL, 46)
    assert np.all((rows.digits()[0] != 0).mean(axis=0)[lit(pixels)] >= rows.LIVE)
    for features in (pixels, rows.rectified(7, pixels)):
        assert features.var(axis=0).sum() == pytest.approx(1)


def lit(pixels: np.ndarray) -> np.ndarray:
    """Which of the 64 pixels those are: the same up to their scale."""
    images, _ = rows.digits()
    scaled = images / images.std(axis=0).clip(1e-9)
    mine = pixels / pixels.std(axis=0)
    return np.array([int(np.argmin(np.abs(scaled - column[:, None]).sum(axis=0))) for column in mine.T])
