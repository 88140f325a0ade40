"""A damaged or incomplete store gives the same numbers, or is refused in one line; never other numbers."""

from __future__ import annotations

import os
import shutil
import sqlite3
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

import teacherstudent
from teacherstudent.house.errors import InputError
from teacherstudent.sweeps import store
from teacherstudent.sweeps.assembly import assemble
from teacherstudent.sweeps.engine import fill
from teacherstudent.sweeps.plan import Plan, plan
from teacherstudent.sweeps.store import CLOSED, DAMAGED, EARLIER, LOG, OPEN, OURS, Answer, Store, packed
from tests.support import at_most, refusal, say, wrote

pytestmark = pytest.mark.usefixtures("toy")

SEED = 20221117
FLIPS, OTHERS = 200, 20


@dataclass(frozen=True)
class Kept:
    """A sweep, the bytes of its store, and what it gives."""

    plan: Plan
    content: bytes
    answer: xr.Dataset

    def again(self, path: Path, content: bytes) -> str:
        """What comes of a store with that content: `refused`, `computed again`, or `as it was`.

        Fails where it gives other numbers, or says more than one line.
        """
        path.write_bytes(content)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            try:
                with Store(path) as opened:
                    fill(self.plan, opened)
                    answer = assemble(self.plan, opened)
            except InputError as error:
                line = str(error)
            else:
                line = ""
        if line:
            assert line.startswith(f"--out {path}: must be ")
            assert "\n" not in line
            return "refused"
        xr.testing.assert_identical(answer, self.answer)
        assert [path.name for path in path.parent.iterdir()] == [path.name]
        assert len(said) <= 1
        return "computed again" if said else "as it was"


@pytest.fixture
def kept(toy: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    """Sixteen pages, with numbers, NaN and reasons. Nothing waits for the disk: no power fails here."""
    monkeypatch.setattr(store, "SYNCHRONOUS", "off")

    def drawn(toy: Any, times: np.ndarray, seeds: Any) -> dict[str, Any]:
        if toy.strength == 2:
            raise InputError("strength", 2.0, "another value, for a long reason " + 9 * "so as to be long ")
        return {"growth": [toy.strength * times + seed for seed in seeds]}

    toy("kept", drawn, sampled=True)
    times = np.arange(1.0, 91.0)
    laid_out = plan(
        "toy", dynamics="path", route="kept", times=times, strength="0.5:2:12:lin", seeds=range(6)
    )
    path = tmp_path / "whole" / "a.cells"
    path.parent.mkdir()
    with Store(path) as opened:
        fill(laid_out, opened)
        answer = assemble(laid_out, opened)
    return Kept(laid_out, path.read_bytes(), answer)


def flipped(content: bytearray, chance: np.random.Generator) -> bytearray:
    bit = int(chance.integers(8 * len(content)))
    content[bit // 8] ^= 1 << bit % 8
    return content


def cut(content: bytearray, chance: np.random.Generator) -> bytearray:
    return content[: int(chance.integers(1, len(content)))]


def zeroed(content: bytearray, chance: np.random.Generator) -> bytearray:
    start = int(chance.integers(len(content) - 512))
    content[start : start + 512] = bytes(512)
    return content


def random_page(content: bytearray, chance: np.random.Generator) -> bytearray:
    start = 4096 * int(chance.integers(len(content) // 4096))
    content[start : start + 4096] = chance.bytes(4096)
    return content


def speckled(content: bytearray, chance: np.random.Generator) -> bytearray:
    for place in chance.integers(len(content), size=40):
        content[place] = int(chance.integers(256))
    return content


def outcomes(kept: Kept, folder: Path, harm: Callable[..., bytearray], count: int) -> Counter[str]:
    folder.mkdir()
    chance = np.random.default_rng(SEED)
    return Counter(
        kept.again(folder / "a.cells", bytes(harm(bytearray(kept.content), chance))) for _ in range(count)
    )


def test_one_flipped_bit_gives_the_same_numbers_or_a_refusal(kept: Kept, tmp_path: Path) -> None:
    found = outcomes(kept, tmp_path / "harmed", flipped, FLIPS)
    assert found.total() == FLIPS
    assert found["computed again"] > FLIPS / 2, "most bits are those of numbers"


@pytest.mark.parametrize("harm", [cut, zeroed, random_page, speckled])
def test_greater_damage_gives_the_same_numbers_or_a_refusal(
    kept: Kept, tmp_path: Path, harm: Callable[..., bytearray]
) -> None:
    found = outcomes(kept, tmp_path / "harmed", harm, OTHERS)
    assert found["refused"] + found["computed again"] > OTHERS / 2, "it was damage"


def altered(kept: Kept, path: Path, change: str, *values: Any) -> bytes:
    """The store with other values in all rows, whose checksums are right."""
    path.write_bytes(kept.content)
    with closing(sqlite3.connect(path)) as meddled:
        meddled.create_function("digest", 5, store._checksum)
        meddled.execute(f"update answers set {change}", values)
        meddled.execute("update answers set checksum = digest(key, seed, layout, numbers, reason)")
        meddled.commit()
    return path.read_bytes()


SHAPES = (
    90, '"aa"', [-1], "[9e9]", [10**11], [0, 10**11], [10**30, 0], "[true, 90]", "[NaN]", f"[{5000 * '9'}]",
    70 * [9], 50 * [10**1000], [], [1], [1, 90], [45, 2], '[90], "other": [0]',
)  # fmt: skip
LAYOUTS = (5000 * "[", "[]", "3", "", '{"other": [90]}', *(f'{{"growth": {each}}}' for each in SHAPES))


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout[:40])
def test_altered_answers_with_right_checksums_are_refused(kept: Kept, tmp_path: Path, layout: str) -> None:
    (tmp_path / "altered").mkdir()
    for numbers in ("numbers", "x''", "x'0102'"):
        content = altered(kept, tmp_path / "a.cells", f"layout = ?, numbers = {numbers}", layout)
        with at_most(2**28):
            assert kept.again(tmp_path / "altered" / "a.cells", content) == "refused"


def test_an_altered_reason_is_shown_in_one_line(kept: Kept, tmp_path: Path) -> None:
    altered(kept, path := tmp_path / "a.cells", "reason = ?", "\x1b[31mred\n\nand\x07")
    with Store(path) as opened:
        assert set(assemble(kept.plan, opened)["reason"].values) == {r"\x1b[31mred and\x07"}


def test_damaged_answers_are_counted_in_one_line(kept: Kept, tmp_path: Path) -> None:
    path = tmp_path / "a.cells"
    path.write_bytes(kept.content)
    with closing(sqlite3.connect(path)) as meddled:
        meddled.execute("update answers set numbers = zeroblob(length(numbers)) where seed < 2")
        meddled.execute("update answers set reason = 'another' where seed = 2")
        meddled.execute("update answers set layout = cast(layout as blob) where seed = 3")
        meddled.execute("update answers set numbers = cast(numbers as text) where seed = 4")
        meddled.execute("update answers set reason = null where seed = 5")
        meddled.commit()
    with Store(path) as opened:
        # Four times all 12 cells; one of the cells has no numbers to be zeroed.
        with pytest.warns(UserWarning, match=rf"^damaged answers in {path}, computed again: 70$"):
            fill(kept.plan, opened)
        xr.testing.assert_identical(assemble(kept.plan, opened), kept.answer)


@pytest.mark.parametrize(("changed", "key", "seed"), [("key = 'other'", "other", 5), ("seed = 6", "two", 6)])
def test_an_answer_under_the_key_or_seed_of_another_is_not_taken_for_it(
    tmp_path: Path, changed: str, key: str, seed: int
) -> None:
    path = tmp_path / "a.cells"
    with Store(path) as opened:
        opened.put([packed(key, 5, Answer({"R": np.ones(2)})) for key in ("one", "two")])
    with closing(sqlite3.connect(path)) as meddled:
        meddled.execute(f"update answers set {changed} where key = 'two'")
        meddled.commit()
    with Store(path) as opened:
        assert opened.known("one") == {5}
        with pytest.raises(InputError, match=f"must be {DAMAGED}$"):
            opened.get(key, (seed,))
        assert opened.known(key) == set()
        assert opened.damaged == 1


def test_an_answer_that_is_missing_when_it_is_wanted_is_one_line(tmp_path: Path) -> None:
    with Store(tmp_path / "a.cells") as opened, pytest.raises(InputError, match=f"must be {DAMAGED}$"):
        opened.get("key", (0,))


SWEEP = (
    "sweep",
    "toy",
    "--dynamics",
    "path",
    "--route",
    "grown",
    "--times",
    "1:2:2",
    "--strength",
    "0.5:2:3",
)

EARLIER_TABLE = (
    "create table answers (key text, seed integer, layout text, numbers blob, reason text, "
    "primary key (key, seed)) without rowid"
)
OF_OTHERS = "create table answers (whatever)"
ANOTHER = "a store of this version of teacherstudent"
FOREIGN: dict[str, tuple[bytes | tuple[str, ...], str]] = {
    "no database": (b"not a store, and long enough to be one" * 100, ""),
    "torn": (b"SQLite format 3\0 torn", ""),
    "of others": ((OF_OTHERS,), EARLIER),
    "an earlier table": ((f"pragma application_id = {OURS}", EARLIER_TABLE), ANOTHER),
    "another table": ((f"pragma application_id = {OURS}", "create table notes (whatever)"), ANOTHER),
    "another application": (("pragma application_id = 1", EARLIER_TABLE), EARLIER),
}
"""What may lie in the place of a store: bytes, or what SQLite was told; and what must be there."""


@pytest.mark.parametrize(("made", "needed"), FOREIGN.values(), ids=FOREIGN)
def test_what_is_no_store_of_this_version_is_refused_in_one_line_and_left_alone(
    tmp_path: Path, made: bytes | tuple[str, ...], needed: str
) -> None:
    file = tmp_path / "answer.nc.cells"
    if isinstance(made, bytes):
        file.write_bytes(made)
    else:
        with closing(sqlite3.connect(file)) as theirs:
            for statement in (f"pragma user_version = {CLOSED}", *made):
                theirs.execute(statement)
            theirs.commit()
    before = file.read_bytes()
    line = refusal(say(*SWEEP, "--out", tmp_path / "answer.nc", "--resume"))
    assert line.startswith(f"--out {file}: must be {needed}")
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


@pytest.fixture
def in_vain(toy: Any) -> Callable[..., xr.Dataset]:
    """A sweep that must be refused before anything is computed."""
    toy("never", lambda toy, times: pytest.fail("computed"))
    asked: dict[str, Any] = {"dynamics": "path", "route": "never", "strength": [1.0, 2.0], "resume": True}
    return partial(teacherstudent.sweep, "toy", **asked)


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("folder.nc", "a regular file"),
        ("folder.csv", "a regular file"),
        ("file.zarr", "a folder"),
        (f"{250 * 'a'}.nc", "a writable path"),
        ("a\0.nc", "a writable path"),
    ],
    ids=["folder", "folder for a table", "file", "long", "NUL"],
)
def test_what_cannot_be_written_is_refused_before_anything_is_computed(
    tmp_path: Path, in_vain: Any, name: str, needed: str
) -> None:
    for folder in ("folder.nc", "folder.csv"):
        (tmp_path / folder).mkdir()
    (tmp_path / "file.zarr").touch()
    with pytest.raises(InputError, match=f"must be {needed}"):
        in_vain(out=tmp_path / name)
    assert not list(tmp_path.glob("*.cells"))


@pytest.mark.parametrize("name", ["answer.csv", "answer.nc", "answer.zarr", "closed/answer.csv"])
def test_what_may_not_be_written_is_refused_before_anything_is_computed(
    tmp_path: Path, in_vain: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's refusal is simulated: this user may be allowed everything."""

    def opened(path: Path, mode: str = "r", *more: Any, **named: Any) -> Any:
        if path == out and mode != "r":
            raise PermissionError(13, "Permission denied")
        return really_open(path, mode, *more, **named)

    out = tmp_path / name
    out.parent.mkdir(exist_ok=True)
    closed = out.parent if out.parent != tmp_path else out
    if out.suffix == ".zarr":
        out.mkdir()
    elif closed == out:
        out.touch()
    really_open, may = Path.open, os.access
    monkeypatch.setattr(Path, "open", opened)
    monkeypatch.setattr(
        os, "access", lambda path, mode, **how: Path(path) != closed and may(path, mode, **how)
    )
    with pytest.raises(InputError, match=r"^--out .*: must be a writable path \(Permission denied\)$"):
        in_vain(out=out)
    assert not list(tmp_path.rglob("*.cells"))


@pytest.mark.parametrize("later", [0, CLOSED + OPEN])
def test_a_store_whose_state_is_not_known_is_refused(tmp_path: Path, later: int) -> None:
    file = tmp_path / "a.cells"
    with Store(file) as opened:
        opened.put([packed("key", 0, Answer({"R": np.ones(2)}))])
    with closing(sqlite3.connect(file)) as theirs:
        theirs.execute(f"pragma user_version = {later}")
    with pytest.raises(InputError, match="must be a store of this version of teacherstudent"):
        Store(file)


def test_the_command_line_says_once_how_much_was_damaged(tmp_path: Path) -> None:
    asked, file = (*SWEEP, "--out", tmp_path / "answer.nc", "--resume"), tmp_path / "answer.nc.cells"
    assert say(*asked) == (0, "", wrote(tmp_path / "answer.nc"))
    with xr.open_dataset(tmp_path / "answer.nc", engine="h5netcdf") as first:
        before = first.load()
    with closing(sqlite3.connect(file)) as meddled:
        meddled.execute("update answers set numbers = zeroblob(length(numbers))")
        meddled.commit()
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # as for a user
        warned = f"warning: damaged answers in {file}, computed again: 3\n"
        assert say(*asked) == (0, "", warned + wrote(tmp_path / "answer.nc", replacing=True))
    with xr.open_dataset(tmp_path / "answer.nc", engine="h5netcdf") as second:
        xr.testing.assert_identical(second.load(), before)
        assert say(*asked) == (0, "", wrote(tmp_path / "answer.nc", replacing=True))


def test_a_copy_without_the_log_of_a_running_sweep_says_what_it_lacks(tmp_path: Path) -> None:
    """As of a sweep that was killed: its store is two files."""
    path, row = tmp_path / "a.cells", packed("key", 0, Answer({"R": np.ones(2)}))
    part, both = tmp_path / "part", tmp_path / "both"
    with Store(path) as running:
        running.put([row])
        for folder in (part, both):
            folder.mkdir()
            shutil.copy(path, folder)
        shutil.copy(tmp_path / f"a.cells{LOG}", both)
    with pytest.warns(UserWarning, match=rf"a.cells was not closed .* a.cells{LOG} is missing"):
        incomplete = Store(part / "a.cells")
    with incomplete:
        assert incomplete.known("key") == set()
        incomplete.put([row])
    for folder in (part, both, tmp_path):
        with Store(folder / "a.cells") as complete:
            assert complete.known("key") == {0}


class Stopped(Exception):
    """What ends a sweep from outside, as Ctrl-C does."""


@pytest.mark.parametrize("error", [None, Stopped, KeyboardInterrupt])
def test_a_sweep_that_ends_or_is_interrupted_leaves_one_file_with_every_finished_cell(
    tmp_path: Path, toy: Any, error: type[BaseException] | None
) -> None:
    strengths = np.linspace(0.1, 1.9, 40).tolist()

    def stopping(toy: Any, times: np.ndarray) -> dict[str, Any]:
        if error and toy.strength == strengths[30]:
            raise error
        return {"growth": toy.strength * times}

    toy("stopping", stopping)
    asked: dict[str, Any] = {"dynamics": "path", "route": "stopping", "times": np.arange(1.0, 65.0)}
    asked |= {"strength": strengths, "out": tmp_path / "a.nc"}
    if error is None:
        teacherstudent.sweep("toy", **asked)
    else:
        with pytest.raises(error):
            teacherstudent.sweep("toy", **asked)
    stores = [path for path in tmp_path.iterdir() if path.name != "a.nc"]
    assert stores == [tmp_path / "a.nc.cells"]
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(stores[0], alone)
    with closing(sqlite3.connect(alone / "a.nc.cells")) as connection:
        assert connection.execute("select count(*) from answers").fetchone() == (30 if error else 40,)
