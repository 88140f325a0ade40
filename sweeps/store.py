"""The computed part of a sweep: an SQLite file with one row for each cell and draw.

SQLite gives what a store needs: a row is written completely or not at all, even if the writer is killed;
the lock of the writer ends with its process; a full disk rolls back. One sweep writes at a time.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType

import numpy as np

from teacherstudent.house.domains import InputError

UNDRAWN = -1
"""In place of the seed of a route that draws nothing."""

OURS = 0x7453_7765
"""SQLite's application id of these files ("tSwe"): no other database is ever written to."""

_TABLE = """
create table if not exists answers
  (key text, seed integer, layout text, numbers blob, reason text, primary key (key, seed)) without rowid
"""


@dataclass(frozen=True)
class Answer:
    """The observables of one cell for one draw, by name, and why some are NaN; empty if all are."""

    arrays: Mapping[str, np.ndarray]
    reason: str = ""


Row = tuple[str, int, str, bytes, str]
"""An answer as it is stored: a cell's key, a seed, names and shapes, numbers, reason."""


def packed(key: str, seed: int, answer: Answer) -> Row:
    """The row of an answer: cheap to send and to store."""
    layout = json.dumps({name: np.shape(values) for name, values in answer.arrays.items()})
    numbers = [np.ascontiguousarray(values, dtype="<f8").tobytes() for values in answer.arrays.values()]
    return key, seed, layout, b"".join(numbers), answer.reason


class Store:
    """Answers by cell key and seed, in a file or, without a path, in memory.

    Use as a context manager. Raises `InputError` naming `out` if the file cannot be opened or
    written, is in use, or is no store.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        with self._explained():
            self.connection = sqlite3.connect(path or ":memory:", timeout=0.5, isolation_level=None)
            try:
                self._open()
            except BaseException:
                self.connection.close()
                raise

    def _open(self) -> None:
        ask = self.connection.execute
        ask("pragma locking_mode = exclusive")  # kept to the end, or to the kill
        filled = ask("select count(*) from sqlite_master").fetchone() != (0,)
        if filled and ask("pragma application_id").fetchone() != (OURS,):
            raise InputError("out", str(self.path), "a store made by an earlier sweep")
        ask("pragma journal_mode = wal")
        ask("pragma synchronous = normal")
        ask("begin immediate")
        ask(f"pragma application_id = {OURS}")
        ask(_TABLE)
        ask("commit")

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with closing(self.connection), self._explained():
            empty = self.connection.execute("select 1 from answers limit 1").fetchone() is None
            if empty and self.path is not None:  # nothing to keep; before the lock is given up
                self.connection.execute("pragma journal_mode = delete")
                self.path.unlink(missing_ok=True)

    def known(self, key: str) -> set[int]:
        """The seeds for which this cell has been answered."""
        with self._explained():
            return {
                seed for (seed,) in self.connection.execute("select seed from answers where key = ?", (key,))
            }

    def put(self, rows: Iterable[Row]) -> None:
        """Add answers in one transaction, all or none; answers already there are kept."""
        with self._explained():
            self.connection.execute("begin immediate")
            try:
                self.connection.executemany("insert or ignore into answers values (?, ?, ?, ?, ?)", rows)
                self.connection.execute("commit")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("rollback")
                raise

    def get(self, key: str, seeds: Sequence[int]) -> list[Answer]:
        """The answers of a cell in the order of the seeds. Raises `KeyError` if one is missing."""
        with self._explained():
            rows = self.connection.execute(
                "select seed, layout, numbers, reason from answers where key = ?", (key,)
            )
            found = {seed: (layout, numbers, reason) for seed, layout, numbers, reason in rows}
        return [_read(*found[seed]) for seed in seeds]

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turns errors of SQLite into one line about the store."""
        try:
            yield
        except sqlite3.Error as error:
            raise InputError("out", str(self.path), f"{_needed(str(error))} ({error})") from None


def _needed(fault: str) -> str:
    if "locked" in fault:
        return "a store that no other sweep is writing to"
    if "full" in fault or "I/O" in fault:
        return "on a disk with room, that can be written; what was stored before is intact"
    if "not a database" in fault or "malformed" in fault:
        return "a store made by an earlier sweep"
    return "a store that can be written"


@cache
def _shapes(layout: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return tuple((name, tuple(shape)) for name, shape in json.loads(layout).items())


def _read(layout: str, numbers: bytes, reason: str) -> Answer:
    flat, start, arrays = np.frombuffer(numbers, dtype="<f8"), 0, {}
    for name, shape in _shapes(layout):
        size = math.prod(shape)
        arrays[name] = flat[start : start + size].reshape(shape)
        start += size
    return Answer(arrays, reason)
