"""A folder whose files belong to the rooms for a while, as if they were in the repository."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

from teacherstudent.house import catalogue
from tools.nested import FRONT, ROOT, rooms


def rooms_of_systems() -> list[str]:
    """The rooms in which every system has a folder or a module of its name."""
    systems = {name.replace("-", "_") for name in catalogue.problems()}
    return [room for room in rooms() if systems <= {path.stem for path in (ROOT / room).iterdir()}]


@contextlib.contextmanager
def extended(folder: Path) -> Iterator[None]:
    """The rooms with the files, present and future, in folders of their names below `folder`.

    Every listing finds what these files announce until the end; then it is forgotten.
    """
    packages = {room: importlib.import_module(f"{FRONT}.{room}") for room in rooms_of_systems()}
    for room, package in packages.items():
        package.__path__.append(str(folder / room))
    try:
        forget(folder)
        yield
    finally:
        for room, package in packages.items():
            package.__path__.remove(str(folder / room))
        forget(folder)


def forget(folder: Path) -> None:
    """Drop the modules of that folder, and the cached listings."""
    from teacherstudent.figures import gallery
    from teacherstudent.paper_checks import ledger

    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]
            parent, _, child = name.rpartition(".")
            if parent in sys.modules:
                delattr(sys.modules[parent], child)
    for listed in (*vars(catalogue).values(), ledger.checks, gallery.figures):
        if hasattr(listed, "cache_clear"):
            listed.cache_clear()
    importlib.invalidate_caches()
