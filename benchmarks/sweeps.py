"""Sweeps: the cost of the engine and its store, and the gain of training many cells together."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from teacherstudent.benchmarks.declaration import Job, Pair, Side, Slope
from teacherstudent.house.grids import Span
from teacherstudent.problems.multiscale import PROBLEM

CELLS, SEEDS = 40, 20


def kept_map(quick: bool) -> Job:
    """A theory map by the sweep's engine, with every computed cell written to a file."""
    from teacherstudent.sweeps.assembly import assemble
    from teacherstudent.sweeps.engine import fill
    from teacherstudent.sweeps.plan import plan
    from teacherstudent.sweeps.store import Store

    side = 10 if quick else CELLS
    laid_out = plan(
        "multiscale", dynamics="flow", route="asymptotic", times=Span(1, 1e6, 64),
        kappa=Span(1, 100, side), noise=Span(0.01, 1, side),
    )  # fmt: skip

    def ours() -> Iterable[float]:
        with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "map.cells") as store:
            fill(laid_out, store)
            return assemble(laid_out, store)["R"].values[-1, -1]

    return Job(ours)


def bare_map(quick: bool) -> Job:
    """The route called in a loop; nothing is saved."""
    from teacherstudent.theory.multiscale import asymptotic

    side, times = 10 if quick else CELLS, np.array(Span(1, 1e6, 64).values())
    kappas, noises = Span(1, 100, side).values(), Span(0.01, 1, side).values()

    def theirs() -> Iterable[float]:
        found = []
        for kappa in kappas:
            for noise in noises:
                found.append(asymptotic.flow(PROBLEM.instance(kappa=kappa, noise=noise), times)["R"])
        return found[-1]

    return Job(theirs)


def trained_cells(batch: int, quick: bool) -> Job:
    """Simulated cells over kappa, `batch` of them in one call, compiled beforehand."""
    from teacherstudent.sweeps.assembly import assemble
    from teacherstudent.sweeps.engine import fill
    from teacherstudent.sweeps.plan import plan
    from teacherstudent.sweeps.store import Store

    kappas = np.linspace(1, 50, 10 if quick else CELLS).tolist()

    def answered(kappas: list[float]) -> Iterable[float]:
        laid_out = plan(
            "multiscale", dynamics="descent", route="simulation", times=Span(1, 1e4, 20),
            seeds=range(SEEDS), kappa=kappas,
        )  # fmt: skip
        with Store(None) as store:
            fill(laid_out, store, batch=batch)
            return assemble(laid_out, store)["R"].values[-1]

    answered(kappas[:batch])
    return Job(partial(answered, kappas))


def asked(cells: int) -> dict[str, Any]:
    """A theory sweep of that many cells, at two times."""
    side = round(cells**0.5)
    axes = {"kappa": Span(1, 100, side), "noise": Span(0.01, 1, side)}
    return {"problem": "multiscale", "dynamics": "ridge", "route": "asymptotic", "times": [1.0, 1e3], **axes}


class Stored(Exception):
    """Raised to end a sweep when its first cell is in the file."""


def started(cells: int) -> None:
    """Lay out a sweep, and stop it when its first cell is stored."""
    from teacherstudent.sweeps.engine import fill
    from teacherstudent.sweeps.plan import plan
    from teacherstudent.sweeps.store import Store

    def stop(done: int, total: int) -> None:
        if done:
            raise Stored

    with (
        tempfile.TemporaryDirectory() as folder,
        Store(Path(folder) / "map.cells") as store,
        suppress(Stored),
    ):
        fill(plan(**asked(cells)), store, batch=1, announce=stop)


def swept(cells: int) -> None:
    """Compute a sweep with a file for its cells, put it together and write it."""
    from teacherstudent.api.sweep import sweep

    with tempfile.TemporaryDirectory() as folder:
        sweep(**asked(cells), out=Path(folder) / "map.nc")


def grid(batch: int | None, quick: bool) -> Job:
    """A sweep of flow with every computed cell written to a file, `batch` of them in one call."""
    from teacherstudent.sweeps.assembly import assemble
    from teacherstudent.sweeps.engine import fill
    from teacherstudent.sweeps.plan import plan
    from teacherstudent.sweeps.store import Store

    laid_out = plan(**{**asked(10**2 if quick else 10**4), "dynamics": "flow"})

    def ours() -> Iterable[float]:
        with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "map.cells") as store:
            fill(laid_out, store, batch=batch)
            return assemble(laid_out, store)["R"].values.ravel()

    return Job(ours)


def starts(quick: bool) -> Mapping[float, Callable[[], object]]:
    """Starts of sweeps over up to a million cells."""
    return {cells: partial(started, cells) for cells in (10**2, 10**4, 10**6)}


def sweeps(quick: bool) -> Mapping[float, Callable[[], object]]:
    """Whole sweeps, from the grid to the file."""
    swept(4)  # what is imported and made once is there before
    return {cells: partial(swept, cells) for cells in ((30**2, 60**2) if quick else (30**2, 60**2, 120**2))}


BENCHMARKS = (
    Slope(
        "sweep-start",
        "CPU time of a sweep until its first cell is stored, for 1e2 to 1e6 cells",
        0.0,
        0.2,
        "the values along the axes, whose number grows as the square root of the cells",
        starts,
    ),
    Slope(
        "sweep-memory",
        "bytes of peak memory for each further cell of a sweep, 900 to 14400 cells",
        200.0,
        200.0,
        "the answer, two copies of 56 bytes for each cell, and whole pages; leaks below about 100 bytes are "
        "not detected",
        sweeps,
        of="peak",
    ),
    Pair(
        "sweep-map",
        f"theory map of {CELLS} x {CELLS} cells at 64 times, kept in a file",
        Side("sweep, which stores every cell", kept_map),
        Side("the same route in a loop that stores nothing", bare_map),
        within=1e-10,
        why="rounding on the contours, because cells share arrays",
    ),
    Pair(
        "sweep-together",
        "theory sweep of 1e4 cells at two times, kept in a file",
        Side("256 cells in each call, which share arrays", partial(grid, None)),
        Side("the same theory, cell by cell", partial(grid, 1)),
        within=1e-10,
        why="rounding on the contours, because cells share arrays",
    ),
    Pair(
        "sweep-cells",
        f"{CELLS} simulated cells over kappa x {SEEDS} seeds, d = 100, 1e4 steps",
        Side("ten cells in each call, which share their draws", partial(trained_cells, 10)),
        Side("the same simulation, cell by cell", partial(trained_cells, 1)),
        within=1e-11,
        why="rounding, because sums are taken in a different order",
        on_gpu=True,
    ),
)
