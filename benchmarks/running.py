"""Measures benchmarks: every part in a fresh process, the parts of one benchmark in turn.

A process measures one part and prints a line of JSON:
`python -m teacherstudent.benchmarks.running ID PART [quick]`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from teacherstudent.benchmarks.declaration import Benchmark
from teacherstudent.house.catalogue import announced, by_id

REPEATS = 3
"""Runs of each part, whose median counts; a quick run has one."""

PATIENCE = 60.0
"""Seconds after which no further round of a benchmark is begun."""


@cache
def benchmarks() -> dict[str, Benchmark]:
    """Every benchmark by its id: the `BENCHMARKS` of every module of this room."""
    return by_id(each for table in announced("benchmarks", "BENCHMARKS") for each in table)


def measured(names: Iterable[str], quick: bool, gpu: bool) -> Iterator[dict[str, Any]]:
    """The record of each benchmark, in order; one that lacks something says what instead."""
    for name in names:
        benchmark = benchmarks()[name]
        if lack := benchmark.lacks(quick):
            yield {
                "id": name,
                "kind": type(benchmark).__name__.lower(),
                "title": benchmark.title,
                "skipped": lack,
            }
            continue
        rounds = _rounds(name, benchmark.parts(gpu), quick)
        yield {**benchmark.record(rounds), "runs": min(map(len, rounds.values()))}


def _rounds(name: str, parts: Iterable[str], quick: bool) -> dict[str, list[dict[str, Any]]]:
    """What each run of each part measured, part after part in every round."""
    started = time.perf_counter()
    found: dict[str, list[dict[str, Any]]] = {part: [] for part in parts}
    for _ in range(1 if quick else REPEATS):
        for part, runs in found.items():
            runs.append(in_fresh_process(name, part, quick))
        if time.perf_counter() - started > PATIENCE:
            break
    return found


def in_fresh_process(name: str, part: str, quick: bool) -> dict[str, Any]:
    """What a process of its own measures of that part, and its peak memory.

    One thread for each matrix of NumPy, as the command line has it, and no compiled programs from
    earlier runs. Raises `RuntimeError` with what it said where it fails.
    """
    chosen = {
        "OPENBLAS_NUM_THREADS": "1",
        "JAX_ENABLE_COMPILATION_CACHE": "false",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    if part != "gpu":
        chosen["JAX_PLATFORMS"] = "cpu"
    command = [
        sys.executable,
        "-m",
        "teacherstudent.benchmarks.running",
        name,
        part,
        *(["quick"] if quick else []),
    ]
    done = subprocess.run(command, env={**os.environ, **chosen}, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[1:])}: {done.stderr.strip() or done.returncode}")
    return json.loads(done.stdout.splitlines()[-1])


def main(name: str, part: str, quick: bool) -> None:
    """Measure one part in this process and print it."""
    from teacherstudent.benchmarks.timing import peak

    print(json.dumps({**benchmarks()[name].measure(part, quick), "peak": peak()}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:] == ["quick"])
