"""The project on a GPU: `tools/gpu.sh [--quick] [--seconds N] [STAGE ...]` writes JSON to $OUT or out/gpu.

check: `teacherstudent check ms-devices`. routes: every simulated route on a CPU, on the GPU, and on the CPU
with the rounding of another processor, for comparison. rates: gradient descent by seeds, size and precision,
on both. shares: steps of other routes, and their share of the card's copy rate. bench: `teacherstudent bench`
of descent. Each stage writes a file after each result. What does not end within its seconds, or within those
of the whole command, is stopped and reported, and the next one runs. Without a GPU all of it runs on the CPU.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from teacherstudent.benchmarks.machine import gpu, machine
from tools.gpu.answers import simulated
from tools.processors import PROCESSORS, environment

OUT = Path(os.environ.get("OUT", "out/gpu"))
SHARED = {"XLA_PYTHON_CLIENT_PREALLOCATE": "false", "OPENBLAS_NUM_THREADS": "1"}
"""Several processes share the GPU's memory, and the cores."""
HANGS = 120
"""Seconds after which one question, of the few that take the longest, is stopped."""
ROUTES_END = 0.5
"""The part of the remaining seconds in which all routes are asked."""
BENCHMARKS = (
    *("limit-100", "limit-1000", "descent-100-1000", "descent-100-100"),
    *("descent-float32", "descent-100-1", "descent-1000-100", "limit-4000"),
)

SLOWEST = 40
"""Seconds that one of these takes at most."""


def _rounded() -> dict[str, str]:
    other = environment(PROCESSORS["sse"])
    return {"OPENBLAS_CORETYPE": other["OPENBLAS_CORETYPE"], "XLA_FLAGS": other["MORE_XLA_FLAGS"]}


DEVICES: dict[str, Callable[[], dict[str, str]]] = {
    "cpu": lambda: {"JAX_PLATFORMS": "cpu"},
    "rounded": lambda: {"JAX_PLATFORMS": "cpu", **_rounded()},
    "gpu": dict,
}
"""What each asks JAX for; the last takes what JAX finds."""


class Clock:
    """The seconds that the whole command may take, and how many are left."""

    ends = float("inf")

    @classmethod
    def left(cls) -> float:
        """Seconds; at least a second, so that what is begun is stopped by the one way."""
        return max(1.0, cls.ends - time.monotonic())


def python(device: str, *arguments: object, limit: float, **more: Any) -> subprocess.CompletedProcess[str]:
    """A separate process on that device, stopped after `limit` seconds and at the end of the command's."""
    chosen = {**os.environ, **SHARED, **DEVICES[device]()}
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(
        command, env=chosen, encoding="utf-8", timeout=min(limit, Clock.left()), check=False, **more
    )


def check(quick: bool) -> Iterator[Any]:
    """The outcome of `check ms-devices`, or why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "check.json"
        command = ("-m", "teacherstudent", "check", "ms-devices", "--json", file)
        said = python("gpu", *command, limit=300, capture_output=True)
        print(said.stdout, said.stderr[-2000:])
        yield json.loads(file.read_text("utf-8")) if file.exists() else said.stderr


def routes(quick: bool) -> Iterator[Any]:
    """What the answers of every route differ by, relative to the largest number of each observable."""
    chosen = [route.id for route in simulated() if not quick or route.problem in ("multiscale", "starvation")]
    folder = Path(tempfile.mkdtemp())

    ends = time.monotonic() + ROUTES_END * Clock.left()

    def ask(route: str, device: str) -> dict[str, Any]:
        limit = min(HANGS, ends - time.monotonic())
        if limit <= 0:
            return {"failed": "no time was left"}
        file = folder / f"{route}-{device}.npz".replace("/", "_")
        try:
            said = python(device, "-m", "tools.gpu.answers", route, file, limit=limit, capture_output=True)
        except subprocess.TimeoutExpired:
            return {"failed": f"no answer in {limit:.0f} s"}
        if said.returncode:
            return {"failed": said.stderr[-1500:]}
        with np.load(file) as values:
            return {**json.loads(said.stdout.splitlines()[-1]), "values": dict(values)}

    # Two processes on the GPU at a time: more would wait for their turns.
    with ThreadPoolExecutor(max(1, (os.cpu_count() or 2) // 2)) as many, ThreadPoolExecutor(2) as few:
        pools = {"cpu": many, "rounded": many, "gpu": few}
        waiting = [
            (route, [pools[device].submit(ask, route, device) for device in DEVICES]) for route in chosen
        ]
        found = []
        for route, answers in waiting:
            found.append(_compared(route, *(each.result() for each in answers)))
            yield found


def _compared(route: str, *answers: Mapping[str, Any]) -> dict[str, Any]:
    """One route: differences of the GPU, and of the other rounding, from the CPU."""
    named = dict(zip(DEVICES, answers, strict=True))
    seconds = {device: [each["first"], each["again"]] for device, each in named.items() if "first" in each}
    found: dict[str, Any] = {"route": route, "seconds": seconds}
    if failed := {device: each["failed"] for device, each in named.items() if "failed" in each}:
        print(route, "FAILED", failed)
        return {**found, "failed": failed}
    cpu, values = named.pop("cpu")["values"], {device: each["values"] for device, each in named.items()}
    found["differences"] = {
        name: {device: _apart(each[name], cpu[name]) for device, each in values.items()} for name in cpu
    }
    worst = {device: max(each[device] for each in found["differences"].values()) for device in values}
    print(route, {device: f"{each:.1e}" for device, each in worst.items()}, seconds)
    return found


def _apart(one: np.ndarray, other: np.ndarray) -> float:
    """The largest difference relative to the largest number; infinite where one alone is not finite."""
    known = np.isfinite(other)
    if (known != np.isfinite(one)).any():
        return float("inf")
    size = np.abs(other[known]).max(initial=0.0) or 1.0
    return float(np.abs(one[known] - other[known]).max(initial=0.0) / size)


def rates(quick: bool) -> Iterator[Any]:
    """Gradient descent by seeds, size and precision, on both."""
    found: dict[str, Any] = {}
    for device, limit in (("gpu", 210), ("cpu", 120)):
        for rows in _rows(device, "tools.gpu.rates", limit, quick):
            yield (found := {**found, device: rows})


def shares(quick: bool) -> Iterator[Any]:
    """What a step of each route takes, and its share of the copy rate of the GPU."""
    yield from _rows("gpu", "tools.gpu.shares", 150, quick)


def _rows(device: str, module: str, limit: float, quick: bool) -> Iterator[Any]:
    """What a module has written to its file when it ends or is stopped."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.json"
        try:
            done = python(device, "-m", module, file, *(["quick"] if quick else []), limit=limit)
            if done.returncode:
                print(f"{module} on the {device} ended with {done.returncode}")
        except subprocess.TimeoutExpired:
            print(f"{module} on the {device} was stopped at its time limit")
        if file.exists():
            yield json.loads(file.read_text("utf-8"))


def bench(quick: bool) -> Iterator[Any]:
    """The project's own benchmarks of descent, one after the other."""
    from teacherstudent.api.bench import bench

    found: dict[str, Any] = {}
    for name in BENCHMARKS[: 1 if quick else None]:
        if Clock.left() < SLOWEST:
            print(f"{name} and later ones: no time was left")
            return
        print(name, flush=True)
        one = bench(name, quick=quick)
        found = {**one, "benchmarks": [*found.get("benchmarks", []), *one["benchmarks"]]}
        yield found


STAGES = {each.__name__: each for each in (check, rates, routes, shares, bench)}


def main(arguments: Iterable[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stages", nargs="*", metavar="STAGE", help=", ".join(STAGES))
    parser.add_argument("--quick", action="store_true", help="few sizes and routes, to try this command")
    parser.add_argument("--seconds", type=float, default=570, help="for all stages together (default: 570)")
    asked = parser.parse_args(arguments)
    if unknown := [name for name in asked.stages if name not in STAGES]:
        parser.error(f"STAGE {unknown[0]}: must be one of {', '.join(STAGES)}")
    OUT.mkdir(parents=True, exist_ok=True)
    Clock.ends = time.monotonic() + asked.seconds
    found_card = gpu()
    where = {"machine": machine(), "gpu": found_card}
    print(where, flush=True)
    if not found_card:
        print("There is no GPU: all stages run on the CPU.", flush=True)
    card = "-".join(found_card.lower().split()[:2]) or "no-gpu"
    for name in asked.stages or STAGES:
        started = time.perf_counter()
        try:
            for found in STAGES[name](asked.quick):
                text = json.dumps(found if name == "bench" else {**where, name: found}, indent=1)
                (OUT / f"{card}-{name}.json").write_text(text, encoding="utf-8")
        except Exception as error:  # the device is lent for minutes: what else there is runs
            print(f"{name} failed: {error!r}")
        print(f"{name}: {time.perf_counter() - started:.0f} s", flush=True)
    print(f"Results: {OUT}/{card}-*.json. Copy them to benchmarks/results/gpu and commit them.")


if __name__ == "__main__":
    main()
