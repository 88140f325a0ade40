"""Outputs appear whole or not at all: written in a temporary folder beside the target, then moved.

The temporary folder is locked as long as its writer lives. The system gives the lock up when the process
ends, however it ends, so that the next writer of the same target knows what a killed one left, and
removes it.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from teacherstudent.house.errors import InputError
from teacherstudent.house.reading import KINDS

LONGEST = 40
"""Characters of the target's name in that of its temporary folder: a long name leaves no room for more."""

DIGEST = 12
"""Hexadecimal digits that tell names apart whose first characters are the same."""

SUFFIX = ".unfinished"
RANDOM = "[a-z0-9_]{8}"
"""What `tempfile` puts between prefix and suffix."""

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says where there is no room for a file, or for so large a one."""


def path_of(value: Any, option: str) -> Path:
    """The path that a value names. Raises `InputError` for what can be no path."""
    if not isinstance(value, str | os.PathLike) or not isinstance(os.fspath(value), str):
        raise InputError(option, value, "a path")
    with reporting_unwritable(value, option):
        os.fsencode(value)  # refuses what no file system can hold
        if "\0" in os.fspath(value):
            raise ValueError("a NUL character")
    return Path(value)


def in_a_folder(path: Path, option: str) -> None:
    """Raise `InputError` where the folder of that path does not exist, or the path cannot."""
    with reporting_unwritable(path, option):
        if not path.parent.is_dir():
            raise InputError(option, str(path), "a file in a folder that exists")
        _status(path)  # fails where the name is too long


def file_target(path: Path, option: str) -> tuple[Path, os.stat_result | None]:
    """The file that `path` leads to, and what the system knows of it; None where there is none yet.

    Raises `InputError` where `whole_file` could not write it. Nothing is changed.
    """
    with reporting_unwritable(path, option):
        target = Path(os.path.realpath(path))
        before = _status(target)
        if before:
            _refuse_irregular(path, option, before)
            with target.open("ab"):  # a file that may not be written may not be replaced
                pass
        if target.parent.exists():
            _refuse_closed(target.parent)
        return target, before


def folder_target(path: Path, option: str) -> Path:
    """The folder that `path` leads to, whether it exists or not.

    Raises `InputError` where `whole_folder` could not write it. Nothing is changed.
    """
    with reporting_unwritable(path, option):
        target = Path(os.path.realpath(path))
        if target.exists():
            if not target.is_dir():
                raise InputError(option, str(path), "a folder, not a file")
            _refuse_closed(target)  # a folder that may not be written may not be moved
        _refuse_closed(target.parent)
        return target


@contextmanager
def whole_file(path: Path, option: str = "out") -> Iterator[Path]:
    """A temporary path; moved onto `path` when the block ends well.

    The folder is made where it is missing. A link stays, and what it leads to is written; a file that
    exists keeps its mode and, where this user may give it away, its owner. Raises `InputError` naming
    `option`, before the block starts, where the target cannot be written or is no regular file: nothing
    could replace a device or a pipe whole.
    """
    path = path_of(path, option)
    with reporting_unwritable(path, option):
        target, before = file_target(path, option)
    with _made(target.parent, path, option), _workshop(target, path, option) as folder:
        written, _ = _stages(folder, target)
        with reporting_unwritable(path, option):
            written.touch()
        yield written
        with room_for(path, option), written.open("rb") as file:
            os.fsync(file)  # some systems say only now that the disk is full
        with reporting_unwritable(path, option):
            _take_after(before, written)
            written.replace(target)


@contextmanager
def whole_folder(path: Path, option: str = "out") -> Iterator[Path]:
    """A temporary folder; takes the place of `path` when the block ends well.

    A folder cannot be replaced in one step: a kill between two renames leaves none, never a half-written
    one. A link stays. Raises `InputError` naming `option` where the target cannot be written.
    """
    path = path_of(path, option)
    with reporting_unwritable(path, option):
        target = folder_target(path, option)
    with _workshop(target, path, option) as folder:
        written, replaced = _stages(folder, target)
        yield written
        with reporting_unwritable(path, option):
            if target.exists():
                target.rename(replaced)
            written.rename(target)


@contextmanager
def merged_folder(path: Path, option: str) -> Iterator[Path]:
    """A temporary folder; its files are moved to their places under `path` when the block ends well.

    What else is there stays. Raises `InputError` naming `option` where the target cannot be written.
    """
    target = Path(os.path.realpath(path))
    with _made(target, path, option), _workshop(target / "files", path, option) as folder:
        yield folder
        with room_for(path, option):
            for each in sorted(folder.rglob("*")):
                place = target / each.relative_to(folder)
                place.mkdir(exist_ok=True) if each.is_dir() else each.replace(place)


@contextmanager
def room_for(path: Path, option: str) -> Iterator[None]:
    """Turns what the system says while an output is written into one line that names its option."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        domain = f"on a writable disk with free space ({reason})"
        hint = "free some space, or write to another disk" if error.errno in FULL else ""
        raise InputError(option, str(path), domain, hint) from None


@contextmanager
def reporting_unwritable(path: Any, option: str) -> Iterator[None]:
    """Turns what the system says against a path into one line about it."""
    try:
        yield
    except InputError:
        raise
    except OSError as error:
        raise InputError(option, str(path), f"a writable path ({error.strerror or error})") from None
    except ValueError as error:  # no text that a file system can hold
        raise InputError(option, path, f"a writable path ({error.args[-1]})") from None


def _status(target: Path) -> os.stat_result | None:
    """What the system knows of the target; None where there is none."""
    try:
        return target.stat()
    except FileNotFoundError:
        return None


def _refuse_irregular(path: Path, option: str, found: os.stat_result) -> None:
    kind = KINDS.get(stat.S_IFMT(found.st_mode))
    if kind:
        raise InputError(option, str(path), f"a regular file or a new one, not {kind}")
    if any(_goes_to(stream, found) for stream in (sys.__stdout__, sys.__stderr__)):
        raise InputError(option, str(path), "a file to which neither standard output nor standard error goes")


def _refuse_closed(folder: Path) -> None:
    """Raise `OSError` where this user may put nothing into that folder."""
    folder.stat()  # says what else is wrong with it
    effective = os.access in os.supports_effective_ids
    if not os.access(folder, os.W_OK | os.X_OK, effective_ids=effective):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _goes_to(stream: TextIO | None, found: os.stat_result) -> bool:
    """Whether what is printed lands in that file: replaced, it would be lost."""
    try:
        return stream is not None and os.path.samestat(found, os.fstat(stream.fileno()))
    except (OSError, ValueError):  # closed, or no file of the system
        return False


def _take_after(before: os.stat_result | None, written: Path) -> None:
    """Mode and owner of the file that was there; of a new one those that the system gives to new files."""
    if before is None:
        return
    if (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
        with suppress(PermissionError):
            os.chown(written, before.st_uid, before.st_gid)
    written.chmod(stat.S_IMODE(before.st_mode))


@contextmanager
def _made(folder: Path, path: Path, option: str) -> Iterator[None]:
    """Makes a folder where it is missing, for a block that fills it; where that fails, what is empty goes."""
    with reporting_unwritable(path, option):
        new = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        with reporting_unwritable(path, option):
            folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for each in new:
            with suppress(OSError):  # not empty: another has put something there
                each.rmdir()
        raise


@contextmanager
def _workshop(target: Path, path: Path, option: str) -> Iterator[Path]:
    """A locked temporary folder beside the target, removed at the end; first what dead writers left is."""
    prefix = _prefix(target)
    with reporting_unwritable(path, option):
        _clear_up(target, prefix)
        folder, lock = _locked_folder(target.parent, prefix)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _prefix(target: Path) -> str:
    """How the names of the temporary folders of that target begin, and of no other one."""
    digest = hashlib.sha256(os.fsencode(target.name)).hexdigest()[:DIGEST]
    return f".{target.name[:LONGEST]}-{digest}-"


def _locked_folder(parent: Path, prefix: str) -> tuple[Path, int]:
    """A new folder, and what holds its lock."""
    while True:
        folder = Path(tempfile.mkdtemp(SUFFIX, prefix, parent))
        try:
            lock = os.open(folder, os.O_RDONLY)
        except FileNotFoundError:  # another writer took it for abandoned before it was opened
            continue
        if _lock(lock) is not False and folder.exists():
            return folder, lock
        os.close(lock)  # another writer took it for abandoned before it was locked


def _clear_up(target: Path, prefix: str) -> None:
    """Remove the temporary folders of that prefix whose writers are known to be dead.

    One that was killed between the two renames of `whole_folder` had finished: its answer is put in place.
    """
    for entry in os.scandir(target.parent):
        if not re.fullmatch(re.escape(prefix) + RANDOM + re.escape(SUFFIX), entry.name):
            continue
        with suppress(OSError):
            lock = os.open(entry.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if _lock(lock):
                    _finish(Path(entry.path), target)
            finally:
                os.close(lock)


def _finish(folder: Path, target: Path) -> None:
    written, replaced = _stages(folder, target)
    if replaced.exists() and not target.exists():
        written.rename(target)
    shutil.rmtree(folder, ignore_errors=True)


def _stages(folder: Path, target: Path) -> tuple[Path, Path]:
    """Where the new content is written, and where the old one goes."""
    return folder / f"new{target.suffix}", folder / f"old{target.suffix}"


def _lock(folder: int) -> bool | None:
    """Whether the lock was free and is now ours; None where the file system knows no locks."""
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True
