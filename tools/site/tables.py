"""Tables of the site from what is declared: lessons, and how far formulas for measured rows are off."""

from __future__ import annotations

import math
from html import escape
from itertools import pairwise

from teacherstudent.api.lesson import lessons
from teacherstudent.lessons.pages.course import question
from teacherstudent.theory.measured_spectrum.evidence import FEW, FEW_ROWS, TEST, Errors, Measured
from tools.site.markdown import code, plain, table

COLUMNS = ("spread", "`asymptotic`", "`leverage`", "`per-row`", "compared")


def errors_table() -> str:
    """Errors of the test error by spread: of half of what was compared, of nine in ten, and the largest."""
    return table(COLUMNS, [*_rows(TEST), *_rows(FEW_ROWS, f"fewer than {FEW} rows: ")])


def _rows(declared: tuple[Measured, ...], before: str = "") -> list[tuple[str, ...]]:
    edges = (0.0, *(each.below for each in declared))
    return [
        (
            before + _between(low, high),
            *(_percent(errors) for errors in (each.asymptotic, each.leverage, each.per_row)),
            f"{each.comparisons}",
        )
        for (low, high), each in zip(pairwise(edges), declared, strict=True)
    ]


def _between(low: float, high: float) -> str:
    if math.isinf(high):
        return f"above {low:g}"
    return f"{low:g} to {high:g}" if low else f"below {high:g}"


def _percent(errors: Errors) -> str:
    return " / ".join(f"{100 * each:.2g}" for each in errors) + " %"


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
