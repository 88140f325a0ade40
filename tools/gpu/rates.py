"""Rates of gradient descent in this process, and of a plain product and copy: `python -m tools.gpu.rates`.

A step reads M = Z^T Z of each draw once and does two operations with each of its numbers. The step rate is
that of a long run less a short one: set-up, transfers and compilation drop out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.sims.multiscale.descent import student_trajectory
from tools.gpu.answers import timed

SEEDS, SIZES, PRECISIONS = (1, 10, 100, 1000, 10000), (100, 400, 1600), ("float64", "float32")
DRAWN = 10
"""Different draws; more are copies of these: the time does not depend on the numbers."""
LARGEST = 3 * 2**30
"""Bytes of the rows of all draws, beyond which a size is left out."""
LASTS, REPEATS = 0.2, 3
"""Least seconds of the long run, which also lasts at least three set-ups; and runs behind each median."""


def seconds(work: Callable[[], object]) -> float:
    """The median of several runs; a first one, which compiles, is not counted."""
    work()
    return float(np.median([timed(work)[1] for _ in range(REPEATS)]))


def ceilings(precision: str) -> dict[str, float]:
    """GFLOP/s of a plain product of two square matrices, and GB/s of a plain copy, read and written."""
    gpu = jax.default_backend() == "gpu"
    size, count, again = (8192, 2**28, 10) if gpu else (2048, 2**25, 1)
    square = jax.random.normal(jax.random.key(0), (size, size), precision)
    product, copy = jax.jit(jnp.matmul), jax.jit(lambda x: x + 1)
    line = jnp.ones(count, precision)

    def repeated(work: Callable[..., jax.Array], *arrays: jax.Array) -> float:
        return seconds(lambda: [work(*arrays) for _ in range(again)][-1].block_until_ready()) / again

    return {
        "product_gflops": 2 * size**3 / repeated(product, square, square) / 1e9,
        "copy_gbytes": 2 * line.nbytes / repeated(copy, line) / 1e9,
    }


def copies(draws: Draws, count: int) -> Draws:
    """As many draws as asked for, the same ones again and again."""
    own = {name: each for name, each in vars(draws).items() if isinstance(each, np.ndarray)}
    del own["strengths"]
    return replace(draws, **{name: np.resize(each, (count, *each.shape[1:])) for name, each in own.items()})


def loop(draws: Draws, precision: str) -> dict[str, float]:
    """Steps per second of every student, and seconds of a call that takes one step."""
    count = len(draws.inputs)

    def taken(steps: int) -> object:
        return student_trajectory(draws, np.array([steps]), 0.1, stepwise=steps, dtype=precision)

    short = seconds(partial(taken, 1))
    probe = max(1e-6, (seconds(partial(taken, 101)) - short) / 100)
    steps = int(np.clip(max(LASTS, 3 * short) / probe, 100, 20_000))
    each = (seconds(partial(taken, steps + 1)) - short) / steps
    return {
        "steps": steps,
        "setup_seconds": short,
        "step_microseconds": 1e6 * each,
        "student_steps": count / each,
    }


def table(quick: bool) -> Iterator[dict[str, Any]]:
    """The rates at every number of seeds, size and precision."""
    limits = {precision: ceilings(precision) for precision in PRECISIONS}
    print(jax.devices(), limits, flush=True)
    for d in SIZES[: 1 if quick else 3]:
        few = draw(PROBLEM.instance(n=d // 2, d=d, p=d // 2), range(DRAWN))
        for seeds in SEEDS[: 3 if quick else 5]:
            rows = 8 * seeds * d * d // 2
            if rows > LARGEST or (jax.default_backend() == "cpu" and rows > LARGEST / 8):
                continue
            draws = copies(few, seeds)
            for precision in PRECISIONS:
                one, limit = loop(draws, precision), limits[precision]
                wide = np.dtype(precision).itemsize
                gbytes = wide * d * d * one["student_steps"] / 1e9
                gflops = 2 * d * d * one["student_steps"] / 1e9
                attainable = min(limit["product_gflops"] / (2 * d * d), limit["copy_gbytes"] / (wide * d * d))
                rates = {"gbytes": gbytes, "gflops": gflops, "share": one["student_steps"] / 1e9 / attainable}
                yield {"d": d, "seeds": seeds, "precision": precision, **one, **rates, **limit}


def write(lists: dict[str, Iterator[dict[str, Any]]]) -> None:
    """Write the rows of each list to the file that the command names, again after each row."""
    found: dict[str, Any] = {"device": jax.devices()[0].device_kind, **{name: [] for name in lists}}
    for name, rows in lists.items():
        for row in rows:
            print({k: v if isinstance(v, str) else float(f"{v:.3g}") for k, v in row.items()}, flush=True)
            found[name].append(row)
            Path(sys.argv[1]).write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    write({"table": table(sys.argv[2:] == ["quick"])})
