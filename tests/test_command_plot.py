"""`--plot` draws beside what a command prints; `turns` and `compare` answer as their functions do."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import xarray as xr
from PIL import Image

import teacherstudent as ts
from teacherstudent.api.figure import DOTS_PER_INCH
from teacherstudent.cli import plotting
from teacherstudent.figures.declaration import SHEETS
from teacherstudent.house.errors import InputError
from tests.support import refusal, say, wrote

pytestmark = pytest.mark.usefixtures("toy")

PATH = ("curve", "toy", "--strength", "1", "--dynamics", "path", "--times", "1:3:3:lin")
BOTH = (*PATH, "--route", "grown,drawn", "--seeds", "3")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_picture_takes_the_place_of_the_table_unless_both_are_asked_for(tmp_path: Path) -> None:
    said = say(*BOTH, "--plot", tmp_path / "a.svg")
    first, *written = said.err.splitlines(keepends=True)  # what agrees, then where the picture is
    assert (said.status, said.out) == (0, "")
    wide = "errors up to 1e+02, larger than the value, would pass; "
    assert first.startswith(f"growth: too few draws to tell at 3 of 3 points: {wide}")
    assert "".join(written) == wrote(tmp_path / "a.svg", tmp_path / "a.nc")
    assert names(tmp_path) == ["a.nc", "a.svg"]
    both = say(*BOTH, "--plot", tmp_path / "a.svg", "--out", "-")
    assert both.out == say(*BOTH).out
    assert both.out.startswith("route,time,growth,growth_stderr,growth_residual\ngrown,1.0,1.0,nan,")


def test_a_picture_is_drawn_for_a_slide_and_a_sheet_without_room_is_refused(tmp_path: Path) -> None:
    asked = (*PATH, "--route", "grown", "--plot", tmp_path / "a.png")
    assert (
        refusal(say(*PATH, "--route", "grown", "--plot-width", 6))
        == "--plot-width 6.0: must be absent without --plot"
    )
    said = refusal(say(*asked, "--plot-style", "slide", "--plot-width", 6))
    assert said.startswith("--plot-width 6.0: must be a finite number >= 8.75")
    assert not list(tmp_path.iterdir())
    say(*asked, "--plot-style", "slide")
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.width == round(SHEETS["slide"].width * DOTS_PER_INCH)


def test_the_numbers_may_be_those_that_out_names(tmp_path: Path) -> None:
    said = say(*PATH, "--route", "grown", "--out", tmp_path / "a.nc", "--plot", tmp_path / "a.png")
    assert (said.status, said.out) == (0, "")
    with xr.open_dataset(tmp_path / "a.nc", engine="h5netcdf") as kept:
        assert kept["growth"].values.tolist() == [1.0, 2.0, 3.0]


def test_a_sweep_is_drawn_by_one_number_of_each_curve(tmp_path: Path) -> None:
    swept = ("sweep", *PATH[1:2], "--strength", "0.5:2:3", *PATH[4:], "--route", "grown")
    said = say(*swept, "--plot", tmp_path / "a.pdf", "--of", "growth@2")
    assert (said.status, said.out) == (0, "")
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")


def test_descents_of_draws_are_refused_before_anything_is_drawn(toy: Any) -> None:
    def drawn(toy: Any, times: Any, seeds: Any) -> Any:
        raise AssertionError("drawn too early")

    toy("costly", drawn, sampled=True)
    swept = ("sweep", "toy", "--strength", "1:2:2", *PATH[4:], "--route", "grown,costly")
    said = refusal(say(*swept, "--plot", "a.png", "--of", "descents"))
    assert said == "--of growth@descents: must be of routes without standard errors: noise descends as well"


def test_a_replaced_picture_and_its_replaced_numbers_are_told(tmp_path: Path) -> None:
    files = [tmp_path / "a.svg", tmp_path / "a.nc"]
    for path in files:
        path.write_text("earlier", encoding="utf-8")
    told = say(*PATH, "--route", "grown", "--plot", files[0]).err
    assert told == wrote(*files, replacing=True)


@pytest.fixture
def asked_in_vain(toy: Any) -> tuple[str, ...]:
    """A question that must not be answered before its output is settled."""

    def answered(toy: Any, times: Any) -> Any:
        raise AssertionError("answered too early")

    toy("early", answered)
    return (*PATH, "--route", "early")


def test_without_a_file_or_a_terminal_nothing_is_computed(asked_in_vain: tuple[str, ...]) -> None:
    line = (
        "--plot (no file): must be given a file, since there is no terminal: --plot FILE.png draws into a "
        "file"
    )
    assert refusal(say(*asked_in_vain, "--plot")) == line


def test_without_a_display_nothing_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(InputError, match=r"^--plot \(no file\): .* no display: "):
        plotting.Plotting.taken({"plot": Path(plotting.WINDOW)})


def test_numbers_of_others_are_not_replaced(asked_in_vain: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "mine.nc").write_text("mine", encoding="utf-8")
    said = refusal(say(*asked_in_vain, "--plot", tmp_path / "mine.png"))
    assert said.endswith(f"must be another name, because its numbers would replace {tmp_path / 'mine.nc'}")
    assert (tmp_path / "mine.nc").read_text(encoding="utf-8") == "mine"


def test_turns_prints_the_rows_of_its_function() -> None:
    asked = ("--curve", "printed", "--n", "110", "--p", "70", "--kappa", "30")
    found = ts.turns("multiscale", curve="printed", n=110, p=70, kappa=30)
    header, *rows = say("turns", "multiscale", *asked).out.splitlines()
    assert header == "turn,time,excess_risk,is_minimum"
    assert [row.split(",")[1] for row in rows] == [str(each) for each in found["time"].values]
    assert say("turns", "multiscale", "--kappa", "1", "--curve", "printed").out == f"{header}\n"


@contextmanager
def saved(folder: Path, **shifts: float) -> Iterator[list[str]]:
    """Files of the toy's draws and of theories that lie below them by that much."""
    asked: dict[str, Any] = dict(dynamics="path", strength=1, times=[1, 2])
    drawn = ts.curve("toy", route="drawn", seeds=20, **asked)
    for name, each in {"drawn": drawn, **{name: drawn - shift for name, shift in shifts.items()}}.items():
        kept = each if name == "drawn" else each[["growth"]]
        kept.to_netcdf(folder / f"{name}.nc", engine="h5netcdf")
    yield [str(folder / f"{name}.nc") for name in ("drawn", *shifts)]


def test_compare_prints_a_verdict_for_each_observable_and_its_status_is_the_verdict(tmp_path: Path) -> None:
    with saved(tmp_path, near=0.1, far=50.0) as (drawn, near, far):
        agreeing, disagreeing = say("compare", drawn, near), say("compare", drawn, far)
    header, row = agreeing.out.splitlines()
    assert header == "observable,verdict,largest_residual,threshold,detectable_error,units,points"
    assert row.startswith("growth,agrees,")
    assert (agreeing.status, disagreeing.status) == (0, 1)
    assert disagreeing.out.splitlines()[1].startswith("growth,disagrees,")


def test_compare_says_why_a_limit_may_disagree(toy: Any, tmp_path: Path) -> None:
    toy("far", lambda toy, times: {"growth": times + 1000}, exact_for="limit")
    asked: dict[str, Any] = dict(dynamics="path", strength=1, times=[1, 2])
    ts.curve("toy", route="far", **asked).to_netcdf(tmp_path / "far.nc", engine="h5netcdf")
    with saved(tmp_path, wrong=50.0) as (drawn, wrong):
        told = say("compare", drawn, tmp_path / "far.nc").err
        assert "note:" not in say("compare", drawn, wrong).err
    assert told == "note: far is the limit of infinite sizes and not exact at finite sizes\n"


def test_compare_says_that_the_automatic_rate_is_another_one_in_a_limit(tmp_path: Path) -> None:
    question: dict[str, Any] = dict(problem="multiscale", dynamics="descent", n=30, d=20, p=10, times=[3000])
    ts.curve(route="instance", seeds=300, noise=0.5, **question).to_netcdf(
        tmp_path / "I.nc", engine="h5netcdf"
    )
    ts.curve(route="asymptotic", noise=0.2, **question).to_netcdf(tmp_path / "A.nc", engine="h5netcdf")
    told = say("compare", tmp_path / "I.nc", tmp_path / "A.nc").err
    assert "; --learning-rate auto is one rate there but one for each draw here" in told


def test_compare_refuses_what_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "bad.nc").write_text("no answer", encoding="utf-8")
    with saved(tmp_path) as (drawn,):
        assert "must be a file that exists" in refusal(say("compare", drawn, tmp_path / "none.nc"))
        line = refusal(say("compare", tmp_path / "bad.nc", drawn))
        assert line.startswith(f"SIMULATION {tmp_path / 'bad.nc'}"[:90])
        assert refusal(say("compare", drawn)).startswith("THEORY (missing): must be a file ending in .nc")
