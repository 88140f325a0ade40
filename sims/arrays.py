"""What every simulation shares: devices that are there, and answers that never lie in silence.

Importing this module has JAX keep compiled programs for the next process (`sims.compilation`), in double
precision (`sims.precision`). The same code then gives the same numbers on CPU and GPU up to rounding.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.house.certainty import nan_where_not_finite
from teacherstudent.house.errors import InputError
from teacherstudent.house.interruptible import in_threads
from teacherstudent.house.machine import cores
from teacherstudent.sims.compilation import keep_programs
from teacherstudent.sims.sharding import devices

__all__ = ["ahead", "at_a_time", "each_draw", "groups", "nan_where_not_finite", "side_by_side"]

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
"""Numbers that a group of draws may fill of a GPU's memory of unknown size: 2 GiB."""

SHARE = 4
"""A group may fill one over this number of a GPU's memory: programs hold more than their data."""


HELD = 32
"""Numbers that the program of a draw holds on a GPU, over those that it is given."""


def numbers_of_memory() -> int:
    """Numbers of float64 that a group of draws may fill of a device's memory."""
    known = jax.local_devices()[0].memory_stats() or {}
    return known["bytes_limit"] // (8 * SHARE) if "bytes_limit" in known else MEMORY


def groups(draws: int, read: int, held: int) -> list[np.ndarray]:
    """Which draws (their places) go through a compiled loop together: groups of one size.

    read: numbers of each draw that the loop goes through again and again, which are to stay in a
    CPU's cache; held: all its numbers, which are to fit a GPU's memory. Several devices share each group.
    The last group is filled up with the last draw, so that one compiled program serves all.
    """
    most = CACHE // read if jax.default_backend() == "cpu" else numbers_of_memory() // held
    count = -(-draws // (max(1, most) * devices()))
    size = -(-draws // count)
    return np.split(np.minimum(np.arange(count * size), draws - 1), count)


def side_by_side(
    work: Callable[[np.ndarray], Any], parts: Sequence[np.ndarray], on_cpu: bool = False
) -> list[np.ndarray]:
    """What `work` gives for each part (places of draws), in order; on a CPU a part for each core at a time.

    A loop over matrices that fit a core's cache keeps one core busy. The first part goes alone, so
    that its program is compiled once. Worker processes take one part after the other: they were
    started to keep the cores busy among themselves. Parts of one draw go to several devices in turn.
    on_cpu: the work runs on a CPU even if there is a GPU.
    """
    turns = devices() if len(parts[0]) == 1 and not on_cpu else 1
    places = jax.local_devices()[:turns] if turns > 1 else [jax.config.jax_default_device]
    first, *rest = (partial(_done, work, part, places[i % turns]) for i, part in enumerate(parts))
    threads = max(at_a_time(on_cpu), turns)
    return [first(), *(in_threads(rest, threads) if threads > 1 else (part() for part in rest))]


def each_draw(function: Callable[[Any], Any], draws: Any) -> Any:
    """What a traced function gives for each draw, the first axis of all arrays of `draws`.

    On a CPU one draw after the other, because the numbers of one fit its cache; on a GPU together, as many as
    fit its memory if a draw fills `HELD` times the numbers that it is given.
    """
    if jax.default_backend() == "cpu":
        return jax.lax.map(function, draws)
    leaves = jax.tree.leaves(draws)
    held = HELD * sum(each.size for each in leaves) // len(leaves[0])
    return jax.lax.map(function, draws, batch_size=min(len(leaves[0]), max(1, numbers_of_memory() // held)))


def ahead(blocks: Iterator[Any]) -> Iterator[Any]:
    """The same blocks of arrays; on a GPU a thread draws and copies each while the one before is used."""
    if jax.default_backend() == "cpu":
        yield from blocks
        return
    device = jax.config.jax_default_device

    def drawn() -> Any:
        with jax.default_device(device):
            return jax.block_until_ready(jax.tree.map(jnp.array, next(blocks)))

    with ThreadPoolExecutor(1) as thread:
        coming = thread.submit(drawn)
        while True:
            block, coming = coming.result(), thread.submit(drawn)
            yield block


def at_a_time(on_cpu: bool = False) -> int:
    """Parts of a loop that go side by side: one for each core of a CPU, but one alone in a worker process."""
    together = (on_cpu or jax.default_backend() == "cpu") and not multiprocessing.parent_process()
    return cores() if together else 1


def _done(work: Callable[[np.ndarray], Any], part: np.ndarray, device: Any) -> np.ndarray:
    with jax.default_device(device):
        return np.asarray(work(part))
