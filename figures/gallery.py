"""Finds the figures: every module of this room that announces a `FIGURE`."""

from __future__ import annotations

from functools import cache

from teacherstudent.figures.declaration import Figure
from teacherstudent.house.catalogue import announced, by_id


@cache
def figures() -> dict[str, Figure]:
    """Every figure by its id. Imports no matplotlib."""
    return by_id(announced("figures", "FIGURE"))
