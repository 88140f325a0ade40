"""The scripts of pages, each after those that it needs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "scripts"
NEEDS = re.compile(r"^// needs: (.+)$", re.MULTILINE)


def in_order(names: Iterable[str]) -> list[str]:
    """Those scripts and all that they need, each once and after what it needs.

    names: paths below `scripts`, such as `theory/multiscale.js`. A script says what it needs in a line
    `// needs: numerics/complex.js theory/resolvent.js`. Raises `ValueError` where they need each other.
    """
    found: list[str] = []
    open_: list[str] = []

    def visit(name: str) -> None:
        if name in found:
            return
        if name in open_:
            raise ValueError(f"scripts need each other: {' -> '.join([*open_, name])}")
        open_.append(name)
        for each in needed(name):
            visit(each)
        open_.pop()
        found.append(name)

    for name in names:
        visit(name)
    return found


@cache
def needed(name: str) -> tuple[str, ...]:
    """What one script says that it needs."""
    said = NEEDS.findall(source(name))
    return tuple(each for line in said for each in line.split())


def source(name: str) -> str:
    """The text of a script."""
    return (FOLDER / name).read_text(encoding="utf-8")
