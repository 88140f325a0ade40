"""`figure` draws the numbers it computed and keeps them beside the picture, or writes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from PIL import Image

import teacherstudent
from teacherstudent.api.figure import DOTS_PER_INCH
from teacherstudent.figures import gallery
from teacherstudent.figures.declaration import Figure
from teacherstudent.house.extras import MissingExtra
from tests.roundings import copied
from tests.support import Said, refusal, say, wrote

BEGINNINGS = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}


def numbers(quick: bool) -> dict[str, xr.Dataset]:
    heights = xr.Dataset(
        {"height": ("time", [1.0, 3.0])}, {"time": [0.5, 1.5]}, {"n_seeds": 2 if quick else 100}
    )
    return {"theory": heights, "simulation": heights + 0.1}


def draw(canvas: Any, numbers: Mapping[str, xr.Dataset]) -> None:
    axes = canvas.subplots()
    for group in numbers.values():
        axes.plot(group.time, group.height)


def fail(*_: Any) -> Any:
    raise RuntimeError("midway")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> dict[str, Figure]:
    """The gallery, with two figures of ours."""
    table = {
        name: Figure(name, "Two lines", "A caption.", "paper", "Fig. 1", numbers, draw)
        for name in ("one", "two")
    }
    monkeypatch.setattr(gallery, "figures", lambda: table)
    return table


@pytest.mark.usefixtures("shown")
@pytest.mark.parametrize("format", BEGINNINGS)
def test_a_picture_and_its_numbers_lie_side_by_side(tmp_path: Path, format: str) -> None:
    said = say("figure", "one", "--out", tmp_path, "--format", format)
    assert said == Said(0, f"{tmp_path}/one.{format}\n", wrote(tmp_path / "one.nc"))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["one.nc", f"one.{format}"])
    assert (tmp_path / f"one.{format}").read_bytes().startswith(BEGINNINGS[format])
    with xr.open_datatree(tmp_path / "one.nc", engine="h5netcdf") as kept:
        for name, group in numbers(quick=False).items():
            assert copied(kept[name].to_dataset().load(), group)


@pytest.mark.usefixtures("shown")
@pytest.mark.parametrize(
    ("asked", "inches"),
    [((), 6.8), (("--style", "slide"), 13.33), (("--width", 5), 5), (("--width", 9.5), 9.5)],
)
def test_a_picture_is_as_wide_as_its_style_or_as_asked(
    tmp_path: Path, asked: tuple[Any, ...], inches: float
) -> None:
    say("figure", "one", "--out", tmp_path, *asked)
    with Image.open(tmp_path / "one.png") as picture:
        assert picture.width == round(inches * DOTS_PER_INCH)


@pytest.mark.usefixtures("shown")
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--width", 4.9), "--width 4.9: must be a finite number >= 5 and <= 100"),
        (("--style", "poster", "--width", 12), "--width 12.0: must be a finite number >= 12.5 and <= 100"),
        (("--style", "paprr"), "did you mean paper?"),
    ],
)
def test_a_sheet_without_room_for_its_text_is_refused(
    tmp_path: Path, asked: tuple[Any, ...], said: str
) -> None:
    assert said in refusal(say("figure", "one", "--out", tmp_path, *asked))
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("shown")
def test_all_draws_every_figure_and_quick_reaches_its_numbers(tmp_path: Path) -> None:
    said = say("figure", "all", "--quick", "--out", tmp_path / "new" / "folder")
    assert said.out.splitlines() == [f"{tmp_path}/new/folder/{name}.png" for name in ("one", "two")]
    with xr.open_datatree(tmp_path / "new" / "folder" / "two.nc", engine="h5netcdf") as kept:
        assert kept["theory"].attrs["n_seeds"] == 2


def test_a_figure_without_its_library_is_left_out_of_all(shown: dict[str, Figure], tmp_path: Path) -> None:
    def lacking(_: bool) -> Any:
        raise MissingExtra("rows", "sklearn")

    shown["two"] = replace(shown["two"], compute=lacking)
    said = say("figure", "all", "--out", tmp_path)
    assert (said.status, said.out) == (0, f"{tmp_path}/one.png\n")
    lack = "this installation lacks scikit-learn: pip install 'teacherstudent[data]'"
    assert said.err == f"{wrote(tmp_path / 'one.nc')}two was not drawn: {lack}\n"


@pytest.mark.usefixtures("shown")
def test_python_gets_the_drawing_itself() -> None:
    canvas = teacherstudent.figure("one")
    assert [np.asarray(line.get_ydata()).tolist() for line in canvas.axes[0].lines] == [
        [1.0, 3.0],
        [1.1, 3.1],
    ]


@pytest.mark.parametrize("step", ["compute", "draw"])
def test_a_figure_that_fails_midway_leaves_nothing(
    shown: dict[str, Figure], tmp_path: Path, step: str
) -> None:
    steps: dict[str, Any] = {"compute": numbers, "draw": draw, step: fail}
    shown["one"] = Figure("one", "", "", "paper", "Fig. 1", **steps)
    said = say("figure", "one", "--out", tmp_path)
    assert (said.status, said.out) == (70, "")
    assert said.err.startswith("error: a defect of this program (RuntimeError: midway); ")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_found_before_computing(
    shown: dict[str, Figure], tmp_path: Path
) -> None:
    shown["one"] = Figure("one", "", "", "paper", "Fig. 1", fail, fail)
    (tmp_path / "a-file").touch()
    line = refusal(say("figure", "one", "--out", tmp_path / "a-file"))
    assert line.startswith(f"--out {tmp_path}/a-file/one.nc: must be a writable path")


def test_other_processes_say_in_one_line_that_a_folder_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "a-file").touch()
    line = refusal(say("figure", "all", "--out", tmp_path / "a-file", "--workers", 2))
    assert line.startswith(f"--out {tmp_path}/a-file/")


def test_every_announced_figure_says_what_it_is() -> None:
    gallery.figures.cache_clear()
    for figure in gallery.figures().values():
        assert all((figure.id, figure.title, figure.caption, figure.paper, figure.ref)), figure


@pytest.mark.usefixtures("shown")
def test_pictures_that_were_there_are_said_to_be_replaced(tmp_path: Path) -> None:
    assert say("figure", "one", "--out", tmp_path).err == wrote(tmp_path / "one.nc")
    (tmp_path / "other.png").touch()
    note = "note: replaced 1 earlier pictures and their numbers\n"
    said = say("figure", "one", "two", "--out", tmp_path)
    note = wrote(tmp_path / "one.nc", tmp_path / "two.nc") + note
    assert said == (0, f"{tmp_path}/one.png\n{tmp_path}/two.png\n", note)
