"""Pages of lessons in a browser: their first picture and the moves of sliders, beside the cells in Python."""

from __future__ import annotations

import shutil
import tempfile
import time
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from teacherstudent.benchmarks.declaration import Page

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
STOPS = """most => {
  const { controls } = JSON.parse(document.getElementById("told").textContent);
  const found = [];
  for (const [name, { kind, values, value: first }] of Object.entries(controls)) {
    const inputs = [...document.querySelectorAll(`[name="${name}"]`)];
    if (!inputs.length) continue;
    const stop = (value) => {
      if (kind !== "choice") return { name, value, place: values.indexOf(value), input: inputs[0] };
      return { name, value, place: null, input: inputs.find((each) => each.value === value) };
    };
    found.push(...values.slice(0, most).map(stop), { ...stop(first), back: true });
  }
  globalThis.stops = found;
  return found.map(({ name, value, back }) => (back ? "" : `${name}=${value}`));
}"""
"""Every stop of every control, one control after another; each control then goes back to where it was."""
MOVE = """i => new Promise((done) => {
  const { input, place } = stops[i];
  if (place === null) input.checked = true;
  else input.value = String(place);
  input.dispatchEvent(new Event("input", { bubbles: true }));
  requestAnimationFrame(() => setTimeout(done));
})"""
"""Moves a control to a stop, and ends after the frame that draws it."""
LOADS = 3
"""A stop's time is the least over this number of fresh loads of the page."""
SETTLED = 1.5
"""Seconds from the first picture to the first move."""


def opened(name: str, quick: bool) -> dict[str, float]:
    """Milliseconds of the page of a lesson, opened from its folder."""
    firsts, times = loads(name, 1 if quick else LOADS, 3 if quick else 1000)
    return {"first": min(firsts), "move": median(times.values()), "slowest": max(times.values())}


def loads(name: str, count: int, most: int) -> tuple[list[float], dict[str, float]]:
    """Milliseconds to the first picture at each load, and of at most this number of stops of each control."""
    from playwright.sync_api import sync_playwright

    from teacherstudent.api.lesson import pages

    firsts, times = [], []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page = pages(Path(folder), name)
        browser = playwright.chromium.launch(executable_path=_program(), args=FLAGS)
        for _ in range(count):
            tab = browser.new_page(viewport={"width": 1280, "height": 900})
            begun = time.perf_counter()
            tab.goto(page.as_uri())
            tab.locator("svg.picture").first.wait_for()
            firsts.append(1000 * (time.perf_counter() - begun))
            times.append(_moved(tab, most))
            tab.close()
        browser.close()
    return firsts, {stop: min(each[stop] for each in times) for stop in times[0]}


def _moved(tab: Any, most: int) -> dict[str, float]:
    """Milliseconds of CPU time of the page's thread at each stop: script, layout and painting of one move."""
    session = tab.context.new_cdp_session(tab)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return 1000 * next(each["value"] for each in metrics if each["name"] == "TaskDuration")

    found = {}
    stops = tab.evaluate(STOPS, most)
    time.sleep(SETTLED)
    for i, stop in enumerate(stops):
        before = spent()
        tab.evaluate(MOVE, i)
        if stop:
            found[stop] = spent() - before
    return found


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
