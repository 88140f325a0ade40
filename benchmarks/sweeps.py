"""Sweeps against the work they hold: a theory map, the store's share, and simulated cells.

- 100 x 100 cells x 64 times by the asymptotic route, on two workers; baseline: the bare route
  called in a loop on one core, nothing kept.
- The share of the store: writing cells against computing them at 10 ms a cell.
- 400 simulated cells x 20 seeds, d = 100, 1e4 steps; baseline: one batched call for all draws.

    python -m benchmarks.sweeps
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from house.domains import Span
from problems.multiscale import PROBLEM
from sweeps.engine import fill
from sweeps.plan import plan
from sweeps.store import Answer, Store, packed
from theory.multiscale import asymptotic

CELLS, TIMES = 100, Span(1, 1e6, 64)


def theory_map(workers: int) -> float:
    """Seconds of wall time for the whole map, kept in a file."""
    whole = plan(
        "multiscale", dynamics="flow", route="asymptotic", times=TIMES,
        kappa=Span(1, 100, CELLS), noise=Span(0.01, 1, CELLS),
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        with Store(Path(folder) / "map.cells") as store:
            fill(whole, store, workers=workers)
        return time.perf_counter() - started


def bare_route(cells: int = 200) -> float:
    """Seconds that the route alone takes for the map, measured on some of its cells."""
    times = np.array(TIMES.values())
    problems = [PROBLEM.instance(kappa=kappa, noise=0.3) for kappa in Span(1, 100, cells).values()]
    started = time.perf_counter()
    for problem in problems:
        asymptotic.flow(problem, times)
    return (time.perf_counter() - started) * CELLS**2 / cells


def kept(cells: int = 2000) -> float:
    """Seconds that the store takes for one cell of 64 times."""
    answer = Answer({name: np.ones(64) for name in ("R", "Q", "excess_risk")})
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "some.cells") as store:
        started = time.perf_counter()
        for i in range(cells):
            store.put([packed(f"{i:032x}", -1, answer)])
        return (time.perf_counter() - started) / cells


def simulated(kappas: int, seeds: int) -> float:
    """Seconds for that many cells with that many seeds each."""
    whole = plan(
        "multiscale", dynamics="descent", route="simulation", times=Span(1, 1e4, 20),
        seeds=range(seeds), kappa=list(np.linspace(1, 50, kappas)),
    )  # fmt: skip
    with Store(None) as store:
        started = time.perf_counter()
        fill(whole, store)
        return time.perf_counter() - started


def main() -> None:
    """Print every comparison; simulated cells on a tenth of the size, as a ratio."""
    bare = bare_route()
    for workers in (1, 2):
        took = theory_map(workers)
        print(f"map of {CELLS} x {CELLS} x 64, {workers} workers: {took:.1f} s (bare route: {bare:.1f} s)")
    print(f"store: {1e3 * kept():.3f} ms a cell, {kept() / 10e-3:.1%} of 10 ms")
    simulated(1, 20), simulated(1, 800)  # compile both shapes first
    cells, batch = simulated(40, 20), simulated(1, 800)
    print(
        f"40 cells x 20 seeds: {cells:.1f} s; one call of 800 draws: {batch:.1f} s; {cells / batch:.2f} times"
    )


if __name__ == "__main__":
    main()
