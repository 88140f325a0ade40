"""Odd command lines end as they should: answered or refused in one line, and never by a fault of ours."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from teacherstudent.cli.command import command_names
from tests.fuzzing import Lines, objection

QUICK, ALL = 100, 1000
"""How many of the lines are tried: where tests are to be quick, and in all."""

pytestmark = pytest.mark.long


@pytest.mark.parametrize(
    ("first", "last"), [(0, QUICK), pytest.param(QUICK, ALL, marks=pytest.mark.thorough)]
)
def test_odd_command_lines_are_answered_or_refused_in_one_line(
    first: int, last: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = list(itertools.islice(Lines(0), first, last))
    assert {line[0] for line in lines if line} >= set(command_names())
    found = {" ".join(line): wrong for line in lines if (wrong := objection(line))}
    assert not found
