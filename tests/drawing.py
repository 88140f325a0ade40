"""Figures drawn small: as few numbers as a drawing takes, by what each figure declares."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import pytest

from teacherstudent.figures.gallery import figures

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure as Canvas


@contextmanager
def small(figure: str) -> Iterator[None]:
    """A figure's constants as its `small` has them."""
    with pytest.MonkeyPatch.context() as patch:
        for constant, value in figures()[figure].small.items():
            patch.setattr(constant, value)
        yield


@cache
def numbers(figure: str) -> dict[str, xr.Dataset]:
    """The numbers of a figure, as few as its drawing takes."""
    with small(figure):
        return dict(figures()[figure].compute(True))


@cache
def drawn(figure: str) -> Canvas:
    """A figure drawn and laid out; any warning on the way is an error."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas()
    FigureCanvasAgg(canvas)
    with small(figure):
        figures()[figure].draw(canvas, numbers(figure))
    canvas.draw_without_rendering()
    return canvas
