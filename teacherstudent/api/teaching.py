"""What a lesson is taught with: goals, what to think of first, and an exercise in code that marks itself.

Each lesson's is a file `teaching/<name>.toml` beside the lessons. Pages, slides, sheets and notebooks take it
from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from teacherstudent.api.lesson import lessons
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
        """The same questions each time, and all different as long as there are enough."""
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
    """An exercise to be done by hand, and its solution: the notebook computes what that names.

    Markdown; `{{value:.3f}}` is a computed number by its name, in a format.
    """

    question: str
    solution: str


@dataclass(frozen=True)
class Teaching:
    """What one lesson is taught with; the explorer has settings alone.

    minutes: of a class, the exercises not counted. read_next: lines of markdown. drawn: settings of the
    page's controls at which simulations are drawn beforehand; free: controls on which no simulation depends;
    simulation_only: those that a page without simulations lacks.
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
    said["by_hand"] = [ByHand(**each) for each in said.get("by_hand", ())]
    if "exercise" in said:
        of = said["exercise"]
        said["exercise"] = Exercise(**of | {"mistake": [Mistake(**each) for each in of.get("mistake", ())]})
    return Teaching(**said)


def function(code: str) -> Answer:
    """The function `answer` that a piece of code of a teaching file defines."""
    names: dict[str, Any] = {"__name__": "answer"}
    exec(compile(code, "answer", "exec"), names)
    return names["answer"]
