"""`lesson` lists what there is, serves to this machine alone, and writes notebooks that run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from teacherstudent.api import lesson as lesson_module
from tests.support import Said, refusal, say


class Replaced(BaseException):
    """What would have become of this process."""


@pytest.fixture
def replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    def instead(program: str, command: list[str], environment: dict[str, str]) -> None:
        raise Replaced(program, command, environment)

    monkeypatch.setattr(os, "execve", instead)


def test_without_a_name_the_lessons_are_listed_in_their_order() -> None:
    said = say("lesson")
    assert (said.status, said.err) == (0, "")
    rows = [line.split(maxsplit=1) for line in said.out.splitlines()]
    assert [row[0] for row in rows] == list(lesson_module.lessons())
    numbered = [title for _, title in rows if title.startswith("Lesson ")]
    assert numbered[0] == "Lesson 1: Learning modes one after another"
    assert numbered == sorted(numbered)


@pytest.mark.usefixtures("replaced")
def test_a_lesson_is_served_to_this_machine_alone() -> None:
    with pytest.raises(Replaced) as became:
        say("lesson", "modes", "--port", 4321, "--no-browser")
    program, command, environment = became.value.args
    assert program == sys.executable
    assert command[1:4] == ["-m", "marimo", "run"]
    assert Path(command[4]).name == "modes.py"
    assert " ".join(command[5:]) == "--host 127.0.0.1 --port 4321 --headless"
    assert environment["MARIMO_SKIP_UPDATE_CHECK"] == "1"


@pytest.mark.usefixtures("replaced")
def test_a_browser_is_opened_unless_told_otherwise() -> None:
    with pytest.raises(Replaced) as became:
        say("lesson", "modes")
    assert "--headless" not in became.value.args[1]


REFUSED = {
    ("nonsense",): "NAME nonsense: must be one of ",
    ("--port", "4321"): "NAME (missing): must be one of ",
    ("modes", "--port", "0"): "--port 0: must be a whole number >= 1 and <= 65535",
    ("modes", "--notebook", "a.txt"): "--notebook a.txt: must be a file ending in .ipynb",
}


@pytest.mark.parametrize("arguments", REFUSED)
def test_bad_input_is_refused_in_one_line(arguments: tuple[str, ...]) -> None:
    assert refusal(say("lesson", *arguments)).startswith(REFUSED[arguments])


def test_a_notebook_replaces_an_older_one_and_names_its_cells_in_order(tmp_path: Path) -> None:
    target = tmp_path / "new" / "modes.ipynb"
    target.parent.mkdir()
    target.write_text("older")
    assert say("lesson", "modes", "--notebook", target) == Said(0, f"{target}\n", "")
    cells = json.loads(target.read_text())["cells"]
    assert cells[0]["cell_type"] == "code"
    assert "".join(cells[1]["source"]).startswith("# Learning modes one after another")
    assert list(target.parent.iterdir()) == [target]


def test_a_missing_nbformat_is_said_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = lesson_module.find_spec
    monkeypatch.setattr(lesson_module, "find_spec", lambda name: None if name == "nbformat" else found(name))
    line = refusal(say("lesson", "modes", "--notebook", tmp_path / "a.ipynb"))
    assert line.endswith("must be used where the package nbformat is installed")
    assert list(tmp_path.iterdir()) == []


def test_listing_the_lessons_loads_neither_marimo_nor_numpy() -> None:
    code = (
        "import sys; from teacherstudent.cli.command import main; main(['lesson']); "
        "sys.exit(any(name in sys.modules for name in ('marimo', 'numpy', 'teacherstudent.lessons')))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
