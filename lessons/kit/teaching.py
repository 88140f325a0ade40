"""Teaching material of a lesson, from `teaching/<name>.toml`: goals, first question, exercises, reading."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any

import marimo as mo

from teacherstudent.api.lesson import lessons
from teacherstudent.api.teaching import task, teaching

VALUE = re.compile(r"\{\{(\w+)(?::([^{}]*))?\}\}")
"""A computed number in a solution: its name and its format."""


@dataclass(frozen=True)
class Taught:
    """One `part` of the teaching material for Jupyter; `hidden` is an answer, folded under its `label`."""

    part: str
    name: str
    text: str
    label: str = ""
    hidden: str = ""

    def _repr_markdown_(self) -> str:
        if not self.hidden:
            return self.text
        hidden = f"<details><summary>{self.label}</summary>\n\n{self.hidden}\n\n</details>"
        return f"{self.text}\n\n{hidden}"

    def shown(self) -> Any:
        """The part as a marimo element, or unchanged if marimo does not run."""
        if not mo.running_in_notebook():
            return self
        if not self.hidden:
            return mo.md(self.text)
        return mo.vstack([mo.md(self.text), mo.accordion({self.label: mo.md(self.hidden)})])


@dataclass(frozen=True)
class Exercises:
    """The exercises by hand and the one in code, outside marimo."""

    by_hand: tuple[Taught, ...]
    code: Taught

    def _repr_markdown_(self) -> str:
        return "\n\n".join(each._repr_markdown_() for each in (*self.by_hand, self.code))


def opening(name: str) -> Any:
    """Goals, prerequisites, and the minutes that a class takes."""
    of = teaching(name)
    goals = "\n".join(f"- {each}" for each in of.goals)
    before = "; ".join(of.prerequisites)
    needed = f"**You need:** {before}. **In class:** {of.minutes} minutes."
    return Taught("opening", name, f"**After this lesson you can**\n\n{goals}\n\n{needed}").shown()


def think_first(name: str) -> Any:
    """The question to answer before the first picture; its answer is folded."""
    asked = teaching(name).think_first
    assert asked, f"teaching/{name}.toml has no [think_first]"
    answer = f"Answer {asked.right}. {cleandoc(asked.because)}"
    return Taught("think_first", name, asked.asked(), "Answer", answer).shown()


def exercises(name: str, *values: Mapping[str, Any]) -> Any:
    """The exercises by hand and the exercise in code; each solution is folded.

    values: for each exercise by hand, the numbers that its solution names. Raises `ValueError` if the names
    differ.
    """
    made = [
        Taught("exercise", name, cleandoc(of.question), "Solution", cleandoc(_filled(of.solution, given)))
        for of, given in zip(teaching(name).by_hand, values, strict=True)
    ]
    code = Taught("code_exercise", name, task(name), "Solution", solution(name))
    if mo.running_in_notebook():
        return mo.vstack([each.shown() for each in (*made, code)])
    return Exercises(tuple(made), code)


def _filled(text: str, values: Mapping[str, Any]) -> str:
    """The text with its values filled in, each in its format."""
    named = {found[1] for found in VALUE.finditer(text)}
    if named != set(values):
        raise ValueError(f"a solution names {sorted(named)}, but the given values are {sorted(values)}")
    return VALUE.sub(lambda found: format(values[found[1]], found[2] or ""), text)


def solution(name: str) -> str:
    """The solution of the exercise in code, in markdown."""
    exercise = teaching(name).exercise
    assert exercise, f"teaching/{name}.toml has no exercise"
    return f"{cleandoc(exercise.explanation)}\n\n```python\n{exercise.solution.strip()}\n```"


def reading(name: str) -> str:
    """Further reading, in markdown."""
    return "\n".join(["## What to read next", *(f"- {each}" for each in teaching(name).read_next)])


def onwards(name: str) -> Any:
    """Further reading, the number of this lesson, and the next lesson."""
    titles = [each for each in lessons().values() if each.title.startswith("Lesson ")]
    place = [each.id for each in titles].index(name)
    said = f"{titles[place].title.partition(':')[0]} of {len(titles)}."
    if place + 1 < len(titles):
        following = titles[place + 1]
        said += f" Next: {following.title}, `teacherstudent lesson {following.id}`."
    return Taught("onwards", name, f"{reading(name)}\n\n{said}").shown()
