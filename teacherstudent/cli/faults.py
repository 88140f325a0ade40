"""Faults of ours: one line for the user, and the traceback in a file that the line names."""

from __future__ import annotations

import os
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from teacherstudent.house.errors import RouteError, in_short


def describe_fault(error: BaseException) -> str:
    """A message that says what went wrong, and which file has the traceback."""
    what = str(error)  # a route's error names the route
    if not isinstance(error, RouteError):
        what = f"a defect of this program ({type(error).__name__}: {in_short(what)})"
    return f"{what}; {_kept(''.join(traceback.format_exception(error)))}"


def _kept(text: str) -> str:
    """Where that text was written; or that it was not."""
    for folder in _folders():
        with suppress(OSError, RuntimeError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(".txt", "fault-", folder)
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text)
            return f"traceback in {name}"
    return "the traceback could not be written to any folder"


def _folders() -> Iterator[Path]:
    """Where a user finds it later; else where anybody may write."""
    from platformdirs import user_log_path

    yield user_log_path("teacherstudent")
    yield Path(tempfile.gettempdir())
