"""Maps that are small: their pictures, their settings, and what they say when they are given up."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.text import Annotation

import teacherstudent as ts
from teacherstudent.figures.answers import question as asked_question
from teacherstudent.figures.kit import levels, regions, style
from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.parameters import with_larger_sizes
from teacherstudent.maps import chart, grid
from teacherstudent.maps import levels as lines
from teacherstudent.maps import regions as even
from teacherstudent.maps.budget import Budget
from teacherstudent.maps.fields import field_of
from teacherstudent.maps.questions import read_map_question
from tests.drawing import picture, texts
from tests.support import say

PLANE = {"x": "kappa=2:30", "y": "noise=0.05:0.5"}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few places, and none between them."""
    monkeypatch.setattr(grid, "COARSE", 4)
    monkeypatch.setattr(chart, "DEPTH", 0)
    monkeypatch.setattr(even, "POINTS", 21)
    monkeypatch.setattr(lines, "ABOUT", 1)


ASKED: dict[str, dict[str, Any]] = {
    "descents": dict(problem="multiscale", of="descents", curve="printed", alpha=1.5, **PLANE),
    "over time": dict(problem="multiscale", of="descents", curve="ridge", x="kappa=2:30", y="time=1:100"),
    "over a parameter": dict(
        problem="multiscale", of="descents@9", curve="ridge", along="init=0.1:1:5", alpha=1.5, **PLANE
    ),
    "no answer": dict(problem="multiscale", of="R@10", x="p=10:200", y="kappa=2:30"),
    "narrow axes": dict(
        problem="scale-invariant", of="angle@100", x="learning_rate=0.5:8", y="ridge=0.02:0.03"
    ),
}


@pytest.mark.parametrize("asked", ASKED.values(), ids=list(ASKED))
def test_a_map_says_what_was_asked(asked: dict[str, Any]) -> None:
    answer = ts.map(**asked)
    canvas = picture(answer, laid_out=True)
    kind = catalogue.find_problem(asked["problem"])
    written = texts(canvas).replace(" ", "")
    for phrase in (kind.title, kind.convention, kind.source, *asked_question.fixed(answer)):
        assert phrase.replace(" ", "") in written
    assert ("limit" in written) == bool(answer.attrs["limit"])
    assert all(str(each).endswith("at most d = 100") for each in answer["reason"].values)
    places, _, frame = _texts(canvas)
    for words in places:
        assert frame.x0 <= words.x0 < words.x1 <= frame.x1
        assert frame.y0 <= words.y0 < words.y1 <= frame.y1
    with pytest.raises(InputError, match="must be a whole map over"):
        ts.plot(answer.isel({answer.attrs["x"]: 0}))


def _texts(canvas: Canvas) -> tuple[list[Any], list[str], Any]:
    """The boxes of all words on the level lines, these words, and the frame; asserts that ticks are apart."""
    axes = max(canvas.findobj(Axes), key=lambda each: each.bbox.width)
    for axis, first, last in ((axes.xaxis, "x0", "x1"), (axes.yaxis, "y0", "y1")):
        boxes = [each.get_window_extent() for each in axis.get_ticklabels() if each.get_text()]
        boxes = sorted((each for each in boxes if each.width), key=lambda box: getattr(box, first))
        assert len(boxes) > 1
        assert all(getattr(one, last) < getattr(other, first) for one, other in pairwise(boxes))
    words = [each for each in axes.texts if isinstance(each, Annotation)]
    return [each.get_window_extent() for each in words], [each.get_text() for each in words], axes.bbox


@pytest.mark.parametrize(
    ("level", "shown"),
    [
        (1e3, "$10^{3}$"),
        (2e-5, r"$2\cdot10^{-5}$"),
        (0.1 + 0.2, "0.3"),
        (-1e4, "$-10^{4}$"),
        (0.0, "0"),
        (50.0, "50"),
    ],
)
def test_levels_are_written_as_people_write_them(level: float, shown: str) -> None:
    assert levels.text(level) == shown


def test_shades_of_many_regions_differ() -> None:
    for count in range(1, 12):
        assert len(set(regions.shades(count))) == count


def test_subscripts_and_words_with_them_are_mathematics() -> None:
    assert style.mathematics("sigma_eps") == r"$\sigma_\epsilon$"
    assert style.typeset("number sigma_max/sigma_min") == (
        r"number $\sigma_{\mathrm{max}}/\sigma_{\mathrm{min}}$"
    )


def test_settings_ask_for_the_same_map(tmp_path: Path) -> None:
    asked = ("--x", "lambda=0.02:0.5", "--y", "learning-rate=0.1:1", "--of", "angle@100")
    first, second, third = (tmp_path / f"{name}.nc" for name in "abc")
    settings = tmp_path / "map.toml"
    assert say("map", "scale-invariant", *asked, "--out", first, "--settings", settings).status == 0
    assert 'x = "lambda=0.02:0.5"' in settings.read_text(encoding="utf-8").splitlines()
    assert say("map", "--from", settings, "--out", second).status == 0
    assert say("map", "scale-invariant", "--from", first, "--out", third).status == 0
    one, *others = (xr.load_dataset(each, engine="h5netcdf") for each in (first, second, third))
    assert one.attrs["x"] == "ridge"
    for other in others:
        assert other.equals(one)
        assert other.attrs["settings"] == one.attrs["settings"] == settings.read_text(encoding="utf-8")


def test_a_map_that_is_given_up_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Budget, "__init__", lambda self, left=100: setattr(self, "left", left))
    with pytest.warns(UnconvergedWarning, match="given up after .* places: .*lines at .* are not drawn"):
        answer = ts.map("multiscale", of="R@10", **PLANE)
    assert np.isfinite(answer["value"].values).all()
    assert "unfinished" in texts(picture(answer))


def test_a_map_with_regions_finer_than_its_grid_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chart, "_unexplained", lambda *_: True)
    monkeypatch.setattr(chart, "DEPTH", 0)
    with pytest.warns(UnconvergedWarning, match="finer than the grid: .* pairs of neighbouring places"):
        answer = ts.map("multiscale", of="descents", curve="printed", **PLANE)
    assert answer.attrs["unfinished"].startswith("finer than the grid")


@pytest.mark.thorough
def test_a_map_that_is_given_up_between_two_grids_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chart, "DEPTH", 4)
    asked = read_map_question("multiscale", of="stopping", x="kappa=2:30", y="noise=0.05:1")
    field: Any = field_of(asked)
    field.budget.left = 60
    found = chart.chart_field(field)
    assert found.spent
    assert even.rasterise(found, field_of(asked)).values.shape == (21, 21)


def test_a_share_of_examples_changes_smoothly_in_the_limit() -> None:
    asked = read_map_question(
        "spurious-groups", x="minority=0.05:0.5:lin", y="gamma_spurious=1:10", of="descents", n=20
    )
    for along in (0.1, 0.1003, 0.77):
        share = asked.plane.x.value(along)
        assert asked.instance((along, 0.5)).minority == pytest.approx(share, abs=1e-5)


def test_sizes_stay_in_their_domains() -> None:
    parameters = catalogue.find_problem("spurious-groups").parameters
    grown = with_larger_sizes(parameters, {"n": 1000, "noise_features": 1200.0}, 1e9)
    assert (grown["n"], grown["noise_features"]) == (1_000_000, 1_200_000)
    counts = with_larger_sizes(parameters, {"groups": (100, 20, 30, 100), "noise_features": 50}, 1e9)
    assert counts["groups"] == (1_000_000, 200_000, 300_000, 1_000_000)
    assert counts["noise_features"] == 500_000
