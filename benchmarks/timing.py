"""CPU-seconds, wall time and peak memory of this process."""

from __future__ import annotations

import math
import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

STARTED = time.perf_counter()
UNIT = 2**20 if sys.platform == "darwin" else 2**10
"""A MiB in the units in which the system gives memory: bytes there, kB elsewhere."""

ENOUGH, LONG = 0.3, 10.0
"""Seconds of work that can be timed well, and of work in which warming up is negligible."""


def used() -> float:
    """CPU-seconds of this process and of the processes that it waited for."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def timed(work: Callable[[], Any]) -> tuple[Any, dict[str, float]]:
    """The result of the work, its CPU-seconds and its wall time."""
    cpu, wall = used(), time.perf_counter()
    answer = work()
    return answer, {"cpu": used() - cpu, "wall": time.perf_counter() - wall}


def settled(work: Callable[[], object], first: dict[str, float]) -> dict[str, float]:
    """As `timed`, for runs after the first, which took `first`.

    Short work is repeated until it lasts `ENOUGH` seconds, because the CPU-time of other threads is counted
    in steps of some milliseconds. Work that lasts `LONG` is not run again.
    """
    if first["wall"] >= LONG:
        return first
    second = timed(work)[1]
    runs = math.ceil(ENOUGH / second["wall"])
    if runs == 1:
        return second
    taken = timed(lambda: [work() for _ in range(runs)])[1]
    return {name: value / runs for name, value in taken.items()}


def of_process() -> dict[str, float]:
    """CPU-seconds since the start of this process, with imports, and the wall time since this import."""
    return {"cpu": used(), "wall": time.perf_counter() - STARTED}


def least(works: Sequence[Callable[[], object]], repeats: int) -> list[float]:
    """The least CPU-seconds of each work over several rounds; a first round is not counted."""
    for work in works:
        work()
    rounds = [[timed(work)[1]["cpu"] for work in works] for _ in range(repeats)]
    return [min(times) for times in zip(*rounds, strict=True)]


def peak() -> float:
    """Peak memory of this process so far, or of one that it waited for, MiB."""
    both = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return max(both) / UNIT


def peak_of(work: Callable[[], object]) -> float:
    """Peak memory of a process that starts as a copy of this one and does this work, MiB."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise RuntimeError(f"the work whose memory is measured failed: {status}")
    return usage.ru_maxrss / UNIT
