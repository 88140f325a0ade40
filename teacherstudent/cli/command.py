"""The command line: `teacherstudent COMMAND`, each command a module of `teacherstudent.cli.commands`.

Exit status: 0 done, 1 a check disagrees, 2 bad input (one line on standard error), 70 a route that
breaks its declaration, a fault of ours (one line likewise); as a shell reports them 130 after Ctrl-C (one
line that says what is kept) and 141 where the reader of the output went away.
"""

from __future__ import annotations

import errno
import importlib
import os
import pkgutil
import signal
import sys
import warnings
from collections.abc import Sequence
from functools import cache

import click
from click.shell_completion import shell_complete

from teacherstudent.cli import commands
from teacherstudent.cli.grammar import Group, one_line
from teacherstudent.cli.interruption import heeded
from teacherstudent.house.domains import InputError, RouteError, UnconvergedWarning

NAME = "teacherstudent"
COMPLETION = "_TEACHERSTUDENT_COMPLETE"
"""The variable through which a shell asks for completions."""


@cache
def command_names() -> tuple[str, ...]:
    """The name of every command: of every module of `teacherstudent.cli.commands`."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(commands.__path__)))


def command(name: str) -> click.Command:
    """The `COMMAND` of that module."""
    return importlib.import_module(f"{commands.__name__}.{name}").COMMAND


COMMANDS = Group(
    "COMMAND",
    command_names,
    command,
    name=NAME,
    help="Teacher-student theory and its simulation, side by side.",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (default: the process's own) and return its exit status."""
    # Matrices of this trade are small: threads inside them cost several times what they save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        with heeded(signal.SIGINT), warnings.catch_warnings():
            warnings.filterwarnings("always", category=UnconvergedWarning)
            warnings.showwarning = _warn
            status = _run(list(sys.argv[1:] if arguments is None else arguments))
            sys.stdout.flush()
            return status
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except (click.ClickException, InputError) as error:
        click.echo(f"error: {one_line(error)}", err=True)
        return 2
    except RouteError as error:
        click.echo(f"error: {error}", err=True)
        return 70
    except MemoryError:
        click.echo("error: the requested sizes do not fit into memory", err=True)
        return 2
    except KeyboardInterrupt as stopped:
        click.echo(f"interrupted: {str(stopped) or 'nothing was written'}", err=True)
        if arguments is None:  # taking down what was imported takes seconds, and nobody waits for them
            sys.stdout.flush()
            os._exit(130)
        return 130
    except BrokenPipeError:
        _abandon_output()
        return 141
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        click.echo(f"error: {error.filename or 'standard output'}: must be on a device with room", err=True)
        _abandon_output()
        return 2


def _abandon_output() -> None:
    """Leave nothing for the interpreter to flush at exit, which would fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str]) -> int:
    if COMPLETION in os.environ:
        return shell_complete(COMMANDS, {}, NAME, COMPLETION, os.environ[COMPLETION])
    with COMMANDS.make_context(NAME, arguments or ["--help"]) as context:
        return COMMANDS.invoke(context) or 0


def _warn(
    message: Warning | str,
    category: object,
    filename: object,
    lineno: object,
    file: object = None,
    line: object = None,
) -> None:
    """One line for a warning, without the place in the code that raised it."""
    click.echo(f"warning: {' '.join(str(message).split())}", err=True)
