"""The rate of the step loop beside a plain matrix product and a plain copy on the same machine.

All three use as many cores as they can. Rates are for one core, per CPU-second, so that other work on the
machine does not count; on a GPU they are for the GPU, per second. A step reads the data's matrix once and
does two operations with each of its numbers. So the attainable rate is that of the product or that of the
copy, whichever allows fewer steps.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from teacherstudent.benchmarks.declaration import Limit
from teacherstudent.benchmarks.timing import timed
from teacherstudent.house.machine import cores
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw

SIZES = {100: (100, 4000), 1000: (1, 1000), 4000: (1, 60)}
"""Seeds and steps at each d. n = d/2: the fewest samples with steps on Z^T Z, for a short set-up."""
TRIES = 5


def best(work: Callable[[], object]) -> float:
    """Least CPU-seconds of several tries, on a GPU seconds; the first try is not counted."""
    import jax

    clock = "cpu" if jax.default_backend() == "cpu" else "wall"
    return min(timed(work)[1][clock] for _ in range(TRIES + 1))


def product_rate(quick: bool) -> float:
    """Operations per second of a product of two square matrices, by JAX."""
    import jax
    import jax.numpy as jnp

    import teacherstudent.sims.precision  # noqa: F401  double precision

    gpu = jax.default_backend() != "cpu"
    size = 8000 if gpu else 1000 if quick else 2000  # a GPU is not filled by less
    square = jnp.ones((size, size))
    product = jax.jit(jnp.matmul)
    return 2 * size**3 / best(lambda: product(square, square).block_until_ready())


def copy_rate(count: int) -> float:
    """Bytes per second, read and written, of copying `count` float64 numbers in equal parts on all cores.

    On a GPU 2 GiB are copied, whatever the count.
    """
    import jax

    import teacherstudent.sims.precision  # noqa: F401  double precision

    if jax.default_backend() != "cpu":
        count = 2**28  # a smaller copy is over before the next one is begun
        array = jax.numpy.ones(count)
        shifted = jax.jit(lambda x: x + 1)
        return 16 * count / best(lambda: shifted(array).block_until_ready())

    again = max(1, 2**25 // count)
    pieces = [(np.ones(-(-count // cores())), np.empty(-(-count // cores()))) for _ in range(cores())]

    def copied(piece: tuple[np.ndarray, np.ndarray]) -> None:
        for _ in range(again):
            np.copyto(piece[1], piece[0])

    with ThreadPoolExecutor(cores()) as pool:
        return 16 * count * again / best(lambda: list(pool.map(copied, pieces)))


def loop_rate(d: int, seeds: int, steps: int) -> float:
    """Steps per second of all draws together; the time of the set-up, measured with no step, is excluded."""
    from teacherstudent.sims.multiscale.descent import student_trajectory

    draws = draw(PROBLEM.instance(n=d // 2, d=d, p=d // 2), range(seeds))

    def taken(count: int) -> float:
        return best(lambda: student_trajectory(draws, np.array([count]), 0.1, stepwise=count))

    return seeds * steps / (taken(steps) - taken(0))


def rates(d: int, quick: bool) -> dict[str, float]:
    """GFLOP/s and GB/s of a product, a copy and the loop, and the loop's share of the attainable rate."""
    from teacherstudent.sims.arrays import CACHE
    from teacherstudent.sims.linear_students.training import numbers_read

    seeds, steps = SIZES[d]
    read = numbers_read(d // 2, d)
    product, copy = product_rate(quick), copy_rate(max(read, min(CACHE, seeds * read)))
    each = loop_rate(d, seeds, max(10, steps // 10) if quick else steps)
    attainable = min(product / (2 * read), copy / (8 * read))
    return {
        "product_gflops": product / 1e9,
        "copy_gbytes": copy / 1e9,
        "loop_gflops": 2 * read * each / 1e9,
        "loop_gbytes": 8 * read * each / 1e9,
        "share": each / attainable,
    }


BENCHMARKS = tuple(
    Limit(
        f"limit-{d}", f"step loop, d = {d}, n = {d // 2}, {seeds} seed{'s' * (seeds > 1)}", partial(rates, d)
    )
    for d, (seeds, _) in SIZES.items()
)
