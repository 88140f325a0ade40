"""Signals that end work: none is lost."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

AGAIN = 0.1
"""Seconds after which a lost signal is sent once more: what lost it has ended by then."""


@contextmanager
def heeding_signal(number: int) -> Iterator[None]:
    """Inside the block no `KeyboardInterrupt` that this signal raises is lost.

    Where it meets a destructor or a callback of the garbage collector, Python would report it and go on.
    """
    report, main = sys.unraisablehook, threading.get_ident()

    def once_more() -> None:
        time.sleep(AGAIN)
        signal.pthread_kill(main, number)

    def hook(lost: sys.UnraisableHookArgs) -> None:
        if issubclass(lost.exc_type, KeyboardInterrupt):
            _thread.start_new_thread(once_more, ())  # a `Thread` would wait here until it has started
        else:
            report(lost)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = report
