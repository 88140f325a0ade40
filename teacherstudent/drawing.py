"""Figures: their numbers first, then the picture of exactly those numbers."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from house.declarations import pick
from house.files import whole_file

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure as Canvas

FORMATS = ("png", "pdf", "svg")
DOTS_PER_INCH = 200


def figure(id: str, *, out: str | Path | None = None, format: str = "png", quick: bool = False) -> Canvas:
    """Compute a figure's numbers and draw them; returns the matplotlib figure.

    `out` is the folder for `<id>.<format>` and, beside it, the numbers as `<id>.nc`, one group
    each; None writes nothing. `quick` draws fewer seeds. Raises `InputError`.
    """
    from figures.gallery import figures

    chosen = pick("figure", id, figures())
    pick("format", format, dict.fromkeys(FORMATS))
    with ExitStack() as written:
        if out is not None:
            # Entered before computing: a folder that cannot be written is found at once.
            kept = written.enter_context(whole_file(Path(out) / f"{id}.nc"))
            picture = written.enter_context(whole_file(Path(out) / f"{id}.{format}"))
        from matplotlib.figure import Figure as Canvas

        numbers = chosen.compute(quick)
        canvas = Canvas(layout="constrained")
        chosen.draw(canvas, numbers)
        if out is not None:
            _save_numbers(numbers, kept)
            canvas.savefig(picture, format=format, dpi=DOTS_PER_INCH)
    return canvas


def drawn(id: str, *, out: Path, format: str, quick: bool) -> None:
    """Draw a figure into its folder and keep nothing: what another process can be asked to do."""
    figure(id, out=out, format=format, quick=quick)


def _save_numbers(numbers: Mapping[str, xr.Dataset], path: Path) -> None:
    import xarray as xr

    xr.DataTree.from_dict(dict(numbers)).to_netcdf(path, engine="h5netcdf")
