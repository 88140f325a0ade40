"""What a long computation does at the moment, for whoever shows it: the work says it, and knows no screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_SHOWN: ContextVar[Callable[[str], None] | None] = ContextVar("shown", default=None)


@contextmanager
def shown(show: Callable[[str], None]) -> Iterator[None]:
    """Hand what is done inside the block to `show`, piece by piece; "" when a piece is done."""
    token = _SHOWN.set(show)
    try:
        yield
    finally:
        _SHOWN.reset(token)


@contextmanager
def doing(piece: str) -> Iterator[None]:
    """Say that this piece of work is being done inside the block. Costs nothing where nobody listens."""
    show = _SHOWN.get()
    if show is None:
        yield
        return
    show(piece)
    try:
        yield
    finally:
        show("")
