"""Sliders, choices and buttons, and the work that they start.

Outside marimo (an exported lesson in Jupyter, a lesson run as a script) a slider has the value with which
it was made, and a cell that simulates does so when it is run.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import marimo as mo

from teacherstudent.lessons.kit.address import among, in_vain, nearest, written
from teacherstudent.lessons.kit.words import Markdown

T = TypeVar("T")


@dataclass(frozen=True)
class Controls(Markdown):
    """The controls under their names, outside marimo."""

    elements: Mapping[str, Any]


def log_steps(low: float, high: float, per_decade: int = 10) -> list[float]:
    """Values from `low` to `high` at equal ratios, `per_decade` in each decade, rounded to two digits."""
    first, last = (per_decade * math.log10(end) for end in (low, high))
    return [
        float(f"{10 ** (i / per_decade):.2g}")
        for i in range(math.ceil(first - 1e-9), math.floor(last + 1e-9) + 1)
    ]


def slider(label: str, steps: Sequence[float], value: float, *, name: str | None = None) -> mo.ui.slider:
    """A slider over `steps` (increasing) that starts at `value`, one of them.

    The `label` has the meaning, the symbol and the unit. The cell that makes the slider gives it a name and
    shows it with `controls`; other cells read its `value`. With a `name` it starts at the step nearest to the
    value in the page's address, `...?name=value`. Raises `ValueError`.
    """
    if value not in steps:
        raise ValueError(f"{label}: starts at {value}, which is none of its steps {list(steps)}")
    if name:
        value = nearest(name, steps, value)
    return mo.ui.slider(steps=list(steps), value=value, label=label, show_value=True, full_width=True)


def choice(label: str, words: dict[str, str], value: str, *, name: str) -> mo.ui.radio:
    """A choice among `words`, shown by their explanations; it starts at `value` or at the address's value."""
    shown = {meaning: word for word, meaning in words.items()}
    return mo.ui.radio(shown, value=words[among(name, list(words), value)], label=label)


def controls(**elements: Any) -> Any:
    """Show the controls, each under the name that its cell gave it, side by side where there is room.

    Call this at the end of the cell that makes the controls: another cell would redraw them at each move.
    Below them the page names values in its address that they do not offer. Jupyter shows the possible values
    of each control.
    """
    offered = {
        name: list(each.options.values()) if isinstance(each, mo.ui.radio) else list(each.steps or ())
        for name, each in elements.items()
        if isinstance(each, mo.ui.slider | mo.ui.radio)
    }
    if mo.running_in_notebook():
        items = "".join(f'<div class="control">{mo.as_html(each).text}</div>' for each in elements.values())
        told = "".join(f'<p role="status">{each}</p>' for each in in_vain(offered))
        return mo.Html(f'<div class="controls">{items}</div>{told}')
    rows = [f"- `{name}`: one of {', '.join(map(written, values))}" for name, values in offered.items()]
    said = "\n".join(
        [*rows, "", "To change a setting, edit its `value` above, then run this cell and all cells below."]
    )
    return Controls(said, elements)


def simulate_button(label: str = "Simulate") -> Any:
    """The button that simulates, for `on_demand`; name it and show it like a slider."""
    return mo.ui.run_button(label=label)


def on_demand(button: Any, work: Callable[[], T], doing: str = "Simulating…") -> T | None:
    """The result of `work` if the button was pressed after the last change of a setting used by `work`.

    None otherwise, so a simulation is shown only with the theory for the same settings. Errors are shown in
    words, as in `asked`.
    """
    if not mo.running_in_notebook():
        return work()
    if not button.value:
        return None
    with mo.status.spinner(doing, remove_on_exit=True):
        return asked(work)


def asked(work: Callable[[], T]) -> T:
    """The result of `work`; if there is none, the page says why, and cells that need the result do not run.

    A `ValueError` (a setting outside its domain) stops these cells. A warning (points without a certified
    result) is shown with the answer.
    """
    if not mo.running_in_notebook():
        return work()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", UserWarning)
        try:
            answer = work()
        except ValueError as error:
            mo.stop(True, mo.callout(mo.md(f"These settings have no answer: {error}."), kind="warn"))
    for each in heard:
        mo.output.append(mo.callout(mo.md(str(each.message)), kind="warn"))
    return answer
