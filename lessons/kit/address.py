"""Settings in the page's address: a link opens the page with its settings, a command computes the same."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import urlencode

import marimo as mo

from teacherstudent.lessons.kit.words import Markdown

SAME, PYTHON = "The same from the command line", "The same in Python"


def given(name: str) -> str | None:
    """The value of a setting in the page's address, `...?name=value`; None if it has none."""
    said = mo.query_params().get(name) if mo.running_in_notebook() else None
    return said[0] if isinstance(said, list) else said


def nearest(name: str, steps: Sequence[float], value: float) -> float:
    """The step nearest to the value of `name` in the address; `value` if that is no number."""
    wanted = _number(given(name) or "")
    return value if wanted is None else min(steps, key=lambda step: abs(step - wanted))


def among(name: str, words: Sequence[str], value: str) -> str:
    """The word for `name` in the address; `value` if that is none of them."""
    return next((word for word in words if word == given(name)), value)


def in_vain(offered: Mapping[str, Sequence[float | str]]) -> list[str]:
    """Values in the address that a setting does not offer, in words (HTML)."""
    wishes = {name: said for name in offered if (said := given(name)) is not None}
    return [
        f"The address asks for <code>{escape(f'{name}={said}')}</code>, which is not offered here: "
        + (
            "it starts at the nearest step."
            if _number(said) is not None
            else "it starts as if nothing had been asked."
        )
        for name, said in wishes.items()
        if said not in offered[name] and _number(said) not in offered[name]
    ]


def _number(said: str) -> float | None:
    """The finite number in a text; None if it is none."""
    try:
        number = float(said)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def again(settings: Mapping[str, Any], *asked: Mapping[str, Any]) -> Any:
    """A link to the page with its present settings, and the lines that compute the same.

    settings: the controls under their names in the address, which follows the link (`head.html`), so
    that a bookmark is such a link, too. asked: what `teacherstudent.curve` was asked, each printed as a
    command and as a line of Python. Outside marimo there is no page, and so no link.
    """
    commands = [command_line(**each) for each in asked]
    python = [["import teacherstudent as ts"], *(python_line(**each) for each in asked)]
    if not mo.running_in_notebook():
        blocks = ((SAME, "text", commands), (PYTHON, "python", python))
        shown = ([f"{title}:", f"```{kind}", *map(" ".join, lines), "```"] for title, kind, lines in blocks)
        return Markdown("\n\n".join("\n".join(each) for each in shown))
    where = urlencode({name: written(each.value) for name, each in settings.items()})
    return mo.Html(
        f'<p><a class="here" href="?{escape(where)}">Link to this page as it stands</a></p>'
        f"<p>{SAME}:</p>{_block('command', commands)}<p>{PYTHON}:</p>{_block('python', python)}"
    )


def _block(kind: str, lines: list[list[str]]) -> str:
    """Each line in a block of its own, which breaks between its parts and nowhere else."""
    broken = (" ".join(f"<span>{escape(part)}</span>" for part in line) for line in lines)
    return "".join(f'<pre class="{kind}">{each}</pre>' for each in broken)


def command_line(problem: str, **options: Any) -> list[str]:
    """What prints an answer of `teacherstudent.curve`: the command, and each of its options."""
    flags = (f"--{name.replace('_', '-')} {written(value)}" for name, value in options.items())
    return [f"teacherstudent curve {problem}", *flags]


def python_line(problem: str, **options: Any) -> list[str]:
    """What makes the same answer in Python: the call, and each of its arguments."""
    *arguments, last = [f'"{problem}"', *(f"{name}={_literal(each)}" for name, each in options.items())]
    called = [f"{each}," for each in arguments] + [f"{last})"]
    return [f"ts.curve({called[0]}", *called[1:]]


def _literal(value: Any) -> str:
    """A value as Python reads it, with the quotes of this project."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    return f'"{value}"' if isinstance(value, str) else written(value)


def written(value: Any) -> str:
    """A value as the command line reads it, to the last digit."""
    if isinstance(value, list | tuple):
        return ",".join(map(written, value))
    return f"{value:.15g}" if isinstance(value, float) else str(value)
