"""The computed part of a sweep: an SQLite file with one row for each cell and draw.

SQLite gives what a store needs: a row is written completely or not at all, even if the writer is killed;
the lock of the writer ends with its process; a full disk rolls back. One sweep writes at a time.

A row carries a checksum of all that it says, and the table must be to the letter the one that is made here.
So a damaged file loses answers or is refused; it never gives another number. While a sweep runs, its last
answers are in a second file, `-wal`. However the sweep ends, unless it is killed, one file is left.
"""

from __future__ import annotations

import json
import math
import os
import sqlite3
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from types import TracebackType

import numpy as np

from teacherstudent.house.control_characters import in_one_line
from teacherstudent.house.errors import InputError, in_short

UNDRAWN = -1
"""In place of the seed of a route that draws nothing."""

OURS = 0x7453_7765
"""SQLite's application id of these files ("tSwe"): no other database is ever written to."""

CLOSED, OPEN = 1, 2
"""SQLite's user version of a store that is whole in one file, and of one that may have a second file."""

SYNCHRONOUS = "normal"
"""SQLite's care for the disk: with this a power failure costs the last answers, not the store."""

LOG = "-wal"
"""Added by SQLite to the name of a store: the file of what was written last."""

CODE = "code of "
"""How the key of a row begins that holds the digest of a system's code, in place of a cell's answer."""

LONGEST_LAYOUT = 10_000
"""Characters of names and shapes in a row: more than any problem's observables take."""

_TABLE = (
    "CREATE TABLE answers (key text, seed integer, layout text, numbers blob, checksum blob, reason text, "
    "primary key (key, seed)) without rowid"
)
_SCHEMA = [("table", "answers", "answers", _TABLE)]

EARLIER = "a store made by an earlier sweep"
ANOTHER = "a store of this version of teacherstudent, undamaged; remove it to compute its cells again"
DAMAGED = "an undamaged store; remove it to compute its cells again"


@dataclass(frozen=True)
class Answer:
    """The observables of one cell for one draw, by name, and why some are NaN; empty if all are."""

    arrays: Mapping[str, np.ndarray]
    reason: str = ""


Row = tuple[str, int, str, bytes, bytes, str]
"""An answer as it is stored: a cell's key, a seed, names and shapes, numbers, checksum, reason."""


def packed(key: str, seed: int, answer: Answer) -> Row:
    """The row of an answer: cheap to send and to store."""
    layout = json.dumps({name: np.shape(values) for name, values in answer.arrays.items()})
    numbers = b"".join(
        np.ascontiguousarray(values, dtype="<f8").tobytes() for values in answer.arrays.values()
    )
    return key, seed, layout, numbers, _checksum(key, seed, layout, numbers, answer.reason), answer.reason


def _checksum(key: str, seed: int, layout: str, numbers: bytes, reason: str) -> bytes:
    """Digest of a row, with the key and seed under which it must be found."""
    digest = blake2b(json.dumps([key, seed, layout, reason]).encode(), digest_size=16)
    digest.update(numbers)
    return digest.digest()


class Store:
    """Answers by cell key and seed, in a file or, without a path, in memory.

    `damaged` counts the answers whose checksum was wrong, which were removed. Use as a context manager.
    Warns where a copy lacks the file of what was written last. Raises `InputError` naming `out` if the file
    cannot be opened or written, is in use, is damaged, or is no store of this version.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.damaged = 0
        if path is not None:
            _writable(path)
        alone = path is not None and not _log(path).exists()
        with self._explained():
            self.connection = sqlite3.connect(path or ":memory:", timeout=0.5, isolation_level=None)
            self.connection.text_factory = lambda text: text.decode(errors="replace")
            try:
                self._open(alone)
            except BaseException:
                self.connection.close()
                raise

    def _open(self, alone: bool) -> None:
        ask = self.connection.execute
        ask("pragma locking_mode = exclusive")  # kept to the end, or to the kill
        filled = ask("select count(*) from sqlite_master").fetchone() != (0,)
        if filled:
            self._recognised(alone)
        ask("pragma journal_mode = wal")
        ask(f"pragma synchronous = {SYNCHRONOUS}")
        ask("begin immediate")
        ask(f"pragma application_id = {OURS}")
        ask(f"pragma user_version = {OPEN}")
        if not filled:
            ask(_TABLE)
        ask("commit")
        ask("pragma wal_checkpoint(full)")  # so that a copy without the log says that it lacks one

    def _recognised(self, alone: bool) -> None:
        """Refuse a file that is not to the letter a store of this version."""
        ask = self.connection.execute
        if ask("pragma application_id").fetchone() != (OURS,):
            raise InputError("out", str(self.path), EARLIER)
        (state,) = ask("pragma user_version").fetchone()
        schema = ask("select type, name, tbl_name, sql from sqlite_master").fetchall()
        if state not in (CLOSED, OPEN) or schema != _SCHEMA:
            raise InputError("out", str(self.path), ANOTHER)
        if self.path and state == OPEN and alone:
            warnings.warn(
                f"{self.path} was not closed by its sweep, and {_log(self.path).name} is missing: "
                "answers that only the missing file contained are computed again",
                stacklevel=4,
            )

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with closing(self.connection), suppress(sqlite3.Error):  # what was stored stays, in two files
            if self.path is None:
                return
            ask = self.connection.execute
            if ask("select 1 from answers where key not like ? limit 1", (f"{CODE}%",)).fetchone() is None:
                ask("pragma journal_mode = delete")
                self.path.unlink(missing_ok=True)  # before the lock is given up
                return
            ask(f"pragma user_version = {CLOSED}")

    def demand_code(self, system: str, digest: str) -> None:
        """Keep the digest of the code that answers; raise `InputError` where other code answered before."""
        key = f"{CODE}{system}"
        with self._explained():
            kept = [answer.reason for _, answer in self._found(key) if answer]
        if not kept:
            self.put([packed(key, UNDRAWN, Answer({}, digest))])
        elif kept != [digest]:
            said = f"a store of {system} with its present code; the code has changed since"
            raise InputError("out", str(self.path), said, "sweep into a new file, or restore the code")

    def known(self, key: str) -> set[int]:
        """The seeds for which this cell has been answered. Damaged answers are removed and counted."""
        sound, damaged = set(), []
        with self._explained():
            for seed, answer in self._found(key):
                if answer is None:
                    damaged.append((key, seed))
                else:
                    sound.add(seed)
            self.connection.executemany("delete from answers where key = ? and seed is ?", damaged)
        self.damaged += len(damaged)
        return sound

    def put(self, rows: Iterable[Row]) -> None:
        """Add answers in one transaction, all or none; answers already there are kept."""
        with self._explained():
            self.connection.execute("begin immediate")
            try:
                self.connection.executemany("insert or ignore into answers values (?, ?, ?, ?, ?, ?)", rows)
                self.connection.execute("commit")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("rollback")
                raise

    def get(self, key: str, seeds: Sequence[int]) -> list[Answer]:
        """The answers of a cell in the order of the seeds.

        Raises `InputError` if one is not there or damaged.
        """
        with self._explained():
            found = dict(self._found(key))
        answers = [answer for answer in map(found.get, seeds) if answer is not None]
        if len(answers) < len(seeds):
            raise InputError("out", str(self.path), DAMAGED)
        return answers

    def _found(self, key: str) -> Iterator[tuple[int, Answer | None]]:
        """The seeds under which this cell has an answer, each with the answer, None where it is damaged."""
        question = "select seed, layout, numbers, reason, checksum from answers where key = ?"
        for seed, layout, numbers, reason, checksum in self.connection.execute(question, (key,)):
            typed = [type(each) for each in (seed, layout, numbers, reason)] == [int, str, bytes, str]
            sound = typed and checksum == _checksum(key, seed, layout, numbers, reason)
            try:
                answer = _read(layout, numbers, reason) if sound else None
            except Exception:  # whatever an altered row makes of its decoders
                raise InputError("out", str(self.path), DAMAGED) from None
            yield seed, answer

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turns errors of SQLite into one line about the store."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # it may quote what is damaged
            needed = _needed(getattr(error, "sqlite_errorname", ""))
            raise InputError("out", str(self.path), f"{needed} ({in_short(str(error))})") from None


def _log(path: Path) -> Path:
    return path.with_name(path.name + LOG)


def _writable(path: Path) -> None:
    """Raise `InputError` where this user may not write: SQLite would call it an I/O error of the disk."""
    effective = os.access in os.supports_effective_ids
    for what, place in (("file", path), ("folder", path.parent)):
        if what == "file" and place.exists() and not place.is_file():
            raise InputError("out", str(path), "a store, which is a regular file")
        if place.exists() and not os.access(place, os.W_OK, effective_ids=effective):
            raise InputError("out", str(path), f"a store that can be written (the {what} may only be read)")


def _needed(fault: str) -> str:
    """What a store must be where SQLite has met that fault, named as in its manual."""
    if fault.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return "a store that no other sweep is writing to"
    if fault.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")):
        return "a store that can be written"
    if fault == "SQLITE_FULL" or (fault.startswith("SQLITE_IOERR") and "READ" not in fault):
        return "on a writable disk with free space (free some, then use --resume); earlier answers are intact"
    if fault == "SQLITE_NOTADB":
        return EARLIER
    return DAMAGED


@cache
def _shapes(layout: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
    if len(layout) > LONGEST_LAYOUT:
        raise ValueError("a long layout")
    return tuple((name, tuple(shape)) for name, shape in json.loads(layout).items())


def _read(layout: str, numbers: bytes, reason: str) -> Answer:
    flat, start, arrays = np.frombuffer(numbers, dtype="<f8"), 0, {}
    for name, shape in _shapes(layout):
        size = math.prod(shape)
        arrays[name] = flat[start : start + size].reshape(shape)
        start += size
    return Answer(arrays, reason if reason.isprintable() else in_one_line(reason))
