"""The table of lessons, from the texts of their notebooks."""

from __future__ import annotations

from html import escape

from teacherstudent.api.lesson import lessons
from teacherstudent.lessons.pages.course import question
from tools.site.markdown import code, plain, table


def lesson_table() -> str:
    """Every lesson with its title, a link to its page, its question, and the command that opens it."""
    rows = [
        (
            f'<a href="lessons/{name}.html">{escape(plain(each.title))}</a>',
            question(each.path).replace("|", "&#124;"),
            code(f"teacherstudent lesson {name}"),
        )
        for name, each in lessons().items()
    ]
    return table(("lesson", "question", "with simulations of your own"), rows)
