"""Benchmarks: speed against a stated baseline, and the growth of cost with size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from teacherstudent.house.declarations import load
from teacherstudent.house.parameters import pick

Record = dict[str, Any]


def benchmarks() -> dict[str, Any]:
    """Every benchmark by its id. They are found by name, because this package may not import benchmarks."""
    return load("teacherstudent.benchmarks.running:benchmarks")()


def bench(
    *names: str, quick: bool = False, announce: Callable[[str], None] = lambda name: None
) -> dict[str, Any]:
    """Measure benchmarks (default: all), every part in separate processes.

    Returns the `machine`, its `gpu` ("" for none) and the records of the `benchmarks`: CPU-seconds,
    peak MiB, ratios, slopes and rates, and whether their assertion `holds`. `quick` means one
    run at smaller sizes. Raises `InputError`.
    """
    known = benchmarks()
    chosen = [pick("name", name, known).id for name in names] or list(known)
    where, found = (
        load("teacherstudent.benchmarks.machine:machine")(),
        load("teacherstudent.benchmarks.machine:gpu")(),
    )
    records: Sequence[Record] = []
    measured = load("teacherstudent.benchmarks.running:measured")
    for name in chosen:
        announce(name)
        records = [*records, *measured([name], quick, bool(found))]
    return {"machine": where, "gpu": found, "quick": quick, "benchmarks": records}
