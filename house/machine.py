"""What of this machine a process may use."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from teacherstudent.house.domains import Whole
from teacherstudent.house.errors import InputError

LONG_LIVED = 1.5 * 2**30
"""Bytes of memory that a worker process may come to hold: one that keeps two thirds of it is replaced."""

SHARE = 0.5
"""Part of the memory that answers may fill at one time: the rest is for libraries and other programs."""

PROCESS = 2**28
"""Bytes of a worker process before it has computed anything: an interpreter, JAX, and compiled programs."""

WORKERS = "TEACHERSTUDENT_WORKERS"
"""Environment variable of a worker process: how many of them share this machine."""


def cores() -> int:
    """Cores that this process may use; those of the machine where the system does not say which."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor() -> str:
    """The processor's name as the system gives it, or its instruction set."""
    import platform

    known = Path("/proc/cpuinfo")
    if known.exists():
        for line in known.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


@cache  # it reads files
def memory() -> float:
    """Bytes of memory that this process may use: the machine's, or less where a control group says so.

    Infinite where the system does not say.
    """
    try:
        physical = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        physical = math.inf
    return min([physical, *_limits(Path("/proc/self/cgroup"), Path("/sys/fs/cgroup"))])


def memory_held() -> float:
    """Bytes of memory that this process holds; 0 where the system does not say."""
    known = Path("/proc/self/statm")
    return int(known.read_text("utf-8").split()[1]) * os.sysconf("SC_PAGE_SIZE") if known.exists() else 0.0


def memory_for_question() -> float:
    """Bytes that the numbers of one question may fill: a `SHARE` of the memory, divided among workers."""
    return SHARE * memory() / workers()


def workers() -> int:
    """How many worker processes share this machine; 1 outside of them.

    Raises `InputError` where the environment says what is no such number.
    """
    said = os.environ.get(WORKERS, "1")
    try:
        return Whole(1).parse(said)
    except (OverflowError, ValueError):
        raise InputError(WORKERS, said, "a whole number >= 1") from None


def most_workers() -> int:
    """Worker processes for long work: one per core, as far as the memory allows."""
    return max(1, int(min(cores(), memory() / LONG_LIVED)))


def count_processes(asked: int, pieces: int) -> int:
    """Worker processes to start for so many pieces of work where so many are asked for.

    No more than cores, for others would only wait, or two, so that one can stand in for another; and no
    more than fit into the memory.
    """
    fitting = int(min(SHARE * memory() / PROCESS, asked))
    return max(1, min(pieces, fitting, max(2, cores())))


def _limits(groups: Path, mounted: Path) -> Iterator[float]:
    """Limits of the control groups of this process and of those that contain them, of either version."""
    try:
        lines = groups.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers == "":
            top, name = mounted, "memory.max"
        elif "memory" in controllers.split(","):
            top, name = mounted / "memory", "memory.limit_in_bytes"
        else:
            continue
        own = top / path.lstrip("/")
        for folder in (own, *own.parents):
            if folder.is_relative_to(top):
                yield _limit(folder / name)


def _limit(file: Path) -> float:
    try:
        return float(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):  # no such group here, or the word max
        return math.inf
