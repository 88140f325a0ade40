"""Figures: first the numbers, then the picture of exactly those numbers."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from teacherstudent.api.writing import netcdf
from teacherstudent.house.domains import check_flag
from teacherstudent.house.files import path_of, room_for, whole_file
from teacherstudent.house.interruptible import run_interruptibly
from teacherstudent.house.parameters import pick
from teacherstudent.house.provenance import recorded

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

FORMATS = ("png", "pdf", "svg")
DOTS_PER_INCH = 200
FILM, FILM_DOTS_PER_INCH = "gif", 100
FRAME, HELD = 80, 2500
"""Milliseconds that a frame lasts, and the last one, before the film starts again."""


@recorded
def figure(id: str, *, out: str | Path | None = None, format: str = "png", quick: bool = False) -> Canvas:
    """Compute the numbers of a figure and draw them.

    Args:
        id: Id of a figure, one of `teacherstudent.listing("figures")`.
        out: Folder for the picture `<id>.<format>` and its numbers `<id>.nc`, which have one group for each
            dataset (`xarray.open_datatree`). Nothing is written by default. For an animated figure the
            picture is the last frame, and the film is written as `<id>.gif`.
        format: `"png"`, `"pdf"` or `"svg"`.
        quick: Whether to use fewer seeds, which takes seconds instead of minutes.

    Returns:
        The matplotlib figure.

    Raises:
        InputError: For an unknown id or format, and for a folder that cannot be written.

    Examples:
        >>> import teacherstudent as ts
        >>> ts.figure("ch4-fig1", quick=True).axes[0].get_ylabel()
        'excess risk $E$ [output$^{2}$]'
    """
    from teacherstudent.figures.gallery import figures

    chosen = pick("figure", id, figures(), "teacherstudent list figures")
    check_flag("quick", quick)
    pick("format", format, dict.fromkeys(FORMATS))
    with ExitStack() as written:
        if out is not None:
            out = path_of(out, "out")
            # Entered before computing: a folder that cannot be written is found at once.
            kept = written.enter_context(whole_file(out / f"{id}.nc"))
            picture = written.enter_context(whole_file(out / f"{id}.{format}"))
            film = chosen.film and written.enter_context(whole_file(out / f"{id}.{FILM}"))
        from matplotlib.figure import Figure as Canvas

        numbers = run_interruptibly(lambda: chosen.compute(quick))
        canvas = Canvas(layout="constrained")
        chosen.draw(canvas, numbers)
        if out is not None:
            with room_for(out / f"{id}.nc", "out"):
                kept.write_bytes(netcdf(numbers))
            image = drawn_as(canvas, format)
            with room_for(out / f"{id}.{format}", "out"):
                picture.write_bytes(image)
            if chosen.film and film:
                moving = Canvas(layout="constrained")
                shown = _film(moving, chosen.film(moving, numbers))
                with room_for(out / f"{id}.{FILM}", "out"):
                    film.write_bytes(shown)
    return canvas


def picture_files(id: str, *, out: Path, format: str, quick: bool) -> list[Path]:
    """Draw a figure into a folder; returns the paths of its pictures."""
    from teacherstudent.figures.gallery import figures

    figure(id, out=out, format=format, quick=quick)
    return [out / f"{id}.{kind}" for kind in ((format, FILM) if figures()[id].film else (format,))]


def drawn_as(canvas: Canvas, format: str) -> bytes:
    """The bytes of a picture's file, made in memory: the writer of PDF fails oddly on a full disk."""
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
