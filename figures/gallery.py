"""Finds the figures, and the page about somebody's own rows.

Modules of this room announce a `FIGURE`, the `figures.py` of a system from outside its `FIGURES`. A system's
subpackage may announce the `PAGE`.
"""

from __future__ import annotations

from teacherstudent.figures.declaration import Figure, Page
from teacherstudent.house.catalogue import announcements, by_id, from_outside, listed
from teacherstudent.house.outside.announced import table


@listed
def figures() -> dict[str, Figure]:
    """Every figure by its id. Imports no matplotlib."""
    found = by_id(announcements("figures", "FIGURE"))
    for each in from_outside():
        for figure in table(each.system, "figures", "FIGURES", Figure):
            if found.setdefault(figure.id, figure) is not figure:
                raise each.system.refusal(f"the figure {figure.id} has the id of another", "figures.py")
    return found


@listed
def page() -> Page:
    """The page about somebody's own rows. Imports no matplotlib."""
    (only,) = announcements("figures", "PAGE", deeper=False)
    return only
