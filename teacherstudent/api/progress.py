"""Progress bars on standard error: none in the first second, none in a pipe."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from teacherstudent.house.control_characters import in_one_line
from teacherstudent.house.progressing import showing_progress

PATIENCE = 1.0
"""Seconds of work before a bar appears."""


@contextmanager
def progress(title: str, total: int | None = None) -> Iterator[Callable[[str], None]]:
    """A progress bar over `total` pieces of work (None if the total is unknown) while the block runs.

    Yields a function that announces the next piece by its name. Progress messages of long computations
    (`house.progressing`) follow this name. It shows nothing if standard error is not a terminal.
    """
    begun, named = 0, title

    def announce(piece: str) -> None:
        nonlocal begun, named
        named = in_one_line(f"{title} {piece}")
        update(description=named, completed=begun)
        begun += 1

    def show(done: str) -> None:
        update(description=f"{named}: {done}" if done else named)

    with _bar(title, total, counted=total is not None) as update, showing_progress(show):
        yield announce


@contextmanager
def counting(title: str) -> Iterator[Callable[[int, int], None]]:
    """A bar as in `progress`; yields a function that takes the number of finished pieces and the total."""
    with _bar(title, None, counted=True) as update:
        yield lambda done, total: update(completed=done, total=total)


@contextmanager
def _bar(title: str, total: int | None, counted: bool) -> Iterator[Callable[..., None]]:
    """The bar itself; yields what updates it."""
    if not sys.stderr.isatty():
        yield lambda **_: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = [TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn()]
    if counted:
        columns.insert(2, MofNCompleteColumn())
    # Left to itself, rich would send standard output to the bar's console too.
    bar = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
    task = bar.add_task(in_one_line(title), total=total)
    timer = threading.Timer(PATIENCE, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield partial(bar.update, task)
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
