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
from teacherstudent.house.catalogue import announcements, by_id

REPEATS = 3
"""Runs of each part, of which the median is taken; one in a quick run."""

PATIENCE = 60.0
"""Seconds after which no further round of a benchmark starts."""


@cache
def benchmarks() -> dict[str, Benchmark]:
    """Every benchmark by its id: the `BENCHMARKS` of every module of this room."""
    return by_id(each for table in announcements("benchmarks", "BENCHMARKS") for each in table)


def measured(names: Iterable[str], quick: bool, gpu: bool) -> Iterator[dict[str, Any]]:
    """The record of each benchmark, in order; if something is missing, the record says what."""
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
    """The measurements of each run of each part; a round runs the parts one after another."""
    started = time.perf_counter()
    found: dict[str, list[dict[str, Any]]] = {part: [] for part in parts}
    for _ in range(1 if quick else REPEATS):
        for part, runs in found.items():
            runs.append(in_fresh_process(name, part, quick))
        if time.perf_counter() - started > PATIENCE:
            break
    return found


def in_fresh_process(name: str, part: str, quick: bool) -> dict[str, Any]:
    """One run of that part in a fresh process, and its peak memory.

    NumPy uses one thread for each matrix, as under the command line, and no compiled programs of earlier
    runs are used. Raises `RuntimeError` with the output of the process if it fails.
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
    done = subprocess.run(
        command, env={**os.environ, **chosen}, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[1:])}: {done.stderr.strip() or done.returncode}")
    return json.loads(done.stdout.splitlines()[-1])


def main(name: str, part: str, quick: bool) -> None:
    """Measure one part in this process and print it."""
    from teacherstudent.benchmarks.timing import peak

    print(json.dumps({**benchmarks()[name].measure(part, quick), "peak": peak()}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:] == ["quick"])
