"""The pictures: what stands on them can be read, and what their captions say holds."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from teacherstudent.figures.gallery import figures
from teacherstudent.figures.kit import comparison, style
from teacherstudent.figures.multiscale import map_onset
from teacherstudent.figures.scale_invariant import (
    digits as sphere_digits,
)
from teacherstudent.figures.scale_invariant import (
    effective_rate_numbers as sphere_effective_rate_numbers,
)
from teacherstudent.figures.spurious_groups import ch8_fig2, map_groups_numbers
from teacherstudent.figures.starvation import app_fig1_numbers, app_fig2, map_starvation
from teacherstudent.house.domains import Span
from teacherstudent.house.running import run

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

BUILT = {
    "ch2-fig3", "ch2-fig4", "ch4-fig1", "ch4-fig3", "ch4-fig4", "ch6-fig1", "ch8-fig1", "ch8-fig2",
    "app-fig1", "app-fig2",
}  # fmt: skip
BUILT |= {f"sphere-{name}" for name in ("digits", "effective-rate", "geometry", "trajectories")}
PLANNED = {"ch4-fig5", "ch4-fig6"}
WITHOUT_RESIDUALS = {"ch6-fig1", "ch8-fig1", "ch8-fig2", "app-fig2"} | {
    f"map-{name}" for name in ("groups", "onset", "rq", "starvation", "stopping", "validity")
}
WITHOUT_RESIDUALS |= {"sphere-digits", "sphere-geometry", "sphere-trajectories"}
"""Simulation alone, spots with their scores beside them, or nothing drawn at random."""
COMPARED = sorted(set(figures()) - WITHOUT_RESIDUALS)

SMALL = {
    "teacherstudent.figures.kit.comparison.QUICK_DRAWS": 3,  # fewest with a standard error
    "teacherstudent.figures.linear_network.ch2_fig3_numbers.LAWFUL": 40,
    "teacherstudent.figures.multiscale.ch2_fig4_numbers.ALPHAS": (0.6, 1.5),
    "teacherstudent.figures.multiscale.ch4_fig5.HEAT_MAP": Span(1, 1e4, 4),
    "teacherstudent.figures.multiscale.map_onset.QUICK_CELLS": 3,
    "teacherstudent.figures.multiscale.map_onset.QUICK_ROWS": 2,
    "teacherstudent.figures.multiscale.map_onset.CURVES": {"flow": "-"},
    "teacherstudent.figures.kit.maps.COARSE": 3,
    "teacherstudent.figures.multiscale.map_onset.PLANES": [
        replace(plane, rows=plane.rows[:1]) for plane in map_onset.PLANES[:2]
    ],
    "teacherstudent.figures.starvation.map_starvation.QUICK_CELLS": 8,
    "teacherstudent.figures.multiscale.map_stopping.QUICK_CELLS": 3,
    "teacherstudent.figures.multiscale.map_validity.QUICK_CELLS": 3,
    "teacherstudent.figures.multiscale.map_validity.LIMIT_CELLS": 2,
    "teacherstudent.figures.multiscale.map_validity.SPOTS": ((3.0, 0.6),),
    "teacherstudent.figures.starvation.two_moons.EXAMPLES": 30,
    "teacherstudent.figures.starvation.two_moons.WIDTH": 40,
    "teacherstudent.figures.starvation.ch6_fig1.QUICK_SEEDS": 2,
    "teacherstudent.figures.starvation.ch6_fig1.STEPS": (0, 100),
    "teacherstudent.figures.spurious_groups.map_groups.QUICK_SEEDS": 2,
    "teacherstudent.figures.spurious_groups.map_groups_numbers.AXES": {
        name: replace(span, count=5) for name, span in map_groups_numbers.AXES.items()
    },
    "teacherstudent.figures.spurious_groups.map_groups_numbers.SPOTS": {
        "minority": ((0.5, 0.1),),
        "gamma_n": ((4, 4),),
    },
    "teacherstudent.figures.spurious_groups.map_groups_numbers.EXAMPLES": 60,
    "teacherstudent.figures.spurious_groups.map_groups_numbers.STEPS": 100,
    "teacherstudent.figures.spurious_groups.ch8_fig1.QUICK_SEEDS": 2,
    "teacherstudent.figures.spurious_groups.ch8_fig1.EPOCHS": (1, 3),
    "teacherstudent.figures.spurious_groups.ch8_fig1.TEST_EXAMPLES": 10,
    "teacherstudent.figures.spurious_groups.ch8_fig1.SETTING": {"n": 60, "noise_features": 70},
    "teacherstudent.sims.spurious_groups.surfaces.GRID": np.linspace(-2, 2, 12),
    "teacherstudent.figures.spurious_groups.ch8_fig2.QUICK_SEEDS": 2,
    "teacherstudent.figures.spurious_groups.ch8_fig2.SETTINGS": ch8_fig2.SETTINGS[:2],
    "teacherstudent.figures.spurious_groups.ch8_fig2.EPOCHS": (1, 3, 6),
    "teacherstudent.figures.spurious_groups.ch8_fig2.TEST_EXAMPLES": 10,
    "teacherstudent.figures.spurious_groups.ch8_fig2.SETTING": {"n": 60, "noise_features": 70},
    "teacherstudent.figures.scale_invariant.effective_rate_numbers.QUICK_SEEDS": 3,
    "teacherstudent.figures.scale_invariant.effective_rate_numbers.D": 20,
    "teacherstudent.figures.scale_invariant.effective_rate_numbers.CASES": [
        case for case in sphere_effective_rate_numbers.CASES if case.scheme in ("sgd", "adam-srt")
    ],
    "teacherstudent.figures.scale_invariant.trajectories.RECORDS": 4,
    "teacherstudent.figures.scale_invariant.trajectories.EVERY": 1,
    "teacherstudent.figures.scale_invariant.digits.QUICK_SEEDS": 2,
    "teacherstudent.figures.scale_invariant.digits.MULTIPLES": (1.0, 4.0),
    "teacherstudent.figures.scale_invariant.digits.SETTINGS": {"small": (100, 0.5)},
    "teacherstudent.figures.scale_invariant.digits.LOOKS": {
        name: look for name, look in sphere_digits.LOOKS.items() if name in ("adam", "adam-srt")
    },
    "teacherstudent.figures.starvation.app_fig2.STEPS": 100,
    "teacherstudent.figures.starvation.app_fig2.LONGER": 200,
    "teacherstudent.figures.starvation.app_fig2.CASES": [
        case for case in app_fig2.CASES if case.recipe in ("plain", "decoupled")
    ],
}
"""What makes an expensive figure cheap here: the same drawing of fewer numbers."""


@contextmanager
def small() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for constant, value in SMALL.items():
            patch.setattr(constant, value)
        yield


@cache
def numbers(figure: str) -> dict[str, xr.Dataset]:
    """The numbers of a figure, as few as its drawing takes."""
    with small():
        return dict(figures()[figure].compute(True))


@cache
def drawn(figure: str) -> Canvas:
    """A figure drawn and laid out; any warning on the way is an error."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas()
    FigureCanvasAgg(canvas)
    with small():
        figures()[figure].draw(canvas, numbers(figure))
    canvas.draw_without_rendering()
    return canvas


def residual_panels(picture: Canvas) -> list[Axes]:
    """Those whose label says what is subtracted or that it counts errors, and those beside them."""
    rows = {
        (spec.get_gridspec(), spec.rowspan.start)
        for axes in picture.axes
        if re.search(r"−\n|errors\]", axes.get_ylabel()) and (spec := axes.get_subplotspec())
    }
    return [
        axes
        for axes in picture.axes
        if (spec := axes.get_subplotspec()) and (spec.get_gridspec(), spec.rowspan.start) in rows
    ]


def is_number(tick: str) -> bool:
    """A tick without a word: 0.1, $\\mathdefault{10^{3}}$, $1/\\sqrt{2}$."""
    return bool(tick) and not re.search(r"[A-Za-z]{3}", re.sub(r"\\[a-z]+", "", tick))


@pytest.mark.parametrize("figure", sorted(figures()))
def test_every_axis_with_numbers_names_its_quantity_and_unit(figure: str) -> None:
    for axes in filter(lambda axes: axes.axison, drawn(figure).axes):
        for axis in (axes.xaxis, axes.yaxis):
            if any(label.get_visible() and is_number(label.get_text()) for label in axis.get_ticklabels()):
                assert re.search(r"\w.*\[.+\]$", axis.get_label_text(), re.DOTALL), axes.get_title()


@pytest.mark.parametrize("figure", sorted(figures()))
def test_legends_hide_nothing_and_nothing_is_cut_off(figure: str) -> None:
    picture = drawn(figure)
    renderer = picture.canvas.get_renderer()
    panels = [axes.get_tightbbox(renderer) for axes in picture.axes]
    legends = [legend.get_window_extent(renderer) for legend in picture.legends]
    for legend in legends:
        assert not any(legend.overlaps(panel) for panel in panels)
    for taken in (*panels, *legends):
        assert min(taken.x0, taken.y0) >= 0
        assert taken.x1 <= picture.bbox.width
        assert taken.y1 <= picture.bbox.height


@pytest.mark.parametrize("figure", COMPARED)
def test_the_legend_names_every_curve_and_every_kind_of_line(figure: str) -> None:
    picture = drawn(figure)
    entries = [text.get_text() for legend in picture.legends for text in legend.get_texts()]
    lines = [line for axes in picture.axes for line in axes.get_lines() if len(line.get_xdata()) > 2]
    kinds = ["exact|theory", "simulation"]
    if any("std. errors" in axes.get_ylabel() for axes in picture.axes):
        kinds.append("standard error")
    if any(line.get_linestyle() == "--" for line in lines):
        kinds.append("printed|averaged")
    for kind in kinds:
        assert any(re.search(kind, entry) for entry in entries), kind
    named = {line.get_color() for legend in picture.legends for line in legend.get_lines()}
    assert {line.get_color() for line in lines} <= named | {"0.4"}  # 0.4: zero lines and bounds


@pytest.mark.parametrize("figure", COMPARED)
def test_no_residual_is_out_of_view(figure: str) -> None:
    panels = residual_panels(drawn(figure))
    assert panels
    for axes in panels:
        points = np.concatenate([line.get_ydata() for line in axes.get_lines()])
        assert np.nanmax(np.abs(points)) <= axes.get_ylim()[1]


@pytest.mark.parametrize("figure", sorted(WITHOUT_RESIDUALS))
def test_only_figures_without_residuals_are_excused_from_showing_them(figure: str) -> None:
    assert not residual_panels(drawn(figure))


def test_figures_carry_the_ids_of_the_plan() -> None:
    assert set(figures()) >= BUILT
    assert {name for name in figures() if not name.startswith(("map-", "film-"))} <= BUILT | PLANNED


def test_listing_figures_loads_neither_jax_nor_matplotlib() -> None:
    code = "import sys; from teacherstudent.figures.gallery import figures; figures(); print(*sys.modules)"
    root = Path(__file__).resolve().parent.parent
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert not {"jax", "matplotlib", "scipy"} & set(loaded.stdout.split())


@pytest.mark.parametrize("count", [2, 3, 7])
def test_curves_of_a_family_differ_in_lightness_and_marker(count: int) -> None:
    looks = style.ordered_looks([str(each) for each in range(count)])
    assert np.all(np.diff([lightness(look.colour) for look in looks]) < -5)
    assert len({look.marker for look in looks}) == count


def test_the_palette_differs_in_lightness() -> None:
    shades = sorted(lightness(colour) for colour in (style.BLACK, style.BLUE, style.ORANGE))
    assert np.all(np.diff(shades) > 20)


def lightness(colour: str) -> float:
    """CIE L* of an sRGB colour, 0 to 100; a difference of 2 is just seen."""
    from matplotlib.colors import to_rgb

    rgb = np.asarray(to_rgb(colour))
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(116 * np.cbrt(linear @ [0.2126, 0.7152, 0.0722]) - 16)  # valid above luminance 0.9 %


@pytest.mark.parametrize(
    ("symbol", "shown"),
    [("k", "$k$"), ("s = eta k", r"$s = \eta k$"), ("1/lambda_added", r"$1/\lambda_{\mathrm{added}}$")],
)
def test_symbols_become_mathematics(symbol: str, shown: str) -> None:
    assert style.mathematics(symbol) == shown


def test_residuals_are_standardised_and_absent_where_nothing_is_resolved() -> None:
    curve = comparison.Curve("multiscale", "descent", {"n": 12, "d": 6, "p": 3, "kappa": 1.0})
    seeds = range(5)
    answer = curve.simulation([1, 30, 3000], seeds)
    drawn = run("multiscale", "descent", "simulation", [1, 30, 3000], seeds=seeds, **curve.values)
    gap = (
        drawn["R"] - run("multiscale", "descent", "instance", [1, 30, 3000], seeds=seeds, **curve.values)["R"]
    )
    expected = gap.mean("seed") / (gap.std("seed", ddof=1) / np.sqrt(5))
    np.testing.assert_allclose(answer["R_minus_instance"][:2], expected[:2], rtol=1e-9)  # rounding only
    assert np.isnan(answer["R_minus_instance"][2])  # all is learned: no spread is left to measure in
    assert answer.attrs["n_seeds"] == 5


def test_slow_features_alone_start_where_fast_features_alone_end() -> None:
    """Fig. 1: apart by what the slow features learn before the first time, s * edge * sigma^2 of it."""
    end, start = numbers("ch4-fig1")["asymptotic_fast"], numbers("ch4-fig1")["asymptotic_slow"]
    edge = 1.3 * (1 + (70 / 130) ** 0.5) ** 2  # at least the largest eigenvalue that drives them
    apart = abs(float(start["excess_risk"][0] - end["excess_risk"][-1]))
    assert apart <= float(start["time"][0]) * edge * 1e-2**2


def test_the_first_rise_at_kappa_7_is_exact_and_not_printed() -> None:
    """Fig. 4's caption."""

    def rise(route: str) -> float:
        risk = numbers("ch4-fig4")[f"{route}_kappa_7"]["excess_risk"].values
        return float(np.max(risk - np.minimum.accumulate(risk)))

    assert rise("asymptotic") > 100 * comparison.RESOLVABLE
    assert rise("printed") < comparison.RESOLVABLE


def test_landmarks_lie_where_the_caption_says() -> None:
    """Fig. 4: B keeps the slow features as noise, 1/2 (30/100) n/(n - 70) (least squares); C is perfect."""
    points = numbers("ch4-fig4")["landmarks"]["excess_risk"]
    unlearned = 0.5 * 0.3 * 110 / (110 - 70)
    assert float(points.sel(point="B")) == pytest.approx(unlearned, rel=1e-3)  # learned by then: 1e7 * 1e-10
    assert abs(float(points.sel(point="C"))) < comparison.RESOLVABLE
    assert float(points.sel(point="A")) < float(points.sel(point="B"))


def test_ends_starve_under_ridge_and_agree_under_decoupling() -> None:
    """App. Fig. 1's caption: ends by s1, and the overshoot of the strongest."""
    ridge, decoupled = (numbers("app-fig1")[f"ends_{panel}"] for panel in app_fig1_numbers.PANELS)
    assert np.all(np.diff(ridge["z1"]) > 0)
    assert np.all(np.diff(ridge["z2"]) < 0)
    for z in (decoupled["z1"], decoupled["z2"]):
        np.testing.assert_allclose(z, z[0], rtol=1e-12)  # margins without S in them
    primal = numbers("app-fig1")["theory_primal_s1_6"]["z1"]
    assert float(primal.max()) > 1.005 * float(ridge["z1"][-1])


def test_all_paths_of_the_decoupled_dual_are_one_and_those_of_the_primal_are_not() -> None:
    def apart(dynamics: str) -> float:
        paths = (numbers("app-fig1")[f"simulation_{dynamics}_s1_{s1}"] for s1 in (2, 6))
        weak, strong = (app_fig1_numbers.responses(path) for path in paths)
        return float(np.hypot(*(weak - strong).T).max())

    assert apart("decoupled") < 1e-6  # same times up to the interpolation of shares
    assert apart("primal-decoupled") > 0.3


def test_what_is_left_of_the_paths_is_step_size() -> None:
    """App. Fig. 1: 1 but for the next order, which is largest where a dual starts, like 1/log(1/alpha0)."""
    for name, answer in numbers("app-fig1").items():
        if name.startswith("simulation"):
            assert answer["error"].count() >= 12
            assert float(abs(answer["error"] - 1).max()) < 2 / np.log(1 / app_fig1_numbers.ALPHA0)


def test_starvation_changes_sign_where_the_caption_says() -> None:
    """map-starvation: Thm. 6.3.5 up to 1/sqrt 2, and for |z2| at all positive couplings."""
    shown = numbers("map-starvation")
    for name, value in (("uncoupled", 0.0), ("diagonal", 0.5**0.5)):
        np.testing.assert_allclose(shown["zeros_ratio"][name], value, atol=1e-12)  # the root finder's
    np.testing.assert_allclose(shown["zeros_delta"]["equal"], 1, atol=1e-12)
    fields = shown["fields"]
    shrinks = -np.sign(np.log(fields["ratio"])) * np.sign(fields["delta"])
    assert np.all(np.sign(fields["elasticity"]) == shrinks)
    assert np.all(np.sign(fields["slope"]) == shrinks * np.sign(0.5**0.5 - fields["delta"]))


def test_simulated_starvation_is_that_of_theory_to_the_square_of_the_change() -> None:
    spots = numbers("map-starvation")["spots"]
    assert spots.sizes["spot"] == len(map_starvation.SPOTS)
    assert float(abs(spots["relative_error"]).max()) < 2 * spots.attrs["change"] ** 2


def test_every_published_regulariser_is_compared() -> None:
    from teacherstudent.sims.starvation.experiment import RECIPES

    assert {case.recipe for case in app_fig2.CASES} == set(RECIPES)
    assert any(case.longer for case in app_fig2.CASES)


def test_the_strong_features_of_the_moons_are_linear_in_the_input() -> None:
    """Ch. 6 Fig. 1: the three strongest features and 1, x0, x1 span nearly the same margins."""
    from teacherstudent.figures.starvation import two_moons
    from teacherstudent.sims.starvation import experiment

    seeds = [1, 2]
    inputs, labels = experiment.two_moons(seeds, 100, two_moons.GAP)
    kernels = experiment._tangent_kernels(experiment.initial_networks(seeds, 100), inputs, False)
    for x, y, kernel in zip(inputs, labels, np.asarray(kernels), strict=True):
        strengths, vectors = np.linalg.eigh(y[:, None] * kernel * y)
        strong = vectors[:, -two_moons.STRONG :]
        linear = np.linalg.qr(np.column_stack([np.ones(100), x]))[0] * y[:, None]
        assert np.linalg.svd(linear.T @ strong)[1].min() > 0.97  # cosine of the largest angle
        assert strengths[-two_moons.STRONG] > 3 * strengths[-two_moons.STRONG - 1]


def test_decoupling_ends_on_the_line_of_theory() -> None:
    """Ch. 6 Fig. 1: sigma(-m) = lambda m at a weight of 0.003 beside a mean loss."""
    end = numbers("ch6-fig1")["theory"]
    margin = end.attrs["margin"]
    assert margin == pytest.approx(1 / (1 + np.exp(margin)) / 0.006, rel=1e-12)
    np.testing.assert_allclose(np.hypot(end["strong"], end["weak"]), margin, rtol=1e-12)


def test_no_balancing_is_needed_where_the_map_of_groups_says_so() -> None:
    """map-groups: a weak spurious feature needs none; the published setting does."""
    shown = numbers("map-groups")["plane_gamma_n"]
    weak, published = (shown.sel(gamma_s=gamma_s, gamma_n=4, method="nearest") for gamma_s in (0.125, 4))
    assert float(weak["zero"]) > 0.99
    assert float(weak["gain"]) > 0
    assert float(published["zero"]) < 0.01
    assert float(published["gain"]) < 0
    minority = numbers("map-groups")["plane_minority"]
    assert np.all(abs(minority["gain"].sel(minority=0.5)) < comparison.RESOLVABLE)  # nothing is left out
