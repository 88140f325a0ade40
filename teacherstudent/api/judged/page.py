"""A judgement in a file: a report of one page that loads nothing, or the figure."""

from __future__ import annotations

import base64
from html import escape
from pathlib import Path

from teacherstudent.api.figure import FORMATS, drawn_as
from teacherstudent.api.judged.judgement import Judgement
from teacherstudent.house.errors import InputError
from teacherstudent.house.files import path_of, room_for, whole_file
from teacherstudent.house.provenance import package_version

SUFFIXES = (".html", *(f".{each}" for each in FORMATS))

LISTED = 200
"""Points that a report lists; of more the worst."""

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{verdict}: draws against theory</title>
<style>
body {{ margin: 0 auto; padding: 1.5rem; max-width: 52rem; font: 1rem/1.5 system-ui, sans-serif; }}
th, td {{ padding: .2rem .6rem; text-align: right; overflow-wrap: anywhere; }}
.facts th, .facts td {{ text-align: left; vertical-align: top; }}
img {{ max-width: 100%; }}
</style></head>
<body>
<h1>{verdict}</h1>
<p>{reason}.</p>
<table class="facts">{facts}</table>
<ul>{cautions}</ul>
<p><img alt="Above: the theory as a line and the means of the draws with one standard error. Below: their
difference in standard errors; the grey band is the range that chance explains."
src="data:image/png;base64,{image}"></p>
<table>{rows}</table>
<p>{more}Made by teacherstudent {version}.</p>
</body>
</html>
"""


def save(judgement: Judgement, file: str | Path, option: str = "file") -> None:
    """Write the report (.html) or the figure. Raises `InputError`."""
    path = path_of(file, option)
    if path.suffix not in SUFFIXES:
        raise InputError(option, str(file), f"a file ending in {', '.join(SUFFIXES)}")
    with whole_file(path, option) as written:
        if path.suffix == ".html":
            made = page(judgement).encode()
        else:
            made = drawn_as(judgement.plot(), path.suffix[1:])
        with room_for(path, option):
            written.write_bytes(made)


def page(judgement: Judgement) -> str:
    """The report as HTML."""

    def row(cells: tuple[object, ...]) -> str:
        first, *rest = (f"{each:.5g}" if isinstance(each, float) else escape(str(each)) for each in cells)
        return f"<tr><th>{first}</th>{''.join(f'<td>{each}</td>' for each in rest)}</tr>\n"

    head = ("point", "draws", "error", "theory", "residual", "detectable")
    left_out = len(judgement.points) - LISTED
    return PAGE.format(
        verdict=judgement.verdict,
        reason=escape(judgement.reason),
        facts="".join(map(row, judgement.facts.items())),
        cautions="".join(f"<li>{escape(each)}</li>\n" for each in judgement.cautions),
        image=base64.b64encode(drawn_as(judgement.plot(), "png")).decode(),
        rows="".join(map(row, [head, *judgement.rows(LISTED)])),
        more=f"{left_out} more points have smaller residuals. " if left_out > 0 else "",
        version=package_version(),
    )
