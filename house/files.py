"""Outputs appear whole or not at all: written to a temporary name, then moved."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from house.domains import InputError


@contextmanager
def whole_file(path: Path, option: str = "out") -> Iterator[Path]:
    """A temporary path in the target's folder; moved onto `path` when the block ends well.

    Raises `InputError` naming `option` where the folder cannot be made or written, before the
    block starts.
    """
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=path.suffix, dir=path.parent)
    except OSError as error:
        raise InputError(option, str(path), f"a writable path ({error.strerror})") from None
    if path.is_dir():
        os.unlink(name)
        raise InputError(option, str(path), "a file, not a folder")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)  # mkstemp makes private files
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
