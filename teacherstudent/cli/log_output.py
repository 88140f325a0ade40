"""What the package logs, on standard error: notes always, the rest and what it cost by `--verbose`."""

from __future__ import annotations

import logging
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager

from teacherstudent.cli.streams import print_to_stderr
from teacherstudent.house.control_characters import in_one_line
from teacherstudent.house.provenance import noting_anew


class _Said(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        kind = getattr(record, "kind", "note") if record.levelno >= logging.WARNING else "info"
        print_to_stderr(f"{kind}: {in_one_line(record.getMessage())}")


@contextmanager
def notes_to_stderr() -> Iterator[None]:
    """Inside the block the package prints its warnings, even those that earlier commands have printed.

    With `--verbose` they are printed already.
    """
    log, handler = logging.getLogger("teacherstudent"), _Said(logging.WARNING)
    with noting_anew():
        if any(isinstance(each, _Said) for each in log.handlers):
            yield
            return
        log.addHandler(handler)
        try:
            yield
        finally:
            log.removeHandler(handler)


@contextmanager
def logging_to_stderr() -> Iterator[None]:
    """Inside the block the package prints what it computes, and at the end the time and the memory used."""
    log, handler, began = logging.getLogger("teacherstudent"), _Said(), time.perf_counter()
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.setLevel(level)
        log.removeHandler(handler)
        used = resource.getrusage(resource.RUSAGE_SELF)
        cpu, peak = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
        print_to_stderr(
            f"info: {time.perf_counter() - began:.2f} s; this process: {cpu:.2f} CPU-s, peak {peak:.0f} MiB"
        )
