"""A sweep is laid out as asked, and a cell is known by its content, whatever grid it came from."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from operator import length_hint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from teacherstudent.house.errors import InputError
from teacherstudent.house.grids import Span
from teacherstudent.house.running import instance_and_options
from teacherstudent.sweeps import plan as plan_module
from teacherstudent.sweeps.engine import Missing
from teacherstudent.sweeps.plan import Plan, plan
from teacherstudent.sweeps.store import Store

pytestmark = pytest.mark.usefixtures("toy")


def laid_out(route: Any = "grown", dynamics: str = "path", times: Any = (1.0, 2.0), **values: Any) -> Plan:
    return plan("toy", dynamics=dynamics, route=route, times=times, **values)


def keys(**asked: Any) -> list[str]:
    return [cell.key for cell in laid_out(**asked).cells]


def test_grids_lists_and_texts_become_axes_in_the_order_given() -> None:
    swept = laid_out(part=[0, 1], strength="0.5:2:3:lin", whole=Span(1, 100, 3))
    assert dict(swept.axes) == {"part": (0, 1), "strength": (0.5, 1.25, 2.0), "whole": (1, 10, 100)}
    values = [cell.point.values for cell in swept.cells]
    assert [value["whole"] for value in values[:4]] == [1, 10, 100, 1]
    assert len(values) == 2 * 3 * 3


def test_grids_of_whole_numbers_are_rounded_without_repeats() -> None:
    assert laid_out(strength=1, whole="1:4:9").axes["whole"] == (1, 2, 3, 4)


def test_a_word_or_number_runs_along_an_axis_of_its_numbers() -> None:
    swept = laid_out("stepped", "steps", times=[1], strength=1, pace="0:1:3:lin")
    assert swept.axes["pace"] == (0.0, 0.5, 1.0)


def test_a_list_is_one_value_where_values_are_lists() -> None:
    swept = laid_out(strength=[1, 2], sizes=[3.0, 4.0], shape=["round", "square"])
    assert swept.fixed["sizes"] == (3.0, 4.0)
    assert list(swept.axes) == ["strength", "shape"]


def test_several_routes_share_the_points() -> None:
    swept = laid_out(["grown", "drawn", "grown"], strength=[1, 2], seeds=(7, 8))
    assert swept.dimensions == {"route": ("grown", "drawn"), "strength": (1.0, 2.0)}
    assert [cell.route.name for cell in swept.cells] == ["grown", "grown", "drawn", "drawn"]


def test_the_same_question_has_the_same_key_on_any_grid() -> None:
    on_grid = keys(strength="0.5:1.5:3:lin", whole=4)
    assert keys(whole=[4], strength=1.0) == [on_grid[1]]
    assert keys(strength=[1, 2])[0] == on_grid[1], "whole = 4 is the default"


def test_different_questions_have_different_keys() -> None:
    changes: list[dict[str, Any]] = [
        {},
        {"strength": [np.nextafter(1.0, 2.0)]},
        {"part": 1},
        {"times": (1.0, 2.5)},
        {"route": "modes"},
        {"dynamics": "steps", "route": "stepped"},
        {"dynamics": "steps", "route": "stepped", "pace": 0.5},
    ]
    found = [keys(**{"strength": [1.0], **change})[0] for change in changes]
    assert len(set(found)) == len(changes)


def test_another_version_of_the_formula_has_another_key() -> None:
    swept = laid_out(strength=[1.0])
    newer = replace(swept, routes=(replace(swept.routes[0], version=2),))
    assert next(newer.cells).key != next(swept.cells).key


def test_points_that_contradict_themselves_are_kept_with_the_reason() -> None:
    swept = laid_out(strength=1, part=[2, 5], whole=[4, 6])
    assert [cell.point.wrong for cell in swept.cells] == ["", "", "--part 5: must be at most whole = 4", ""]
    assert [bool(cell.key) for cell in swept.cells] == [True, True, False, True]


def test_points_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "points.csv"
    file.write_text('strength,sizes\n1,"5,6"\n0.5,7\n\n1,8\n', encoding="utf-8")
    swept = laid_out(points=file)
    assert dict(swept.axes) == {"strength": (1.0, 0.5, 1.0), "sizes": ((5.0, 6.0), (7.0,), (8.0,))}
    assert swept.dimensions == {"point": (0, 1, 2)}
    assert keys(points=file)[1] == keys(strength=[0.5], sizes=(7.0,))[0]


@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "as Excel writes it"])
def test_a_file_of_points_may_begin_with_a_byte_order_mark(tmp_path: Path, mark: str) -> None:
    file = tmp_path / "points.csv"
    file.write_text(f"{mark}strength\n1\n0.5\n", encoding="utf-8")
    assert laid_out(points=file).axes["strength"] == (1.0, 0.5)


def test_cells_of_a_million_are_made_when_their_turn_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    settled = Counter[str]()

    def counting(*asked: Any) -> Any:
        settled["cells"] += 1
        return instance_and_options(*asked)

    monkeypatch.setattr(plan_module, "instance_and_options", counting)
    swept = laid_out(part=0, strength="0.001:2:1000:lin", whole="1:1000:1000:lin")
    assert swept.size == 1_000_000
    with Store(None) as store:
        tasks = Missing(swept, store)
        first = [next(tasks) for _ in range(3)]
    assert [task.cell.point.values["whole"] for task in first] == [1, 2, 3]
    assert settled["cells"] < 10
    assert length_hint(tasks) == 1_000_000 - 3


BAD_FILES = {
    "": "with a header and at least one row, all rows as",
    "strength\n": "with a header and at least one row, all rows as",
    "strength,part\n1\n": "with a header and at least one row, all rows as",
    "strength,colour\n1,2\n": "must be each one of strength, whole, part",
    "strength,strength\n1,2\n": "--points column strength of ",
    "strength\n1\n9\n": "--strength 9: must be a finite number > 0 and <= 2",
    'strength\n"1\n': "a readable CSV file",
}


@pytest.mark.parametrize(("text", "line"), BAD_FILES.items(), ids=map(repr, BAD_FILES))
def test_a_bad_file_of_points_is_refused(tmp_path: Path, text: str, line: str) -> None:
    file = tmp_path / "points.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        laid_out(points=file)
    assert line in str(caught.value)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"strength": 1}, "--points (missing): must be given, or at least one parameter a grid"),
    ({"strength": [1, 3]}, "--strength 3: must be a finite number > 0 and <= 2"),
    ({"strength": [1, 1.0]}, "different values"),
    ({"strength": []}, "one or more different"),
    ({"strength": "1:2"}, "--strength 1:2: must be a finite number > 0 and <= 2, or a grid LO:HI:N"),
    ({"strength": "2:1:3"}, "--strength 2:1:3: must be"),
    ({"sizes": "1:2:3"}, "--sizes 1:2:3: must be a comma-separated list"),
    ({"colour": [1, 2]}, "--colour [1, 2]: must be one of the options of toy under path: --strength"),
    ({"whole": [4, 5]}, "--strength (missing): must be"),
    ({"strength": [1, 2], "part": 9}, "--part 9: must be at most whole = 4"),
    (
        {"strength": [1, 2], "pace": 0.5},
        "--pace 0.5: must be absent under path: an option of --dynamics steps",
    ),
    ({"strength": [1, 2], "route": "drawn"}, "--seeds (missing): must be given: route drawn is sampled"),
    ({"strength": [1, 2], "seeds": (1, 2)}, "--seeds 2: must be absent: route grown draws nothing"),
    ({"strength": [1, 2], "points": Path("a.csv")}, "--points a.csv: must be given without ranges: strength"),
    ({"strength": "1:2:9999", "whole": "1:9999:9999:lin"}, "on a grid of at most 1000000 points in all"),
    ({"points": Path("missing.csv")}, "--points missing.csv: must be a readable CSV file"),
]


@pytest.mark.parametrize(("asked", "line"), REFUSED, ids=str)
def test_a_refusal_says_what_would_have_been_right(asked: dict[str, Any], line: str) -> None:
    with pytest.raises(InputError) as caught:
        laid_out(**asked)
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)
