"""Whatever stops a sweep, what it stored is whole and a second attempt completes it."""

from __future__ import annotations

import math
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import teacherstudent
from teacherstudent.api.curve import recording_times
from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError
from teacherstudent.sweeps.engine import fill
from teacherstudent.sweeps.plan import Plan, plan
from teacherstudent.sweeps.store import UNDRAWN, Answer, Row, Store, packed
from tests.roundings import repeated
from tests.support import refusal, say
from tests.sweep_victim import ASKED
from tests.test_full_disk import files_up_to

HERE = Path(__file__).parent
SEED = 20221117


@pytest.fixture(scope="module")
def undisturbed() -> xr.Dataset:
    """What the sweep of `sweep_victim` gives where nothing happens to it."""
    return teacherstudent.sweep(**ASKED)


class Victim:
    """Starts sweeps and kills them."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(HERE.parent), "OPENBLAS_NUM_THREADS": "1"}
        command = [sys.executable, str(HERE / "sweep_victim.py")]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment, encoding="utf-8")

    def attempt(self, out: Path, patience: float = math.inf) -> tuple[int, float]:
        """Let a sweep run, killed once patience is over: its exit status and the seconds it took."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{patience} {out}\n")
        self.process.stdin.flush()
        status, seconds = self.process.stdout.readline().split()
        return int(status), float(seconds)


@pytest.fixture(scope="module")
def victim() -> Iterator[Victim]:
    made = Victim()
    yield made
    made.process.communicate("", timeout=30)


def stored(path: Path, aside: Path) -> int:
    """Rows of a store that SQLite finds sound; none where there is no store yet. A copy is looked at."""
    aside.mkdir()
    for each in path.parent.glob(f"{path.name}*"):
        shutil.copy(each, aside)
    if not path.exists():
        return 0
    with closing(sqlite3.connect(aside / path.name)) as connection:
        try:
            assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
            return connection.execute("select count(*) from answers").fetchone()[0]
        except sqlite3.OperationalError:  # killed before there was a table
            return 0


@pytest.mark.parametrize("kills", [10, pytest.param(60, marks=pytest.mark.thorough)])
def test_killed_at_any_moment_and_resumed_it_ends_as_if_nothing_had_happened(
    kills: int, victim: Victim, undisturbed: xr.Dataset, tmp_path: Path
) -> None:
    """Moments are uniform over the time of a whole sweep: laying out, storing, putting together, writing."""
    status, whole = victim.attempt(tmp_path / "whole.nc")
    assert status == 0
    moments = np.random.default_rng(SEED)
    killed, attempt, reached = 0, 0, []
    while killed < kills:
        out = tmp_path / f"{attempt}.nc"
        status, seconds = victim.attempt(out, moments.uniform(0, whole))
        if status == signal.SIGKILL:
            killed += 1
            reached.append(stored(tmp_path / f"{out.name}.cells", tmp_path / f"seen {killed}"))
        else:
            whole = seconds  # it came to its end before its moment: a machine with less to do
        if out.exists():  # then it is whole, and the next attempt starts from nothing
            with xr.open_dataset(out, engine="h5netcdf") as kept:
                assert repeated(kept.load(), undisturbed)
            attempt += 1
    assert any(0 < rows < undisturbed["reason"].size for rows in reached), "some came while cells were stored"
    final = teacherstudent.sweep(**ASKED, out=tmp_path / f"{attempt}.nc", resume=True)
    assert repeated(final, undisturbed)


def theory(count: int = 20, times: int = 16) -> Plan:
    """A sweep of a few milliseconds."""
    kappas = np.linspace(1, 9, count)
    return plan(
        "multiscale", dynamics="ridge", route="asymptotic", times=np.arange(1.0, times + 1), kappa=kappas
    )


def rows(path: Path, swept: Plan) -> list[np.ndarray]:
    """What the store holds, cell by cell, as far as it goes."""
    with Store(path) as store:
        known = [cell for cell in swept.cells if store.known(cell.key)]
        return [store.get(cell.key, (UNDRAWN,))[0].arrays["R"] for cell in known]


def survives(path: Path, swept: Plan, whole: list[np.ndarray]) -> None:
    """What was stored before a fault is sound, and the rest can be added."""
    before = rows(path, swept)
    assert 0 < len(before) < len(whole)
    np.testing.assert_allclose(before, whole[: len(before)], rtol=1e-12)  # sums of other groups of cells
    with Store(path) as store:
        fill(swept, store)
    np.testing.assert_allclose(rows(path, swept), whole, rtol=1e-12)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[np.ndarray]:
    path = tmp_path_factory.mktemp("whole") / "whole.cells"
    with Store(path) as store:
        fill(theory(400, 64), store)
    return rows(path, theory(400, 64))


def test_files_that_cannot_grow_are_one_line_and_earlier_cells_are_intact(
    tmp_path: Path, whole: list[np.ndarray]
) -> None:
    path, swept = tmp_path / "answer.nc.cells", theory(400, 64)
    with files_up_to(300_000), Store(path) as store, pytest.raises(InputError) as caught:
        fill(swept, store, batch=4)
    assert str(caught.value).startswith(f"--out {path}: must be on a writable disk with free space")
    assert "\n" not in str(caught.value)
    survives(path, swept, whole)


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[None]:
    """A file system of that many bytes in the folder."""
    mount = shutil.which("mount")
    options = ["-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
    if not mount or os.geteuid() or subprocess.run([mount, *options], capture_output=True).returncode:
        pytest.skip("mounting a small disk needs root")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_is_one_line_and_earlier_cells_are_intact(
    tmp_path: Path, whole: list[np.ndarray]
) -> None:
    with small_disk(tmp_path, 512_000):
        path, swept = tmp_path / "answer.nc.cells", theory(400, 64)
        with Store(path) as store, pytest.raises(InputError) as caught:
            fill(swept, store, batch=4)
        assert str(caught.value).startswith(f"--out {path}: must be on a writable disk with free space")
        subprocess.run(["mount", "-o", "remount,size=8m", str(tmp_path)], check=True)
        survives(path, swept, whole)


@pytest.mark.parametrize("name", ["answer.nc", "answer.csv", "answer.zarr"])
def test_a_disk_that_fills_while_the_answer_is_written_keeps_the_one_before(
    tmp_path: Path, name: str
) -> None:
    asked: dict[str, Any] = {**ASKED, "times": "1:1e4:200", "out": tmp_path / name}
    teacherstudent.sweep(**{**asked, "alpha": [1.0]})
    before = content(tmp_path / name)
    times = recording_times(asked["times"], catalogue.find_problem("multiscale").on_clock("ridge"))
    grown = {"times": times, "kappa": asked["kappa"], "alpha": [1.0, 2.0, 3.0]}
    with Store(tmp_path / f"{name}.cells") as store:
        fill(plan("multiscale", dynamics="ridge", route="asymptotic", **grown), store)
    line = rf"^--out .*{name}: must be on a writable disk with free space"
    with files_up_to(20_000), pytest.raises(InputError, match=line):
        teacherstudent.sweep(**{**asked, "alpha": grown["alpha"]}, resume=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == [name, f"{name}.cells"]
    assert content(tmp_path / name) == before
    teacherstudent.sweep(**{**asked, "alpha": grown["alpha"]}, resume=True)
    assert content(tmp_path / name) != before


def content(path: Path) -> dict[str, bytes]:
    """What is in a file, or in every file of a folder."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return {str(file): file.read_bytes() for file in files}


@contextmanager
def nobody(folder: Path, mode: int) -> Iterator[None]:
    """Inside that folder of that mode, as a user who may only read its files."""
    here = Path.cwd()
    os.chdir(folder)
    files = list(folder.iterdir())
    for path in files:
        path.chmod(0o444)
    folder.chmod(mode)
    root = any(os.access(path, os.W_OK) for path in files)  # may write all the same
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)
        os.chdir(here)


def test_a_store_that_may_only_be_read_is_one_line_and_intact(tmp_path: Path) -> None:
    swept = theory()
    with Store(tmp_path / "answer.nc.cells") as store:
        fill(swept, store)
    before = rows(tmp_path / "answer.nc.cells", swept)
    refused = {
        ("answer.nc.cells", 0o777): "file",
        ("answer.nc.cells", 0o555): "file",
        ("new", 0o555): "folder",
    }
    for (name, mode), what in refused.items():
        line = rf"^--out {name}: must be a store that can be written \(the {what} may only be read\)$"
        with nobody(tmp_path, mode), pytest.raises(InputError, match=line):
            Store(Path(name))
    (tmp_path / "answer.nc.cells").chmod(0o644)
    np.testing.assert_array_equal(rows(tmp_path / "answer.nc.cells", swept), before)


SWEEP = ("sweep", "multiscale", "--dynamics", "ridge", "--route", "asymptotic", "--kappa", "2:3:2")


def test_of_two_sweeps_on_one_store_the_second_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "answer.nc"
    with Store(tmp_path / "answer.nc.cells"):
        line = refusal(say(*SWEEP, "--out", out, "--resume"))
    assert line.startswith(f"--out {out}.cells: must be a store that no other sweep is writing to")
    assert say(*SWEEP, "--out", out, "--resume")[:2] == (0, "")


def test_the_lock_dies_with_its_owner(victim: Victim, tmp_path: Path) -> None:
    victim.attempt(tmp_path / "answer.nc", 0.05)
    Store(tmp_path / "answer.nc.cells").connection.close()


def test_a_transaction_that_fails_midway_leaves_nothing_of_itself(tmp_path: Path) -> None:
    def torn() -> Iterator[Row]:
        yield packed("key", 0, Answer({"R": np.zeros(3)}))
        raise RuntimeError("midway")

    with Store(tmp_path / "a.cells") as store:
        with pytest.raises(RuntimeError, match="midway"):
            store.put(torn())
        assert store.known("key") == set()


def test_a_store_in_which_nothing_was_put_leaves_nothing_behind(tmp_path: Path) -> None:
    with Store(tmp_path / "a.cells"):
        assert (tmp_path / "a.cells").exists()
    assert list(tmp_path.iterdir()) == []


def test_answers_read_back_to_the_last_digit(tmp_path: Path) -> None:
    numbers = np.array([[0.1, np.nan, -np.inf], [5e-324, 1e308, -0.0]])
    with Store(tmp_path / "a.cells") as store:
        store.put([packed("key", 7, Answer({"R": numbers, "Q": np.zeros(0)}, "why"))])
    with Store(tmp_path / "a.cells") as store:
        (kept,) = store.get("key", (7,))
    assert kept.arrays["R"].tobytes() == numbers.tobytes()
    assert kept.arrays["Q"].shape == (0,)
    assert kept.reason == "why"
