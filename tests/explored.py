"""The numbers of the explorer's table, as its command and its line of Python print them."""

from __future__ import annotations

import csv
import shlex

import teacherstudent as ts
from tests.support import say

PRINTED = {
    "alignment R": ("R", 0),
    "norm Q": ("Q", 0),
    "excess risk E": ("excess_risk", 0),
    "bias, fast features": ("bias", 0),
    "bias, slow features": ("bias", 1),
    "variance, fast features": ("variance", 0),
    "variance, slow features": ("variance", 1),
}
"""The rows of the table: where the same number stands in CSV, by column and by scale."""


def by_command(command: str, time: str) -> dict[str, str]:
    """What a command prints at that time, to the digits of the table."""
    said = say(*shlex.split(command)[1:])
    assert said.status == 0, said.err
    rows = [
        {name: float(each) for name, each in row.items()} for row in csv.DictReader(said.out.splitlines())
    ]
    now = [row for row in rows if f"{row['time']:.6g}" == time]
    assert len(now) == 2  # a row for each scale
    return {row: f"{now[scale][name]:.6g}" for row, (name, scale) in PRINTED.items()}


def by_python(line: str, time: str) -> dict[str, str]:
    """What a line of Python gives at that time, to the digits of the table."""
    answer = eval(line, {"ts": ts})
    now = answer.isel(time=[f"{each:.6g}" for each in answer["time"].values].index(time))
    return {row: f"{now[name].values.ravel()[scale]:.6g}" for row, (name, scale) in PRINTED.items()}


def alike(table: dict[str, str], other: dict[str, str]) -> list[str]:
    """The rows of the table that have the same number there."""
    return [row for row in PRINTED if table[row] == other[row]]
