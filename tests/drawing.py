"""Figures drawn small: as few numbers as a drawing takes, by what each figure declares."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from teacherstudent.figures.gallery import figures
from teacherstudent.figures.kit.style import sheet

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas
    from matplotlib.text import Text


SHARED: Path | None = None
"""A folder of processes that share out the tests of one run, where there are several (`conftest.py`)."""


LONG = {
    *("app-fig1", "app-fig2", "ch4-fig5", "ch4-fig6", "ch8-fig2", "map-descents", "map-groups", "map-rq"),
    *("map-starvation", "map-stopping", "map-validity", "own-digits", "own-kernel", "sphere-effective-rate"),
    *("rf-map-descents", "rf-parts", "rf-surface", "rf-triple", "rf-width", "sphere-digits"),
    *("cm-length", "cm-orders", "cm-overparametrised", "cm-plateau", "cm-rates", "pc-losses", "pc-rules"),
    *("sgd-batches", "sgd-rate", "sphere-trajectories", "gram-clusters", "colored-digits", "sgd-one-pass"),
    *("map-onset", "sn-exit", "ht-published-grid", "ht-estimators", "pc-storage", "map-tails"),
    *("film-rq", "ch4-fig3", "ch2-fig4"),
    "film-gan",
}
"""Figures whose small run takes more than about a CPU-second and whose numbers no other quick test reads."""


def of_figures(names: Iterable[str]) -> pytest.MarkDecorator:
    """A test of each of these figures; of the long ones it is thorough."""
    each = [pytest.param(name, marks=[pytest.mark.thorough] if name in LONG else []) for name in names]
    return pytest.mark.parametrize("figure", each)


@contextmanager
def small(figure: str) -> Iterator[None]:
    """A figure's constants as its `small` has them."""
    with pytest.MonkeyPatch.context() as patch:
        for constant, value in figures()[figure].small.items():
            patch.setattr(constant, value)
        yield


@cache
def numbers(figure: str) -> dict[str, xr.Dataset]:
    """The numbers of a figure, as few as its drawing takes. What another process computed is read."""
    kept = SHARED and SHARED / f"{figure}.pickle"
    if kept and kept.exists():
        return pickle.loads(kept.read_bytes())
    with small(figure):
        found = dict(figures()[figure].compute(True))
    if kept:
        whole = kept.with_suffix(f".{os.getpid()}")
        whole.write_bytes(pickle.dumps(found))
        whole.replace(kept)
    return found


@cache
def sketched(figure: str) -> Canvas:
    """A figure drawn and not laid out, which takes longer: enough for its words, lines and areas."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas()
    FigureCanvasAgg(canvas)
    with small(figure), sheet(canvas):
        figures()[figure].draw(canvas, numbers(figure))
    return canvas


@cache
def drawn(figure: str) -> Canvas:
    """A figure drawn and laid out; any warning on the way is an error."""
    canvas = sketched(figure)
    canvas.draw_without_rendering()
    return canvas


def picture(answer: object, laid_out: bool = False, show: object = None, of: str | None = None) -> Canvas:
    """The picture of an answer of the front door; laid out, it knows where its texts are."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    from teacherstudent.api import plot

    canvas = Canvas()
    FigureCanvasAgg(canvas)
    plot.draw(canvas, plot.gathered(answer), show, of)
    if laid_out:
        canvas.draw_without_rendering()
    return canvas


def texts(canvas: Canvas) -> str:
    """Everything that is written on a picture, with single spaces."""
    from matplotlib.text import Text

    return " ".join(" ".join(each.get_text().split()) for each in canvas.findobj(Text))


def residual_panels(canvas: Canvas) -> list[Axes]:
    """The panels of residuals."""
    from matplotlib.axes import Axes

    return [axes for axes in canvas.findobj(Axes) if axes.get_label() == "residuals"]


def words(picture: Canvas) -> list[Text]:
    """All text that is seen: of axes, legends and the picture itself."""
    from matplotlib.text import Text

    hidden: set[Text] = set()
    for axes in picture.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not (axes.axison and low <= tick.get_loc() <= high):
                    hidden |= {tick.label1, tick.label2}
            if not axes.axison:
                hidden |= {axis.label, axis.get_offset_text()}
    seen = [text for text in picture.findobj(Text) if text.get_visible() and text.get_text().strip()]
    return [text for text in seen if text not in hidden]
