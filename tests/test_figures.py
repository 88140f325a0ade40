"""The pictures: what stands on them can be read, and what their captions say holds."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from figures import comparison, style
from figures.gallery import figures
from house.running import run

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure as Canvas

BUILT = {"ch4-fig1", "ch4-fig3", "ch4-fig4"}
PLANNED = {"ch2-fig3", "ch2-fig4", "ch4-fig5", "ch4-fig6", "ch6-fig1", "app-fig1"}


@cache
def numbers(figure: str) -> dict[str, xr.Dataset]:
    """The numbers of a figure from the fewest draws that still have a standard error."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparison, "QUICK_DRAWS", 3)
        return dict(figures()[figure].compute(True))


@pytest.fixture(scope="module", params=sorted(figures()))
def picture(request: pytest.FixtureRequest) -> Iterator[Canvas]:
    """Each figure drawn and laid out; any warning on the way is an error."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas()
    figures()[request.param].draw(canvas, numbers(request.param))
    FigureCanvasAgg(canvas).draw()
    return canvas


def test_every_axis_with_numbers_names_its_quantity_and_unit(picture: Canvas) -> None:
    for axes in picture.axes:
        for axis in (axes.xaxis, axes.yaxis):
            if any(label.get_visible() and label.get_text() for label in axis.get_ticklabels()):
                assert re.search(r"\w.*\[.+\]$", axis.get_label_text(), re.DOTALL), axes.get_title()


def test_the_legend_names_every_curve_and_every_kind_of_line(picture: Canvas) -> None:
    entries = [text.get_text() for legend in picture.legends for text in legend.get_texts()]
    for kind in ("exact limit", "simulation", "standard error", "printed"):
        assert any(kind in entry for entry in entries)
    named = {line.get_color() for legend in picture.legends for line in legend.get_lines()}
    drawn = {
        line.get_color() for axes in picture.axes for line in axes.get_lines() if len(line.get_xdata()) > 2
    }
    assert drawn <= named | {"0.4"}  # 0.4: zero lines and bounds


def test_legends_hide_nothing_and_nothing_is_cut_off(picture: Canvas) -> None:
    renderer = picture.canvas.get_renderer()
    panels = [axes.get_tightbbox(renderer) for axes in picture.axes]
    for legend in picture.legends:
        assert not any(legend.get_window_extent(renderer).overlaps(panel) for panel in panels)
    taken, (width, height) = picture.get_tightbbox(renderer), picture.get_size_inches()
    assert min(taken.x0, taken.y0) >= 0
    assert taken.x1 <= width
    assert taken.y1 <= height


def test_no_residual_is_out_of_view(picture: Canvas) -> None:
    below = [axes for axes in picture.axes if (spec := axes.get_subplotspec()) and spec.rowspan.start]
    assert below
    for axes in below:
        points = np.concatenate([line.get_ydata() for line in axes.get_lines()])
        assert np.nanmax(np.abs(points)) <= axes.get_ylim()[1]


def test_figures_carry_the_ids_of_the_plan() -> None:
    assert set(figures()) >= BUILT
    assert {name for name in figures() if not name.startswith("map-")} <= BUILT | PLANNED


def test_listing_figures_loads_neither_jax_nor_matplotlib() -> None:
    code = "import sys; from figures.gallery import figures; figures(); print(*sys.modules)"
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
