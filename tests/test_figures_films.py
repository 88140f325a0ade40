"""Films: what has not happened yet is not shown, the last frame is the still, and the files are small."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from matplotlib.figure import Figure as Canvas
from PIL import Image

from teacherstudent.figures import gallery
from teacherstudent.figures.declaration import Figure
from teacherstudent.figures.gallery import figures
from teacherstudent.figures.kit import films, residuals
from tests.drawing import numbers
from tests.support import say

FILMS = sorted(name for name, figure in figures().items() if figure.film)
MOST = 1.5e6
"""Bytes of a film: a page holds several of them."""


Drawn = tuple[Figure, Mapping[str, xr.Dataset]]


@pytest.fixture(scope="module", params=FILMS)
def film(request: pytest.FixtureRequest) -> Drawn:
    """Each film with as few numbers as its drawing takes."""
    return figures()[request.param], numbers(request.param)


def shown(canvas: Canvas) -> list[np.ndarray]:
    """All that lines, bars and images show, in the order in which they were drawn."""
    found = []
    for axes in canvas.axes:
        found += [np.asarray(line.get_xydata()) for line in axes.lines]
        found += [
            np.asarray(bars.get_segments()) for bars in axes.collections if hasattr(bars, "get_segments")
        ]
        found += [np.asarray(image.get_array()) for image in axes.images]
    return found


def test_the_last_frame_is_the_still(film: Drawn) -> None:
    chosen, numbers = film
    moving, still = Canvas(), Canvas()
    for _ in chosen.film(moving, numbers):
        pass
    chosen.draw(still, numbers)
    for mine, its in zip(shown(moving), shown(still), strict=True):
        np.testing.assert_array_equal(mine, its)


def test_the_last_frame_shows_every_number(film: Drawn) -> None:
    chosen, numbers = film
    still = Canvas()
    chosen.draw(still, numbers)
    seen = {len(points) for points in shown(still)}
    for name, group in numbers.items():
        if name.startswith(("asymptotic", "theory", "simulation")):
            assert group.sizes["time"] in seen, name


def test_nothing_is_shown_before_its_time_or_hidden_again(film: Drawn) -> None:
    chosen, numbers = film
    canvas = Canvas()
    counts = [[len(points) for points in shown(canvas)] for _ in chosen.film(canvas, numbers)]
    moved = np.diff(counts, axis=0)
    assert np.all(moved >= 0)
    assert np.all(moved.sum(axis=1)[1:] > 0)  # something happens in every frame after the second
    assert sum(counts[0]) < sum(counts[-1]) / 4


def test_the_first_frame_shows_something_in_every_panel_of_curves(film: Drawn) -> None:
    chosen, numbers = film
    canvas = Canvas()
    next(chosen.film(canvas, numbers))
    for axes in (axes for axes in canvas.axes if axes.get_label() != residuals.PANEL):
        moving = [line.get_xydata() for line in axes.lines if line.get_animated()]
        points = [axes.transData.transform(points[-1]) for points in moving if len(points)]
        assert not moving or any(axes.bbox.padded(1).contains(*point) for point in points), axes.get_title()


def frames(canvas: Any, numbers: Mapping[str, xr.Dataset]) -> Iterator[None]:
    group = numbers["simulation"]
    axes = canvas.subplots()
    axes.errorbar(group.time, group.height, yerr=0.1)
    axes.plot(numbers["theory"].time, numbers["theory"].height)
    times = [np.asarray(numbers[name].time) for name in ("theory", "simulation")]
    yield from films.played(films.unveiled(axes, *times), (0, 2, 4))


def heights(quick: bool) -> dict[str, xr.Dataset]:
    return {
        name: xr.Dataset({"height": ("time", np.sqrt(times))}, {"time": times})
        for name, times in (("theory", np.linspace(0, 4, 9)), ("simulation", np.linspace(1, 4, 4)))
    }


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """The gallery, with a film of ours alone."""
    mine = Figure("tiny", "Roots", "A caption.", "paper", "Fig. 1", heights, films.still(frames), frames)
    monkeypatch.setattr(gallery, "figures", lambda: {"tiny": mine})


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("format", ["png", "svg"])
def test_a_film_lies_beside_its_last_frame_in_the_format_asked_for(tmp_path: Path, format: str) -> None:
    said = say("figure", "tiny", "--out", tmp_path, "--format", format)
    assert said.out.splitlines() == [f"{tmp_path}/tiny.{format}", f"{tmp_path}/tiny.gif"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["tiny.gif", "tiny.nc", f"tiny.{format}"]
    )


@pytest.mark.usefixtures("tiny")
def test_a_film_holds_its_frames_and_rests_on_the_last(tmp_path: Path) -> None:
    say("figure", "tiny", "--out", tmp_path)
    with Image.open(tmp_path / "tiny.gif") as film:
        assert film.n_frames == 3
        dark, lasts = [], []
        for frame in range(3):
            film.seek(frame)
            lasts.append(film.info["duration"])
            dark.append(int((np.asarray(film.convert("L")) < 200).sum()))
    assert dark[0] < dark[1] < dark[2]
    assert lasts[0] == lasts[1]
    assert lasts[1] < lasts[2] / 10


@pytest.mark.parametrize("name", FILMS)
def test_a_committed_film_is_small(name: str) -> None:
    path = Path(__file__).resolve().parent.parent / "docs" / f"{name}.gif"
    assert path.stat().st_size < MOST
