"""A judgement as a picture and as a report of one page, in one file that loads nothing."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING

from teacherstudent.api.figure import FORMATS, drawn_as
from teacherstudent.api.judged.judgement import Judgement, said, share_of
from teacherstudent.house.errors import InputError
from teacherstudent.house.files import path_of, room_for, whole_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

SUFFIXES = (".html", *(f".{each}" for each in FORMATS))

HERE = Path(__file__).parent

LISTED = 200
"""Points that a report lists; of more the worst."""


def save(judgement: Judgement, file: str | Path) -> None:
    """Write the report (.html) or the figure. Raises `InputError`."""
    option = "file"
    path = path_of(file, option)
    if path.suffix not in SUFFIXES:
        raise InputError(option, str(file), f"a file ending in {', '.join(SUFFIXES)}")
    with whole_file(path, option) as written:
        made = content(judgement, path.suffix)
        with room_for(path, option):
            written.write_bytes(made)


def content(judgement: Judgement, suffix: str) -> bytes:
    """The report or the figure as the bytes of such a file."""
    return page(judgement).encode() if suffix == ".html" else drawn_as(drawn(judgement), suffix[1:])


def page(judgement: Judgement) -> str:
    """The report as HTML."""
    from datetime import UTC, datetime

    import numpy as np
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from teacherstudent.house.provenance import package_version

    kept = np.sort(
        np.argsort(-np.nan_to_num(np.abs(judgement.residuals), nan=np.inf), kind="stable")[:LISTED]
    )
    columns = (judgement.mean, judgement.stderr, judgement.theory, judgement.residuals, judgement.detectable)
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    return environment.get_template("page.html.j2").render(
        judgement=judgement,
        rows=[(said(judgement.points[i]), *(f"{each[i]:.5g}" for each in columns)) for i in kept],
        left_out=len(judgement.points) - len(kept),
        picture=base64.b64encode(drawn_as(drawn(judgement), "png")).decode(),
        made=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC by teacherstudent {package_version()}",
    )


def drawn(judgement: Judgement) -> Canvas:
    """Theory solid, means of the draws with one standard error, residuals beneath on the band of chance."""
    import numpy as np
    from matplotlib.figure import Figure

    from teacherstudent.figures.kit import residuals, style

    sizes = list(dict.fromkeys(label[0] for label in judgement.points if isinstance(label, tuple))) or [0.0]
    labels = [label[1] if isinstance(label, tuple) else label for label in judgement.points]
    numeric = not any(isinstance(label, str) for label in labels)
    canvas = Figure()
    style.size(canvas, 6.4, 5.2)
    grid = canvas.add_gridspec(2, 1, height_ratios=residuals.heights(1))
    curves, beneath = residuals.stack(canvas, grid, 0, ["residual [errors]"])
    band = judgement.threshold
    beneath.axhspan(-band, band, **residuals.BAND)
    beneath.axhline(0, color="0.4", lw=0.8)
    looks = [style.Look("", style.BLUE, "o")] if len(sizes) == 1 else _family(sizes)
    per_size = len(labels) // len(sizes)
    for i, (size, look) in enumerate(zip(sizes, looks, strict=True)):
        own = slice(i * per_size, (i + 1) * per_size)
        x = np.array(labels[own] if numeric else range(per_size), dtype=float)
        order = np.argsort(x)
        line = {
            "color": look.colour,
            "marker": "_" if per_size == 1 else "",
            "ms": 16,
            "mew": 1.6,
            **style.THEORY,
        }
        curves.plot(x[order], judgement.theory[own][order], label="theory" if i == 0 else None, **line)
        at = f" (size {size:g})" if len(sizes) > 1 else ""
        curves.errorbar(
            x,
            judgement.mean[own],
            yerr=judgement.stderr[own],
            label=f"draws{at}",
            **style.marked(look),
            **style.BARS,
        )
        beneath.plot(x, judgement.residuals[own], **style.marked(look, 3.5))
        if numeric and x.min() > 0 and x.max() / x.min() >= 100:
            curves.set_xscale("log")
        if not numeric:
            style.ticks(beneath.xaxis, x, labels[own])
    values = judgement.theory[~np.isnan(judgement.theory)]
    if values.min() > 0 and values.max() / values.min() >= 100 and np.nanmin(judgement.mean) > 0:
        curves.set_yscale("log")
    largest = float(np.nanmax(np.abs(judgement.residuals)))
    reach = 1.15 * max(min(band, residuals.WIDE), largest)
    beneath.set_ylim(-reach, reach)
    beneath.set_xlabel("point")
    curves.set_ylabel("value")
    curves.legend()
    seen = share_of(judgement.share, judgement.effect)
    canvas.suptitle(
        f"{judgement.verdict}: {judgement.draws} draws, detectable {seen}", fontsize="medium", wrap=True
    )
    return canvas


def _family(sizes: list[float]) -> list[object]:
    """Looks of several sizes, as many as there are."""
    from teacherstudent.figures.kit import style

    few = style.ordered_looks([f"{size:g}" for size in sizes[: len(style.MARKERS)]])
    return [few[i % len(few)] for i in range(len(sizes))]
