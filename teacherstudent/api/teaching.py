"""What a lesson is taught with: goals, what to think of first, and an exercise in code that marks itself.

Each lesson's is a file `teaching/<name>.toml` beside the lessons. Pages, slides, sheets and notebooks take it
from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from runpy import run_path
from typing import Any

from teacherstudent.api.lesson import lessons
from teacherstudent.house.errors import InputError
from teacherstudent.house.files import path_of
from teacherstudent.house.parameters import pick

QUESTIONS = 12
"""Questions that are put to an answer in code."""

Answer = Callable[..., float]


@dataclass(frozen=True)
class ThinkFirst:
    """A question before the picture; of its `answers` that numbered `right`, from 1, is right, `because`."""

    question: str
    answers: Sequence[str]
    right: int
    because: str


@dataclass(frozen=True)
class Mistake:
    """A typical wrong answer, as code that makes it, and what to tell whoever made it."""

    code: str
    says: str


@dataclass(frozen=True)
class Exercise:
    """A function `answer(...)` to write, that gives one number.

    task, explanation: markdown; starter, solution: code. accuracy: relative, to which a right answer agrees
    with the solution. arguments: values of each, from which questions are drawn.
    """

    task: str
    starter: str
    solution: str
    explanation: str
    accuracy: float
    arguments: Mapping[str, Sequence[float]]
    mistake: Sequence[Mistake] = ()

    def questions(self, count: int = QUESTIONS) -> list[dict[str, float]]:
        """The same questions each time, no two alike while there are enough."""
        every = 1
        for values in self.arguments.values():
            every *= len(values)
        from random import Random

        chosen = Random(0).sample(range(every), min(count, every))
        return [self._question(place) for place in chosen]

    def _question(self, place: int) -> dict[str, float]:
        asked = {}
        for name, values in self.arguments.items():
            place, at = divmod(place, len(values))
            asked[name] = values[at]
        return asked


@dataclass(frozen=True)
class Teaching:
    """What one lesson is taught with; the explorer has settings alone.

    minutes: of a class, the exercises not counted. drawn: settings of the page's controls at which
    simulations are drawn beforehand; free: controls on which no simulation depends; simulation_only: those
    that a page without simulations lacks.
    """

    minutes: int = 0
    goals: Sequence[str] = ()
    prerequisites: Sequence[str] = ()
    think_first: ThinkFirst | None = None
    exercise: Exercise | None = None
    drawn: Sequence[Mapping[str, Any]] = ({},)
    free: Sequence[str] = ()
    simulation_only: Sequence[str] = ()


@dataclass(frozen=True)
class Mark:
    """Whether an answer in code is right, and what is to be said of it, in one line."""

    right: bool
    says: str
    asked: Mapping[str, float] = field(default_factory=dict)


@cache
def teaching(name: str) -> Teaching:
    """What a lesson is taught with. Raises `InputError`."""
    import tomllib

    path = pick("name", name, lessons()).path
    file = path.parent / "teaching" / f"{path.stem}.toml"
    if not file.exists():
        return Teaching()
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    if "think_first" in said:
        said["think_first"] = ThinkFirst(**said["think_first"])
    if "exercise" in said:
        of = said["exercise"]
        said["exercise"] = Exercise(**of | {"mistake": [Mistake(**each) for each in of.get("mistake", ())]})
    return Teaching(**said)


def mark(name: str, answer: Answer) -> Mark:
    """Mark an answer to the exercise in code of a lesson.

    answer: the reader's function, called with the arguments that the exercise names. Whoever makes a typical
    mistake is told which. Raises `InputError` for a lesson without such an exercise, and for what cannot be
    called.

    Examples:
        >>> import teacherstudent as ts
        >>> ts.mark("modes", lambda s1, s2, u0: 0.5).right
        False
    """
    exercise = teaching(pick("name", name, lessons()).id).exercise
    if exercise is None:
        known = [each for each in lessons() if teaching(each).exercise]
        raise InputError("name", name, f"a lesson with an exercise in code: {', '.join(known)}")
    if not callable(answer):
        raise InputError("answer", answer, "a function")
    solution = function(exercise.solution)
    mistakes = [(function(each.code), each.says) for each in exercise.mistake]
    made: list[list[bool]] = []
    first: Mark | None = None
    for asked in exercise.questions():
        said = _number(answer, asked)
        if isinstance(said, str):
            return Mark(False, f"answer({_written(asked)}) {said}", asked)
        right = solution(**asked)
        made.append([_same(said, wrong(**asked), exercise.accuracy) for wrong, _ in mistakes])
        if first is None and not _same(said, right, exercise.accuracy):
            first = Mark(False, f"answer({_written(asked)}) is {said:.10g}, not {right:.10g}", asked)
    if first is None:
        return Mark(True, f"right at all {len(made)} questions, to {exercise.accuracy:g}")
    told = [says for (_, says), each in zip(mistakes, zip(*made, strict=True), strict=True) if all(each)]
    return Mark(False, "; ".join([first.says, *told[:1]]), first.asked)


def mark_file(name: str, path: str | Path) -> Mark:
    """`mark` of the function `answer` that a file of Python defines. Raises `InputError`."""
    file = path_of(path, "answer")
    try:
        found = run_path(str(file)).get("answer")
    except OSError as error:
        raise InputError("answer", str(path), "a file that can be read", str(error.strerror)) from None
    except (Exception, SystemExit) as error:  # whatever the reader's code does
        said = f"it raises {type(error).__name__}: {error}"
        raise InputError("answer", str(path), "a file of Python", said) from None
    if not callable(found):
        raise InputError("answer", str(path), "a file of Python that defines a function `answer`")
    return mark(name, found)


def function(code: str) -> Answer:
    """The function `answer` that a piece of code of a teaching file defines."""
    names: dict[str, Any] = {"__name__": "answer"}
    exec(compile(code, "answer", "exec"), names)
    return names["answer"]


def _number(answer: Answer, asked: Mapping[str, float]) -> float | str:
    """What the reader's function gives, or in words why that is no number."""
    try:
        said = answer(**asked)
    except (Exception, SystemExit) as error:  # whatever the reader's code does
        return f"raises {type(error).__name__}: {error}"
    try:
        return float(said)
    except (TypeError, ValueError, OverflowError):
        return f"gives {type(said).__name__}, not a number"


def _same(one: float, other: float, accuracy: float) -> bool:
    return abs(one - other) <= accuracy * abs(other)


def _written(asked: Mapping[str, float]) -> str:
    return ", ".join(f"{name}={value:g}" for name, value in asked.items())
