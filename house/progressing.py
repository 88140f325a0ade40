"""What a long computation does at the moment, for whoever shows it: the work says it, and knows no screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_SHOWN: ContextVar[tuple[Callable[[str], None] | None, str]] = ContextVar("shown", default=(None, ""))
"""Who shows it, and the piece of work that goes on."""


@contextmanager
def showing_progress(show: Callable[[str], None]) -> Iterator[None]:
    """Hand what is done inside the block to `show`, piece by piece; "" between pieces."""
    token = _SHOWN.set((show, ""))
    try:
        yield
    finally:
        _SHOWN.reset(token)


@contextmanager
def doing_part(piece: str) -> Iterator[None]:
    """Say that this piece of work, a part of the one that goes on, is done inside the block."""
    show, whole = _SHOWN.get()
    if show is None:
        yield
        return
    within = f"{whole}, {piece}" if whole else piece
    token = _SHOWN.set((show, within))
    show(within)
    try:
        yield
    finally:
        _SHOWN.reset(token)
        show(whole)
