"""Finds the figures, and the page about somebody's own rows: modules announce a `FIGURE` or a `PAGE`."""

from __future__ import annotations

from functools import cache

from teacherstudent.figures.declaration import Figure, Page
from teacherstudent.house.catalogue import announced, by_id


@cache
def figures() -> dict[str, Figure]:
    """Every figure by its id. Imports no matplotlib."""
    return by_id(announced("figures", "FIGURE"))


@cache
def page() -> Page:
    """The page about somebody's own rows. Imports no matplotlib."""
    (only,) = announced("figures", "PAGE")
    return only
