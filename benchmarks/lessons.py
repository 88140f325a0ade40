"""Lessons: recomputing the theory after a slider moved, against starting the lesson's program anew."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from teacherstudent.benchmarks.declaration import Job, Pair, Side

LESSONS = ("modes", "overfitting", "explorer")
"""The lesson with the least computation, the longest lesson, and the page with most controls."""


def followed(path: Path, quick: bool) -> Job:
    """All cells of a page run again, as after a move of its first slider; nothing is simulated."""
    from runpy import run_path

    app = run_path(str(path), run_name="lesson")["app"]
    app.run()

    def work() -> Iterable[float]:
        app.run()
        return [1.0]

    return Job(work)


def anew(path: Path, quick: bool) -> Job:
    """The same cells in a fresh process, which reads and imports all that they need."""
    code = f"from runpy import run_path; run_path({str(path)!r}, run_name='lesson')['app'].run()"

    def work() -> Iterable[float]:
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
        return [1.0]

    return Job(work)


def _pair(name: str) -> Pair:
    from teacherstudent.api.lesson import lessons

    path = lessons()[name].path
    return Pair(
        f"lesson-{name}",
        f"lesson `{name}`: running every cell again after moving a slider",
        Side("the open page", partial(followed, path)),
        Side("opening the page again", partial(anew, path)),
        within=0.0,
        why="a page gives no numbers to compare",
    )


BENCHMARKS = tuple(map(_pair, LESSONS))
