"""Damaged files are read or refused in one line, whatever has happened to them."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.fuzzing_files import KINDS, Files, complaint, placed

QUICK, ALL = 150, 4000
"""How many of the files are tried: where tests are to be quick, and in all; `tools.fuzz` tries more."""


@pytest.mark.parametrize(
    ("first", "last"), [(0, QUICK), pytest.param(QUICK, ALL, marks=pytest.mark.thorough)]
)
def test_damaged_files_are_read_or_refused(
    first: int, last: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = list(itertools.islice(Files(0), first, last))
    assert {each.kind for each in files} == {*KINDS}
    found = {f"{number}: {each}": wrong for number, each in enumerate(files) if (wrong := complaint(each))}
    assert not found


@pytest.mark.parametrize("kind", KINDS)
def test_an_undamaged_file_is_read(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else nothing would be shown by refusing it."""
    monkeypatch.chdir(tmp_path)
    assert not KINDS[kind].read(placed(kind, KINDS[kind].make())) or kind != "settings"
