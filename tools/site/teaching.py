"""The table of lessons, from the texts of their notebooks."""

from __future__ import annotations

import re
from pathlib import Path

from teacherstudent.api.lesson import lessons
from tools.site.markdown import code, plain, table

YOURS = "your own: everything under sliders"
QUESTION = re.compile(r"\*\*The question\.\*\*(.*?)\n\s*\n", re.DOTALL)


def lesson_table() -> str:
    """Every lesson with its title and its question, and the command that opens it."""
    rows = [
        (plain(each.title), question(each.path), code(f"teacherstudent lesson {name}"))
        for name, each in lessons().items()
    ]
    return table(("lesson", "question", "open it"), rows)


def question(notebook: Path) -> str:
    """The question of a notebook, after its words `The question.`; for a page without one, a fixed phrase."""
    found = QUESTION.search(notebook.read_text(encoding="utf-8"))
    return " ".join(found[1].split()).replace("|", "&#124;") if found else YOURS
