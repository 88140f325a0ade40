"""The reference of the code: a page for every package, one entry for every module with public names."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FRONT = ("teacherstudent", "optimisers")
ROOMS = ("problems", "theory", "sims", "house", "paper_checks", "sweeps", "figures")
DECLARING = ("CHECKS", "FIGURE", "COMMAND")
"""Modules that declare one of these are shown by their declarations: checks, figures, `--help`."""


@dataclass(frozen=True)
class Module:
    """A module that the reference shows: the page it stands on, and its public functions and classes."""

    name: str
    page: str
    public: frozenset[str]


@cache
def modules() -> tuple[Module, ...]:
    """All of them, front door first. Of a package that says what is public, it alone."""
    fronts = [found for room in FRONT for found in _read(ROOT / room / "__init__.py")]
    rooms = [found for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")) for found in _read(path)]
    return (*fronts, *rooms)


def _read(path: Path) -> list[Module]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    assigned = {target.id for target in targets if isinstance(target, ast.Name)}
    if path.stem == "__main__" or assigned & set(DECLARING):
        return []
    *folders, stem = path.relative_to(ROOT).with_suffix("").parts
    name = ".".join(folders if stem == "__init__" else [*folders, stem])
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    public = frozenset(each for each in defined if not each.startswith("_"))
    return [Module(name, ".".join(folders), public)]


def pages() -> dict[str, str]:
    """The Markdown of every page by its path below `docs`."""
    grouped: dict[str, list[str]] = {}
    for module in modules():
        grouped.setdefault(module.page, []).append(f"::: {module.name}\n")
    return {f"api/{page}.md": f"# `{page}`\n\n" + "\n".join(entries) for page, entries in grouped.items()}


def function(name: str, text: str = "") -> str:
    """A link to where the reference documents a function: its module, where it is none of its own."""
    known = {module.name: module.public for module in modules()}
    room, _, own = name.rpartition(".")
    if name.split(".")[0] in FRONT:
        room, target = name.split(".")[0], f"{name.split('.')[0]}.{own}"
    else:
        target = name if name in known or own in known[room] else room
    return f"[`{text or name}`][{target}]"
