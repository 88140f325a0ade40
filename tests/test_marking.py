"""Marking files that somebody else wrote: only right numbers are right, whatever else a file does."""

from __future__ import annotations

import csv
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from teacherstudent.api import marking
from teacherstudent.api.teaching import teaching
from tests.support import refusal, say, wrote

WRONG = "def answer(s1, s2, u0):\n    return 0.5\n"
SENT = "import os\nfor place in range(3, 20):\n  try: os.write(place, {})\n  except OSError: pass\n" + WRONG

NO_FUNCTION = {
    "exit": "import os; os._exit(0)",
    "leave": "import sys; sys.exit(0)",
    "own": "class Own(BaseException): pass\nraise Own('right')",
    "stop": "raise KeyboardInterrupt",
    "close": "import os; os.closerange(0, 99)\n" + WRONG,
    "group": "import os; os.killpg(0, 9)",
    "flood": SENT.format("b'x' * 2**16") * 20,
    "forge": SENT.format('b\'["right"]\\n{"right": true}\\n\''),
    "deep": SENT.format("b'[' * 50000 + b'\\n'"),
    "digits": SENT.format("b'[\"number\", ' + b'9' * 9999 + b']\\n'"),
    "input": "input()",
    "terminal": "open('/dev/tty', 'w')",
    "disk": "with open('x', 'wb') as file: file.write(bytes(2**25))",
    "nested": "x=" + "(" * 9999,
    "nul": "x=1\0",
    "bytes": "# coding: nonsense\n" + WRONG,
    "number": "answer = 1.0",
}
"""Files of which no function can be asked."""

ANSWERS = {
    "exit_later": ("import os\ndef answer(**_): os._exit(0)", "ends its process"),
    "leave_later": ("import sys\ndef answer(**_): sys.exit(0)", "raises SystemExit: 0"),
    "own_later": (
        "class Own(BaseException): pass\ndef answer(**_): raise Own('\x1b[2Jright\u202e')".replace(
            "\x1b", "\\x1b"
        ),
        "raises Own: \\x1b[2Jright\\u202e",
    ),
    "fork": ("import os\ndef answer(**_):\n  if os.fork(): os._exit(0)\n  return 1.0", "is 1, not 0.035"),
    "crash": ("import ctypes\ndef answer(**_): ctypes.string_at(0)", "ends its process"),
    "memory": ("def answer(**_): return len(bytearray(5 * 2**30))", "raises MemoryError"),
    "forge_later": (SENT.format("b'[\"ready\"]\\n' + b'[\"number\", 1.0]\\n' * 12"), "is 1, not 0.035"),
    "print": ("import sys\nsys.__stdout__.write('right at all questions')\n" + WRONG, "is 0.5, not 0.035"),
    "patch": ("import json\njson.dumps = lambda *_: '[\"right\"]'\n" + WRONG, "sends what is no answer"),
    "exit_late": ("import atexit, time\natexit.register(time.sleep, 99)\n" + WRONG, "is 0.5, not 0.035"),
    "like": ("class X(float):\n  __rsub__ = lambda *_: 0.0\ndef answer(**_): return X(3)", "is 3, not 0.035"),
    "nan": ("def answer(**_): return float('nan')", "is nan, not 0.035"),
    "kind": ("X = type('\\x1b[31mX', (), {})\ndef answer(**_): return X()", "gives \\x1b[31mX, not a number"),
    "=1+1": (WRONG, "is 0.5, not 0.035"),
}
"""Files that answer, and what is said of them."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of hostile answers, with one that is right."""
    folder = tmp_path_factory.mktemp("answers")
    files = {**NO_FUNCTION, **{name: code for name, (code, _) in ANSWERS.items()}, "right": solution()}
    for name, code in files.items():
        (folder / f"{name}.py").write_text(code, encoding="utf-8")
    (folder / "random.py").write_text("import os; os._exit(0)", encoding="utf-8")
    os.mkfifo(folder / "pipe.py")
    (folder / "zero.py").symlink_to("/dev/zero")
    (folder / "large.py").write_text("#" * 2**21, encoding="utf-8")
    (folder / "\x1b[31m.py").write_text(WRONG, encoding="utf-8")
    return folder


def solution() -> str:
    """A right answer."""
    exercise = teaching("modes").exercise
    assert exercise
    return exercise.solution


@pytest.fixture(scope="module")
def table(folder: Path) -> tuple[Any, list[dict[str, str]]]:
    """What marking that folder says, and the table that it writes."""
    out = folder / "marks.csv"
    said = say("lesson", "modes", "--answer", folder, "--out", out)
    with out.open(encoding="utf-8", newline="") as file:
        return said, list(csv.DictReader(file))


def test_a_folder_of_answers_is_a_table_and_only_right_numbers_are_right(
    folder: Path, table: tuple[Any, list[dict[str, str]]]
) -> None:
    said, rows = table
    assert (said.status, said.err) == (1, wrote(folder / "marks.csv"))
    assert " ".join(rows[0]) == "lesson file right wrong not answered relative error mistake remark"
    assert len(rows) == len(list(folder.glob("*.py")))
    by_file = {row["file"]: row for row in rows}
    assert by_file["right.py"]["remark"] == "right at all 12 questions, to 1e-06"
    for name, row in by_file.items():
        counts = [int(row[each]) for each in ("right", "wrong", "not answered")]
        assert sum(counts) == 12
        assert counts[0] == (12 if name == "right.py" else 0), row
    for name in (*NO_FUNCTION, "random", "pipe", "zero", "large"):
        assert by_file[f"{name}.py"]["not answered"] == "12"
    for name, (_, told) in ANSWERS.items():
        row = by_file[f"{'./' if name[0] == '=' else ''}{name}.py"]
        assert told in row["remark"]


def test_folders_of_several_lessons_are_one_table_with_the_mistakes_counted(tmp_path: Path) -> None:
    assert "folders that have the names of lessons" in refusal(say("lesson", "--answer", tmp_path))
    for name in ("modes", "descents"):
        exercise = teaching(name).exercise
        assert exercise
        (tmp_path / name).mkdir()
        (tmp_path / name / "ada.py").write_text(exercise.solution, encoding="utf-8")
        (tmp_path / name / "bob.py").write_text(exercise.mistake[0].code, encoding="utf-8")
    exercise = teaching("modes").exercise
    assert exercise
    (tmp_path / "modes" / "eve.py").write_text(exercise.mistake[0].code, encoding="utf-8")
    out = tmp_path / "marks.csv"
    said = say("lesson", "--answer", tmp_path, "--out", out)
    assert said.status == 1
    assert "2 of 5 files are right" in said.out.splitlines()
    assert f"modes, 2 of these files: {exercise.mistake[0].says}" in said.out.splitlines()
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["lesson"], row["file"]) for row in rows][2:4] == [
        ("modes", "eve.py"),
        ("descents", "ada.py"),
    ]
    assert [row["mistake"] for row in rows][:3] == ["", *[exercise.mistake[0].says] * 2]
    assert exercise.mistake[0].says not in rows[1]["remark"]


def test_nothing_that_steers_a_terminal_is_told(
    table: tuple[Any, list[dict[str, str]]],
) -> None:
    said, rows = table
    assert all(line.isprintable() for line in said.out.splitlines())
    assert all(value.isprintable() for row in rows for value in row.values())
    assert r"\x1b[31m.py" in {row["file"] for row in rows}


NO_FILE = "it is no regular file of at most 1 MB"
WHY = {
    **{"exit": "it ends its process", "leave": "it raises SystemExit: 0", "pipe": NO_FILE, "zero": NO_FILE},
    **{"nul": "it raises SyntaxError: ", "none": "it cannot be read: No such file or directory"},
}


@pytest.mark.parametrize("name", WHY)
def test_a_file_without_a_function_is_refused(folder: Path, name: str) -> None:
    file = folder / f"{name}.py"
    said = refusal(say("lesson", "modes", "--answer", file))
    domain = "a Python file that defines a function `answer`"
    assert said.startswith(f"--answer {file}: must be {domain}; {WHY[name]}")


def test_one_answer_has_its_status(folder: Path) -> None:
    assert say("lesson", "modes", "--answer", folder / "right.py").status == 0
    for name in ("exit_later", "own_later", "forge_later"):
        said = say("lesson", "modes", "--answer", folder / f"{name}.py")
        assert said.status == 1
        assert said.out.rstrip("\n").isprintable()


@pytest.mark.parametrize(
    "code",
    [
        "while True: pass",
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ndef answer(**_):\n  while True: pass",
        "class Own(Exception):\n  def __str__(self):\n    while True: pass\ndef answer(**_): raise Own",
        "import os, time\ndef answer(**_):\n  if not os.fork(): time.sleep(99)\n  os._exit(0)",
    ],
)
def test_a_file_that_does_not_end_is_ended(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marking, "SECONDS", 1.0)
    (tmp_path / "a.py").write_text(code, encoding="utf-8")
    ((_, mark),) = marking.mark_folder("modes", tmp_path)
    assert (mark.right, mark.n_missing) == (False, 12)
    assert mark.says.endswith("takes more than 1 s")


def left(reader: int, seconds: float = 600.0) -> Iterator[bytes]:
    """What is written to a pipe, until nobody holds it; fails where somebody still does at the end."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(BlockingIOError):
            yield os.read(reader, 9)
        time.sleep(0.01)
    raise AssertionError("a process is left")


@pytest.mark.parametrize("interrupted", [False, True])
def test_no_process_of_a_file_is_left(
    interrupted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each holds a pipe, which ends when all of them have."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    code = f"import os, time\nf = open({str(pipe)!r}, 'w')\nos.fork()\nprint('x', file=f, flush=True)\n"
    code += "time.sleep(99)"
    (tmp_path / "a.py").write_text(code, encoding="utf-8")

    def held(_: object) -> Iterator[tuple[str, object]]:
        assert next(piece for piece in left(reader) if piece).startswith(b"x")
        if interrupted:
            raise KeyboardInterrupt
        yield "ended", "takes too long"

    monkeypatch.setattr(marking, "_said", held)
    said = say("lesson", "modes", "--answer", tmp_path / "a.py")
    assert said.status == (130 if interrupted else 2)
    assert any(piece == b"" for piece in left(reader))
    os.close(reader)


def test_a_folder_is_marked_or_refused(tmp_path: Path) -> None:
    assert "a folder with Python files" in refusal(say("lesson", "modes", "--answer", tmp_path))
    (tmp_path / "a.py").write_text(solution(), encoding="utf-8")
    assert say("lesson", "modes", "--answer", tmp_path).status == 0
    told = refusal(say("lesson", "modes", "--answer", tmp_path / "a.py", "--out", tmp_path / "a.csv"))
    assert told.startswith("--out ")
    assert [each.name for each in tmp_path.iterdir()] == ["a.py"]
