"""What a lesson is taught with: goals, what to think of first, and an exercise in code that marks itself.

Each lesson's is a file `teaching/<name>.toml` beside the lessons. Pages, slides, sheets and notebooks take it
from there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from inspect import cleandoc
from typing import Any, TypeVar

from teacherstudent.api.lesson import lessons
from teacherstudent.house.parameters import pick

QUESTIONS = 12
"""Questions that are put to an answer in code."""

DIGITS = 3
"""Digits to which a typed value must be right, and to which typical mistakes are recognised."""

DISCUSSED = "*The class discusses the answers.*"

Answer = Callable[..., float]
Made = TypeVar("Made")


@dataclass(frozen=True)
class ThinkFirst:
    """A question before the picture; `right` is the number of the right answer, counted from 1."""

    question: str
    answers: Sequence[str]
    right: int
    because: str

    def asked(self) -> str:
        """The question and its numbered answers, in Markdown."""
        offered = "\n".join(f"{i}. {each}" for i, each in enumerate(self.answers, 1))
        return f"## Think first\n\n{cleandoc(self.question)}\n\n{offered}"


@dataclass(frozen=True)
class Mistake:
    """A typical wrong answer: code that computes it, and a remark for students who gave it."""

    code: str
    says: str


@dataclass(frozen=True)
class Exercise:
    """An exercise: write a function `answer(...)` that returns one number.

    task, explanation: markdown; starter, solution: code. accuracy: the relative accuracy to which a right
    answer must agree with the solution. arguments: for each argument, the values from which questions are
    drawn.
    """

    task: str
    starter: str
    solution: str
    explanation: str
    accuracy: float
    arguments: Mapping[str, Sequence[float]]
    mistake: Sequence[Mistake] = ()

    def questions(self, count: int = QUESTIONS) -> list[dict[str, float]]:
        """The questions; they are the same each time, and all different if there are enough values."""
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
class ByHand:
    """An exercise to be done by hand, and its solution; the notebook computes the numbers in the solution.

    The texts are Markdown; `{{value:.3f}}` inserts a computed number by its name, in this format.
    """

    question: str
    solution: str


@dataclass(frozen=True)
class First:
    """The first screen of a page: one sentence, a picture by its number and one control.

    at: where the page opens, if not at the values of the notebook; one of the settings in `drawn`.
    """

    sentence: str
    picture: int
    control: str
    at: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Story:
    """A slide with one or two pictures of the page, at settings whose simulation is stored.

    at: settings of controls; all others are as the page opens. pictures: by their numbers. says: a text for
    the slide; notes: for the speaker. moves: the values of one control through which the pictures are moved.
    """

    title: str
    at: Mapping[str, Any]
    pictures: Sequence[int]
    says: str
    notes: str
    minutes: float
    moves: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not 1 <= len(self.pictures) <= 2:
            raise ValueError(f"pictures = {list(self.pictures)}; name one or two pictures of the page")
        if len(self.moves) > 1:
            raise ValueError(f"moves has the controls {', '.join(self.moves)}; move one control only")
        if not self.minutes > 0:
            raise ValueError(f"minutes = {self.minutes}; give a positive number")


@dataclass(frozen=True)
class Teaching:
    """The teaching material of one lesson; the explorer has only settings.

    minutes: the length of a class, without the exercises. read_next: lines of markdown. drawn: settings of
    the page's controls for which the results of simulations are stored; free: controls on which no simulation
    depends; simulation_only: controls that a page without simulations lacks; simulated_values: controls on
    which no theory depends, so that a page offers only their values in `drawn`; shown_if: for a control that
    matters only at some settings of others, these settings. story: slides, in their order.
    """

    minutes: int = 0
    goals: Sequence[str] = ()
    prerequisites: Sequence[str] = ()
    read_next: Sequence[str] = ()
    think_first: ThinkFirst | None = None
    by_hand: Sequence[ByHand] = ()
    exercise: Exercise | None = None
    drawn: Sequence[Mapping[str, Any]] = ({},)
    free: Sequence[str] = ()
    simulation_only: Sequence[str] = ()
    simulated_values: Sequence[str] = ()
    shown_if: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    first: First | None = None
    story: Sequence[Story] = ()

    @property
    def solved(self) -> bool:
        """Whether the solutions are here; `unsolved` leaves them out."""
        return bool(self.exercise and self.exercise.solution)


@cache
def teaching(name: str) -> Teaching:
    """The teaching material of a lesson. Raises `InputError`, and `ValueError` for a wrong teaching file."""
    import tomllib

    path = pick("name", name, lessons()).path
    file = path.parent / "teaching" / f"{path.stem}.toml"
    if not file.exists():
        return Teaching()
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    if "think_first" in said:
        said["think_first"] = ThinkFirst(**said["think_first"])
    said["by_hand"] = [ByHand(**each) for each in said.get("by_hand", ())]
    if "exercise" in said:
        of = said["exercise"]
        said["exercise"] = Exercise(**of | {"mistake": [Mistake(**each) for each in of.get("mistake", ())]})
    where = f"teaching/{path.stem}.toml"
    if "first" in said:
        said["first"] = table(First, said["first"], f"{where}, [first]")
    stories = enumerate(said.get("story", ()), 1)
    said["story"] = [table(Story, each, f"{where}, [[story]] number {i}") for i, each in stories]
    return Teaching(**said)


def unsolved(of: Teaching) -> Teaching:
    """The same material without solutions: no right answer, no reason, no solution and no mistakes."""
    asked, exercise = of.think_first, of.exercise
    return replace(
        of,
        think_first=asked and replace(asked, right=0, because=""),
        by_hand=[replace(each, solution="") for each in of.by_hand],
        exercise=exercise and replace(exercise, solution="", explanation="", mistake=()),
    )


def task(name: str, solved: bool = True) -> str:
    """The exercise in code, in Markdown; where no solutions are, the file is handed in and not marked."""
    exercise = teaching(name).exercise
    assert exercise, f"teaching/{name}.toml has no exercise"
    marked = (
        f"Save your function in a file and mark it with `teacherstudent lesson {name} --answer FILE.py`, "
        f'or in Python with `ts.mark("{name}", answer)`.'
    )
    handed_in = (
        "Save your function in a Python file with your name, for example `ada.py`, and hand it in. Your "
        f"lecturer marks the folder of all files with `teacherstudent lesson {name} --answer FOLDER`."
    )
    return "\n\n".join(
        [
            f"**In code.** {cleandoc(exercise.task)}",
            f"```python\n{exercise.starter.strip()}\n```",
            marked if solved else handed_in,
        ]
    )


def agree(value: float, exact: float, digits: int = DIGITS) -> bool:
    """Whether a value is right to this number of significant digits; the last may differ by one."""
    unit = 10.0 ** (math.floor(math.log10(abs(exact))) - digits + 1) if exact else 0.0
    return abs(value - exact) <= unit


def table(kind: type[Made], said: Mapping[str, Any], where: str) -> Made:
    """A dataclass from a table of a teaching file. Raises `ValueError` for wrong keys and values."""
    known = {each.name: each for each in fields(kind)}  # type: ignore[arg-type]
    if unknown := sorted(set(said) - set(known)):
        raise ValueError(f"{where}: unknown key {unknown[0]!r}; the keys are {', '.join(known)}")
    for name, each in known.items():
        if name not in said and each.default is MISSING and each.default_factory is MISSING:
            raise ValueError(f"{where}: the key {name!r} is missing; add it")
    try:
        return kind(**said)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def function(code: str) -> Answer:
    """The function `answer` in a piece of code from a teaching file."""
    names: dict[str, Any] = {"__name__": "answer"}
    exec(compile(code, "answer", "exec"), names)
    return names["answer"]
