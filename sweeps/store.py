"""What was computed so far: an SQLite file, one row a cell and draw.

SQLite gives what a store needs: a row is there whole or not at all, whatever kills the writer;
the writer holds a lock that dies with it; a full disk rolls back. One sweep writes at a time.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import numpy as np

from house.domains import InputError

Arrays = Mapping[str, np.ndarray]

UNDRAWN = -1
"""Stands for the seed where a route draws nothing."""

_TABLES = """
create table if not exists answers
  (key text, seed integer, layout text, numbers blob, reason text, primary key (key, seed)) without rowid;
"""


class Store:
    """Answers by cell key and seed, in a file or, without a path, in memory.

    Use as a context manager. Raises `InputError` naming `out` where the file cannot be opened,
    written or is in use.
    """

    def __init__(self, path: Path | None, *, resume: bool = False) -> None:
        self.path = path
        if path is not None and path.exists() and not resume:
            raise InputError("out", str(path), "a store that does not exist yet, unless --resume is given")
        with self._explained():
            self.connection = sqlite3.connect(path or ":memory:", timeout=0.5, isolation_level=None)
            self.connection.execute("pragma locking_mode = exclusive")  # kept to the end, or to the kill
            self.connection.execute("pragma journal_mode = wal")
            self.connection.execute("pragma synchronous = normal")
            self.connection.execute("begin immediate")
            self.connection.execute(_TABLES)
            self.connection.execute("commit")

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.connection.close()

    def known(self, key: str, seeds: Sequence[int]) -> set[int]:
        """Which of the seeds this cell has already been answered for."""
        rows = self.connection.execute("select seed from answers where key = ?", (key,))
        return {seed for (seed,) in rows} & set(seeds)

    def put(self, key: str, seeds: Sequence[int], answers: Iterable[Arrays], reason: str) -> None:
        """Add one cell's answers, one a seed, in one transaction; what is there already stays."""
        rows = []
        for seed, answer in zip(seeds, answers, strict=True):
            layout = json.dumps({name: np.shape(values) for name, values in answer.items()})
            numbers = b"".join(
                np.ascontiguousarray(values, dtype="<f8").tobytes() for values in answer.values()
            )
            rows.append((key, seed, layout, numbers, reason))
        with self._explained():
            self.connection.execute("begin immediate")
            try:
                self.connection.executemany("insert or ignore into answers values (?, ?, ?, ?, ?)", rows)
                self.connection.execute("commit")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("rollback")
                raise

    def get(self, key: str, seeds: Sequence[int]) -> tuple[list[dict[str, np.ndarray]], str]:
        """The answers of a cell in the order of the seeds, and the reason for what is NaN."""
        rows = self.connection.execute(
            "select seed, layout, numbers, reason from answers where key = ?", (key,)
        )
        found = {seed: (layout, numbers, reason) for seed, layout, numbers, reason in rows}
        answers = []
        for seed in seeds:
            layout, numbers, _ = found[seed]
            flat, start, answer = np.frombuffer(numbers, dtype="<f8"), 0, {}
            for name, shape in json.loads(layout).items():
                size = int(np.prod(shape))
                answer[name] = flat[start : start + size].reshape(shape)
                start += size
            answers.append(answer)
        return answers, next((reason for _, _, reason in found.values() if reason), "")

    def _explained(self) -> _Explained:
        return _Explained(self.path)


class _Explained:
    """Turns SQLite's faults into one line about the store."""

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def __enter__(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, sqlite3.Error):
            return
        said = str(error)
        needs = "a writable store"
        if "locked" in said:
            needs = "a store that no other sweep is writing to"
        elif "full" in said:
            needs = "on a disk with room; what was stored before is intact"
        elif "not a database" in said or "malformed" in said:
            needs = "a store made by an earlier sweep"
        raise InputError("out", str(self.path), f"{needs} ({said})") from None
