"""Odd command lines end as they should: answered or refused in one line, and never by a fault of ours."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from teacherstudent.cli.command import command_names
from tests.fuzzing import Lines, objection

LINES = 500

pytestmark = pytest.mark.long


@pytest.mark.parametrize("first", [0, pytest.param(LINES, marks=pytest.mark.thorough)])
def test_odd_command_lines_are_answered_or_refused_in_one_line(
    first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = list(itertools.islice(Lines(0), first, first + LINES))
    assert {line[0] for line in lines if line} >= set(command_names())
    found = {" ".join(line): wrong for line in lines if (wrong := objection(line))}
    assert not found
