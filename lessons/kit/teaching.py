"""What a lesson is taught with: goals, a question to think of first, an exercise in code, what follows.

All of it stands in `teaching/<name>.toml`; a page written by `lessons.pages` lays out the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from inspect import cleandoc
from typing import Any

import marimo as mo

from teacherstudent.api.lesson import lessons
from teacherstudent.api.teaching import Teaching, teaching


@dataclass(frozen=True)
class Taught:
    """A part of a lesson's teaching, named by `part`, outside marimo: Jupyter renders its `text`."""

    part: str
    name: str
    text: str

    def _repr_markdown_(self) -> str:
        return self.text


def opening(name: str) -> Any:
    """Goals, what should be known before, and how many minutes a class takes."""
    of = teaching(name)
    goals = "\n".join(f"- {each}" for each in of.goals)
    before = "; ".join(of.prerequisites)
    needed = f"**You need:** {before}. **In class:** {of.minutes} minutes."
    return _shown("opening", name, f"**After this lesson you can**\n\n{goals}\n\n{needed}")


def think_first(name: str) -> Any:
    """A question to answer before the picture; its answer is hidden until asked for."""
    asked = teaching(name).think_first
    assert asked, f"teaching/{name}.toml asks nothing"
    offered = "\n".join(f"{i}. {each}" for i, each in enumerate(asked.answers, 1))
    question = f"## Think first\n\n{cleandoc(asked.question)}\n\n{offered}"
    answer = f"Answer {asked.right}. {cleandoc(asked.because)}"
    return _with_hidden("think_first", name, question, "Answer", answer)


def code_exercise(name: str) -> Any:
    """The exercise in code, how to have an answer marked, and its solution, hidden until asked for."""
    return _with_hidden("code_exercise", name, task(name), "Solution", solution(name))


def task(name: str) -> str:
    """The exercise in code, in markdown."""
    exercise = teaching(name).exercise
    assert exercise, f"teaching/{name}.toml has no exercise"
    return "\n\n".join(
        [
            f"**In code.** {cleandoc(exercise.task)}",
            f"```python\n{exercise.starter.strip()}\n```",
            f"Keep it in a file and have it marked, `teacherstudent lesson {name} --answer FILE.py`, or in "
            f'Python: `ts.mark("{name}", answer)`.',
        ]
    )


def solution(name: str) -> str:
    """The solution of the exercise in code, in markdown."""
    exercise = teaching(name).exercise
    assert exercise, f"teaching/{name}.toml has no exercise"
    return f"{cleandoc(exercise.explanation)}\n\n```python\n{exercise.solution.strip()}\n```"


def onwards(name: str) -> Any:
    """Which lesson this is of how many, and which comes next."""
    titles = [each for each in lessons().values() if each.title.startswith("Lesson ")]
    place = [each.id for each in titles].index(name)
    said = f"{titles[place].title.partition(':')[0]} of {len(titles)}."
    if place + 1 < len(titles):
        following = titles[place + 1]
        said += f" Next: {following.title}, `teacherstudent lesson {following.id}`."
    return _shown("onwards", name, said)


def _shown(part: str, name: str, text: str) -> Any:
    return mo.md(text) if mo.running_in_notebook() else Taught(part, name, text)


def _with_hidden(part: str, name: str, shown: str, label: str, hidden: str) -> Any:
    if mo.running_in_notebook():
        return mo.vstack([mo.md(shown), mo.accordion({label: mo.md(hidden)})])
    return Taught(part, name, f"{shown}\n\n<details><summary>{label}</summary>\n\n{hidden}\n\n</details>")


__all__ = ["Taught", "Teaching", "code_exercise", "onwards", "opening", "solution", "task", "think_first"]
