"""Questions about tables: asked again from settings, swept at the cost of one, known by their content."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import teacherstudent
from teacherstudent.figures.answers.question import named
from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError
from teacherstudent.house.memory_cache import PART, Remembered
from teacherstudent.house.tables import as_table
from teacherstudent.problems.measured_spectrum import PROBLEM, data
from teacherstudent.sweeps.plan import plan
from tests.roundings import repeated
from tests.support import refusal, say

DRAW = np.random.default_rng(7)
X, Y = DRAW.standard_normal((30, 3)), DRAW.standard_normal(30)
ASKED: dict[str, Any] = {"dynamics": "ridge", "route": "asymptotic", "times": [1.0, 10.0]}
ROUTE = ("--dynamics", "ridge", "--route", "asymptotic", "--times", "1,10")


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    np.save(tmp_path / "my rows.npy", X)
    np.savetxt(tmp_path / "y.csv", Y)
    return str(tmp_path / "my rows.npy"), str(tmp_path / "y.csv")


def test_files_and_arrays_are_one_question(files: tuple[str, str]) -> None:
    one, other = ({"features": files[0], "targets": files[1]}, {"features": X, "targets": Y})
    first, second = (
        teacherstudent.curve("measured-spectrum", n=10, **ASKED, **each) for each in (one, other)
    )
    assert repeated(first["generalisation_error"], second["generalisation_error"])
    assert len({key for each in (one, other) for key in keys(**each)}) == 1
    assert keys(**other) != keys(features=X + 1e-15, targets=Y)


def keys(**values: Any) -> list[str]:
    """The keys under which a sweep stores its cells."""
    return [cell.key for cell in plan("measured-spectrum", n=[10], **ASKED, **values).cells]


def test_a_sweep_prepares_its_rows_once(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = []
    monkeypatch.setattr(data, "_ROWS", Remembered())
    original = data._rows
    monkeypatch.setattr(data, "_rows", lambda problem: prepared.append(problem.n) or original(problem))
    answer = teacherstudent.sweep(
        "measured-spectrum", n=list(range(4, 24)), features=X + 3, targets=Y, **ASKED
    )
    assert answer["generalisation_error"].shape == (20, 2)
    assert len(prepared) == 1


def test_settings_ask_again_until_the_file_has_changed(files: tuple[str, str], tmp_path: Path) -> None:
    kept = tmp_path / "question.toml"
    question = ("curve", "measured-spectrum", *ROUTE, "--features", files[0], "--targets", files[1])
    first = say(*question, "--n", "10", "--settings", kept, "--out", "-")
    assert first.status == 0
    assert f'features = "{files[0]} (digest {as_table(X).digest})"' in kept.read_text(encoding="utf-8")
    again = say("curve", "--from", kept, "--out", "-")
    assert (again.status, again.out) == (0, first.out)
    np.save(files[0], X + 1)
    line = refusal(say("curve", "--from", kept, "--out", "-"))
    assert "its numbers have changed since" in line
    assert line.endswith(f"so says {kept}")
    assert say("curve", "--from", kept, "--features", files[0], "--out", "-").status == 0


def test_an_answer_about_arrays_says_which_but_cannot_hold_them() -> None:
    answer = teacherstudent.curve("measured-spectrum", n=10, features=X, targets=Y[:, None], **ASKED)
    assert json.loads(answer.attrs["instance"])["features"] == f"array (digest {as_table(X).digest})"
    assert "features=(ndarray, 30 x 3), targets=(ndarray, 30 x 1)" in answer.attrs["command"]
    with pytest.raises(InputError, match="an answer of this package that holds its settings"):
        teacherstudent.settings(answer)


@pytest.mark.parametrize("command", ["curve", "sweep"])
def test_constant_columns_are_told_of_once_and_stand_with_the_answer(
    command: str, caplog: pytest.LogCaptureFixture
) -> None:
    asked = {
        "features": np.insert(X, 1, 4.0, axis=1),
        "targets": Y,
        "n": 10 if command == "curve" else [9, 10],
    }
    answer = getattr(teacherstudent, command)("measured-spectrum", **ASKED, **asked)
    constant = "1 of 4 columns of --features array is constant and has no effect"
    said = f"{constant}; targets array are read as numbers"
    assert answer.attrs["remarks"] == said
    assert caplog.messages == [said, answer.attrs["caution"]]


def test_a_picture_calls_tables_by_their_names() -> None:
    features, modes = (each for each in PROBLEM.parameters if each.name in ("features", "modes"))
    said = str(as_table(X, "some/where/my rows.npy"))
    assert named(features, said) == "features = my rows.npy"
    assert "= 3:1:0.5, 2:0.1:0 " in named(modes, [[3, 1.0, 0.5], [2, 0.1, 0.0]])


class Held:
    """So many bytes of an array."""

    def __init__(self, size: int) -> None:
        self.array = np.zeros(size, dtype=np.uint8)


def test_what_is_remembered_fits_into_a_part_of_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("teacherstudent.house.machine.memory_for_question", lambda: 100 / PART)
    made: list[str] = []
    kept: Remembered[Held] = Remembered()

    def get(name: str, size: int) -> Held:
        return kept.get(name, lambda: made.append(name) or Held(size))  # type: ignore[func-returns-value]

    first = get("a", 50)
    get("b", 50)
    assert get("a", 50) is first
    get("c", 40)  # b was used longest ago
    get("a", 50)
    assert made == ["a", "b", "c"]
    get("b", 50)
    get("d", 1000)  # alone beyond the bound: the latest is kept
    get("d", 1000)
    get("c", 40)
    assert made == ["a", "b", "c", "b", "d", "c"]


def test_what_fails_is_not_remembered() -> None:
    kept: Remembered[Held] = Remembered()
    with pytest.raises(ZeroDivisionError):
        kept.get("a", lambda: Held(1 // 0))
    assert kept.get("a", lambda: Held(1)).array.size == 1


def test_every_installed_set_is_read_and_called_by_its_name() -> None:
    for name in ("iris", "diabetes", "breast_cancer", "wine"):
        problem = catalogue.find_problem("measured-spectrum").instance(features=name, targets=name, n=90)
        assert str(problem.features).startswith(f"{name} (digest ")
        assert (problem.task == "regression") == (name == "diabetes")
        assert math.isfinite(data.rows_of(problem).targets.sum())


def test_what_is_remembered_is_measured_once() -> None:
    """However many small tables there are: else each new one costs as much as all before."""
    looks: list[int] = []

    class Array:
        @property
        def nbytes(self) -> int:
            looks.append(1)
            return 1

    kept: Remembered[Held] = Remembered()
    for name in (*range(20), *range(20)):
        held = Held(0)
        held.array = Array()  # type: ignore[assignment]
        kept.get(name, lambda held=held: held)
    assert len(looks) == 20
