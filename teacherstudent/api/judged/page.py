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
    """The figure of a judgement."""
    from matplotlib.figure import Figure

    from teacherstudent.figures.kit import judged

    canvas = Figure()
    of_draws = judgement.mean, judgement.stderr, judgement.residuals
    judged.draw(canvas, judgement.points, judgement.theory, of_draws, judgement.threshold)
    seen = share_of(judgement.share, judgement.effect)
    title = f"{judgement.verdict}: {judgement.draws} draws, detectable {seen}"
    canvas.suptitle(title, fontsize="medium", wrap=True)
    return canvas
