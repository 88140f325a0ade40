"""A folder whose files belong to the rooms for a while, as if they were in the repository."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

from teacherstudent.house import catalogue, outside
from tools.nested import FRONT, ROOT, rooms


def rooms_of_systems() -> list[str]:
    """The rooms in which every system has a folder or a module of its name."""
    systems = {name.replace("-", "_") for name in catalogue.problems()}
    return [room for room in rooms() if systems <= {path.stem for path in (ROOT / room).iterdir()}]


def extensible() -> list[str]:
    """What a folder's files may join: those rooms, and in the rooms of the witnesses the algorithms."""
    return [*rooms_of_systems(), *(f"{room}.algorithms" for room in catalogue.WITNESSES)]


@contextlib.contextmanager
def extended(folder: Path) -> Iterator[None]:
    """The rooms with the files, present and future, in folders of their names below `folder`.

    Every listing finds what these files announce until the end; then it is forgotten.
    """
    packages = {
        str(folder.joinpath(*name.split("."))): importlib.import_module(f"{FRONT}.{name}")
        for name in extensible()
    }
    for path, package in packages.items():
        package.__path__.append(path)
    try:
        forget(folder)
        yield
    finally:
        for path, package in packages.items():
            package.__path__.remove(path)
        forget(folder)


def forget(folder: Path) -> None:
    """Drop the modules of that folder, systems in it, what was generated, and the cached listings."""
    for system in outside.named_systems():
        if system.folder.is_relative_to(folder.resolve()):
            outside.unmount(system.folder)
    for name, module in list(sys.modules.items()):
        generated = name == f"{FRONT}.paper_checks.algorithms.recursions"
        if generated or (getattr(module, "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]
            parent, _, child = name.rpartition(".")
            if parent in sys.modules:
                delattr(sys.modules[parent], child)
    catalogue.forget()
    importlib.invalidate_caches()
