"""A progress bar on standard error, for people who wait: none before two seconds, none in a pipe."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds of work before a bar appears."""


@contextmanager
def progress(title: str, total: int | None = None) -> Iterator[Callable[[str], None]]:
    """A bar over `total` pieces of work (None: of unknown length) while the block runs.

    Yields the function that announces the next piece by its name. Shows nothing where standard
    error is not a terminal.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = [TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()]
    if total is not None:
        columns.insert(2, MofNCompleteColumn())
    # Left to itself, rich would send standard output to the bar's console too.
    bar = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
    task = bar.add_task(title, total=total)
    begun = 0

    def announce(piece: str) -> None:
        nonlocal begun
        bar.update(task, description=f"{title} {piece}", completed=begun)
        begun += 1

    timer = threading.Timer(PATIENCE, bar.start)
    timer.daemon = True
    timer.start()
    try:
        yield announce
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
