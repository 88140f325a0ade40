"""The course page: all lessons, and courses that take them in a certain order."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teacherstudent.api.lesson import Lesson, lessons
from teacherstudent.api.teaching import Teaching, teaching
from teacherstudent.lessons.pages import words

YOURS = "your own question: all parameters have sliders"
QUESTION = re.compile(r"\*\*The question\.\*\*(.*?)(?:\n\s*\n|\n\s*\"\"\")", re.DOTALL)


@dataclass(frozen=True)
class Entry:
    """A lesson, its question as HTML, and what it is taught with."""

    lesson: Lesson
    question: str
    of: Teaching


@dataclass(frozen=True)
class Order:
    """An order of lessons: sessions of lessons, and how many minutes each takes."""

    title: str
    why: str
    sessions: list[list[Entry]]

    def minutes(self, session: list[Entry]) -> int:
        """Of one session."""
        return sum(each.of.minutes for each in session)


def told() -> dict[str, Any]:
    """What the page shows."""
    entries = {name: _entry(each) for name, each in lessons().items()}
    numbered = [each for each in entries.values() if each.of.goals]
    return {"entries": numbered, "orders": orders(entries)}


def orders(entries: dict[str, Entry]) -> list[Order]:
    """The orders that `teaching/course.toml` gives. Raises `KeyError` for a lesson that is none."""
    file = next(iter(lessons().values())).path.parent / "teaching" / "course.toml"
    said = tomllib.loads(file.read_text(encoding="utf-8"))["order"]
    return [
        Order(each["title"], each["why"], [[entries[name] for name in one] for one in each["sessions"]])
        for each in said
    ]


def question(notebook: Path) -> str:
    """The question of a notebook, after its words `The question.`; for a page without one, a fixed phrase."""
    found = QUESTION.search(notebook.read_text(encoding="utf-8"))
    return " ".join(found[1].split()) if found else YOURS


def _entry(lesson: Lesson) -> Entry:
    return Entry(lesson, words.inline(question(lesson.path)), teaching(lesson.id))
