"""The figures with their captions, and with their pictures where those are at hand."""

from __future__ import annotations

from pathlib import Path

from figures.gallery import figures
from tools.site.api import ROOT
from tools.site.markdown import code, heading, plain

OUT = ROOT / "out"
"""Where `make reproduce` leaves pictures and outcomes."""
SUFFIXES = (".png", ".gif")
PLACES = (OUT / "figures", ROOT / "docs")
"""As last drawn; else as kept beside the README."""


def gallery() -> str:
    """Every figure: the picture where one is at hand, its caption, and the command that draws it."""
    parts = []
    for figure in figures().values():
        parts += [
            heading(2, plain(figure.title), figure.id),
            f"{plain(figure.paper)}, {plain(figure.ref)}. {code(f'teacherstudent figure {figure.id}')}\n",
            _shown(figure.id, plain(figure.title)),
            f"{plain(figure.caption)}\n",
        ]
    return "\n".join(parts)


def _shown(name: str, title: str) -> str:
    """The picture; a film stands still for a reader who asked for less motion."""
    still, film = (picture(name, suffix) for suffix in SUFFIXES)
    if film and still:
        source = f'<source media="(prefers-reduced-motion: reduce)" srcset="../pictures/{still.name}">'
        image = f'<img src="../pictures/{film.name}" alt="{title}" loading="lazy">'
        return f"<picture>{source}{image}</picture>\n"
    at_hand = film or still
    return f"![{title}](../pictures/{at_hand.name}){{ loading=lazy }}\n" if at_hand else ""


def picture(name: str, suffix: str) -> Path | None:
    """Where a figure's picture is; None where it is nowhere."""
    paths = (place / f"{name}{suffix}" for place in PLACES)
    return next((path for path in paths if path.is_file()), None)


def pictures() -> list[Path]:
    """All that are at hand."""
    found = (picture(name, suffix) for name in figures() for suffix in SUFFIXES)
    return [path for path in found if path]
