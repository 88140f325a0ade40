"""Settings in the page's address: a link opens the page with these settings, a command computes the same."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import urlencode

import marimo as mo

from teacherstudent.lessons.kit.words import Markdown

SAME, PYTHON = "The same on the command line", "The same in Python"


def given(name: str) -> str | None:
    """The value of a setting in the page's address, `...?name=value`; None if the address has none."""
    said = mo.query_params().get(name) if mo.running_in_notebook() else None
    return said[0] if isinstance(said, list) else said


def nearest(name: str, steps: Sequence[float], value: float) -> float:
    """The step nearest to the value of `name` in the address; `value` if this is not a number."""
    wanted = _number(given(name) or "")
    return value if wanted is None else min(steps, key=lambda step: abs(step - wanted))


def among(name: str, words: Sequence[str], value: str) -> str:
    """The value of `name` in the address if it is one of `words`, otherwise `value`."""
    return next((word for word in words if word == given(name)), value)


def in_vain(offered: Mapping[str, Sequence[float | str]]) -> list[str]:
    """Sentences (HTML) about values in the address that a setting does not offer."""
    wishes = {name: said for name in offered if (said := given(name)) is not None}
    return [
        f"The address asks for <code>{escape(f'{name}={said}')}</code>, which is not available: "
        + (
            "the page starts at the nearest step."
            if _number(said) is not None
            else "the page starts at the default."
        )
        for name, said in wishes.items()
        if said not in offered[name] and _number(said) not in offered[name]
    ]


def _number(said: str) -> float | None:
    """The finite number in a text; None if the text is not one."""
    try:
        number = float(said)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def again(settings: Mapping[str, Any], *asked: Mapping[str, Any]) -> Any:
    """A link to the page with its present settings, and the commands that compute the same.

    settings: the controls by their names in the address. The address follows the link (`head.html`), so a
    bookmark keeps the settings too. asked: the arguments of each call of `teacherstudent.curve`, printed as
    a command and as a line of Python. Outside marimo there is no page and no link.
    """
    commands = [command_line(**each) for each in asked]
    python = [["import teacherstudent as ts"], *(python_line(**each) for each in asked)]
    if not mo.running_in_notebook():
        blocks = ((SAME, "text", commands), (PYTHON, "python", python))
        shown = ([f"{title}:", f"```{kind}", *map(" ".join, lines), "```"] for title, kind, lines in blocks)
        return Markdown("\n\n".join("\n".join(each) for each in shown))
    where = urlencode({name: written(each.value) for name, each in settings.items()})
    return mo.Html(
        f'<p><a class="here" href="?{escape(where)}">Link to this page with its present settings</a></p>'
        f"<p>{SAME}:</p>{_block('command', commands)}<p>{PYTHON}:</p>{_block('python', python)}"
    )


def _block(kind: str, lines: list[list[str]]) -> str:
    """Each line in a separate block, which can break only between the parts of the line."""
    broken = (" ".join(f"<span>{escape(part)}</span>" for part in line) for line in lines)
    return "".join(f'<pre class="{kind}">{each}</pre>' for each in broken)


def command_line(problem: str, **options: Any) -> list[str]:
    """The command that prints an answer of `teacherstudent.curve`, and each of its options."""
    flags = (f"--{name.replace('_', '-')} {written(value)}" for name, value in options.items())
    return [f"teacherstudent curve {problem}", *flags]


def python_line(problem: str, **options: Any) -> list[str]:
    """The call that computes the same answer in Python, and each of its arguments."""
    *arguments, last = [f'"{problem}"', *(f"{name}={_literal(each)}" for name, each in options.items())]
    called = [f"{each}," for each in arguments] + [f"{last})"]
    return [f"ts.curve({called[0]}", *called[1:]]


def _literal(value: Any) -> str:
    """A value as a Python literal, with double quotes."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    return f'"{value}"' if isinstance(value, str) else written(value)


def written(value: Any) -> str:
    """A value as the command line reads it, to the last digit."""
    if isinstance(value, list | tuple):
        return ",".join(map(written, value))
    return f"{value:.15g}" if isinstance(value, float) else str(value)
