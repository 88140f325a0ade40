"""The reference of the code: a page for every package, one entry for every module with public names."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tools.nested import FRONT, ROOT, module_name

ROOMS = (
    "optimisers", "problems", "theory", "sims", "house", "paper_checks", "sweeps", "maps", "inverse",
    "figures",
)  # fmt: skip
DECLARING = ("CHECKS", "FIGURE", "COMMAND")
"""Modules that declare one of these are documented elsewhere: checks, figures, `--help`."""


@dataclass(frozen=True)
class Module:
    """A module of the reference: its page, and its public functions and classes."""

    name: str
    page: str
    public: frozenset[str]


@cache
def modules() -> tuple[Module, ...]:
    """All of them, front door first."""
    paths = (path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")))
    return tuple(found for path in (ROOT / FRONT / "__init__.py", *paths) for found in _read(path))


def _read(path: Path) -> list[Module]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    assigned = {target.id for target in targets if isinstance(target, ast.Name)}
    if path.stem == "__main__" or assigned & set(DECLARING):
        return []
    name = module_name(path)
    page = name if path.stem == "__init__" else name.rpartition(".")[0]
    page = page.removeprefix(f"{FRONT}.")
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    public = frozenset(each for each in defined if not each.startswith("_"))
    return [Module(name, page, public)]


def pages() -> dict[str, str]:
    """The Markdown of every page by its path below `docs`: a package, then its modules."""
    grouped: dict[str, list[str]] = {}
    for module in modules():
        grouped.setdefault(module.page, []).append(module.name)
    return {f"api/{page}.md": _page(page, names) for page, names in grouped.items()}


def _page(title: str, names: list[str]) -> str:
    package, *others = names
    entries = [
        f"::: {package}\n    options:\n      heading_level: 1\n",
        *(f"::: {name}\n" for name in others),
    ]
    return f"---\ntitle: {title}\n---\n" + "\n".join(entries)


def function(name: str, text: str = "") -> str:
    """A link to a function in the reference, or to its module if it has no entry of its own."""
    known = {module.name: module.public for module in modules()}
    room, _, own = name.rpartition(".")
    target = name if name in known or own in known[room] else room
    return f"[`{text or name}`][{target}]"
