"""Plans for one class of 45 minutes: steps with a clock, a page to print, and slides of their pictures."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from teacherstudent.api.lesson import lessons
from teacherstudent.api.teaching import Story, table
from teacherstudent.lessons.kit.address import written
from teacherstudent.lessons.pages import words
from teacherstudent.lessons.pages.cells import Notebook
from teacherstudent.lessons.pages.story import Slide, pictured, settled, timed


@dataclass(frozen=True)
class Step:
    """A step of a plan: what to show, to ask and to say, and where the class answers.

    lesson, at, pictures and moves: the slide, as in the story of this lesson; without pictures it has only
    `says`, its text.
    """

    title: str
    minutes: float
    says: str
    show: str
    ask: str
    say: str
    answers: str
    lesson: str
    at: Mapping[str, Any] = field(default_factory=dict)
    pictures: Sequence[int] = ()
    moves: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def notes(self) -> str:
        """What the lecturer does, as markdown."""
        done = {"Show": self.show, "Ask": self.ask, "The class answers": self.answers, "Say": self.say}
        return "\n\n".join(f"**{word}.** {text}" for word, text in done.items())


@dataclass(frozen=True)
class Plan:
    """A class: its steps in their order."""

    name: str
    title: str
    why: str
    steps: Sequence[Step]


def plans() -> list[Plan]:
    """The plans in `teaching/plans.toml`. Raises `ValueError` for a wrong table."""
    file = next(iter(lessons().values())).path.parent / "teaching" / "plans.toml"
    said = tomllib.loads(file.read_text(encoding="utf-8"))["plan"]
    found = []
    for each in said:
        where = f"teaching/plans.toml, plan {each.get('name')}"
        steps = [table(Step, one, f"{where}, step {i}") for i, one in enumerate(each.pop("step"), 1)]
        found.append(table(Plan, each | {"steps": steps}, where))
    return found


def slides(plan: Plan, notebooks: Mapping[str, Notebook]) -> list[Slide]:
    """One slide for each step."""
    made = []
    for i, step in enumerate(plan.steps, 1):
        if step.pictures:
            shown = (step.title, step.at, step.pictures, step.says, step.notes(), step.minutes, step.moves)
            where = f"teaching/plans.toml, plan {plan.name}, step {i}"
            made.append(pictured(notebooks[step.lesson], Story(*shown), where))
        else:
            head = "h1" if i == 1 else "h2"
            html = f"<{head}>{words.inline(step.title)}</{head}>{words.html(step.says)}"
            made.append(Slide(step.title, html, step.notes(), step.minutes))
    return timed(made)


def address(step: Step, notebook: Notebook) -> str:
    """The lesson's page at the settings of a step."""
    at = settled(notebook, step.at, f"teaching/plans.toml, step {step.title!r}")
    return f"{step.lesson}.html#{urlencode({name: written(value) for name, value in at.items()})}"
