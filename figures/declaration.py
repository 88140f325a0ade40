"""What a figure is: numbers first, then the drawing of exactly those numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes as Axes
    from matplotlib.figure import Figure as Canvas

    Numbers = dict[str, xr.Dataset]


@dataclass(frozen=True)
class Figure:
    """One picture.

    `compute(quick)` returns the numbers behind it, group by group (the front door saves them
    as NetCDF beside the picture); `draw(canvas, numbers)` draws them on an empty matplotlib
    figure and computes nothing that is not in `numbers`. `quick` means fewer seeds, never
    another question.

    A figure that moves has a `film(canvas, numbers)` too: it draws on an empty figure and yields
    whenever a frame is complete. Its last frame is what `draw` draws (`figures.kit.films.still`), so
    that paper and screen cannot differ.
    """

    id: str
    title: str
    caption: str
    paper: str
    ref: str
    compute: Callable[[bool], Numbers] = field(repr=False)
    draw: Callable[[Canvas, Numbers], None] = field(repr=False)
    film: Callable[[Canvas, Numbers], Iterator[None]] | None = field(default=None, repr=False)
    no_residuals: str = ""
    small: Mapping[str, Any] = field(default_factory=dict, repr=False)


def constants(module: str, **values: Any) -> dict[str, Any]:
    """Values for constants of that module, as `small` names them."""
    return {f"{module}.{name}": value for name, value in values.items()}
