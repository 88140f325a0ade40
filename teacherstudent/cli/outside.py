"""Systems that a command line names: `--system FOLDER`, before the command or behind it, for each folder.

The process itself reads these words, as it does `--verbose`, because commands and their options follow from
the systems that there are.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise

import click

NAME = "--system"
HELP = "also know the system in FOLDER (repeatable): this runs the Python code in it"


def system_option() -> click.Option:
    """The option for help and completion; `systems_of` has read it before a command is parsed."""
    folder = click.Path(file_okay=False)
    return click.Option([NAME], type=folder, multiple=True, expose_value=False, metavar="FOLDER", help=HELP)


def _apart(words: Sequence[str]) -> tuple[list[str], list[str]]:
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
def systems_of(words: Sequence[str]) -> Iterator[list[str]]:
    """The words without the systems that they name, which are in use in this block. Raises `InputError`."""
    folders, rest = _apart(words)
    if not folders:
        yield rest
        return
    from teacherstudent.house.catalogue import using

    with using(folders):
        yield rest


def systems_being_completed() -> list[str]:
    """The folders that stand on a line which a shell wants to complete."""
    try:
        words = shlex.split(os.environ.get("COMP_WORDS", ""))
    except ValueError:  # a quotation that is not closed yet
        return []
    return [after for word, after in pairwise(words) if word == NAME]


def fault_outside(error: Exception) -> str:
    """What is wrong with the code of a system from outside that was running, and where; "" of any other."""
    from teacherstudent.house import outside
    from teacherstudent.house.errors import in_short

    for folder in outside.named_folders():
        if place := outside.place_in(folder, error):
            file, line = place
            what = str(error.__cause__ or error)
            kind = type(error.__cause__ or error).__name__
            return f"{folder / file}, line {line}: {kind}: {in_short(what)}"
    return ""
