"""What the process owes to its surroundings: streams that may be closed, signals that end it."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TextIO

import click

from teacherstudent.house.control_characters import escape_control_characters, in_one_line

STANDARD = (os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)
"""How a closed standard stream is opened: writing to the output fails, writing to the error vanishes."""


ENDING = (signal.SIGTERM, signal.SIGHUP)
"""Signals that end the process in order."""


class Ended(BaseException):
    """A signal asked the process to end; the process cleans up first."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = number


def prepare_streams() -> None:
    """Open streams that the caller closed on the null device, so that no other file takes their place.

    Printing to a closed standard output fails as on a full disk. Characters that cannot be encoded are
    escaped.
    """
    if sys.stdout is None or sys.stderr is None:
        for descriptor, flags in enumerate(STANDARD):
            try:
                os.fstat(descriptor)
            except OSError:
                os.open(os.devnull, flags)  # takes the lowest that is free: this one
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            utf = stream.encoding.lower().startswith("utf")
            stream.reconfigure(errors="surrogateescape" if utf else "backslashreplace")


def print_text(text: object, *, nl: bool = True) -> None:
    """Print on standard output, with control characters escaped; all commands print by this function."""
    click.echo(escape_control_characters(str(text)), nl=nl)


def print_to_stderr(text: str) -> None:
    """Print lines on standard error, if possible, with control characters escaped."""
    try:
        click.echo(escape_control_characters(text), err=True)
    except OSError:
        with suppress(OSError, ValueError):
            abandon_stream(sys.stderr)


def print_written(path: object, *, replaced: bool = False) -> None:
    """Say on standard error that a command wrote this file."""
    print_to_stderr(in_one_line(f"wrote {path}{', replacing the earlier one' if replaced else ''}"))


def print_kept(store: Path) -> None:
    """Say on standard error why a finished command keeps its partial results, if it does."""
    if store.exists():
        kept = f"kept {store}: with it, --resume adds points or seeds; delete it if you do not need that"
        print_to_stderr(in_one_line(kept))


def abandon_stream(stream: TextIO) -> None:
    """Send what is left in its buffers nowhere: the interpreter would fail when it flushes them at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def ending_in_order() -> Iterator[None]:
    """SIGTERM and SIGHUP raise `Ended`, so that no half-written file stays; a second one ends at once."""

    def end(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        raise Ended(number)

    numbers: list[int] = []
    if threading.current_thread() is threading.main_thread():
        numbers = [each for each in ENDING if signal.getsignal(each) == signal.SIG_DFL]
    for number in numbers:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
