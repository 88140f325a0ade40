"""A running scheduler answers as this process does, and one that others can reach is pointed out."""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import numpy as np
import pytest
import xarray as xr
from distributed import Client, LocalCluster
from distributed.security import Security
from distributed.utils import get_ip

import teacherstudent
from teacherstudent.house.errors import InputError
from teacherstudent.sweeps import cluster
from teacherstudent.sweeps.assembly import assemble
from teacherstudent.sweeps.engine import fill
from teacherstudent.sweeps.store import Store
from tests.roundings import copied, repeated
from tests.test_sweeps_local import toy_plan

ASKED: dict[str, Any] = {
    "problem": "multiscale",
    "dynamics": "flow",
    "route": ["asymptotic", "instance"],
    "times": "1:100:4",
    "kappa": "1:9:5",
    "p": "40:140:6:lin",
    "seeds": 2,
}


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a scheduler that was started elsewhere; to reach it takes no network."""
    with warnings.catch_warnings():  # even here Dask looks for this machine's address in the network
        warnings.filterwarnings("ignore", "Couldn't detect a suitable IP address", RuntimeWarning)
        get_ip()
    with LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, protocol="inproc", dashboard_address="127.0.0.1:0"
    ) as running:
        yield running.scheduler_address


def test_a_running_scheduler_answers_as_this_process_does(scheduler: str, tmp_path: Path) -> None:
    out = tmp_path / "answer.nc"
    here = teacherstudent.sweep(**ASKED)
    assert repeated(teacherstudent.sweep(**ASKED, scheduler=scheduler, out=out), here)
    assert here.attrs["n_failed"] == 2 * 5 * 2, "p above d, by both routes"
    again = teacherstudent.sweep(**ASKED, scheduler="tcp://nowhere:1", out=out, resume=True)
    assert copied(again, here)


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


def test_a_scheduler_that_others_can_reach_is_pointed_out(scheduler: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(cluster, "_joined", lambda _: Client(scheduler, set_as_default=False))
    swept = toy_plan(lambda toy, times: {"growth": toy.strength * times}, 2)
    with (
        Store(None) as store,
        pytest.warns(
            cluster.UnprotectedWarning, match=r"^--scheduler tcp://10.0.0.1:1: without TLS, anybody"
        ),
    ):
        fill(swept, store, scheduler="tcp://10.0.0.1:1")


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Dask's settings for a certificate that stands for itself."""
    folder = tmp_path_factory.mktemp("certificate")
    key, signed = str(folder / "own.key"), str(folder / "own.pem")
    if not (openssl := shutil.which("openssl")):
        pytest.skip("needs openssl to make a certificate")
    making = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=sweeps"]
    subprocess.run([*making, "-keyout", key, "-out", signed], check=True, capture_output=True)
    owners = {f"{owner}.{part}": path for owner in OWNERS for part, path in (("key", key), ("cert", signed))}
    return {f"distributed.comm.tls.{name}": path for name, path in {"ca-file": signed, **owners}.items()}


OWNERS = ("scheduler", "worker", "client")


def test_a_scheduler_behind_tls_is_joined_with_the_certificates_of_dask_s_settings(
    certificate: dict[str, str],
) -> None:
    swept = toy_plan(lambda toy, times: {"growth": toy.strength * times}, 3)
    try:
        socket.create_server(("127.0.0.1", 0)).close()
    except OSError:
        pytest.skip("needs a loopback address")
    with dask.config.set({**certificate, "distributed.comm.require-encryption": True}):
        known = Security()
        with (
            LocalCluster(
                n_workers=1, processes=False, protocol="tls", security=known, host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
            ) as running,
            Store(None) as store,
        ):  # fmt: skip
            assert running.scheduler_address.startswith("tls://")
            fill(swept, store, scheduler=running.scheduler_address)
            assert assemble(swept, store)["growth"].values[:, 0].tolist() == list(swept.axes["strength"])
            with (
                dask.config.set({name: None for name in certificate}),
                pytest.raises(
                    InputError, match=r"^--scheduler tls://.* must be the address of a running Dask"
                ),
            ):
                fill(
                    toy_plan(lambda toy, times: {"growth": times}, 4),
                    store,
                    scheduler=running.scheduler_address,
                )


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
