"""Slides with pictures at settings whose simulation is stored; `scripts/page/story.js` draws them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import accumulate
from typing import Any

from teacherstudent.api.teaching import Story, teaching
from teacherstudent.lessons.kit.address import written
from teacherstudent.lessons.pages import words
from teacherstudent.lessons.pages.cells import At, Notebook, plain_label
from teacherstudent.lessons.pages.drawing import opening, settings

FRAMES = re.compile(r'<div class="frames".*(?=<div class="says">)', re.DOTALL)
SYMBOL = re.compile(r"(\S+)\s*\[[^\]]*\]\s*$")
"""In the label of a slider, such as `ratio of strengths κ [1]`."""


@dataclass(frozen=True)
class Slide:
    """A slide: its title, its HTML, what the speaker says, and how long it takes."""

    title: str
    html: str
    notes: str = ""
    minutes: float = 0.0
    begins: float = 0.0

    def clock(self) -> str:
        """When it begins, in hours and minutes from the start of the class."""
        return clock(self.begins)

    def ends(self) -> str:
        """When it ends."""
        return clock(self.begins + self.minutes)

    def length(self) -> str:
        """Its minutes in words."""
        return f"{round(self.minutes, 1):g} min" if self.minutes else "not part of the class"

    def spoken(self) -> str:
        """The notes as HTML."""
        return words.html(self.notes)

    def drawn(self) -> str:
        """Its pictures alone."""
        found = FRAMES.search(self.html)
        return found[0] if found else ""


def clock(minutes: float) -> str:
    """Hours and minutes, such as 0:04."""
    whole = int(minutes + 0.5)
    return f"{whole // 60}:{whole % 60:02}"


def timed(made: Sequence[Slide]) -> list[Slide]:
    """The slides, each with the time at which it begins."""
    ends = [0.0, *accumulate(each.minutes for each in made)]
    return [replace(each, begins=at) for each, at in zip(made, ends, strict=False)]


def pictured(notebook: Notebook, of: Story, where: str) -> Slide:
    """A slide of the story: `page/story.js` draws its pictures. Raises `ValueError` for a wrong setting."""
    shown = f'{frames(notebook, of, where)}<div class="says">{words.html(of.says)}</div>'
    html = f'<h2>{words.inline(of.title)}</h2><div class="story">{shown}</div>'
    return Slide(of.title, html, of.notes, of.minutes)


def frames(notebook: Notebook, of: Story, where: str) -> str:
    """Places for its pictures: one frame, or one for each value of the control that moves."""
    needed = [sorted(cell.needs) for cell in notebook.shown() for _ in cell.pictures()]
    wrong = [each for each in of.pictures if each not in range(len(needed))]
    if wrong:
        raise ValueError(f"{where}, pictures: {wrong[0]} is no picture; the page has 0 to {len(needed) - 1}")
    at = settled(notebook, of.at, where)
    known, free = settings(notebook), teaching(notebook.name).free
    if not any(all(at[name] == each[name] for name in at if name not in free) for each in known):
        raise ValueError(
            f"{where}, at: {dict(of.at)} is not simulated; add it to [[drawn]] and run "
            f"`python -m teacherstudent.lessons.pages.drawing {notebook.name}`"
        )
    moved = [(name, value) for name, values in of.moves.items() for value in values]
    ways = [
        (spelled(notebook, *each), settled(notebook, {**of.at, each[0]: each[1]}, where)) for each in moved
    ]
    items = "".join(
        f'<div class="frame{"" if i else " shown"}" data-at="{escape(json.dumps(way))}">'
        + (f'<p class="value">{escape(value)}</p>' if value else "")
        + '<div class="abreast">'
        + '<div class="picture-place"></div>' * len(of.pictures)
        + "</div></div>"
        for i, (value, way) in enumerate(ways or [("", at)])
    )
    return (
        f'<div class="frames" data-lesson="{notebook.name}" data-pictures="{list(of.pictures)}" '
        f'data-needs="{escape(json.dumps([needed[each] for each in of.pictures]))}" '
        f'data-count="{len(of.pictures)}">{items}</div>'
    )


def settled(notebook: Notebook, at: At, where: str) -> dict[str, Any]:
    """All controls of the page at these settings; those that are not named, as the page opens."""
    first = teaching(notebook.name).first
    shown = opening(notebook) | dict(first.at if first else {})
    for name, value in at.items():
        if name not in shown:
            raise ValueError(f"{where}: {name!r} is no control; the page has {', '.join(shown)}")
        offered = values(notebook.controls[name])
        if value not in offered:
            raise ValueError(f"{where}: {name} has no value {value!r}; it offers {offered}")
        shown[name] = offered[offered.index(value)]
    return shown


def values(control: Any) -> list[Any]:
    """What a slider or a choice offers, as plain numbers and words."""
    offered = control.options.values() if hasattr(control, "options") else control.steps
    return [each.item() if hasattr(each, "item") else each for each in offered]


def spelled(notebook: Notebook, name: str, value: Any) -> str:
    """A setting in short, such as `κ = 10`."""
    control = notebook.controls[name]
    if hasattr(control, "options"):
        return next(word for word, each in control.options.items() if each == value)
    label = plain_label(control)
    found = SYMBOL.search(label)
    return f"{found[1] if found else label} = {written(value)}"
