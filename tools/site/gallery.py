"""The figures with their captions, and with their pictures if there are any."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image, ImageSequence

from teacherstudent.figures.gallery import figures
from teacherstudent.paper_checks.code import code_of
from teacherstudent.paper_checks.ledger import checks
from tools.site.api import ROOT
from tools.site.markdown import code, heading, plain

OUT = ROOT / "out"
"""Where `make reproduce` leaves pictures and outcomes."""
PLACES = (OUT / "figures", ROOT / "docs")
"""Folders of pictures: those drawn last, then those kept beside the README."""
NOT_DRAWN = "*Not drawn yet: `make reproduce` draws it.*"


def gallery() -> str:
    """Every figure: its picture if there is one, its caption, and the command that draws it."""
    parts = []
    for figure in figures().values():
        parts += [
            heading(2, plain(figure.title), figure.id),
            f"{plain(figure.paper)}, {plain(figure.ref)}. {_command(figure.id)}\n",
            shown(figure.id, "../pictures"),
            f"{plain(figure.caption)}\n",
        ]
    return "\n".join(parts)


def _command(name: str) -> str:
    """The command that draws a figure, and a link to its page if it is one of the thesis."""
    exists = (ROOT / "docs" / "figures" / f"{name}.md").is_file()
    link = f" [How to vary it](../figures/{name}.md)" if exists else ""
    return code(f"teacherstudent figure {name}") + link


def shown(name: str, folder: str) -> str:
    """A picture in that folder of the site; a film is a still for readers who prefer reduced motion.

    A line that says how to have it drawn where this copy has none.
    """
    title = plain(figures()[name].title)
    if f"{name}.gif" in pictures():
        source = f'<source media="(prefers-reduced-motion: reduce)" srcset="{folder}/{name}.png">'
        image = f'<img src="{folder}/{name}.gif" alt="{title}" loading="lazy">'
        return f"<picture>{source}{image}</picture>\n"
    if f"{name}.png" in pictures():
        return f"![{title}]({folder}/{name}.png){{ loading=lazy }}\n"
    return f"{NOT_DRAWN}\n"


@cache
def pictures() -> dict[str, bytes]:
    """All pictures that there are, by file name: stills, films, and the last frames of films."""
    found = {}
    for name in figures():
        still, film = (_at_hand(f"{name}{suffix}") for suffix in (".png", ".gif"))
        if film:
            found[f"{name}.gif"] = film.read_bytes()
        if still or film:
            found[f"{name}.png"] = still.read_bytes() if still else _last_frame(film)
    return found


def outcomes() -> dict[str, Any]:
    """The outcomes that `check all --json` wrote, by check, of code as it is now; none if it has not run."""
    path, now = OUT / "checks.json", checks()
    found = json.loads(path.read_text("utf-8")) if path.is_file() else []
    return {
        each["id"]: each for each in found if each["id"] in now and each["code"] == code_of(now[each["id"]])
    }


def _at_hand(name: str) -> Path | None:
    return next((path for place in PLACES if (path := place / name).is_file()), None)


def _last_frame(film: Path | None) -> bytes:
    assert film
    file = io.BytesIO()
    with Image.open(film) as frames:
        for frame in ImageSequence.Iterator(frames):
            last = frame.copy()
    last.save(file, "png")
    return file.getvalue()
