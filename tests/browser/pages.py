"""A static page, held to its notebook: the same pictures and numbers at the same settings.

python -m tests.browser.pages descents  # how far apart they are at random settings; none: all pages
"""

from __future__ import annotations

import json
import random
import re
import shutil
import sys
import tempfile
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from teacherstudent.lessons.pages import plain, scripts
from teacherstudent.lessons.pages.build import build, told
from teacherstudent.lessons.pages.cells import Notebook
from teacherstudent.lessons.pages.drawing import markup, spoken

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ACCURACY = 1e-6
"""Largest distance of a drawn number from Python's, as a share of the span of its axis."""
NUMBER = re.compile(r"(?<![\w.)}−-])[-+]?\d+(?:[.,]\d+)*(?:e[-+]?\d+)?")
SETTINGS = 12
NUMBERS = dict(x="x", y="y", low="y", high="y", error="y", x_error="x")
"""Numbers of a mark, and the axis along which each lies."""


def written() -> list[str]:
    """The lessons whose pages move."""
    return sorted(path.stem for path in (scripts.FOLDER / "lessons").glob("*.js"))


def settings(name: str, controls: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """The page's first settings, and random ones."""
    drawn = random.Random(name)
    ways = [{key: drawn.choice(each["values"]) for key, each in controls.items()} for _ in range(count - 1)]
    return [{key: each["value"] for key, each in controls.items()}, *ways]


def differences(name: str, page: Page, count: int = SETTINGS) -> list[str]:
    """What differs between the notebook and its page, in words; the page is open.

    Of sentences only the numbers are compared: the page sets formulas otherwise.
    """
    notebook = Notebook(name)
    found = []
    for at in settings(name, told(notebook)["controls"], count):
        cells = notebook.shown(at)
        mine = [plain.picture(each) for cell in cells for each in cell.pictures()]
        theirs = json.loads(page.evaluate("at => JSON.stringify(TS.shown(at))", at))
        where = f" at {at}"
        found += [each + where for each in unlike(mine, theirs["pictures"])]
        drawn = page.evaluate("at => TS.shown(at).pictures.map(TS.figure)", at)
        made = [each.text for cell in cells for each in cell.pictures()]
        found += [
            f"picture {i} is drawn otherwise{where}"
            for i, pair in enumerate(zip(made, drawn, strict=True))
            if not same_drawing(*pair)
        ]
        said = [numbers(markup(cell)) for cell in spoken(cells)]
        heard = [numbers(each) for each in theirs["words"]]
        if said != heard:
            found.append(f"words: {heard}, not {said}{where}")
    return found


def numbers(html: str) -> list[str]:
    """The numbers in a text, in their order."""
    bare = re.sub(r"<math.*?alttext=\"([^\"]*)\".*?</math>", r" \1 ", html, flags=re.DOTALL)
    bare = re.sub(r"<su[pb]>", " ", bare)
    text = unescape(re.sub(r"<[^>]*>", "", bare)).replace("−", "-").replace("\u2009", "")
    return NUMBER.findall(text.translate(str.maketrans("{}^_$", "     ")))


def same_drawing(mine: str, theirs: str) -> bool:
    """Whether two drawings are letter by letter the same, but for a tenth of a unit of rounding."""
    bare, other = (re.split(r"-?\d+(?:\.\d+)?", html.replace("\u2212", "-")) for html in (mine, theirs))
    places, others = (
        [float(each) for each in re.findall(r"-?\d+(?:\.\d+)?", html.replace("\u2212", "-"))]
        for html in (mine, theirs)
    )
    return bare == other and all(abs(a - b) < 0.11 for a, b in zip(places, others, strict=True))


def unlike(mine: list[Any], theirs: list[Any]) -> list[str]:
    """How pictures differ, in words."""
    if len(mine) != len(theirs):
        return [f"{len(theirs)} pictures, not {len(mine)}"]
    return [
        f"picture {i}: {said}"
        for i, pair in enumerate(zip(mine, theirs, strict=True))
        for said in _unlike(*pair)
    ]


def _unlike(mine: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    found = [
        f"{key} {theirs[key]!r}, not {mine[key]!r}" for key in ("alt", "caption") if theirs[key] != mine[key]
    ]
    if len(mine["panels"]) != len(theirs["panels"]):
        return [*found, f"{len(theirs['panels'])} panels, not {len(mine['panels'])}"]
    for k, (one, other) in enumerate(zip(mine["panels"], theirs["panels"], strict=True)):
        found += [f"panel {k}: {said}" for said in _panels(one, other)]
    return found


def _panels(mine: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    found = [
        f"{key} axis {theirs[key]}, not {mine[key]}"
        for key in ("x", "y")
        if any(theirs[key][part] != mine[key][part] for part in ("label", "scale"))
        or any(not _near(mine[key][end], theirs[key][end]) for end in ("low", "high"))
    ]
    if mine["height"] != theirs["height"]:
        found.append(f"height {theirs['height']}, not {mine['height']}")
    if len(mine["marks"]) != len(theirs["marks"]):
        return [*found, f"{len(theirs['marks'])} marks, not {len(mine['marks'])}"]
    spans = {along: _span(mine, along) for along in ("x", "y")}
    for m, (one, other) in enumerate(zip(mine["marks"], theirs["marks"], strict=True)):
        found += [f"mark {m}: {said}" for said in _marks(one, other, mine, spans)]
    return found


def _near(one: float | None, other: float | None) -> bool:
    return one == other or (one is not None and other is not None and abs(one - other) <= 1e-6 * abs(one))


def _span(panel: dict[str, Any], along: str) -> float:
    values = [v for each in panel["marks"] for v in np.atleast_1d(each.get(along) or []) if v is not None]
    ends = [panel[along][end] for end in ("low", "high")]
    low, high = (end if end is not None else far for end, far in zip(ends, (-np.inf, np.inf), strict=True))
    inside = [v for v in values if low <= v <= high]  # what is seen
    placed = _placed(panel[along], np.array([*inside, *(end for end in ends if end is not None)], float))
    placed = placed[np.isfinite(placed)]
    return float(np.ptp(placed)) if placed.size and np.ptp(placed) else 1.0


def _placed(axis: dict[str, Any], values: np.ndarray) -> np.ndarray:
    return values if axis["scale"] == "lin" else np.log10(np.where(values > 0, values, np.nan))


def _marks(
    mine: dict[str, Any], theirs: dict[str, Any], panel: dict[str, Any], spans: dict[str, float]
) -> list[str]:
    told = [key for key in ("kind", "label", "dashed", "width", "line") if mine.get(key) != theirs.get(key)]
    if _look(mine.get("look")) != _look(theirs.get("look")):
        told.append("look")
    found = [f"{key} {theirs.get(key)!r}, not {mine.get(key)!r}" for key in told]
    for name, along in NUMBERS.items():
        one, other = (
            _placed(panel[along], np.atleast_1d(np.array(each.get(name), dtype=float)))
            for each in (mine, theirs)
        )
        if one.shape != other.shape or np.any(np.isnan(one) != np.isnan(other)):
            found.append(f"{name} has {other.shape} numbers, {np.isnan(other).sum()} of them none")
        elif (far := np.nanmax(np.abs(one - other), initial=0.0) / spans[along]) > ACCURACY:
            found.append(f"{name} is {far:.2g} of the axis away")
    return found


def _look(look: Any) -> Any:
    from teacherstudent.lessons.kit.marks import LOOKS

    return {"colour": LOOKS[look].colour, "marker": LOOKS[look].marker} if isinstance(look, int) else look


def opened(browser: Browser, folder: Path, name: str, size: tuple[int, int] = (1280, 900)) -> Page:
    """A page of a built folder, opened from it."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.goto((folder / f"{name}.html").as_uri())
    return page


def main(names: list[str]) -> None:
    """Say what differs."""
    from playwright.sync_api import sync_playwright

    from tests.browser.kernels import FLAGS

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name in names or written():
            build(Path(folder), [name])
            page = opened(chromium, Path(folder), name)
            page.on("pageerror", lambda error: print("   ", error))
            found = differences(name, page)
            print(f"{name}: {len(found)} differences", *found[:12], sep="\n    ")
            page.close()


if __name__ == "__main__":
    main(sys.argv[1:])
