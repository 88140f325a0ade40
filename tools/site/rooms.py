"""A folder whose files belong to the rooms for a while, as if they were in the repository.

`python -m tools.site.rooms FOLDER ARGUMENTS` runs pytest with those arguments meanwhile.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from teacherstudent.house import catalogue
from tools.nested import FRONT, ROOT

ROOMS = ("problems", "theory", "sims", "paper_checks", "figures")


@contextlib.contextmanager
def extended(folder: Path) -> Iterator[None]:
    """The rooms with the files, present and future, in folders of their names below `folder`.

    Every listing finds what these files announce until the end; then it is forgotten.
    """
    packages = {room: importlib.import_module(f"{FRONT}.{room}") for room in ROOMS}
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
    for listed in (catalogue.problems, catalogue.routes, catalogue.counts, ledger.checks, gallery.figures):
        listed.cache_clear()
    importlib.invalidate_caches()


def tested(folder: Path, *arguments: str) -> int:
    """Run tests of that folder under the settings of the repository; returns pytest's exit status."""
    settings = ["-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder), "-p", "no:cacheprovider"]
    with extended(folder):
        return pytest.main([*settings, *arguments])


if __name__ == "__main__":
    sys.exit(tested(Path(sys.argv[1]), *sys.argv[2:]))
