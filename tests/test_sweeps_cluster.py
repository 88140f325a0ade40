"""Cells computed by other processes are the same cells, and a worker's death costs only time."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import dask
import numpy as np
import pytest
import xarray as xr
from distributed import LocalCluster

import teacherstudent
from teacherstudent.house.domains import InputError
from teacherstudent.sweeps import cluster
from teacherstudent.sweeps.assembly import assemble
from teacherstudent.sweeps.engine import fill
from teacherstudent.sweeps.plan import Plan
from teacherstudent.sweeps.store import Store
from tests.support import TOY, StubRoute

ASKED: dict[str, Any] = {
    "problem": "multiscale",
    "dynamics": "flow",
    "route": ["asymptotic", "instance"],
    "times": "1:100:4",
    "kappa": "1:9:5",
    "p": "40:140:6:lin",
    "seeds": 2,
}


def toy_plan(answer: Any, strengths: int) -> Plan:
    """A sweep of the toy by that route."""
    route = StubRoute("toy", "path", "stub", "", "", "", gives=("growth",), answer=answer)
    values = tuple(np.linspace(0.1, 2, strengths).tolist())
    return Plan(TOY, "path", (route,), np.array([1.0, 2.0]), {}, {"strength": values})


def grown_or_killed(folder: Path, often: bool, toy: Any, times: np.ndarray) -> dict[str, Any]:
    """Strength times time; at one strength the worker is killed, once, or every time."""
    died = folder / "died"
    if 1.0 < toy.strength < 1.1 and (often or not died.exists()):
        died.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"growth": toy.strength * times}


def test_two_workers_one_of_which_is_killed_give_what_one_process_gives(tmp_path: Path) -> None:
    """The cell itself kills its worker, so that the death always comes in the middle of a batch."""
    swept = toy_plan(partial(grown_or_killed, tmp_path, False), 60)
    with Store(None) as store:
        fill(swept, store, workers=2)
        answer = assemble(swept, store)
    assert (tmp_path / "died").exists()
    undisturbed = replace(
        swept, routes=(replace(swept.routes[0], answer=lambda toy, times: {"growth": toy.strength * times}),)
    )
    with Store(None) as store:
        fill(undisturbed, store)
        xr.testing.assert_identical(answer, assemble(undisturbed, store))


def test_cells_that_kill_every_worker_are_one_line_and_the_others_are_kept(tmp_path: Path) -> None:
    swept = toy_plan(partial(grown_or_killed, tmp_path, True), 60)
    with (
        Store(None) as store,
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
    ):
        with pytest.raises(InputError, match=r"^--workers 2: must be processes that survive: .* stored$"):
            fill(swept, store, workers=2)
        assert sum(bool(store.known(cell.key)) for cell in swept.cells) > 0


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a scheduler that was started elsewhere."""
    with LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0") as running:
        yield running.scheduler_address


def test_a_running_scheduler_answers_as_this_process_does(scheduler: str, tmp_path: Path) -> None:
    out = tmp_path / "answer.nc"
    here = teacherstudent.sweep(**ASKED)
    xr.testing.assert_identical(teacherstudent.sweep(**ASKED, scheduler=scheduler, out=out), here)
    assert here.attrs["n_failed"] == 2 * 5 * 2, "p above d, by both routes"
    again = teacherstudent.sweep(**ASKED, scheduler="tcp://nowhere:1", out=out, resume=True)
    xr.testing.assert_identical(again, here)


def test_a_notebook_joins_a_scheduler_too(scheduler: str) -> None:
    """There an event loop is running in the very thread that asks."""
    swept = toy_plan(lambda toy, times: {"growth": toy.strength * times}, 3)

    async def cell_of_a_notebook() -> xr.Dataset:
        with Store(None) as store:
            fill(swept, store, scheduler=scheduler)
            return assemble(swept, store)

    assert asyncio.run(cell_of_a_notebook())["growth"].values[:, 0].tolist() == list(swept.axes["strength"])


def resting(toy: Any, times: np.ndarray) -> dict[str, Any]:
    """Strength times time, after a millisecond."""
    time.sleep(1e-3)
    return {"growth": toy.strength * times}


def test_batches_grow_to_the_work_and_leave_some_for_every_worker(scheduler: str) -> None:
    swept, done = toy_plan(resting, 300), []
    with Store(None) as store:
        fill(swept, store, scheduler=scheduler, announce=lambda cells, _: done.append(cells))
    sizes = np.diff(done)
    assert sizes[0] == 1, "nothing is known yet of how long a cell takes"
    assert 10 < max(sizes) <= 75, "two threads have two batches each"
    assert len(sizes) < 30
    assert done[-1] == 300


@pytest.mark.parametrize("address", ["nowhere", "tcp://127.0.0.1:1", "", "tcp://127.0.0.1:x"])
def test_an_address_that_does_not_answer_is_one_line(address: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", "100ms")
    with pytest.raises(
        InputError, match=r"^--scheduler .* must be the address of a running Dask scheduler"
    ) as caught:
        teacherstudent.sweep(**ASKED, scheduler=address)
    assert "\n" not in str(caught.value)


def test_workers_and_a_scheduler_exclude_each_other() -> None:
    with pytest.raises(InputError, match=r"^--workers 2: must be absent where --scheduler is given"):
        teacherstudent.sweep(**ASKED, workers=2, scheduler="tcp://127.0.0.1:1")
