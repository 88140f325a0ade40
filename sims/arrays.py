"""What every simulation shares: devices that are there, and answers that never lie in silence.

Importing this module has JAX keep compiled programs for the next process (`sims.compilation`), in double
precision (`sims.precision`). The same code then gives the same numbers on CPU and GPU up to rounding.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import numpy as np

from teacherstudent.house.certainty import nan_where_not_finite
from teacherstudent.house.errors import InputError
from teacherstudent.house.interruptible import in_threads
from teacherstudent.house.machine import cores
from teacherstudent.sims.compilation import keep_programs

__all__ = ["at_a_time", "groups", "nan_where_not_finite", "side_by_side"]

keep_programs()


def _find_devices() -> None:
    """Raise `InputError` where JAX finds none of the kind that the environment asks for."""
    try:
        jax.default_backend()
    except (AssertionError, RuntimeError):  # the one where a kind is known, the other where it is not
        asked = os.environ.get("JAX_PLATFORMS", "(unset)")
        domain = "unset, or a list of processor types that JAX finds on this machine, for example cpu"
        raise InputError("JAX_PLATFORMS", asked, domain) from None


_find_devices()

CACHE = 2**16
"""Numbers of a CPU's cache that a group of draws may fill: 512 kB of float64, half of a core's own."""

MEMORY = 2**28
"""Numbers of a GPU's memory that it may fill: 2 GiB."""


def groups(draws: int, read: int, held: int) -> list[np.ndarray]:
    """Which draws (their places) go through a compiled loop together: groups of one size.

    read: numbers of each draw that the loop goes through again and again, which are to stay in a
    CPU's cache; held: all its numbers, which are to fit a GPU's memory. The last group is filled
    up with the last draw, so that one compiled program serves all.
    """
    most = CACHE // read if jax.default_backend() == "cpu" else MEMORY // held
    count = -(-draws // max(1, most))
    size = -(-draws // count)
    return np.split(np.minimum(np.arange(count * size), draws - 1), count)


def side_by_side(
    work: Callable[[np.ndarray], Any], parts: Sequence[np.ndarray], on_cpu: bool = False
) -> list[np.ndarray]:
    """What `work` gives for each part (places of draws), in order; on a CPU a part for each core at a time.

    A loop over matrices that fit a core's cache keeps one core busy. The first part goes alone, so
    that its program is compiled once. Worker processes take one part after the other: they were
    started to keep the cores busy among themselves. on_cpu: the work runs on a CPU even if there is a GPU.
    """
    first, *rest = (partial(_done, work, part) for part in parts)
    threads = at_a_time(on_cpu)
    return [first(), *(in_threads(rest, threads) if threads > 1 else (part() for part in rest))]


def at_a_time(on_cpu: bool = False) -> int:
    """Parts of a loop that go side by side: one for each core of a CPU, but one alone in a worker process."""
    together = (on_cpu or jax.default_backend() == "cpu") and not multiprocessing.parent_process()
    return cores() if together else 1


def _done(work: Callable[[np.ndarray], Any], part: np.ndarray) -> np.ndarray:
    return np.asarray(work(part))
