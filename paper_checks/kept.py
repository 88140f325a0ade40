"""Simulations that figures, checks and lessons share: each is computed once and kept as arrays.

Inside `keeping(folder)` an answer of `kept` is written to FOLDER/DIGEST.npz and read from there the next
time. The digest is taken of the question, of the code that the function can reach (`code.code_reached`), of
the versions of libraries and of the processor: a result is never used after one of these has changed.
"""

from __future__ import annotations

import fcntl
import json
import os
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from teacherstudent.house.catalogue import PACKAGE
from teacherstudent.house.errors import Misread
from teacherstudent.house.files import room_for, whole_file
from teacherstudent.house.machine import processor
from teacherstudent.house.provenance import note
from teacherstudent.house.provenance import versions as installed
from teacherstudent.house.reading import why_unreadable
from teacherstudent.house.table_files import read_arrays
from teacherstudent.paper_checks.code import code_reached

LIBRARIES = ("numpy", "scipy", "jax", "jaxlib", "optax", "scikit-learn")
SETTINGS = ("XLA_FLAGS", "JAX_PLATFORMS", "OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES", "GLIBC_TUNABLES")
"""Environment variables that choose how the processor computes."""
KINDS = "biuf"
"""Kinds of numbers that arrays may have: truth values, whole numbers and real numbers."""
LARGEST = 2**28
"""Bytes of a file."""
LONGEST_WAIT = 600.0
"""Seconds to wait for another process that computes the same; then it is computed here, too."""
PAUSE = 0.1
BASIS = "rests on"
"""Name of the array that holds what a file rests on: JSON, byte by byte."""

Arrays = dict[str, np.ndarray]


_FOLDER: ContextVar[Path | None] = ContextVar("folder", default=None)


@contextmanager
def keeping(folder: Path | str) -> Iterator[None]:
    """In this block `kept` keeps its answers in that folder, which is made when it is needed."""
    token = _FOLDER.set(Path(folder))
    try:
        yield
    finally:
        _FOLDER.reset(token)


def kept(function: Callable[..., Mapping[str, Any]], **question: Any) -> Arrays:
    """The arrays that `function(**question)` gives; inside `keeping` they are computed once.

    function: of a module of this package, by which it is known. question: what JSON can hold. Arrays are of
    real numbers, whole numbers or truth values, and cannot be written to.
    """
    folder, name = _FOLDER.get(), f"{function.__module__}:{function.__qualname__}"
    code = code_reached([name]) if folder and name.startswith(f"{PACKAGE}.") else None
    if folder is None or code is None:
        return _computed(function, question)
    basis = {"function": name, "question": question, "code": code, "versions": versions()}
    text = json.dumps(basis, sort_keys=True).encode()
    path = folder / f"{sha256(text).hexdigest()}.npz"
    if (found := _read(path, text)) is None:
        with _alone(path):
            if (found := _read(path, text)) is None:  # another process may have written it meanwhile
                found = _computed(function, question)
                _write(path, found, text)
    return found


def versions() -> dict[str, str]:
    """Versions of Python and of the libraries that compute, and the processor with its settings."""
    chosen = {name: os.environ[name] for name in SETTINGS if name in os.environ}
    return {"python": platform.python_version(), "processor": processor(), **installed(*LIBRARIES), **chosen}


def _computed(function: Callable[..., Mapping[str, Any]], question: Mapping[str, Any]) -> Arrays:
    found = {name: np.array(each) for name, each in function(**question).items()}
    for name, each in found.items():
        if each.dtype.kind not in KINDS or name == BASIS:
            raise TypeError(f"{name}: {each.dtype} cannot be kept")
        each.setflags(write=False)
    return found


def _read(path: Path, basis: bytes) -> Arrays | None:
    """The arrays in a file that rests on that; None if there is none, or a damaged one, which is noted."""
    try:
        found = read_arrays(path, LARGEST)
        if found.pop(BASIS, np.array(0)).tobytes() != basis:
            raise Misread("it rests on something else")
        if wrong := [name for name, each in found.items() if each.dtype.kind not in KINDS]:
            raise Misread(f"{wrong[0]} holds no numbers")
    except FileNotFoundError:
        return None
    except (Misread, OSError) as error:
        why = error.hint if isinstance(error, Misread) else why_unreadable(error)
        note("", f"{path} cannot be used ({why}): what it should hold is computed again")
        return None
    for each in found.values():
        each.setflags(write=False)
    return found


def _write(path: Path, found: Arrays, basis: bytes) -> None:
    arrays: dict[str, Any] = {BASIS: np.frombuffer(basis, np.uint8), **found}
    if path.is_symlink():
        path.unlink()  # what it leads to is not ours
    with whole_file(path, "out") as written, room_for(path, "out"), written.open("wb") as file:
        np.savez(file, **arrays)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """No other process is in this block for the same path, unless it takes longer than `LONGEST_WAIT`.

    The system gives up the lock of a process that ends. Where the file system knows no locks, nobody waits.
    """
    with room_for(path, "out"):
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(
            path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600
        )
    try:
        ends = time.monotonic() + LONGEST_WAIT
        while time.monotonic() < ends:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(PAUSE)
            except OSError:
                break
            else:
                break
        yield
    finally:
        with suppress(OSError):
            path.with_suffix(".lock").unlink(missing_ok=True)
        os.close(lock)
