"""Cells computed by other processes are the same cells, and a process's death costs only time."""

from __future__ import annotations

import multiprocessing
import os
import signal
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
import xarray as xr

from teacherstudent.house import processes
from teacherstudent.house.errors import InputError
from teacherstudent.sweeps.assembly import assemble
from teacherstudent.sweeps.engine import fill
from teacherstudent.sweeps.plan import Plan
from teacherstudent.sweeps.store import Store
from tests.support import TOY, StubRoute, python


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


def test_cells_that_kill_every_process_are_one_line_and_the_others_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "SURVIVED", 0)
    swept = toy_plan(partial(grown_or_killed, tmp_path, True), 60)
    with Store(None) as store:
        with pytest.raises(InputError, match=r"^--workers 2: must be processes that survive; .* stored$"):
            fill(swept, store, workers=2)
        assert sum(bool(store.known(cell.key)) for cell in swept.cells) > 0


def listening(toy: Any, times: np.ndarray) -> dict[str, Any]:
    """The number of sockets to which others could connect, of this process and of the one that started it."""
    own = psutil.Process()
    sockets = [each for one in (own, own.parent()) if one for each in one.net_connections(kind="inet")]
    return {"growth": np.full(times.shape, sum(each.status == psutil.CONN_LISTEN for each in sockets))}


def test_nobody_can_connect_to_the_processes() -> None:
    """Who can send a piece of work to a process can run any code as the user who sweeps."""
    swept = toy_plan(listening, 4)
    with Store(None) as store:
        fill(swept, store, workers=2)
        assert not assemble(swept, store)["growth"].values.any()


def pid_after_failing(place: int) -> int:
    if place == 1:
        raise InputError("place", place, "another")
    return os.getpid()


def test_a_refusal_comes_back_as_it_was_raised_and_ends_all_processes() -> None:
    with processes.worker_processes(2) as crew:
        assert len({pid for _, pid in crew.answers(partial(pid_after_failing, 0) for _ in range(4))}) == 2
        with pytest.raises(InputError, match=r"^--place 1: must be another$"):
            list(crew.answers(partial(pid_after_failing, place) for place in range(4)))
        started = [helper.process for helper in crew.helpers]
    assert not any(process.is_alive() for process in started)


def test_a_process_that_keeps_much_memory_is_replaced() -> None:
    with processes.worker_processes(1) as crew:
        pids = [pid for _, pid in crew.answers([pid_of_the_full, os.getpid, os.getpid])]
    assert pids[0] != pids[1] == pids[2]


def pid_of_the_full() -> int:
    processes.MOST = -processes.MOST
    return os.getpid()


def test_an_exception_that_cannot_be_sent_is_told() -> None:
    with processes.worker_processes(1) as crew, pytest.raises(RuntimeError, match="a secret of this process"):
        list(crew.answers([raise_what_cannot_be_sent]))


class Unsendable(Exception):
    def __reduce__(self) -> Any:
        raise TypeError


def raise_what_cannot_be_sent() -> None:
    raise Unsendable("a secret of this process")


@pytest.mark.thorough
def test_a_script_that_lacks_its_guard_is_told_so(tmp_path: Path) -> None:
    """A process imports the script that started it, which then starts processes itself."""
    script = tmp_path / "unguarded.py"
    script.write_text(
        "from teacherstudent import sweep\n"
        "sweep('multiscale', dynamics='flow', route='asymptotic', times='1:9:3', p='1:2:2', workers=2)",
        encoding="utf-8",
    )
    done = python(script)
    assert "--workers 2: must be processes that start: " in done.stderr.splitlines()[-1]
    assert "__main__" in done.stderr.splitlines()[-1]


def test_a_daemonic_process_starts_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)  # type: ignore[attr-defined]
    with (
        pytest.raises(InputError, match="--workers 2: must be 1: this is a daemonic process"),
        processes.worker_processes(2),
    ):
        pass
