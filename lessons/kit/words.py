"""Text of a lesson, for marimo and Jupyter: prose with computed numbers, tables and verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import marimo as mo

if TYPE_CHECKING:
    from teacherstudent import Comparison


@dataclass(frozen=True)
class Markdown:
    """Markdown outside marimo: Jupyter renders it, formulas between dollars included."""

    text: str

    def _repr_markdown_(self) -> str:
        return self.text


class Verdict(Markdown):
    """The verdicts of comparisons, outside marimo."""


class Table(mo.Html):
    """Names and values."""


def text(markdown: str) -> Any:
    """Prose with computed numbers; prose without any is a cell `mo.md(...)`, markdown in Jupyter, too."""
    return mo.md(markdown) if mo.running_in_notebook() else Markdown(cleandoc(markdown))


def table(title: str, rows: Mapping[str, str], below: str = "") -> mo.Html:
    """A table of names and values, and a sentence below it (plain text)."""
    cells = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(value)}</td></tr>'
        for name, value in rows.items()
    )
    return Table(
        f'<table class="values"><caption>{escape(title)}</caption>{cells}</table><p>{escape(below)}</p>'
    )


def verdict(*comparisons: Comparison | None, names: Mapping[str, str] | None = None) -> Any:
    """The verdicts of comparisons in words; without a comparison, how to get one.

    names: names of observables in the pictures, if they differ from the `long_name`.
    """
    made = [each for each in comparisons if each is not None]
    said = "\n".join(f"- {sentence}" for each in made for sentence in _sentences(each, names or {}))
    said = said or "*Nothing has been simulated at these settings yet. Press **Simulate**.*"
    return mo.md(said) if mo.running_in_notebook() else Verdict(said)


def _sentences(comparison: Comparison, names: Mapping[str, str]) -> list[str]:
    draws = comparison.simulation.attrs["n_seeds"]
    said = [] if comparison.verdicts else ["No point can be compared: all standard errors are too small."]
    for name, each in comparison.verdicts.items():
        meaning = names.get(name) or comparison.simulation[name].attrs["long_name"].split(",")[0]
        word = f"{'agrees' if each.agrees else 'does **not** agree'} with the theory over {draws} draws"
        if each.agrees and each.too_few_draws:
            word = f"shows no disagreement with the theory, **but {draws} draws are too few to tell**"
        one = each.points == 1
        said.append(
            f"**{meaning[0].upper()}{meaning[1:]}** {word}: "
            f"{'the deviation' if one else f'the largest of {each.points} deviations'} is "
            f"{each.statistic:.2f} standard errors; by chance alone it stays below {each.threshold:.2f} (the "
            f"grey band). {'The' if one else 'For half of the points the'} smallest detectable error is "
            f"{'' if one else 'at most '}{each.resolution:.2g}."
        )
    return said
