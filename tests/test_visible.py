"""Text that somebody else wrote is shown so that it steers no terminal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import teacherstudent
from teacherstudent.house.visible import in_one_line, visible
from tests.support import say
from tools.nested import ROOT

ASKED: dict[str, Any] = {
    "dynamics": "flow",
    "route": "instance",
    "times": [1.0, 2.0],
    "n": 12,
    "scales": "4:1",
}


def test_what_steers_a_terminal_is_escaped() -> None:
    assert visible("a\tb\nä λ \udcff") == "a\tb\nä λ \udcff"
    assert visible("\x1b[2J\r\x07\x9b\u202e\u2066\u200b\x7f") == r"\x1b[2J\r\x07\x9b\u202e\u2066\u200b\x7f"
    assert in_one_line(" a\r\nb\x1b ") == r"a b\x1b"


def test_commands_print_by_one_function_that_escapes() -> None:
    """Tables and headings have colours, and escape what is in their cells."""
    for path in (ROOT / "teacherstudent" / "cli").rglob("*.py"):
        if path.name not in ("process.py", "tables.py"):
            assert not re.search(r"click\.echo|\bprint\(|std(out|err)\.write", path.read_text("utf-8")), path


def test_attributes_of_an_answer_are_shown_escaped(tmp_path: Path) -> None:
    theory, drawn = (teacherstudent.curve("multiscale", seeds=2, seed=seed, **ASKED) for seed in (0, 9))
    for each in drawn.data_vars.values():
        each.attrs["units"] = "\x1b[2J\u202e1"
    drawn.to_netcdf(tmp_path / "a.nc", engine="h5netcdf")
    theory.to_netcdf(tmp_path / "b.nc", engine="h5netcdf")
    said = say("compare", tmp_path / "a.nc", tmp_path / "b.nc")
    assert r"\x1b[2J\u202e1" in said.out
    assert all(line.isprintable() for line in (said.out + said.err).splitlines())
