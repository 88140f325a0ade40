"""Outputs appear whole or not at all: written to a temporary name, then moved."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from teacherstudent.house.domains import InputError


@contextmanager
def whole_file(path: Path, option: str = "out") -> Iterator[Path]:
    """A temporary path in the target's folder; moved onto `path` when the block ends well.

    The folder is made where it is missing. Raises `InputError` naming `option` where the folder
    cannot be made or written, before the block starts, or where the target cannot be replaced.
    """
    path = Path(path)
    with _writable(path, option):
        if path.is_dir():
            raise InputError(option, str(path), "a file, not a folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)  # mkstemp makes private files
        with _writable(path, option):
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def whole_folder(path: Path, option: str = "out") -> Iterator[Path]:
    """A temporary folder beside the target; takes the place of `path` when the block ends well.

    A folder cannot be replaced in one step: a kill between two renames leaves none, never a
    half-written one. Raises `InputError` naming `option` where the target cannot be written.
    """
    path = Path(path)
    with _writable(path, option):
        if path.exists() and not path.is_dir():
            raise InputError(option, str(path), "a folder, not a file")
        beside = Path(tempfile.mkdtemp(prefix=f".{path.stem}-", dir=path.parent))
    try:
        written, replaced = beside / f"new{path.suffix}", beside / f"old{path.suffix}"
        yield written
        with _writable(path, option):
            if path.exists():
                path.rename(replaced)
            written.rename(path)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


@contextmanager
def _writable(path: Path, option: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(option, str(path), f"a writable path ({error.strerror})") from None
