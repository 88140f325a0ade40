"""Marking answers to the exercises in code of lessons: a function, a file, or a folder of files.

A file is run by `answering` in a separate process, which only sends what its `answer` gives; here that is
compared with the solution. So nothing that a file does to its process makes it right: only right numbers do.
"""

from __future__ import annotations

import json
import math
import os
import signal
import stat
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from teacherstudent.api import answering
from teacherstudent.api.lesson import lessons
from teacherstudent.api.teaching import DIGITS, Answer, Exercise, agree, function, teaching
from teacherstudent.house.control_characters import in_one_line
from teacherstudent.house.errors import InputError
from teacherstudent.house.files import path_of
from teacherstudent.house.parameters import pick

SECONDS = 20.0
"""Time that a file has for all questions, its imports included."""

LIMITS = {"RLIMIT_AS": 4 * 2**30, "RLIMIT_FSIZE": 2**24, "RLIMIT_CPU": 60, "RLIMIT_CORE": 0}
"""What the process of a file may take, where the system can say so: bytes, and seconds of the processor."""

LARGEST = 2**20
"""Bytes of a file, and of all that its process may send."""

SUFFIX = ".py"
DEFINES = "a Python file that defines a function `answer`"
COMMAND = (sys.executable, "-P", answering.__file__)
"""`-P`: a file `math.py` in the folder where somebody marks is not imported in place of Python's own."""


class NoFunctionError(Exception):
    """A file defines no function `answer`; the text gives the reason if it is known."""


@dataclass(frozen=True)
class Mark:
    """Whether an answer in code is right, with a remark of one line.

    asked: the question that the remark is about. n_right, n_wrong, n_missing: the numbers of right, wrong and
    missing answers. mistake: the remark about a typical mistake that was recognised, else empty.
    relative_error: the largest of all answers; None if one is missing.
    """

    right: bool
    says: str
    asked: Mapping[str, float] = field(default_factory=dict)
    n_right: int = 0
    n_wrong: int = 0
    n_missing: int = 0
    mistake: str = ""
    relative_error: float | None = None


def mark(name: str, answer: Answer) -> Mark:
    """Mark an answer to the exercise in code of a lesson; typical mistakes are recognised.

    Args:
        name: Name of the lesson.
        answer: Your function, called in this process with the arguments that the exercise names. To
            mark what others wrote, `teacherstudent lesson NAME --answer FILE` runs their file in a separate
            process.

    Returns:
        The mark: whether the answer is `right`, and a line `says` about it.

    Raises:
        InputError: For a lesson without such an exercise, and for an answer that is not callable.

    Examples:
        >>> import teacherstudent as ts
        >>> ts.mark("modes", lambda s1, s2, u0: 0.5).right
        False
    """
    exercise = _exercise(name)
    if not callable(answer):
        raise InputError("answer", answer, "a function")
    return _judged(exercise, [_value(*answering.given(answer, asked)) for asked in exercise.questions()])


def mark_file(name: str, path: str | Path) -> Mark:
    """The mark of the function `answer` in a Python file, which runs in a separate process.

    The process has this user's rights, and ends after `SECONDS`. Raises `InputError` if the file defines no
    such function.
    """
    exercise, file = _exercise(name), path_of(path, "answer")
    try:
        return _marked(exercise, file.name, _source(file))
    except NoFunctionError as error:
        raise InputError("answer", str(path), DEFINES, str(error)) from None


def mark_folder(
    name: str, path: str | Path, announce: Callable[[str], None] = lambda file: None
) -> list[tuple[str, Mark]]:
    """The name and the mark of each Python file in a folder; marks as `mark_file` returns them.

    All files are read before the first file is run. A file without a function `answer` gets a mark with no
    answers. announce: called with the name of the next file. Raises `InputError` for a folder without Python
    files.
    """
    exercise, folder = _exercise(name), path_of(path, "answer")
    files = sorted(each for each in folder.glob(f"*{SUFFIX}") if not each.name.startswith("."))
    if not files:
        raise InputError("answer", str(path), f"a folder with Python files, *{SUFFIX}")
    sources = [(_shown(file.name), _source(file)) for file in files]
    marks = []
    for shown, source in sources:
        announce(shown)
        try:
            marks.append((shown, _marked(exercise, shown, source)))
        except NoFunctionError as error:
            said = str(error) or "it defines no function `answer`"
            marks.append((shown, Mark(False, said, n_missing=len(exercise.questions()))))
    return marks


def _shown(file: str) -> str:
    """The name of a file for a terminal and a table: spreadsheets take `=1+1.py` for a formula."""
    return f"./{in_one_line(file)}" if file[0] in "=+-@" else in_one_line(file)


def _exercise(name: str) -> Exercise:
    exercise = teaching(pick("name", name, lessons()).id).exercise
    if exercise is None:
        known = [each for each in lessons() if teaching(each).exercise]
        raise InputError("name", name, f"a lesson with an exercise in code: {', '.join(known)}")
    return exercise


def _source(file: Path) -> bytes | NoFunctionError:
    """The bytes of a file, or why they are not read: it is none, a device or a pipe, or too large."""
    try:
        about = file.stat()
        if not stat.S_ISREG(about.st_mode) or about.st_size > LARGEST:
            return NoFunctionError(f"it is no regular file of at most {LARGEST // 2**20} MB")
        return file.read_bytes()
    except OSError as error:
        return NoFunctionError(f"it cannot be read: {error.strerror}")


def _marked(exercise: Exercise, name: str, source: bytes | NoFunctionError) -> Mark:
    """The mark of a file of that content. Raises `NoFunctionError`."""
    if isinstance(source, NoFunctionError):
        raise source
    questions, answers = exercise.questions(), []
    with _sent({"name": name, "limits": LIMITS, "questions": questions}, source) as lines:
        kind, value = next(lines)
        if kind != "ready":
            raise NoFunctionError(value and f"it {in_one_line(str(value))}")
        for kind, value in lines:
            answers.append(_value(kind, value))
            if len(answers) == len(questions) or kind == "ended":
                break
    return _judged(exercise, answers)


def _value(kind: str, value: object) -> float | str:
    """An answer that was given: a number, or in words why it is none."""
    if kind == "number" and isinstance(value, float):
        return value
    return in_one_line(str(value or "sends no answer"))


@contextmanager
def _sent(about: Mapping[str, object], source: bytes) -> Iterator[Iterator[tuple[str, object]]]:
    """What the process of a file says, and at last that it has `ended`; it ends with the block.

    Its group ends with it. What leaves the group lives on, for `RLIMIT_CPU` seconds of work at most.
    """
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            start_new_session=True,
        )
        assert process.stdin
        assert process.stdout
        try:
            with suppress(BrokenPipeError), process.stdin as stream:
                stream.write(json.dumps(about).encode() + b"\n" + source)
            yield _said(process.stdout)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            process.stdout.close()


def _said(stream: IO[bytes]) -> Iterator[tuple[str, object]]:
    """The lines that a process writes, for `SECONDS`, each as its kind and a value; at last why it ended."""
    from selectors import EVENT_READ, DefaultSelector

    end, held, size = time.monotonic() + SECONDS, b"", 0
    with DefaultSelector() as ready:
        ready.register(stream, EVENT_READ)
        while size < LARGEST:
            if not ready.select(end - time.monotonic()) or time.monotonic() > end:
                yield "ended", f"takes more than {SECONDS:g} s"
                return
            piece = os.read(stream.fileno(), 2**16)
            if not piece:
                yield "ended", "ends its process"
                return
            size += len(piece)
            *lines, held = (held + piece).split(b"\n")
            yield from map(_parsed, lines)
    yield "ended", "sends too much"


def _parsed(line: bytes) -> tuple[str, object]:
    """A line as its kind and value, whatever it holds."""
    with suppress(ValueError, TypeError, RecursionError):
        kind, *values = json.loads(line)
        if kind == "ready" and not values:
            return "ready", ""
        if kind == "number" and [type(each) for each in values] == [float]:
            return "number", values[0]
        if kind in ("words", "refused") and [type(each) for each in values] == [str]:
            return kind, values[0]
    return "ended", "sends what is no answer"


def _judged(exercise: Exercise, answers: Sequence[float | str]) -> Mark:
    """What answers to the exercise's questions are worth; the last one stands for those that are missing."""
    questions = exercise.questions()
    solution = function(exercise.solution)
    given = [*answers, *[answers[-1] if answers else "is not given"] * (len(questions) - len(answers))]
    wrong: list[tuple[Mapping[str, float], str]] = []
    missing, deviations, close = 0, [], True
    for asked, said in zip(questions, given, strict=True):
        right = solution(**asked)
        if isinstance(said, str):
            missing += 1
            wrong.append((asked, f"answer({_written(asked)}) {said}"))
            continue
        deviations.append(_deviation(said, right))
        close = close and agree(said, right)
        if not deviations[-1] <= exercise.accuracy:
            wrong.append((asked, f"answer({_written(asked)}) is {said:.10g}, not {right:.10g}"))
    counts = len(questions) - len(wrong), len(wrong) - missing, missing
    largest = None if missing else max(deviations, key=lambda each: (math.isnan(each), each))
    if not wrong:
        says = f"right at all {len(questions)} questions, to {exercise.accuracy:g}"
        return Mark(True, says, {}, *counts, relative_error=largest)
    first, says = wrong[0]
    if missing:
        return Mark(False, says, first, *counts)
    if close:
        says = (
            f"right to {DIGITS} digits at all {len(questions)} questions, but the largest relative error is "
            f"{largest:.1e}, and the exercise allows {exercise.accuracy:g}"
        )
        return Mark(False, says, first, *counts, relative_error=largest)
    made = (each.says for each in exercise.mistake if _made(function(each.code), questions, given))
    mistake = next(made, "")
    return Mark(False, "; ".join(filter(None, [says, mistake])), first, *counts, mistake, largest)


def _made(mistake: Answer, questions: Sequence[Mapping[str, float]], given: Sequence[float | str]) -> bool:
    """Whether all given numbers are those of a mistake."""
    return all(
        isinstance(said, float) and agree(said, mistake(**asked))
        for asked, said in zip(questions, given, strict=True)
    )


def _deviation(one: float, other: float) -> float:
    """The relative deviation; infinite for a number that should be 0."""
    if one == other:
        return 0.0
    return abs(one - other) / abs(other) if other else math.inf


def _written(asked: Mapping[str, float]) -> str:
    return ", ".join(f"{name}={value:g}" for name, value in asked.items())
