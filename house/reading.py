"""Files that are read: regular ones, and no larger than what is made of them may be.

A name may lead to a pipe, a device, or 4 GB of zeros in 4 MB. Every reader of a file that a user names uses
this module. A refusal is an `OSError` whose `strerror` says why, as those of the system are.
"""

from __future__ import annotations

import errno
import gzip
import io
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TextIO

from teacherstudent.house import machine
from teacherstudent.house.tables import in_bytes

PAGE = 2**20
"""Bytes of a file that a person writes, as settings: 1 MB is a book."""

LIST = 2**26
"""Bytes of a list with one line for each of up to a million things, as points of a sweep."""

LONGEST_LINE = 2**20
"""Characters of a line of such a list."""

KINDS = {
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
}

Stamp = tuple[int, ...]


def file_stamp(path: Path) -> Stamp:
    """What changes when the content of a regular file does: where it is, its size, when it was written."""
    about = path.stat()
    _demand_regular(about)
    return about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns


@contextmanager
def byte_stream(path: Path, most: float | None = None, packed: bool = True) -> Iterator[IO[bytes]]:
    """The bytes of a regular file; decompressed where `packed` and its name ends in .gz.

    most: bytes that the file may have; None: what a question may fill of the memory. It does not bound what
    is decompressed: `file_bytes` and `file_lines` do.
    """
    _demand_regular(path.stat())  # opening a device or a pipe may already do something
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as stream:
        about = os.fstat(descriptor)
        _demand_regular(about)
        _demand_size(about.st_size, machine.memory_for_question() if most is None else most)
        if packed and path.suffix.lower() == ".gz":
            with gzip.GzipFile(fileobj=stream) as unpacked:
                yield unpacked  # type: ignore[misc]
        else:
            yield stream


def file_bytes(path: Path, most: float | None = None) -> bytes:
    """All bytes of a regular file, decompressed where its name ends in .gz: at most that many."""
    with byte_stream(path, most) as stream:
        return read_at_most(stream, machine.memory_for_question() if most is None else most)


def file_text(path: Path, most: float) -> str:
    """A regular file as text in UTF-8, without the mark of Excel. Raises `UnicodeDecodeError`, too."""
    return file_bytes(path, most).decode("utf-8-sig")


@contextmanager
def text_stream(path: Path, most: float | None = None) -> Iterator[TextIO]:
    """A regular file as a stream of text in UTF-8 with its line ends, without the mark that Excel writes."""
    with byte_stream(path, most) as stream, io.TextIOWrapper(stream, "utf-8-sig", newline="") as found:
        yield found


def file_lines(path: Path, most: float = LIST) -> Iterator[str]:
    """The lines of a regular file in UTF-8, one at a time, with their ends. Raises as `file_text` does."""
    with text_stream(path, most) as stream:
        while line := stream.readline(LONGEST_LINE + 1):
            _demand_size(len(line), LONGEST_LINE, "a line of ")
            yield line


def read_at_most(stream: IO[bytes], most: float) -> bytes:
    """The rest of a stream. Raises where it has more bytes than `most`."""
    found = stream.read(int(min(most, 2.0**60)) + 1)
    _demand_size(len(found), most)
    return found


def _demand_regular(about: os.stat_result) -> None:
    if not stat.S_ISREG(about.st_mode):
        kind = KINDS.get(stat.S_IFMT(about.st_mode), "no file")
        raise _refusal(f"it is {kind}, not a regular file")


def _demand_size(size: int, most: float, of: str = "") -> None:
    if size > most:
        raise _refusal(f"it has {of}more than {in_bytes(most)}")


def _refusal(why: str) -> OSError:
    return OSError(errno.EINVAL, why)


def why_unreadable(error: Exception) -> str:
    """In words, why a file could not be read."""
    return getattr(error, "strerror", None) or (
        "not UTF-8" if isinstance(error, UnicodeError) else str(error)
    )
