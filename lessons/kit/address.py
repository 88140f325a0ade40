"""Settings in the page's address: a link opens the page with its settings, a command computes the same."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import urlencode

import marimo as mo

from teacherstudent.lessons.kit.words import Markdown

SAME = "The same from the command line"


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
    """A link to the page with its present settings, and command lines that compute the same.

    settings: the controls under their names in the address, which follows the link (`head.html`), so
    that a bookmark is such a link, too. asked: what `teacherstudent.curve` was asked.
    Outside marimo there is no page, and so no link.
    """
    commands = [_command(**each) for each in asked]
    if not mo.running_in_notebook():
        return Markdown("\n".join([f"{SAME}:", "```text", *map(" ".join, commands), "```"]))
    where = urlencode({name: written(each.value) for name, each in settings.items()})
    lines = (" ".join(f"<span>{escape(words)}</span>" for words in command) for command in commands)
    return mo.Html(
        f'<p><a class="here" href="?{escape(where)}">Link to this page as it stands</a></p><p>{SAME}:</p>'
        + "".join(f'<pre class="command">{line}</pre>' for line in lines)
    )


def _command(problem: str, **options: Any) -> list[str]:
    """The command, and each of its options."""
    flags = (f"--{name.replace('_', '-')} {written(value)}" for name, value in options.items())
    return [f"teacherstudent curve {problem}", *flags]


def written(value: Any) -> str:
    """A value as the command line reads it, to the last digit."""
    if isinstance(value, list | tuple):
        return ",".join(map(written, value))
    return f"{value:.15g}" if isinstance(value, float) else str(value)
