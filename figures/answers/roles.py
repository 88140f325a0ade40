"""How each route of an answer is drawn: exact solid, approximate dashed, simulated as markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import xarray as xr

from teacherstudent.figures.answers.question import prose, routes_of
from teacherstudent.figures.declaration import Axes
from teacherstudent.figures.kit import legends, style
from teacherstudent.house.declarations import Route

Kind = Literal["exact", "approximate", "simulated"]

ALONE = {
    "exact": (style.BLUE, style.GREEN, style.PURPLE),
    "approximate": (style.ORANGE, style.VERMILION, style.SKY),
    "simulated": (style.BLACK, "0.45", "0.65"),
}
"""Colours of routes where no family of curves has its own."""

ANOTHER: tuple[dict[str, Any], ...] = ({}, {"ls": "-.", "lw": 1.2}, {"ls": (0, (7, 2)), "lw": 1.2})
"""What tells a second and a third exact route from the first where colours mean something else."""

DASHES = (style.APPROXIMATION["dashes"], (1.5, 1.5), (8, 2, 1.5, 2))
"""Of a first, a second and a third approximation."""

BAND = 0.2
"""Opacity of the band of an error round a line."""

MOST_MARKERS = 40
"""In a curve: more would hide each other."""

PLACED: dict[Kind, tuple[str, ...]] = {"exact": ("s", "^", "v"), "approximate": ("D", "P", "X")}
"""Filled markers of what is known at some places only, where a line would invent what is between."""


@dataclass(frozen=True)
class Role:
    """One route of a picture; `place` numbers those of its kind."""

    route: Route
    kind: Kind
    place: int

    @property
    def colour(self) -> str:
        """Where no family has colours."""
        colours = ALONE[self.kind]
        return colours[self.place % len(colours)]

    def entry(self, coloured: bool, errors: bool, placed: bool = False) -> legends.Entry:
        """Its legend. coloured: families have the colours; errors: it has some; placed: markers, no lines."""
        colour = style.ANY.colour if coloured else self.colour
        label = f"{self.route.name}: {prose(self.route.meaning)}"
        if self.kind == "simulated":
            look = style.Look("", colour, style.MARKERS[self.place])
            return (legends.simulation if errors else legends.markers)(
                label + (" (mean ± 1 standard error)" if errors else ""), look
            )
        label += " (mean over draws)" if errors and self.kind == "exact" else ""
        if placed:
            return legends.markers(label, self._placed(colour))
        return legends.theory(label, colour, **self._line())

    def _placed(self, colour: str) -> style.Look:
        markers = PLACED[self.kind]
        return style.Look("", colour, markers[self.place % len(markers)], filled=True)

    def _line(self) -> dict[str, Any]:
        if self.kind == "approximate":
            return {**style.APPROXIMATION, "dashes": DASHES[self.place % len(DASHES)]}
        return ANOTHER[self.place % len(ANOTHER)]

    def draw(
        self,
        axes: Axes,
        y: xr.DataArray,
        error: xr.DataArray | None,
        look: style.Look,
        placed: bool = False,
    ) -> None:
        """A curve over the one dimension of `y`, or only the values that it holds, with their errors."""
        x = y[y.dims[0]]
        if placed or self.kind == "simulated":
            most = y.size if placed else MOST_MARKERS
            some = slice(None, None, max(1, -(-y.size // most)))
            look = look if self.kind == "simulated" else self._placed(look.colour)
            marked, x, y = style.marked(look), x[some], y[some]
            if error is None:
                axes.plot(x, y, **marked)
            else:
                axes.errorbar(x, y, yerr=error[some], **marked, **style.BARS)
            return
        axes.plot(x, y, color=look.colour, **{**style.THEORY, **self._line()})
        if error is not None:
            axes.fill_between(x, y - error, y + error, color=look.colour, alpha=BAND, lw=0)


def roles_of(answer: xr.Dataset) -> list[Role]:
    """The role of each route of an answer, in its order."""
    found: list[Role] = []
    for route in routes_of(answer):
        kind = kind_of(route)
        found.append(Role(route, kind, sum(each.kind == kind for each in found)))
    return found


def kind_of(route: Route) -> Kind:
    """A simulation is a witness of its own, whatever else a route is."""
    if route.witness == "sims":
        return "simulated"
    if route.approximate:
        return "approximate"
    return "exact"


def simulated(roles: Sequence[Role]) -> bool:
    """Whether any of them is a simulation."""
    return any(role.kind == "simulated" for role in roles)
