"""Words of a lesson: prose with computed numbers, exercises and verdicts.

Each is shown by marimo and, where a lesson was exported, by Jupyter.
"""

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
    """What comparisons say, outside marimo."""


class Table(mo.Html):
    """Names and values."""


def text(markdown: str) -> Any:
    """Prose that holds computed numbers; prose without any is better a cell `mo.md(r\"\"\"...\"\"\")`,
    which becomes a markdown cell in Jupyter.
    """
    return mo.md(markdown) if mo.running_in_notebook() else Markdown(cleandoc(markdown))


def table(title: str, rows: Mapping[str, str], below: str = "") -> mo.Html:
    """Names and values, one row for each, and a sentence below them (plain text)."""
    cells = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(value)}</td></tr>'
        for name, value in rows.items()
    )
    return Table(
        f'<table class="values"><caption>{escape(title)}</caption>{cells}</table><p>{escape(below)}</p>'
    )


def verdict(*comparisons: Comparison | None, names: Mapping[str, str] | None = None) -> Any:
    """The verdicts of comparisons in words; how to get one if there is none.

    names: what the pictures call observables whose `long_name` is another.
    """
    made = [each for each in comparisons if each is not None]
    said = "\n".join(f"- {sentence}" for each in made for sentence in _sentences(each, names or {}))
    said = said or "*Nothing is simulated yet at these settings: press **Simulate**.*"
    return mo.md(said) if mo.running_in_notebook() else Verdict(said)


def _sentences(comparison: Comparison, names: Mapping[str, str]) -> list[str]:
    draws = comparison.simulation.attrs["n_seeds"]
    said = [] if comparison.verdicts else ["No point can be compared: all standard errors are too small."]
    for name, each in comparison.verdicts.items():
        meaning = names.get(name) or comparison.simulation[name].attrs["long_name"].split(",")[0]
        few = "shows **no disagreement, by too few draws to tell,**"
        word = (few if each.too_few_draws else "agrees") if each.agrees else "does **not** agree"
        one = each.points == 1
        said.append(
            f"**{meaning[0].upper()}{meaning[1:]}** {word} with the theory over {draws} draws: "
            f"{'the deviation' if one else f'the largest of {each.points} deviations'} is "
            f"{each.statistic:.2f} standard errors, and chance alone stays below {each.threshold:.2f} (the "
            f"grey band). The smallest error that {'it' if one else 'half of the points'} could detect is "
            f"{each.resolution:.2g}."
        )
    return said
