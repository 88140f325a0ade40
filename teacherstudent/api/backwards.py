"""What `solve` and `best` share: the recording times of what is searched, and answers as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from teacherstudent.api.curve import Times, recording_times, times_of_questions

if TYPE_CHECKING:
    from teacherstudent.inverse.objective import Objective


def with_times(
    asked: Objective, corners: Sequence[Mapping[str, float]], times: Times, own: Sequence[float] | None = None
) -> Objective:
    """The objective with its recording times.

    corners: the corners of the searched region; the times may depend on them. own: the times for a search
    over time if the user gives no times.
    """
    from teacherstudent.house.running import instance_and_options, time_grid

    recorded = {}
    for clock, route in dict.fromkeys(asked.clocks.values()):
        grid: Any = recording_times(times, clock) if own is None else own
        if isinstance(grid, str):
            given = [asked.own(asked.at(corner), clock, route, set()) for corner in corners]
            questions = [instance_and_options(asked.problem, clock, route, each) for each in given]
            grid, _ = times_of_questions(asked.problem, clock, questions)
        recorded[clock.name] = tuple(time_grid(clock, grid).tolist())
    return replace(asked, times={**asked.times, **recorded}, known={})


def json_of(rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows as a JSON list of objects; numbers that are not finite become null."""

    def plain(value: Any) -> Any:
        return None if isinstance(value, float) and not math.isfinite(value) else value

    return json.dumps([{name: plain(each) for name, each in row.items()} for row in rows], indent=2)
