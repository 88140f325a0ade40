"""Write the pages of lessons into a folder: pages, slides, sheets, solutions, and the course page."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import marimo as mo

from teacherstudent.api.lesson import Lesson, lessons
from teacherstudent.api.teaching import teaching
from teacherstudent.lessons.kit.address import written
from teacherstudent.lessons.pages import course, scripts
from teacherstudent.lessons.pages.blocks import Blocks, plain_label
from teacherstudent.lessons.pages.cells import Notebook
from teacherstudent.lessons.pages.deck import sheet, slides, solutions
from teacherstudent.lessons.pages.drawing import drawn, settings

HERE = Path(__file__).parent
STYLES = ("page.css", "print.css", "slides.css", "explorer.css")


@cache
def _templates() -> jinja2.Environment:
    loader = jinja2.FileSystemLoader(HERE / "templates")
    return jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)


def build(folder: Path, names: Sequence[str] = (), *, alone: bool = False) -> list[Path]:
    """Write the pages of these lessons, or of all and the course; if `alone`, without links to others."""
    folder.mkdir(parents=True, exist_ok=True)
    for style in STYLES:
        shutil.copyfile(HERE / "styles" / style, folder / style)
    found = [page for name in names or lessons() for page in of_lesson(folder, name, alone)]
    if not names:
        found.append(_written(folder / "index.html", "course.html.j2", **course.told()))
    return found


def of_lesson(folder: Path, name: str, alone: bool) -> list[Path]:
    """Write all pages of one lesson."""
    notebook, of = Notebook(name), teaching(name)
    used = [*scripts.in_order([f"lessons/{name}.js", "page/page.js"])]
    used.sort(key=lambda each: each == f"lessons/{name}.js")  # the runtime comes before what uses it
    for each in [*used, "page/slides.js"]:
        target = folder / "scripts" / each
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(scripts.FOLDER / each, target)
    common = dict(lesson=lessons()[name], of=of, alone=alone, **neighbours(name))
    page = _written(
        folder / f"{name}.html",
        "page.html.j2",
        body=Blocks(notebook, of).whole(),
        told=json.dumps(told(notebook), ensure_ascii=False).replace("<", "\\u003c"),
        scripts=used,
        **common,
    )
    if not of.goals:
        return [page]
    return [
        page,
        _written(folder / f"{name}-slides.html", "slides.html.j2", slides=slides(notebook, of), **common),
        _written(folder / f"{name}-sheet.html", "sheet.html.j2", body=sheet(notebook, of), **common),
        _written(folder / f"{name}-solutions.html", "sheet.html.j2", body=solutions(notebook, of), **common),
    ]


def neighbours(name: str) -> dict[str, Lesson | int | None]:
    """The lessons before and after, this one's number and how many there are."""
    numbered = [each for each in lessons().values() if each.title.startswith("Lesson ")]
    if name not in [each.id for each in numbered]:
        return dict(before=None, after=None, number=None, count=len(numbered))
    place = [each.id for each in numbered].index(name)
    before = numbered[place - 1] if place else None
    after = numbered[place + 1] if place + 1 < len(numbered) else None
    return dict(before=before, after=after, number=place + 1, count=len(numbered))


def told(notebook: Notebook) -> dict[str, Any]:
    """What the scripts of a page are told: its controls, what was drawn beforehand, and what Python gave."""
    of = teaching(notebook.name)
    opening = of.first.at if of.first else {}
    controls = {
        name: control(each) | ({"value": opening[name]} if name in opening else {})
        for name, each in notebook.controls.items()
        if isinstance(each, mo.ui.slider | mo.ui.radio) and name not in of.simulation_only
    }
    kept = drawn(notebook.name)
    wanted = settings(notebook)
    stale = [each["at"] for each in kept if each["at"] not in wanted]
    if stale or (kept and len(kept) != len(wanted)):
        raise ValueError(f"drawn/{notebook.name}.json was drawn at different settings: draw it again")
    opens = {name: each["value"] for name, each in controls.items()}
    if of.first and (opens not in wanted or of.first.control not in controls):
        raise ValueError(f"teaching/{notebook.name}.toml: [first] opens at settings that [[drawn]] lacks")
    return {"controls": controls, "drawn": kept, "free": of.free, "given": notebook.given}


def control(made: Any) -> dict[str, Any]:
    """A control as the scripts know it."""
    label = plain_label(made)
    if isinstance(made, mo.ui.radio):
        values, words = list(made.options.values()), list(made.options)
        return {"kind": "choice", "label": label, "values": values, "words": words, "value": made.value}
    steps = [each.item() if hasattr(each, "item") else each for each in made.steps]
    words = [written(each) for each in steps]
    return {"kind": "slider", "label": label, "values": steps, "words": words, "value": made.value}


def _written(path: Path, template: str, **told: Any) -> Path:
    path.write_text(_templates().get_template(template).render(**told), encoding="utf-8")
    return path
