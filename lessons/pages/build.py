"""Write the pages of lessons into a folder: pages, slides, sheets, solutions, and the course page."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import jinja2
import marimo as mo

from teacherstudent.api.catalogue import Catalogue
from teacherstudent.api.lesson import Lesson, lessons
from teacherstudent.api.teaching import teaching, unsolved
from teacherstudent.lessons.kit.address import written
from teacherstudent.lessons.pages import course, language, plans, scripts, works
from teacherstudent.lessons.pages.blocks import Blocks
from teacherstudent.lessons.pages.cells import Notebook, plain_label
from teacherstudent.lessons.pages.deck import sheet, slides, solutions
from teacherstudent.lessons.pages.drawing import drawn, settings
from teacherstudent.lessons.pages.plans import Plan
from teacherstudent.lessons.pages.story import Slide

HERE = Path(__file__).parent
VIEW = "page/view.js"
PLACES = re.compile(r"\{\d+\}")
STYLES = ("colours.css", "page.css", "print.css", "slides.css", "explorer.css")


@cache
def _notebook(name: str) -> Notebook:
    return Notebook(name)


@cache
def _templates() -> jinja2.Environment:
    loader = jinja2.FileSystemLoader(HERE / "templates")
    return jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)


def build(
    folder: Path,
    names: Sequence[str] = (),
    *,
    alone: bool = False,
    solved: bool = True,
    catalogue: Catalogue | None = None,
) -> list[Path]:
    """Write the pages of these lessons, or of all and the course; if `alone`, without links to others.

    solved: whether the pages contain solutions. catalogue: translations of their strings.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for style in STYLES:
        shutil.copyfile(HERE / "styles" / style, folder / style)
    _copied(VIEW, folder)
    found = [page for name in names or lessons() for page in of_lesson(folder, name, alone, solved)]
    if not names:
        planned = plans.plans() if solved else []  # speaker's notes have the answers
        found += [page for plan in planned for page in of_plan(folder, plan)]
        told_all = course.told() | {"plans": planned, "solved": solved}
        found.append(_written(folder / "index.html", "course.html.j2", **told_all))
    if catalogue:
        texts = catalogue.texts if solved else _shown(folder, catalogue.texts)
        _translate(folder, found, Catalogue(catalogue.code, texts))
    return found


def _shown(folder: Path, texts: Mapping[str, str]) -> dict[str, str]:
    """Those strings whose words occur in the pages or their scripts: all others may be solutions."""
    paths = [path for path in sorted(folder.rglob("*")) if path.suffix in (".html", ".js")]
    written = " ".join(" ".join(unescape(path.read_text(encoding="utf-8")) for path in paths).split())
    return {
        asked: given
        for asked, given in texts.items()
        if all(each.strip() in written for each in PLACES.split(asked))
    }


def _translate(folder: Path, pages: Sequence[Path], catalogue: Catalogue) -> None:
    """Put pages into another language, and the translations where their scripts find them."""
    told = _json({"texts": dict(catalogue.texts)})
    (folder / "scripts" / "texts.js").write_text(f"globalThis.TS = {told};\n", encoding="utf-8")
    for path in pages:
        page = language.translated(path.read_text(encoding="utf-8"), catalogue.say)
        page = page.replace('<html lang="en">', f'<html lang="{catalogue.code}">', 1)
        page = page.replace("<script src", '<script src="scripts/texts.js"></script>\n<script src', 1)
        path.write_text(page, encoding="utf-8")


def of_lesson(folder: Path, name: str, alone: bool, solved: bool) -> list[Path]:
    """Write all pages of one lesson."""
    notebook, of = _notebook(name), teaching(name)
    if not solved:
        of = unsolved(of)
    used = _scripts(folder, [name], "page/page.js")
    common = dict(lesson=lessons()[name], of=of, alone=alone, **neighbours(name))
    page = _written(
        folder / f"{name}.html",
        "page.html.j2",
        body=Blocks(notebook, of).whole(),
        told=_json(told(notebook)),
        scripts=used,
        **common,
    )
    if not of.goals:
        return [page]
    made = [
        page,
        *deck(folder, name, lessons()[name].title, slides(notebook, of), [notebook], solved=solved),
        _written(folder / f"{name}-sheet.html", "sheet.html.j2", body=sheet(notebook, of), **common),
    ]
    if solved:
        body = solutions(notebook, of)
        made.append(_written(folder / f"{name}-solutions.html", "sheet.html.j2", body=body, **common))
    return made


def deck(
    folder: Path,
    name: str,
    heading: str,
    shown: Sequence[Slide],
    notebooks: Sequence[Notebook],
    *,
    solved: bool = True,
) -> list[Path]:
    """Write slides that show pictures of these notebooks, and, if `solved`, the speaker's notes."""
    lessons_told = {each.name: told(each) for each in notebooks}
    total = f"{round(sum(each.minutes for each in shown)):g} minutes"
    common = dict(
        deck=name,
        heading=heading,
        slides=shown,
        total=total,
        solved=solved,
        told=_json({"lessons": lessons_told}),
        scripts=_scripts(folder, list(lessons_told), "page/story.js"),
    )
    _scripts(folder, [], "page/slides.js")
    kinds = ("slides", "notes") if solved else ("slides",)
    return [_written(folder / f"{name}-{kind}.html", f"{kind}.html.j2", **common) for kind in kinds]


def _scripts(folder: Path, names: Sequence[str], runtime: str) -> list[str]:
    """Copy the scripts of these lessons and what they need; their paths, the runtime before the lessons."""
    own = [f"lessons/{name}.js" for name in names]
    used = sorted(scripts.in_order([*own, runtime]), key=lambda each: each in own)
    for each in used:
        _copied(each, folder)
    return used


def _json(told: Any) -> str:
    return json.dumps(told, ensure_ascii=False).replace("<", "\\u003c")


def of_plan(folder: Path, plan: Plan) -> list[Path]:
    """Write the page of a plan, its slides and the speaker's notes."""
    notebooks = {step.lesson: _notebook(step.lesson) for step in plan.steps}
    shown = plans.slides(plan, notebooks)
    addresses = [plans.address(step, notebooks[step.lesson]) for step in plan.steps]
    steps = list(zip(shown, plan.steps, addresses, strict=True))
    page = folder / f"plan-{plan.name}.html"
    drawn_lessons = [notebooks[name] for name in {step.lesson: 0 for step in plan.steps if step.pictures}]
    return [
        _written(page, "plan.html.j2", plan=plan, steps=steps, lessons=lessons()),
        *deck(folder, page.stem, plan.title, shown, drawn_lessons),
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
    return {
        "controls": controls,
        "drawn": kept,
        "free": of.free,
        "shown_if": of.shown_if,
        "given": notebook.given,
    }


def control(made: Any) -> dict[str, Any]:
    """A control as the scripts know it."""
    label = plain_label(made)
    if isinstance(made, mo.ui.radio):
        values, words = list(made.options.values()), list(made.options)
        return {"kind": "choice", "label": label, "values": values, "words": words, "value": made.value}
    steps = [each.item() if hasattr(each, "item") else each for each in made.steps]
    words = [written(each) for each in steps]
    return {"kind": "slider", "label": label, "values": steps, "words": words, "value": made.value}


def _copied(script: str, folder: Path) -> None:
    target = folder / "scripts" / script
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(scripts.FOLDER / script, target)


def _written(path: Path, template: str, **told: Any) -> Path:
    text = f"{told.get('body', '')}{told.get('slides', '')}"
    told |= {"authors": works.authors(), "references": works.cited(text)}
    path.write_text(_templates().get_template(template).render(**told), encoding="utf-8")
    return path
