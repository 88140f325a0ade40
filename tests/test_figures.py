"""Every figure by what it declares, and the kit that draws them: no figure is named here."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Patch

import teacherstudent.figures
from teacherstudent.figures.declaration import PAPER, SHEETS
from teacherstudent.figures.gallery import figures
from teacherstudent.figures.kit import comparison, legends, maps, residuals, style
from teacherstudent.house.catalogue import problems
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging import agreement
from teacherstudent.paper_checks.ledger import claims
from tests import drawing
from tests.drawing import LONG, drawn, numbers, of_figures, residual_panels, words
from tests.roundings import repeated, same

COMPARED = sorted(name for name, figure in figures().items() if not figure.no_residuals)
every_figure = of_figures(sorted(figures()))
every_comparison = of_figures(COMPARED)


def is_number(tick: str) -> bool:
    """A tick without a word: 0.1, $\\mathdefault{10^{3}}$, $1/\\sqrt{2}$."""
    return bool(tick) and not re.search(r"[A-Za-z]{3}", re.sub(r"\\[a-z]+", "", tick))


@every_figure
def test_every_axis_with_numbers_names_its_quantity_and_unit(figure: str) -> None:
    for axes in filter(lambda axes: axes.axison, drawn(figure).axes):
        for axis in (axes.xaxis, axes.yaxis):
            if any(label.get_visible() and is_number(label.get_text()) for label in axis.get_ticklabels()):
                assert re.search(r"\w.*\[.+\]$", axis.get_label_text(), re.DOTALL), axes.get_title()


def test_what_one_process_computed_for_a_figure_another_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawing, "SHARED", tmp_path)
    computed = numbers.__wrapped__("film-modes")
    monkeypatch.setattr(drawing, "figures", dict)
    read = numbers.__wrapped__("film-modes")
    assert set(read) == set(computed)
    for name, each in computed.items():
        xr.testing.assert_identical(read[name], each)


@every_figure
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


@every_figure
def test_words_are_legible_at_the_width_of_a_paper_and_stand_on_no_others(figure: str) -> None:
    picture = drawn(figure)
    texts = words(picture)
    left, low, right, high = np.array([text.get_window_extent().extents for text in texts]).T
    assert {text.get_text() for text in texts if text.get_fontsize() < PAPER.text} == set()
    assert picture.get_figwidth() == PAPER.width
    for text, *edges in zip(
        texts, left, low, picture.bbox.width - right, picture.bbox.height - high, strict=True
    ):
        assert min(edges) >= 0, text.get_text()
    across = np.minimum(right, right[:, None]) - np.maximum(left, left[:, None])
    along = np.minimum(high, high[:, None]) - np.maximum(low, low[:, None])
    clashes = np.argwhere(np.triu(np.minimum(across, along) > PIXELS, 1))
    assert not [(texts[i].get_text(), texts[j].get_text()) for i, j in clashes]


def test_a_slide_is_wide_and_its_words_are_large() -> None:
    canvas = Canvas()
    with drawing.small("ch4-fig1"), style.sheet(canvas, "slide"):
        figures()["ch4-fig1"].draw(canvas, numbers("ch4-fig1"))
    assert min(text.get_fontsize() for text in words(canvas)) == SHEETS["slide"].text
    assert canvas.get_figwidth() > 1.5 * canvas.get_figheight()


PIXELS = 1.0
"""The boxes of two words may share so much: they include the room below a line."""


@every_comparison
def test_every_residual_panel_has_a_band_and_the_legend_says_what_it_means(figure: str) -> None:
    picture = drawn(figure)
    explained = {
        looks_of(patch): text.get_text()
        for legend in picture.legends
        for patch, text in zip(legend.legend_handles, legend.get_texts(), strict=True)
        if isinstance(patch, Patch)
    }
    for axes in residual_panels(picture):
        bands = [patch for patch in axes.patches if patch.get_width() == 1]  # from edge to edge
        bands += [area for area in axes.collections if isinstance(area, PolyCollection)]
        assert bands, axes.get_ylabel()
        assert all(explained[looks_of(band)] for band in bands), axes.get_ylabel()


def looks_of(band: Patch | PolyCollection) -> tuple[object, ...]:
    return tuple(np.ravel(band.get_facecolor())), band.get_hatch()


@every_comparison
def test_the_legend_names_every_curve_and_every_kind_of_line(figure: str) -> None:
    picture = drawn(figure)
    entries = [" ".join(text.get_text().split()) for each in picture.legends for text in each.get_texts()]
    lines = [line for axes in picture.axes for line in axes.get_lines() if len(line.get_xdata()) > 2]
    kinds = ["exact|theory", "simulation|measured"]
    if any("std. errors" in axes.get_ylabel() for axes in picture.axes):
        kinds.append("standard error")
    if any(line.get_linestyle() == "--" for line in lines):
        kinds.append("approximation|printed|averaged")
    for kind in kinds:
        assert any(re.search(kind, entry) for entry in entries), kind
    named = {line.get_color() for legend in picture.legends for line in legend.get_lines()}
    named |= {text.get_color() for axes in picture.axes for text in axes.texts}
    assert {line.get_color() for line in lines} <= named | {"0.4"}  # 0.4: zero lines and bounds


@every_figure
def test_a_legend_of_curves_shows_no_marker_that_is_nowhere(figure: str) -> None:
    picture = drawn(figure)
    lines = [line for axes in picture.axes for line in axes.get_lines() if len(line.get_xdata())]
    clouds = any(isinstance(each, PathCollection) for axes in picture.axes for each in axes.collections)
    seen = {(to_hex(line.get_color()), line.get_marker()) for line in lines}
    above = picture.legends[0].get_lines() if len(picture.legends) > 1 else []
    for line in above:
        marked = line.get_marker() not in ("", "None", None)
        assert not marked or clouds or (to_hex(line.get_color()), line.get_marker()) in seen


@every_comparison
def test_no_residual_is_out_of_view(figure: str) -> None:
    for axes in residual_panels(drawn(figure)):
        points = np.concatenate([line.get_ydata() for line in axes.get_lines()])
        assert np.nanmax(np.abs(points)) <= axes.get_ylim()[1]


@every_figure
def test_a_figure_shows_residuals_or_says_why_it_has_none(figure: str) -> None:
    assert bool(residual_panels(drawn(figure))) != bool(figures()[figure].no_residuals)


@pytest.mark.parametrize("figure", sorted(figures()))
def test_a_small_run_gives_constants_another_value_of_their_type(figure: str) -> None:
    for constant, value in figures()[figure].small.items():
        module, _, name = constant.rpartition(".")
        usual = getattr(importlib.import_module(module), name)
        assert type(value) is type(usual)
        assert value != usual


def test_of_every_system_that_has_figures_some_are_drawn_by_make_test() -> None:
    assert set(figures()) > LONG
    systems = {name: figure.compute.__module__.split(".")[-2] for name, figure in figures().items()}
    assert {systems[name] for name in set(systems) - LONG} == set(systems.values())


def test_a_figure_lies_in_the_folder_of_a_system() -> None:
    package = teacherstudent.figures
    modules = [
        importlib.import_module(module.name)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    places = {module.FIGURE.id: module.__name__.split(".") for module in modules if hasattr(module, "FIGURE")}
    assert places.keys() == figures().keys()
    for name, (*_, system, _) in places.items():
        assert system.replace("_", "-") in problems(), name


def test_the_ledger_names_figures_that_there_are() -> None:
    reasons = " ".join(claim.reason for claim in claims())
    named = set(re.findall(r"\b\w+-fig\d+\b|(?<=figure )\w+-[\w-]+", reasons))
    assert named
    assert named <= figures().keys()


@pytest.mark.parametrize("count", [2, 3, 7])
def test_curves_of_a_family_differ_in_lightness_and_marker(count: int) -> None:
    looks = style.ordered_looks([str(place) for place in range(count)])
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


def test_what_is_fixed_is_read_from_the_answer() -> None:
    values = {"singular_values": (4, 2.5), "u0": (1e-5,), "learning_rate": 0.125}
    answer = run("linear-network", "descent", "closed-form", [1], **values)
    text = style.fixed(answer, singular_values="", u0="start", learning_rate="rate")
    assert text == r"$s_i$ = 4, 2.5, start $u_0$ = $10^{-5}$, $10^{-5}$, rate $\eta$ = 0.125"


AGAINST = {"instance": "exact given X", "asymptotic": "limit"}


def test_residuals_are_standardised_and_absent_where_nothing_is_resolved() -> None:
    values = {"n": 12, "d": 6, "p": 3, "kappa": 1.0}
    question, seeds = ("multiscale", "descent"), range(5)
    answer = comparison.Curve(*question, values).simulation([1, 30, 3000], seeds, AGAINST)

    def by(route: str, **drawn: range) -> xr.DataArray:
        return run(*question, route, [1, 30, 3000], **drawn, **values)["R"]

    drawn = by("simulation", seeds=seeds)
    gap = drawn - by("instance", seeds=seeds)
    paired = gap.mean("seed") / (gap.std("seed", ddof=1) / np.sqrt(5))
    np.testing.assert_allclose(answer["R_minus_instance"][:2], paired[:2], rtol=1e-9)  # rounding only
    assert np.isnan(answer["R_minus_instance"][2])  # all is learned: no spread is left to measure in
    offset = (drawn.mean("seed") - by("asymptotic")) / (drawn.std("seed", ddof=1) / np.sqrt(5))
    np.testing.assert_allclose(answer["R_minus_asymptotic"][:2], offset[:2], rtol=1e-9)
    assert answer.attrs["n_seeds"] == 5
    np.testing.assert_allclose(answer["R_instance"], by("instance", seeds=seeds).mean("seed"))
    np.testing.assert_allclose(
        answer["R_instance_stderr"], by("instance", seeds=seeds).std("seed", ddof=1) / 5**0.5
    )
    assert repeated(answer["R_asymptotic"].values, by("asymptotic").values)


def over_time(*values: float) -> xr.DataArray:
    return xr.DataArray(list(values), {"time": np.arange(len(values))}, ("time",))


def test_the_band_counts_the_points_of_its_panel_and_the_legend_says_how_many_runs_it_holds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    axes = Canvas().subplots()
    looks = style.ordered_looks(["one", "two"])
    shown = dict(zip(looks, (over_time(1.0, np.nan, -2.0), over_time(0.5, 3.0, 40.0)), strict=True))
    residuals.draw(axes, shown, 9)
    (band,) = axes.patches
    assert same(band.get_y() + band.get_height(), agreement.quantile(5, 9), roundings=4)
    assert axes.get_ylim() == pytest.approx((-46, 46))
    assert legends.band().label == "expected range of residuals (99.99 %)"
    monkeypatch.setattr(agreement, "FALSE_ALARM", 0.02)
    assert legends.band().label == "expected range of residuals (98.00 %)"


@pytest.mark.parametrize(("lowest", "view"), [(-1.0, (-2.3, 2.3)), (0.0, (-0.3, 2.3))])
def test_what_is_not_random_has_a_band_of_its_own_unit(lowest: float, view: tuple[float, float]) -> None:
    axes = Canvas().subplots()
    (look,) = style.ordered_looks(["one"])
    residuals.bounded(axes, {look: over_time(0.5, 2.0)}, lowest)
    (band,) = axes.patches
    assert (band.get_y(), band.get_y() + band.get_height()) == (lowest, 1)
    assert axes.get_ylim() == pytest.approx(view)


def test_residual_panels_beside_each_other_share_one_scale_and_one_label() -> None:
    canvas = Canvas()
    grid = canvas.add_gridspec(2, 2, height_ratios=residuals.heights(1))
    left = residuals.stack(canvas, grid, 0, ["simulation −\ntheory"])
    right = residuals.stack(canvas, grid, 1, ["simulation −\ntheory"], left)
    (look,) = style.ordered_looks(["one"])
    residuals.draw(left[1], {look: over_time(0.0, 90.0)}, 9)
    residuals.draw(right[1], {look: over_time(0.0, 1.0)}, 9)
    assert left[1].get_ylim() == right[1].get_ylim() == pytest.approx((-103.5, 103.5))
    assert [axes.get_ylabel() for axes in residual_panels(canvas)] == ["simulation −\ntheory", ""]


def test_a_legend_draws_each_entry_as_it_is_declared() -> None:
    look = style.Look("a curve", style.ORANGE, "s")
    canvas = Canvas()
    entries = [
        legends.theory("theory", style.BLUE),
        legends.approximation("approximation"),
        legends.simulation("simulation", look),
        legends.markers("markers", look),
        legends.area("area", "0.5"),
        legends.spot("spot", "^"),
    ]
    legends.around(canvas, [look], entries, fixed="what is fixed")
    above, below = canvas.legends
    assert [text.get_text() for text in above.get_texts()] == ["a curve"]
    assert [text.get_text() for text in below.get_texts()] == [entry.label for entry in entries]
    solid, dashed, bars, markers, area, spot = below.legend_handles
    assert (solid.get_color(), solid.get_linestyle(), solid.get_linewidth()) == (style.BLUE, "-", 1.6)
    assert dashed.get_linestyle() == "--"
    assert len(bars.get_segments()) == 1
    assert (markers.get_marker(), markers.get_color(), markers.get_linestyle()) == ("s", style.ORANGE, "None")
    assert area.get_facecolor() == (0.5, 0.5, 0.5, 1)
    assert above.get_title().get_text() == "what is fixed"
    assert spot.get_markeredgecolor() == "black"


def test_a_spot_of_a_map_points_up_where_the_simulation_is_positive_and_states_its_score() -> None:
    rows = [{"x": 1.0, "y": 2.0, **maps.score(0.5, np.array([1.0, 2.0, 3.0]))}, {"x": 3.0, "y": 4.0, "z": 1}]
    spots = maps.spots(rows, d=7)
    assert float(spots["z"][0]) == pytest.approx(1.5 * 3**0.5)
    assert float(spots["simulated"][1]) == 0
    assert spots.attrs == {"d": 7}
    axes = Canvas().subplots()
    maps.mark(axes, spots, "x", "y")
    assert [line.get_marker() for line in axes.lines] == ["^", "v"]
    assert [text.get_text() for text in axes.texts] == ["z = +2.6", "z = +1.0"]
