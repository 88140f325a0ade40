"""The page of `teacherstudent reproduce`, which fills while figures and checks are computed.

OUT/index.html never changes; it loads OUT/progress.js again every second, which works without a server.
"""

from __future__ import annotations

import json
import os
import sys
import time
import webbrowser
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from teacherstudent.api.check import outcome_from
from teacherstudent.api.reproduce import FIGURES
from teacherstudent.api.reproducing.results import Result, write_text
from teacherstudent.api.reproducing.tasks import UNKNOWN, Task
from teacherstudent.cli.report import percent
from teacherstudent.figures import gallery
from teacherstudent.house.catalogue import problems
from teacherstudent.house.extras import MissingExtra
from teacherstudent.paper_checks import ledger

TEMPLATE = Path(__file__).with_name("progress_page.html")
TRUSTED = 60.0
"""Seconds of finished tasks after which they say more about this machine than the measured seconds do."""

WAITING, COMPUTED, LACKING = "waiting", "computed", "not computed"
"""States of tasks; a check that was run has the state of its outcome."""

Entry = dict[str, Any]


class Page:
    """The page of some tasks in a folder. `seconds`: what tasks are expected to take, by their names."""

    def __init__(
        self, folder: Path, tasks: Sequence[Task], workers: int, seconds: Mapping[str, float]
    ) -> None:
        self.folder, self.file, self.workers = folder, folder / "index.html", workers
        self.expected = {task: seconds.get(task.name, UNKNOWN) for task in tasks}
        self.entries = {task: _entry(task) for task in tasks}
        self.running: dict[Task, float] = {}
        self.spent = self.spent_expected = TRUSTED
        self.started = time.time()
        write_text(self.file, TEMPLATE.read_text("utf-8"))
        self.write()

    def begin(self, task: Task) -> None:
        """Say that a task is being computed."""
        self.running[task] = time.time()
        self.write()

    def finish(self, task: Task, result: Result | MissingExtra) -> None:
        """Show the result of a task, or what is missing for it."""
        entry = self.entries[task]
        if isinstance(result, MissingExtra):
            entry |= {"state": LACKING, "lack": result.lack}
        else:
            entry |= {"seconds": round(result.seconds, 1), "kept": result.kept}
            entry |= self._drawn(task) if task.kind == "figure" else _judged(task, result)
            if not result.kept:
                self.spent += result.seconds
                self.spent_expected += self.expected[task]
        if self.running.pop(task, None):
            self.write()

    def write(self, state: str = "running", why: str = "") -> None:
        """Write what is known; `state` is running, finished, interrupted or stopped, `why` says more."""
        shown = {
            "state": state,
            "why": why,
            "started": self.started,
            "now": time.time(),
            "remaining": self._remaining(),
            "running": [[task.name, since] for task, since in self.running.items()],
            "figures": [each for task, each in self.entries.items() if task.kind == "figure"],
            "checks": [each for task, each in self.entries.items() if task.kind == "check"],
        }
        write_text(self.folder / "progress.js", f"show({json.dumps(shown)});\n")

    def summary(self) -> str:
        """How many figures and checks are finished."""
        done = Counter(task.kind for task, each in self.entries.items() if each["state"] != WAITING)
        asked = Counter(task.kind for task in self.entries)
        said = (f"{done[kind]} of {asked[kind]} {kind}s" for kind in ("figure", "check"))
        return f"{' and '.join(said)} are finished; {self.file} shows them, and the same command continues"

    def _remaining(self) -> float:
        """Seconds until the end, if what is left takes as much longer than expected as what is finished."""
        left = sum(self.expected[task] for task, each in self.entries.items() if each["state"] == WAITING)
        begun = sum(min(time.time() - since, self.expected[task]) for task, since in self.running.items())
        return max(0.0, left * self.spent / self.spent_expected - begun) / self.workers

    def _drawn(self, task: Task) -> Entry:
        """Where the files of a figure are, as links, and the size of the picture in pixels."""
        picture = self.folder / FIGURES / f"{task.id}.png"
        head = picture.read_bytes()[16:24]
        return {
            "state": COMPUTED,
            "picture": f"{FIGURES}/{picture.name}?{picture.stat().st_mtime_ns}",
            "size": [int.from_bytes(head[:4]), int.from_bytes(head[4:])],
            "numbers": f"{FIGURES}/{task.id}.nc",
            "film": f"{FIGURES}/{task.id}.gif" if gallery.figures()[task.id].film else "",
        }


def _entry(task: Task) -> Entry:
    """What is known of a task before it is computed."""
    if task.kind == "figure":
        figure = gallery.figures()[task.id]
        said = {"title": figure.title, "caption": figure.caption, "source": f"{figure.paper}, {figure.ref}"}
    else:
        check = ledger.checks()[task.id]
        said = {"title": check.title, "system": problems()[check.problem].title}
    return {"id": task.id, "state": WAITING, **said}


def _judged(task: Task, result: Result) -> Entry:
    outcome = outcome_from(task.id, result.fields)
    weakest = outcome.verdict.weakest
    share = f"{percent(weakest.share)} of {weakest.effect.what}" if weakest.effect else ""
    return {"state": outcome.state, "passed": outcome.passed, "why": outcome.why, "share": share}


def open_in_browser(file: Path) -> None:
    """Open a file in a graphical browser, where somebody sits at a terminal and has one."""
    screen = sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if screen and sys.stderr.isatty() and not os.environ.get("CI"):
        try:
            browser = webbrowser.get()
        except webbrowser.Error:
            return
        if type(browser) is not webbrowser.GenericBrowser:  # which runs in the terminal
            browser.open(file.resolve().as_uri())
