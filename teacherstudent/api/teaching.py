"""What a lesson is taught with: goals, what to think of first, and an exercise in code that marks itself.

Each lesson's is a file `teaching/<name>.toml` beside the lessons. Pages, slides, sheets and notebooks take it
from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from teacherstudent.api.lesson import lessons
from teacherstudent.house.parameters import pick

QUESTIONS = 12
"""Questions that are put to an answer in code."""

Answer = Callable[..., float]


@dataclass(frozen=True)
class ThinkFirst:
    """A question before the picture; `right` is the number of the right answer, counted from 1."""

    question: str
    answers: Sequence[str]
    right: int
    because: str


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
    """The first screen of a page: a sentence, a picture by its number, and one control.

    at: the settings at which the page opens, if they are not those of the notebook.
    """

    sentence: str
    picture: int
    control: str
    at: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Story:
    """A slide that shows a setting: one or two pictures by their numbers, a title, and speaker's notes.

    moves: the values that one control takes one after another.
    """

    title: str
    at: Mapping[str, Any]
    pictures: Sequence[int]
    says: str
    notes: str
    minutes: float
    moves: Mapping[str, Sequence[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Teaching:
    """The teaching material of one lesson; the explorer has only settings.

    minutes: the length of a class, without the exercises. read_next: lines of markdown. drawn: settings of
    the page's controls for which the results of simulations are stored; free: controls on which no simulation
    depends; simulation_only: controls that a page without simulations lacks; simulated_values: controls on
    which no theory depends, so that a page offers only their values in `drawn`.
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
    first: First | None = None
    story: Sequence[Story] = ()


@cache
def teaching(name: str) -> Teaching:
    """The teaching material of a lesson. Raises `InputError`."""
    import tomllib

    path = pick("name", name, lessons()).path
    file = path.parent / "teaching" / f"{path.stem}.toml"
    if not file.exists():
        return Teaching()
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    if "think_first" in said:
        said["think_first"] = ThinkFirst(**said["think_first"])
    if "first" in said:
        said["first"] = First(**said["first"])
    said["story"] = [Story(**each) for each in said.get("story", ())]
    said["by_hand"] = [ByHand(**each) for each in said.get("by_hand", ())]
    if "exercise" in said:
        of = said["exercise"]
        said["exercise"] = Exercise(**of | {"mistake": [Mistake(**each) for each in of.get("mistake", ())]})
    return Teaching(**said)


def function(code: str) -> Answer:
    """The function `answer` in a piece of code from a teaching file."""
    names: dict[str, Any] = {"__name__": "answer"}
    exec(compile(code, "answer", "exec"), names)
    return names["answer"]
