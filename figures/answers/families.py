"""Families of curves: which curves share a panel, and what tells them apart."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from teacherstudent.figures.answers import question, scales
from teacherstudent.figures.kit import legends, style

if TYPE_CHECKING:
    from matplotlib.cm import ScalarMappable

MOST_LOOKS = len(style.MARKERS)
"""Curves that a legend tells apart; more are told apart by a colour bar."""

LIGHTEST = 0.8
"""Of the colour map: beyond it curves are too pale on white."""

DIGITS = 4
"""Of a value in a legend."""

Selection = Mapping[Hashable, int]


@dataclass(frozen=True)
class Family:
    """The curves of a panel: places along some axes, each with its label. None where there is one curve.

    `values` are numbers along the only axis, where there are some.
    """

    members: tuple[Selection, ...] = ({},)
    labels: tuple[str, ...] = ("",)
    values: xr.DataArray | None = field(default=None, compare=False)

    @property
    def coloured(self) -> bool:
        """Whether colours tell its members apart."""
        return len(self.members) > 1

    @property
    def continuous(self) -> bool:
        """Whether they are too many for a legend, and told apart by a colour bar."""
        return len(self.members) > MOST_LOOKS

    def looks(self) -> list[style.Look]:
        """Of its members, light to dark; of a single one no colour of its own."""
        if not self.coloured:
            return [style.ANY]
        if not self.continuous:
            return style.ordered_looks(self.labels)
        from matplotlib.colors import to_hex

        shades = self.shades()
        return [
            style.Look(label, to_hex(shades.to_rgba(place)), "o")
            for label, place in zip(self.labels, self.places(), strict=True)
        ]

    def places(self) -> np.ndarray:
        """Where its members lie on the colour bar."""
        numeric = self.values is not None and self.values.dtype.kind in "iuf"
        return self.values.values.astype(float) if numeric else np.arange(1.0, len(self.members) + 1)

    def shades(self) -> ScalarMappable:
        """The colour of each place, for a colour bar: light to dark."""
        from matplotlib import colormaps
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import ListedColormap, LogNorm, Normalize

        places = self.places()
        norm = LogNorm if scales.spaced(places) == "log" else Normalize
        colours = ListedColormap(colormaps["viridis"](np.linspace(LIGHTEST, 0, 256)))
        return ScalarMappable(norm(places.min(), places.max()), colours)

    def entries(self, marked: bool) -> list[legends.Entry]:
        """A legend of its members, with their markers where there are some."""
        if not self.coloured or self.continuous:
            return []
        more = {} if marked else {"marker": ""}
        return [legends.curve(look, **more) for look in self.looks()]


@dataclass(frozen=True)
class Panel:
    """One observable, or a member of it, over one axis."""

    name: str
    chosen: Selection
    title: str
    family: Family


def panels(answer: xr.Dataset, names: Sequence[str], x: str, swept: str | None) -> list[Panel]:
    """A panel for each observable; where a parameter is swept, for each member of it too.

    x: the axis that runs along the panels; swept: the axis of the family, None for the observables' own.
    """
    found: list[Panel] = []
    for name in names:
        own = [dim for dim in answer[name].dims if dim not in {x, swept, "route", "seed"}]
        if swept:
            for chosen, title in _members(answer, own):
                found.append(Panel(name, chosen, title, family_of(answer, [swept])))
        else:
            found.append(Panel(name, {}, "", family_of(answer, own)))
    return found


def family_of(answer: xr.Dataset, axes: Sequence[Hashable]) -> Family:
    """A curve for every place along these axes."""
    if not axes:
        return Family()
    members, labels = zip(*_members(answer, axes), strict=True)
    return Family(members, labels, answer[axes[0]] if len(axes) == 1 else None)


def _members(answer: xr.Dataset, axes: Sequence[Hashable]) -> list[tuple[Selection, str]]:
    places = itertools.product(*(range(answer.sizes[axis]) for axis in axes))
    return [_named(answer, dict(zip(axes, place, strict=True))) for place in places]


def _named(answer: xr.Dataset, chosen: Selection) -> tuple[Selection, str]:
    return chosen, ", ".join(member_label(answer, axis, place) for axis, place in chosen.items())


def member_label(answer: xr.Dataset, axis: Hashable, place: int) -> str:
    """What one place along an axis is called: by parameters where it stands for some."""
    parameters = question.declared(answer)
    if axis == "point":
        columns = [name for name, each in answer.coords.items() if each.dims == ("point",) and name != axis]
        return ", ".join(_text(parameters.get(str(name)), name, answer[name][place]) for name in columns)
    if axis not in answer.coords:
        return f"{axis} {place + 1}"
    beside = [
        f"{style.mathematics(each.attrs['symbol'])} = {each[place].item():.{DIGITS}g}"
        for name, each in answer.coords.items()
        if each.dims == (axis,) and name != axis and each.attrs.get("symbol")
    ]
    return ", ".join([_text(parameters.get(str(axis)), axis, answer[axis][place]), *beside])


def _text(parameter: Any, name: Hashable, value: xr.DataArray) -> str:
    plain = value.item()
    if parameter is None:
        return f"{str(name).replace('_', ' ')} {plain}"
    return question.valued(parameter, plain, DIGITS)
