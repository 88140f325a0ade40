"""A map over time asks a route for whole columns, and shows what asking place by place shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from teacherstudent.maps import answer, grid, observed, regions
from teacherstudent.maps.asking import question
from teacherstudent.maps.chart import NEARER
from teacherstudent.maps.crossing import Net
from teacherstudent.maps.field import Boundary, Curve, Sample
from teacherstudent.maps.observed import Observed
from teacherstudent.maps.plane import Place
from teacherstudent.maps.question import Question
from teacherstudent.maps.walking import along_level

COARSE, POINTS = 4, 33
AXES: dict[str, Any] = {
    "x": "time=1:1e3",
    "y": "kappa=2:50",
    "of": "excess_risk",
    "noise": 0.3,
    "dynamics": "flow",
}


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "COARSE", COARSE)
    monkeypatch.setattr(regions, "POINTS", POINTS)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many times each question to a route has, one entry a question."""
    found: list[int] = []
    ask = observed.ask

    def counted(route: Any, shapes: Any, instance: Any, times: np.ndarray, options: Any) -> Any:
        found.append(len(times))
        return ask(route, shapes, instance, times, options)

    monkeypatch.setattr(observed, "ask", counted)
    return found


class Singly(Observed):
    """The same, place by place, and lines by circles alone."""

    def samples(self, places: Sequence[Place]) -> list[Sample]:
        for place in places:
            super().samples([place])
        return super().samples(places)

    def level(self, level: float, low: Place, high: Place) -> list[Curve]:
        return [along_level(lambda place: self.sample(place).value, level, low, high)]


def over(upwards: bool) -> Question:
    """The question with time along the paper, or upwards."""
    axes = {**AXES, "x": AXES["y"], "y": AXES["x"]} if upwards else AXES
    return question("multiscale", **axes)


@pytest.mark.parametrize("upwards", [False, True])
def test_an_even_grid_is_asked_by_columns_and_shows_the_same(
    upwards: bool, monkeypatch: pytest.MonkeyPatch, asked: list[int]
) -> None:
    monkeypatch.setattr(answer, "levels_of", lambda *_: ([], []))
    whole = answer.mapped(over(upwards))
    questions = len(asked)
    asked.clear()
    monkeypatch.setattr("teacherstudent.maps.asked.Observed", Singly)
    singly = answer.mapped(over(upwards))
    assert set(asked) == {1}
    assert 2 * questions < len(asked)
    np.testing.assert_allclose(whole["value"], singly["value"], rtol=1e-9)


@pytest.mark.parametrize("upwards", [False, True])
def test_a_line_is_looked_for_in_columns_and_is_where_circles_find_it(
    upwards: bool, asked: list[int]
) -> None:
    """That of the value halfway between those at the first and the last time."""
    columns = Observed(over(upwards), "excess_risk")
    singly = Singly(over(upwards), "excess_risk")
    places = [(u, 0.5) if upwards else (0.5, u) for u in (0.0, 1.0)]
    low, high = sorted(places, key=lambda place: columns.sample(place).value)
    level = (columns.sample(low).value + columns.sample(high).value) / 2
    found = []
    for field in (columns, singly):
        asked.clear()
        (line,) = field.level(level, low, high)
        found.append((line, len(asked)))
    (line, few), (true, many) = found
    assert 2 * few < many
    assert line.ends == true.ends
    distance = Net.of([Boundary(true.points, 0, 1)]).distance
    assert max(distance((float(x), float(y))) for x, y in line.points) < NEARER
