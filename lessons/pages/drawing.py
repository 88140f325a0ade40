"""Simulate for a page beforehand: `python -m teacherstudent.lessons.pages.drawing NAME...`.

At each of the settings in `teaching/<name>.toml` all buttons of the notebook are pressed. What this adds to
its pictures and words is written to `drawn/<name>.json`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from teacherstudent.api.teaching import teaching
from teacherstudent.lessons.kit.words import Markdown, Table, Verdict
from teacherstudent.lessons.pages import plain, words
from teacherstudent.lessons.pages.cells import At, Cell, Notebook

FOLDER = Path(__file__).parent / "drawn"


def drawn(name: str) -> list[dict[str, Any]]:
    """What is kept for a lesson's page, settings by settings; nothing if nothing was drawn."""
    file = FOLDER / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else []


def spoken(cells: list[Cell]) -> list[Cell]:
    """The words that a control moves, in their order: `kit.text` and `kit.table`."""
    said = [each for each in cells if each.needs and type(each.shown) in (Markdown, Table)]
    return [each for each in said if each.shown is not None]


def markup(cell: Cell) -> str:
    """Words as HTML."""
    return cell.shown.text if isinstance(cell.shown, Table) else words.html(cell.shown.text)


def simulations(notebook: Notebook, at: At) -> dict[str, Any]:
    """What simulating adds at some settings.

    at: all controls of the page. Gives added panels and marks of each picture (`pictures`), added pictures by
    cell (`more`), changed words by place (`words`), and `verdicts`.
    """
    before, after = notebook.shown(at), notebook.shown(at, simulated=True)
    extra: list[list[dict[str, Any]]] = []
    more: dict[str, list[dict[str, Any]]] = {}
    for old, new in zip(before, after, strict=True):
        were, are = old.pictures(), new.pictures()
        extra += [_added(a, b) for a, b in zip(were, are, strict=False)]
        if len(are) > len(were):
            more[str(new.place)] = [plain.picture(each) for each in are[len(were) :]]
    said = zip(map(markup, spoken(before)), map(markup, spoken(after)), strict=True)
    changed = {str(i): new for i, (old, new) in enumerate(said) if old != new}
    verdicts = [words.html(each.shown.text) for each in after if isinstance(each.shown, Verdict)]
    told = {"pictures": extra, "more": more, "words": changed, "verdicts": verdicts}
    return {"at": dict(at)} | plain.short(told)


def _added(old: Any, new: Any) -> list[dict[str, Any]]:
    """Panels of `new`; of those that `old` has, the marks that it has not. Panels of `old` come first."""
    made, had = plain.picture(new)["panels"], plain.picture(old)["panels"]
    moved = [a["y"]["label"] for a, b in zip(had, made, strict=False) if a["y"] != b["y"]]
    if moved:
        raise ValueError(f"panels {moved} follow panels that a simulation adds: put them first")
    shared = [
        {"marks": [m for m in b["marks"] if m not in a["marks"]]} for a, b in zip(had, made, strict=False)
    ]
    return shared + made[len(had) :]


def opening(notebook: Notebook) -> dict[str, Any]:
    """All controls of the page at the values of the notebook."""
    of = teaching(notebook.name)
    return {
        name: each.value
        for name, each in notebook.controls.items()
        if hasattr(each, "steps") or hasattr(each, "options")
        if name not in of.simulation_only
    }


def settings(notebook: Notebook) -> list[dict[str, Any]]:
    """All controls of the page at each of the settings that are drawn."""
    of, shown = teaching(notebook.name), opening(notebook)
    unknown = {name for each in of.drawn for name in each} - set(shown)
    assert not unknown, f"teaching/{notebook.name}.toml draws at {sorted(unknown)}, which are no controls"
    return [shown | dict(each) for each in of.drawn]


def main(names: list[str]) -> None:
    """Draw for these lessons."""
    FOLDER.mkdir(exist_ok=True)
    for name in names:
        notebook = Notebook(name)
        made = [simulations(notebook, at) for at in settings(notebook)]
        text = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
        (FOLDER / f"{name}.json").write_text(text.replace('{"at"', '\n{"at"') + "\n", encoding="utf-8")
        print(f"{name}: {len(made)} settings, {len(text) / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
