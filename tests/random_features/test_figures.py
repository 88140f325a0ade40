"""Random features: what captions and pictures say holds for the numbers drawn."""

from __future__ import annotations

import re

import numpy as np
import pytest
import xarray as xr
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas

from teacherstudent.figures.gallery import figures
from teacherstudent.figures.random_features import (
    rf_parts,
    rf_samples,
    rf_surface,
    rf_triple,
    rf_width,
    setting,
)
from teacherstudent.figures.random_features.rf_surface import ONE, TWO, turned
from teacherstudent.figures.random_features.setting import RISK, Setting
from teacherstudent.house.grids import Span
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import above_zero
from tests.drawing import numbers, sketched

OURS = sorted(name for name in figures() if name.startswith("rf-") and "map" not in name)
WIDTHS = (0.1, 0.3, 0.6, 1.0, 1.6, 3.0, 6.0)
"""N/n."""


def risks(asked: Setting, dynamics: str, samples: float, time: float) -> np.ndarray:
    """Of the limit, over `WIDTHS`."""
    answers = [asked.limit(dynamics, width * samples, samples, [time]) for width in WIDTHS]
    return np.array([float(answer[RISK][0]) for answer in answers])


def test_the_peak_stands_at_as_many_features_as_samples_and_melts() -> None:
    """rf-width: highest without ridge and late, less with more ridge and earlier, in the end gone."""
    for dynamics, times in (
        ("ridge", [1 / ridge for ridge in rf_width.RIDGES]),
        ("descent", [stop / rf_width.RATE for stop in rf_width.STOPS]),
    ):
        over = np.stack([risks(rf_width.ASKED, dynamics, rf_width.SAMPLES, time) for time in times])
        peak = WIDTHS.index(1.0)
        assert np.argmax(over[0]) == peak
        assert np.all(np.diff(over[:, peak]) < 0)
        assert np.all(np.diff(over[-1]) < 0)


def test_simulated_features_peak_where_they_are_as_many_as_samples() -> None:
    """rf-width, in the simulation's own numbers: higher than at a third and at three times as many."""
    asked = Setting(rf_width.ASKED.values, 20)
    below, at, above = (
        asked.curve("ridge", width * 2, 2.0, asked.size).by("simulation", [300.0], range(60))[RISK][:, 0]
        for width in (1 / 2, 1, 3)
    )
    verdict = above_zero(np.stack([at - below, at - above]), "output^2")
    assert verdict.agrees, verdict


def test_time_brings_out_the_peak_over_features() -> None:
    """rf-surface (a): N = n is the worst width at the last time of its slices, not at the first two."""
    first, middle, last = (risks(ONE.asked, "flow", ONE.samples, time) for time in ONE.times)
    peak = WIDTHS.index(1.0)
    assert np.argmax(last) == peak
    assert last[peak] > 3 * max(last[0], last[-1])
    assert peak not in (np.argmax(first), np.argmax(middle))


def test_many_features_of_two_scales_descend_twice_in_time_and_few_do_not() -> None:
    """rf-surface (d): at the last of its widths the risk falls, rises, falls; at the first it ends high."""
    few, _, many = (
        TWO.asked.limit("flow", width * TWO.samples, TWO.samples, [1e-3, *TWO.times])[RISK].values
        for width in TWO.cuts
    )
    assert np.array_equal(np.sign(np.diff(many)), [-1, 1, -1])
    assert many[3] < many[1]
    assert np.array_equal(np.sign(np.diff(few)), [-1, 1, 1])


def test_lines_of_turns_are_where_a_known_surface_turns() -> None:
    """A valley along time that moves with the width, whose floor has a top: its lines are known."""
    widths, times = np.geomspace(0.1, 10, 21), np.geomspace(1, 100, 41)
    x, t = np.log(widths)[:, None], np.log(times)
    risk = 2 + (t - 2 - 0.1 * x) ** 2 - 0.2 * (x - 0.5) ** 2
    axes = {"width_per_sample": widths, "time": times}
    found = turned(xr.Dataset({RISK: (tuple(axes), risk, {"units": "1"})}, axes), "time")
    line = np.log(found["least_over_time"].values)
    line = line[:, np.isfinite(line[0])]
    assert {*x[:, 0].round(9)} <= {*line[0].round(9)}  # at every width
    np.testing.assert_allclose(line[1], 2 + 0.1 * line[0], atol=0.01)  # a tenth of the steps of the grid
    assert np.all(np.isnan(found["largest_over_time"]))


def test_lines_of_turns_over_features_are_of_the_kind_that_is_there() -> None:
    """rf-surface (d): with many features the risk has one turn over width at these times, a maximum."""
    widths, times = Span(0.3, 30, 40).values(), [3.6, 3.8, 4.0, 4.2, 4.4]
    answer = setting.along(
        "width_per_sample",
        widths,
        lambda width: TWO.asked.limit("flow", width * TWO.samples, TWO.samples, times)[[RISK]],
    )
    found = turned(answer, "width_per_sample")
    least, largest = (found[f"{kind}_over_width_per_sample"].values for kind in ("least", "largest"))
    assert np.nanmax(least[0]) < 0.6
    at = largest[:, np.abs(largest[1] - 4.0) < 1e-9][0]
    risk = answer[RISK].sel(time=4.0).values
    peak = widths[np.argmax(np.where(np.array(widths) > 1, risk, 0))]
    assert np.any(np.abs(np.log(at / peak)) < np.log(100) / 39)  # a step of the grid


def test_a_risk_that_no_longer_moves_has_no_turns() -> None:
    """Flat but for rounding: no line."""
    widths, times = np.geomspace(0.1, 10, 9), np.geomspace(1, 100, 9)
    rounding = 1e-9 * (-1.0) ** np.arange(9)
    axes = {"width_per_sample": widths, "time": times}
    risk = 2 + rounding[:, None] + rounding
    for along in axes:
        found = turned(xr.Dataset({RISK: (tuple(axes), risk, {"units": "1"})}, axes), along)
        assert all(found[name].isnull().all() for name in found if name != RISK)


def test_noise_adds_in_proportion_to_its_square() -> None:
    """rf-samples asks at the largest noise only, rf-triple with noise only."""
    asked = rf_samples.asked(0.5)
    question = ("ridge", rf_samples.WIDTH, 3.0, [100.0])
    shown = rf_samples.at_noises(asked.limit(*question))
    for name, noise in rf_samples.NOISES.items():
        direct = Setting({**asked.values, "noise": noise}, asked.size).limit(*question)
        np.testing.assert_allclose(shown[name], direct[RISK], rtol=1e-9)  # both are exact


def test_the_peak_moves_from_inputs_to_features_as_these_become_nonlinear() -> None:
    """rf-samples (c): linear features peak at n = d, nonlinear ones at n = N, almost linear ones at both."""
    samples = (0.3, 1.0, 3.0, 10.0, 30.0)
    for linear, signs in ((1.0, [1, -1, -1, -1]), (0.0, [1, 1, 1, -1]), (0.9, [1, -1, 1, -1])):
        asked = rf_samples.asked(linear)
        assert linear in rf_samples.SIMULATED
        answers = [asked.limit("ridge", rf_samples.WIDTH, each, [1 / rf_samples.RIDGE]) for each in samples]
        risk = [float(answer[RISK][0]) for answer in answers]
        assert np.array_equal(np.sign(np.diff(risk)), signs), linear


def triple(samples: float, ridge: str) -> xr.Dataset:
    """The terms of rf-triple in the limit."""
    inverse = [1 / (samples * rf_triple.RIDGES[ridge])]
    answer = Setting(rf_triple.VALUES, 1).limit("ridge", rf_triple.WIDTH, samples, inverse).isel(time=0)
    return rf_triple.causes(answer).assign(asked=answer[RISK])


def test_the_terms_of_one_student_make_up_its_risk() -> None:
    found = triple(3.0, "low")
    assert float(found["total_5_1"]) == pytest.approx(float(found["asked"]), rel=1e-9)  # rounding of sums
    assert float(found["initialisation_10"]) == pytest.approx(float(found["initialisation_1"]) / 10)


def test_ten_students_take_away_the_peak_at_as_many_samples_as_features_only() -> None:
    """rf-triple (b, c): both peaks in the noise of one student; of ten the second is divided by ten."""
    few, linear, between, nonlinear, many = (triple(each, "low") for each in (0.1, 1.0, 15.0, 100.0, 1e4))
    for k in rf_triple.STUDENTS:
        risk = [float(each[f"total_5_{k}"]) for each in (few, linear, between, nonlinear, many)]
        assert np.array_equal(np.sign(np.diff(risk)), [1, -1, 1, -1])
    assert float(nonlinear["total_5_10"]) < 0.11 * float(nonlinear["total_5_1"])
    assert float(linear["total_5_10"]) > 0.9 * float(linear["total_5_1"])


def test_the_published_terms_have_names_of_variables() -> None:
    found = triple(3.0, "high")
    for ridge, students in rf_triple.REMEDIES:
        assert ridge in rf_triple.RIDGES
        for term in rf_triple.LOOKS:
            assert rf_triple.name_of(term, int(rf_triple.NOISE), students) in found


def test_the_uppermost_edge_of_the_stack_is_the_risk() -> None:
    """rf-parts, and at the peak interactions with features are most of it, as the caption says."""
    answer = rf_parts.ASKED.limit("descent", rf_parts.SAMPLES, rf_parts.SAMPLES, [rf_parts.LATE / 0.05])
    top = rf_parts.stacked(answer)
    np.testing.assert_allclose(top[f"upto_{[*rf_parts.PARTS][-1]}"], answer[RISK], rtol=1e-9)
    shared = answer["variance_features_samples"] + answer["variance_features_noise"]
    assert float(shared[0]) > float(answer[RISK][0]) / 2


def test_drawn_sizes_are_compared_with_the_limit_of_their_own_ratios() -> None:
    """N/d = 1.3 of 7 inputs is 9/7, and the residual is in standard errors."""
    asked, seeds = Setting({"activation": "erf", "noise": 0.3}, 7), range(4)
    found = asked.drawn("ridge", 1.3, 1.0, [10.0], seeds)
    values = {"activation": "erf", "noise": 0.3, "n": 7, "width": 9, "d": 7}
    exact = run(setting.ID, "ridge", "asymptotic", [10.0], **values)[RISK]
    np.testing.assert_allclose(found[f"{RISK}_asymptotic"], exact)
    risk = run(setting.ID, "ridge", "simulation", [10.0], seeds=seeds, **values)[RISK]
    z = (risk.mean("seed") - exact) / (risk.std("seed", ddof=1) / 2)
    np.testing.assert_allclose(found[f"{RISK}_minus_asymptotic"], z)


def test_the_words_on_finite_size_are_those_of_the_numbers() -> None:
    def answer(claimed: float, residual: float) -> xr.Dataset:
        values = {RISK: 2.0, f"{RISK}_asymptotic": claimed, f"{RISK}_minus_asymptotic": residual}
        return xr.Dataset({name: ("psi1", [value]) for name, value in values.items()})

    words = setting.off([answer(2.2, 1.0), answer(2.0, 0.1), answer(1.0, 3.0), answer(9.0, np.nan)], 7)
    assert re.search(r"d = 7 .* by 10\.0 per cent in the median, by 50 at most", words)


@pytest.mark.thorough
@pytest.mark.parametrize("figure", OURS)
def test_a_picture_says_what_is_fixed_and_how_far_drawn_sizes_are_off(figure: str) -> None:
    above, below = (legend.get_title().get_text() for legend in sketched(figure).legends)
    for stated in ("teacher", "ridge|lambda", "d\\$ = "):
        assert re.search(stated, above), stated
    assert figure == rf_triple.ID or re.search(r"At d = \d+ the limit differs", below)


@pytest.mark.thorough
@pytest.mark.parametrize("figure", OURS)
def test_every_drawn_answer_keeps_its_draws_and_its_limit(figure: str) -> None:
    sampled = {name: each for name, each in numbers(figure).items() if "n_seeds" in each.attrs}
    assert sampled
    for each in sampled.values():
        names = [name for name in each.data_vars if f"{name}_minus_asymptotic" in each]
        assert names
        assert all(f"{name}_stderr" in each for name in names)


def test_captions_state_the_sizes_that_are_drawn() -> None:
    for module, size in (
        (rf_width, rf_width.ASKED.size),
        (rf_parts, rf_parts.ASKED.size),
        (rf_samples, rf_samples.SIZE),
    ):
        assert f"d = {size}" in module.FIGURE.caption
    caption = figures()[rf_surface.ID].caption
    assert all(str(surface.asked.size) in caption for surface in (ONE, TWO))


@pytest.mark.thorough
def test_the_legend_of_the_map_of_descents_fits_with_every_kind_of_place() -> None:
    """The small run draws one of three maps: the others bring places of another kind."""
    found = numbers("rf-map-descents")
    kinds = xr.full_like(found["epochs"]["special_kind"], "meeting")
    other = found["epochs"].assign(special_kind=kinds)
    canvas = Canvas()
    FigureCanvasAgg(canvas)
    figures()["rf-map-descents"].draw(canvas, {**found, "features": other, "samples": other})
    canvas.draw_without_rendering()
    entries = [text for legend in canvas.legends for text in legend.get_texts()]
    assert sum(text.get_text().split(":")[0] in ("birth", "meeting") for text in entries) == 2
    for legend in canvas.legends:
        box = legend.get_window_extent()
        assert box.x0 >= 0
        assert box.x1 <= canvas.bbox.width
