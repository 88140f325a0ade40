"""On a full disk every output is refused by the name of its option, and nothing half-written is left.

A limit on the size of files stands for the full disk: no rights are needed to set it, and the system refuses
to write in the same way.
"""

from __future__ import annotations

import errno
import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click
import pytest

from tests.support import refusal, say
from tools.nested import ROOT

CURVE = ("curve", "multiscale", "--dynamics", "flow", "--route", "asymptotic")
WRITING = {  # what is asked, and the option that is named
    "numbers of a picture": ((*CURVE, "--plot", "a.png"), "--plot a.nc"),
    "numbers of rows": (("mine", "iris", "iris", "--seeds", "4", "--out", "a.png"), "--out a.nc"),
    "numbers of a figure": (("figure", "ch4-fig1", "--quick", "--out", "f"), "--out f/ch4-fig1.nc"),
    "NetCDF": ((*CURVE, "--out", "a.nc"), "--out a.nc"),
    "CSV": ((*CURVE, "--out", "a.csv"), "--out a.csv"),
    "settings": ((*CURVE, "--times", "1:9:2", "--settings", "a.toml"), "--settings a.toml"),
    "sweep": (("sweep", *CURVE[1:], "--kappa", "1:9:2", "--out", "a.nc"), "--out a.nc.cells"),
    "outcomes": (("check", "sn-variates", "--json", "a.json"), "--json a.json"),
    "report": (("check", "sn-variates", "--report", "a.html"), "--report a.html"),
}


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """No file of this process grows beyond that many bytes: writing fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    compiles, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # Python would keep half a module
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        sys.dont_write_bytecode = compiles


def left(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and path.stat().st_size]


LONG = ("numbers of rows", "numbers of a figure")


@pytest.mark.parametrize(
    "what", [pytest.param(each, marks=pytest.mark.thorough if each in LONG else ()) for each in WRITING]
)
def test_an_output_without_room_is_refused_by_name(what: str, here: Path) -> None:
    command, named = WRITING[what]
    with files_up_to(50):
        status, _, said = say(*command)
    assert status == 2
    line = said.splitlines()[-1]
    assert line.startswith(f"error: {named}: must be on a writable disk with free space")
    assert "free some" in line
    assert left(here) == []


@pytest.mark.parametrize("suffix", ["png", "pdf", "svg"])
def test_a_picture_without_room_for_it_leaves_no_numbers_either(suffix: str, here: Path) -> None:
    """Its numbers fit, the picture does not: a writer of PDF fails in several odd ways there."""
    with files_up_to(20_000):
        line = refusal(say(*CURVE, "--times", "1:9:3", "--plot", f"a.{suffix}"))
    assert line.startswith(f"--plot a.{suffix}: must be on a writable disk with free space")
    assert left(here) == []


@pytest.mark.parametrize(
    ("option", "name"), [("--pages", "a"), ("--notebook", "a.ipynb"), ("--kit", "a.zip")]
)
def test_a_lesson_without_room_is_refused_by_name(
    option: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another process makes, and the error that it met: here it has met one already."""
    full = [
        sys.executable,
        "-c",
        f"print(); raise SystemExit({0 if option == '--notebook' else errno.ENOSPC})",
    ]
    really_run = subprocess.run
    monkeypatch.setattr(subprocess, "run", lambda _, **named: really_run(full, **named))
    with files_up_to(0):
        line = refusal(say("lesson", "plateau", option, tmp_path / name))
    assert line.startswith(f"{option} {tmp_path / name}: must be on a writable disk with free space")
    assert left(tmp_path) == []


def test_pages_come_whole_to_what_is_there(tmp_path: Path) -> None:
    from teacherstudent.house.files import merged_folder

    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "own.js").write_text("mine", encoding="utf-8")
    with suppress(FileNotFoundError), merged_folder(tmp_path, "pages") as made:
        (made / "page.html").write_text("half", encoding="utf-8")
        (made / "nowhere" / "page.html").touch()
    assert [path.name for path in left(tmp_path)] == ["own.js"]
    with merged_folder(tmp_path, "pages") as made:
        (made / "scripts").mkdir()
        (made / "scripts" / "page.js").write_text("whole", encoding="utf-8")
    assert sorted(path.name for path in left(tmp_path)) == ["own.js", "page.js"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EFBIG])
def test_standard_output_is_not_blamed_for_another_file(
    number: int, toy: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise OSError(number, os.strerror(number))

    toy("full", lambda toy, times: {"growth": toy.strength * times})
    monkeypatch.setattr(click, "echo", full)
    monkeypatch.setattr("teacherstudent.cli.command.print_to_stderr", lambda line: said.append(line))
    said: list[str] = []
    assert say("curve", "toy", "--strength", "1", "--dynamics", "path", "--route", "full").status == 2
    assert said == ["error: a file: must be on a device with free space"]


def test_hdf5_never_sees_the_disk() -> None:
    """Its handlers at the end of a process crash where a write has failed."""
    found = {
        str(path.relative_to(ROOT))
        for room in ("teacherstudent", "house", "figures", "maps", "sweeps", "lessons", "tools", "benchmarks")
        for path in (ROOT / room).rglob("*.py")
        if re.search(r"to_netcdf\(|(h5netcdf|h5py)\.File\([^)]*\"[wa+x]", path.read_text(encoding="utf-8"))
    }
    assert found == {"teacherstudent/api/writing.py"}
