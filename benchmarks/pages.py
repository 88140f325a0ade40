"""Pages of lessons in a browser: their first picture and the moves of sliders, beside the cells in Python."""

from __future__ import annotations

import shutil
import tempfile
import time
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from teacherstudent.benchmarks.declaration import Page

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
MOVED = """moves => {
  const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  const timed = async (slider) => {
    const step = slider.value === slider.max ? -1 : 1;
    slider.value = String(Number(slider.value) + step);
    const begun = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await frame();
    return performance.now() - begun;
  };
  const all = async () => {
    const found = [];
    for (const slider of document.querySelectorAll("input[type=range]")) {
      const times = [];
      for (let i = 0; i < moves; i += 1) times.push(await timed(slider));
      found.push(times);
    }
    return found;
  };
  return all();
}"""
"""Moves every slider so many times; the frame in which a page draws is the one after the event."""


def opened(name: str, quick: bool) -> dict[str, float]:
    """Milliseconds of the page of a lesson, opened from its folder."""
    from playwright.sync_api import sync_playwright

    from teacherstudent.api.lesson import pages

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = pages(Path(folder), name)
        browser = playwright.chromium.launch(executable_path=_program(), args=FLAGS)
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        begun = time.perf_counter()
        tab.goto(page.as_uri())
        tab.locator("svg.picture").first.wait_for()
        first = 1000 * (time.perf_counter() - begun)
        times = tab.evaluate(MOVED, 3 if quick else 12)
        browser.close()
    moves = [each for one in times for each in one]
    return {"first": first, "move": median(moves), "slowest": max(map(median, times))}


def followed(path: Path, quick: bool) -> dict[str, float]:
    """Milliseconds of all cells of a notebook, those without sliders too; nothing is simulated."""
    from runpy import run_path

    lesson = run_path(str(path), run_name="lesson")
    lesson["kit"].on_demand = lambda button, work, doing="": None
    app = lesson["app"]
    app.run()
    begun = time.perf_counter()
    app.run()
    return {"cells": 1000 * (time.perf_counter() - begun)}


def lacks(quick: bool) -> str:
    """What is missing for a browser."""
    if find_spec("playwright") is None:
        return "needs the package playwright"
    return "" if _program() else f"needs Chromium (looked for {', '.join(PROGRAMS)})"


def _program() -> str | None:
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def _page(name: str, path: Path) -> Page:
    title = f"page `{name}`"
    return Page(f"page-{name}", title, partial(opened, name), partial(followed, path), lacks)


def _pages() -> tuple[Page, ...]:
    from teacherstudent.api.lesson import lessons

    return tuple(_page(name, each.path) for name, each in lessons().items())


BENCHMARKS = _pages()
