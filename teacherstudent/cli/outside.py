"""Systems that a command line names: `--system FOLDER`, before or after the command, once for each folder.

The process itself reads these words, as it reads `--verbose`, because commands and their options follow from
the known systems.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from teacherstudent.house.errors import InputError, OutsideError
from teacherstudent.house.extras import MissingExtra

NAME = "--system"
SYSTEM: dict[str, Any] = {
    "type": click.Path(file_okay=False),
    "multiple": True,
    "expose_value": False,
    "metavar": "FOLDER",
    "help": "also load the system in FOLDER, which runs the Python code there; may be given several times",
}
"""The option for help and completion: `systems_of` has read it before a command is parsed."""


def system_option() -> click.Option:
    """The option of a command that is not about a single problem."""
    return click.Option([NAME], **SYSTEM)


def _apart(words: Iterable[str]) -> tuple[list[str], list[str]]:
    """The folders that are named, and the other words. Raises where one is missing."""
    folders, rest, left = [], [], iter(words)
    for word in left:
        if word == "--":
            rest += [word, *left]
        elif word == NAME:
            folder = next(left, "")
            if not folder:
                raise click.UsageError(f"{NAME} (missing): must be the folder of a system")
            folders.append(folder)
        elif word.startswith(f"{NAME}="):
            folders.append(word.removeprefix(f"{NAME}="))
        else:
            rest.append(word)
    return folders, rest


@contextmanager
def systems_of(words: Iterable[str]) -> Iterator[list[str]]:
    """Load the systems that the words name, inside this block, and yield the other words.

    Raises `InputError` for a folder that cannot be used, and `OutsideError` for other errors in the code of
    an outside system.
    """
    folders, rest = _apart(words)
    with using_named(folders):
        try:
            yield rest
        except (click.ClickException, click.exceptions.Exit, InputError, MissingExtra, MemoryError):
            raise
        except Exception as error:
            from teacherstudent.house.outside import fault_outside

            if said := fault_outside(error):
                raise OutsideError(said) from error
            raise


@contextmanager
def using_named(folders: list[str]) -> Iterator[None]:
    """Load the systems in these folders; nothing is imported if there are none."""
    if not folders:
        yield
        return
    from teacherstudent.house.catalogue import using

    with using(folders):
        yield


def systems_being_completed() -> list[str]:
    """Return the options that load systems, on a line that a shell completes, if their folders are typed."""
    try:
        folders, _ = _apart(shlex.split(os.environ.get("COMP_WORDS", "")))
    except (ValueError, click.UsageError):
        return []
    return [f"{NAME}={each}" for each in folders if (Path(each).expanduser() / "problem.py").is_file()]
