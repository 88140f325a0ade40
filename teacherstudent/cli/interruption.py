"""Ctrl-C on the command line is answered by what the command leaves behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

PRINTED = "the answer may have been printed only in part"


@contextmanager
def told_on_interruption(said: str | Callable[[], str]) -> Iterator[None]:
    """Ctrl-C inside the block prints this line, which says what is kept and how to continue."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(said if isinstance(said, str) else said()) from None
