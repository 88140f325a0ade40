"""Finds the figures, and the page about somebody's own rows.

Modules of this room announce a `FIGURE`, a system's subpackage may announce the `PAGE`.
"""

from __future__ import annotations

from functools import cache

from teacherstudent.figures.declaration import Figure, Page
from teacherstudent.house.catalogue import announcements, by_id


@cache
def figures() -> dict[str, Figure]:
    """Every figure by its id. Imports no matplotlib."""
    return by_id(announcements("figures", "FIGURE"))


@cache
def page() -> Page:
    """The page about somebody's own rows. Imports no matplotlib."""
    (only,) = announcements("figures", "PAGE", deeper=False)
    return only
