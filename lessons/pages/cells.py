"""The cells of a notebook in their order, with what each shows at given settings."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any

import marimo as mo

from teacherstudent.api.teaching import teaching
from teacherstudent.lessons import kit
from teacherstudent.lessons.kit.controls import Controls
from teacherstudent.lessons.kit.pictures import Abreast, Picture

HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)

At = Mapping[str, Any]
"""Values of controls by name: a step of a slider, the word of a choice."""


@dataclass(frozen=True)
class Cell:
    """A cell: its number in the notebook, what it shows, the controls on which it depends, and its code."""

    place: int
    shown: Any
    needs: frozenset[str]
    source: str

    def pictures(self) -> tuple[Picture, ...]:
        """The pictures that it shows, in their order."""
        if isinstance(self.shown, Abreast):
            return tuple(each for each in self.shown.pictures if isinstance(each, Picture))
        return (self.shown,) if isinstance(self.shown, Picture) else ()

    def prose(self) -> str | None:
        """The markdown of a cell `mo.md(...)` without numbers."""
        body = ast.parse(self.source).body
        call = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "mo.md":
            return cleandoc(ast.literal_eval(call.args[0]))
        return None


class Notebook:
    """A lesson, run at its default settings."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.app = importlib.import_module(f"teacherstudent.lessons.{name}").app
        self.cells = [each for each in self.app._cell_manager.cells() if each._name != "setup"]
        with unsimulated():
            self.outputs, self.defined = self.app.run()
        self.controls = self._controls()
        self.given = self.defined.get("given")
        self.needs = self._needs()

    def _controls(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for shown in self.outputs:
            if isinstance(shown, Controls):
                found |= shown.elements
        of = teaching(self.name)
        for name in of.simulated_values:
            made = found[name]
            values = {made.value, *(each[name] for each in of.drawn if name in each)}
            if isinstance(made, mo.ui.radio):
                kept = {word: value for word, value in made.options.items() if value in values}
                (word,) = [word for word, value in kept.items() if value == made.value]
                found[name] = mo.ui.radio(kept, value=word, label=made._args.label)
            else:
                found[name] = kit.slider(made._args.label, sorted(values), made.value)
        return found

    def _needs(self) -> list[frozenset[str]]:
        """For each cell the controls on which it depends, directly or through names of earlier cells."""
        of, found = {name: frozenset([name]) for name in self.controls}, []
        for cell in self.cells:
            found.append(frozenset().union(*(of.get(name, ()) for name in cell._cell.refs)))
            of = dict.fromkeys(cell._cell.defs, found[-1]) | of
        return found

    def shown(self, at: At | None = None, *, simulated: bool = False) -> list[Cell]:
        """What all cells show at some settings; those that `at` does not name are the defaults."""
        if at is None and not simulated:
            return [self._cell(place, shown) for place, shown in enumerate(self.outputs)]
        moved = {name: self._at(name, (at or {}).get(name)) for name in self.controls}
        making = [place for place, cell in enumerate(self.cells) if cell._cell.defs & set(self.controls)]
        names = {name for place in making for name in self.cells[place]._cell.defs}
        fixed = {name: self.defined[name] for name in names if name in self.defined} | moved
        if simulated:
            outputs, _ = self.app.run(defs=fixed)
        else:
            with unsimulated():
                outputs, _ = self.app.run(defs=fixed)
        places = [place for place in range(len(self.cells)) if place not in making]
        return [self._cell(place, shown) for place, shown in zip(places, outputs, strict=True)]

    def _cell(self, place: int, shown: Any) -> Cell:
        return Cell(place, shown, self.needs[place], self.cells[place]._cell.code)

    def _at(self, name: str, value: Any) -> Any:
        made = self.controls[name]
        if value is None:
            return made
        if isinstance(made, mo.ui.radio):
            (word,) = [word for word, each in made.options.items() if each == value]
            return mo.ui.radio(made.options, value=word)
        (step,) = [step for step in made.steps if step == value]
        return kit.slider(name, list(made.steps), step)


def title(cells: list[Cell]) -> str:
    """The first heading."""
    found = HEADING.search(next(filter(None, (each.prose() for each in cells))))
    assert found
    return found[2]


def question(cells: list[Cell]) -> str:
    """The paragraph that asks the lesson's question."""
    prose = next(filter(None, (each.prose() for each in cells)))
    return next((each for each in prose.split("\n\n") if each.startswith("**The question.**")), "")


def plain_label(made: Any) -> str:
    """The label of a control, as the notebook wrote it."""
    return made._args.label


@contextmanager
def unsimulated() -> Iterator[None]:
    """Lessons as they stand before the reader simulates."""
    before = kit.on_demand
    kit.on_demand = lambda button, work, doing="": None
    try:
        yield
    finally:
        kit.on_demand = before
