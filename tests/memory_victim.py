"""A process that measures how much memory questions take, beside what their routes state.

Arguments: ids of routes (none: all that draw or state a need). Each route answers one large question for
every size that it names, and for times and seeds; with `--first` of one example only, and not for seeds.
Prints a line each: the route, the size, bytes measured, bytes stated.
Needs Linux, which tells a process its own peak and lets it begin anew.
"""

from __future__ import annotations

import gc
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.house import catalogue
from teacherstudent.house.answers import ask_route, expected_shapes
from teacherstudent.house.declarations import Route
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.memory import NUMBER, need_of
from teacherstudent.house.memory_cache import Remembered
from teacherstudent.house.running import instance_and_options

STATED = 2e7
"""Bytes that each question is stated to take: far more than an interpreter does in passing."""

PAGES = {
    "MALLOC_ARENA_MAX": "1",  # each answer is computed in a thread, and threads would keep arenas
    "MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536", "OPENBLAS_NUM_THREADS": "1",
}  # fmt: skip
"""What makes a process return freed memory at once, so that the next question is not answered out of it."""

ROWS = {"features": "breast_cancer", "targets": "breast_cancer", "kernel": "rbf", "init": None}
"""So many that a few times hold enough to be measured: these routes take long for each time."""

APART = {"target": "gaussian", "spread": 1.0}
"""Points of which no two lie at one place, where they are taken as one."""

MORE: dict[str, dict[str, Any]] = {
    "scale-invariant/descent/simulation": {"data": "minibatch", "n": 40},
    **{
        f"gan/{name}": APART
        for name in ("discriminator/kernel", "discriminator/instance", "generator/kernel")
    },
    "gan/generator/steps": APART,
    "gan/generator/simulation": {"learning_rate": 1.0, "discriminator_time": 0.1},  # few steps a time
    "measured-spectrum/sgd/simulation": {"data": "replacement"},  # fresh rows of a pool have an end
    **{f"measured-spectrum/{name}/leverage": ROWS for name in ("descent", "flow", "ridge")},
    **{f"measured-spectrum/{name}/per-row": {**ROWS, "kernel": None} for name in ("flow", "ridge")},
}
"""What makes a route hold as much as it can, where the examples do not."""


MOST = 2**22
"""Largest size tried."""


class Question(NamedTuple):
    """A question: what answers it, bytes that it is stated to take, and its sizes."""

    work: Callable[[], object]
    stated: float
    sizes: dict[str, int]


def status(field: str) -> int:
    """A number of bytes that the system keeps about this process."""
    found = re.search(rf"{field}:\s+(\d+) kB", Path("/proc/self/status").read_text(encoding="utf-8"))
    assert found
    return 1024 * int(found[1])


def peak(work: Callable[[], object]) -> int:
    """Bytes that the process held during the work beyond what it held before, where nothing is remembered."""
    gc.collect()
    for each in gc.get_objects():
        if isinstance(each, Remembered):
            each._kept.clear()
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
    before = status("VmRSS")
    work()
    return status("VmHWM") - before


def measured(route: Route, first: bool) -> Iterator[tuple[str, int, float]]:
    """For each size of the route: its name, bytes measured and bytes stated. first: of one example."""
    kind = catalogue.find_problem(route.problem)
    clock = kind.on_clock(route.dynamics)
    options = {each.name for each in (*kind.parameters, *clock.options, *route.options)}

    def asked(example: Mapping[str, Any], **sizes: int) -> Question:
        values = {key: value for key, value in {**example, **sizes}.items() if key in options}
        instance, chosen = instance_and_options(kind, clock, route, values)
        shapes = expected_shapes(kind, route, instance, chosen)
        times, seeds = sizes.get("times", 3), sizes.get("seeds", 4) if route.sampled else 1
        grid = np.arange(1.0, times + 1)
        need = need_of(route, shapes, instance, grid, chosen)
        drawn = range(seeds) if route.sampled else None
        return Question(
            lambda: ask_route(route, shapes, instance, grid, chosen, drawn),
            NUMBER * need.numbers(times=times, seeds=seeds, **need.sizes),
            {**need.sizes, "times": times, **({"seeds": seeds} if route.sampled else {})},
        )

    for example in ({**each, **route.example, **MORE.get(route.id, {})} for each in kind.examples):
        try:
            asked(example).work()  # imports, and compiles what does not depend on sizes
        except InputError:  # no question for this route
            continue
        for name, size in asked(example).sizes.items():
            if first and name == "seeds":
                continue
            try:
                while (question := asked(example, **{name: size})).stated < STATED and size < MOST:
                    size = size * 5 // 4 + 1
            except InputError:  # as many rows as are given, and no more: too few to be measured
                continue
            if ".sims." in route.entry:
                question.work()  # compiles, which takes memory of its own
            yield f"{name}={size}", peak(question.work), question.stated
        if first:
            return


if __name__ == "__main__":
    if any(os.environ.get(name) != value for name, value in PAGES.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **PAGES})
    warnings.simplefilter("ignore", UnconvergedWarning)
    first = "--first" in sys.argv
    wanted = [each for each in sys.argv[1:] if each != "--first"] or [
        route.id for route in catalogue.routes() if route.sampled or route.needs
    ]
    for route in catalogue.routes():
        if route.id in wanted:
            for name, held, stated in measured(route, first):
                print(route.id, name, f"{held:.3g} {stated:.3g} {held / stated:.2f}", flush=True)
