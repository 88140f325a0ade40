"""A folder whose files belong to the rooms of the house for a while, as if they stood there."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

from house import catalogue

ROOMS = ("problems", "theory", "sims", "paper_checks", "figures")


@contextlib.contextmanager
def extended(folder: Path) -> Iterator[None]:
    """The rooms with what stands, or will stand, in folders of their names below `folder`.

    What is announced there is found by every listing until the end; then it is forgotten.
    """
    packages = [importlib.import_module(room) for room in ROOMS]
    for package in packages:
        package.__path__.append(str(folder / package.__name__))
    try:
        forget(folder)
        yield
    finally:
        for package in packages:
            package.__path__.remove(str(folder / package.__name__))
        forget(folder)


def forget(folder: Path) -> None:
    """Drop the modules of that folder, and what has been listed so far."""
    from figures import gallery
    from paper_checks import ledger

    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]
            room, _, child = name.rpartition(".")
            if room in ROOMS:
                delattr(sys.modules[room], child)
    for listed in (catalogue.problems, catalogue.routes, catalogue.counts, ledger.checks, gallery.figures):
        listed.cache_clear()
    importlib.invalidate_caches()
