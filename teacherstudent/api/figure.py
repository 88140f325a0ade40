"""Figures: first the numbers, then the picture of exactly those numbers."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from teacherstudent.api.writing import netcdf
from teacherstudent.figures.declaration import NARROWEST, PAPER, SHEETS
from teacherstudent.house.domains import Number, check_flag
from teacherstudent.house.files import path_of, room_for, whole_file
from teacherstudent.house.interruptible import run_interruptibly
from teacherstudent.house.parameters import Parameter, pick
from teacherstudent.house.provenance import recorded

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

FORMATS = ("png", "pdf", "svg")
DOTS_PER_INCH = 300
FILM, FILM_DOTS_PER_INCH = "gif", 125
WIDEST = 100.0
"""Inches."""
FRAME, HELD = 80, 2500
"""Milliseconds that a frame lasts, and the last one, before the film starts again."""


@recorded
def figure(
    id: str,
    *,
    out: str | Path | None = None,
    format: str = "png",
    quick: bool = False,
    style: str = "paper",
    width: float | None = None,
) -> Canvas:
    """Compute the numbers of a figure and draw them.

    Args:
        id: Id of a figure, one of `teacherstudent.listing("figures")`.
        out: Folder for the picture `<id>.<format>` and its numbers `<id>.nc`, which have one group for each
            dataset (`xarray.open_datatree`). Nothing is written by default. For an animated figure the
            picture is the last frame, and the film is written as `<id>.gif`.
        format: `"png"`, `"pdf"` or `"svg"`.
        quick: Whether to use fewer seeds, which takes seconds instead of minutes.
        style: What the picture is for: `"paper"` (6.8 inches wide, text of 8 points), `"slide"` (13.3 inches,
            15.5 points) or `"poster"` (17 inches, 20 points).
        width: Width in inches, instead of the width of the style. The size of the text does not change.

    Returns:
        The matplotlib figure.

    Raises:
        InputError: For an unknown id, format or style, a width that is too small for the text, and a folder
            that cannot be written.

    Examples:
        >>> import teacherstudent as ts
        >>> ts.figure("ch4-fig1", quick=True).axes[0].get_ylabel()
        'excess risk $E$ [output$^{2}$]'
    """
    from teacherstudent.figures.gallery import figures

    chosen = pick("figure", id, figures(), "teacherstudent list figures")
    check_flag("quick", quick)
    pick("format", format, dict.fromkeys(FORMATS))
    check_sheet(style, width)
    with ExitStack() as written:
        if out is not None:
            out = path_of(out, "out")
            # Entered before computing: a folder that cannot be written is found at once.
            kept = written.enter_context(whole_file(out / f"{id}.nc"))
            picture = written.enter_context(whole_file(out / f"{id}.{format}"))
            film = chosen.film and written.enter_context(whole_file(out / f"{id}.{FILM}"))
        from matplotlib.figure import Figure as Canvas

        from teacherstudent.figures.kit.style import sheet

        numbers = run_interruptibly(lambda: chosen.compute(quick))
        canvas = Canvas(layout="constrained")
        with sheet(canvas, style, width):
            chosen.draw(canvas, numbers)
        if out is not None:
            with room_for(out / f"{id}.nc", "out"):
                kept.write_bytes(netcdf(numbers))
            image = drawn_as(canvas, format)
            with room_for(out / f"{id}.{format}", "out"):
                picture.write_bytes(image)
            if chosen.film and film:
                moving = Canvas(layout="constrained")
                frames = chosen.film(moving, numbers)
                with sheet(moving, style, width):
                    first = next(frames)
                shown = _film(moving, chain([first], frames))
                with room_for(out / f"{id}.{FILM}", "out"):
                    film.write_bytes(shown)
    return canvas


def said_of_sheets() -> str:
    """Every style of pictures, with its sizes in words."""
    return ", ".join(f"{name} ({each.width:g} in, text {each.text:g} pt)" for name, each in SHEETS.items())


def check_sheet(style: str, width: float | None, prefix: str = "") -> None:
    """Raise `InputError` for an unknown style of pictures, and for a width that is too small for the text."""
    sheet = pick(f"{prefix}style", style, SHEETS)
    if width is not None:
        domain = Number(NARROWEST * sheet.text / PAPER.text, WIDEST)
        Parameter(f"{prefix}width", "", "inches", domain, "").check(width)


def picture_files(id: str, *, out: Path, format: str, **how: Any) -> list[Path]:
    """Draw a figure into a folder; returns the paths of its pictures. how: other arguments of `figure`."""
    from teacherstudent.figures.gallery import figures

    figure(id, out=out, format=format, **how)
    return [out / f"{id}.{kind}" for kind in ((format, FILM) if figures()[id].film else (format,))]


def drawn_as(canvas: Canvas, format: str) -> bytes:
    """The bytes of a picture's file, made in memory, because errors on a full disk are unclear for PDF."""
    file = io.BytesIO()
    canvas.savefig(file, format=format, dpi=DOTS_PER_INCH)
    return file.getvalue()


def _film(canvas: Canvas, frames: Iterator[None]) -> bytes:
    """The bytes of a film: the animated artists frame by frame, over the others, which are drawn once."""
    import numpy as np
    from matplotlib.artist import Artist
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    canvas.set_dpi(FILM_DOTS_PER_INCH)
    paper = FigureCanvasAgg(canvas)
    pictures: list[Image.Image] = []
    for _ in frames:
        if not pictures:
            paper.draw()
            behind = paper.copy_from_bbox(canvas.bbox)
            moving = sorted(canvas.findobj(Artist.get_animated), key=Artist.get_zorder)
        paper.restore_region(behind)
        for artist in moving:
            artist.draw(paper.get_renderer())
        pictures.append(Image.fromarray(np.asarray(paper.buffer_rgba())).convert("RGB"))
    colours = pictures[-1].quantize()  # one palette: no flicker, and what stays costs nothing
    first, *others = (each.quantize(palette=colours, dither=Image.Dither.NONE) for each in pictures)
    lasts = [FRAME] * len(others) + [HELD]
    file = io.BytesIO()
    first.save(file, FILM, save_all=True, append_images=others, duration=lasts, loop=0)
    return file.getvalue()
