"""The command line: `teacherstudent COMMAND`; each command is a module of `teacherstudent.cli.commands`.

Exit status: 0 done; 1 a check, a comparison or a benchmark disagrees, or an answer to a lesson is wrong; 2
bad input or an output that cannot be written (one line on standard error); 70 a fault of the program (one
line that names the file with the traceback). As shells report them: 130 after Ctrl-C (one line says what was
kept), 143 and 129 after SIGTERM and SIGHUP, 141 if the reader of the output closed it.
"""

from __future__ import annotations

import errno
import importlib
import os
import pkgutil
import shlex
import signal
import sys
import traceback
import warnings
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cache, partial

import click
from click.shell_completion import shell_complete

from teacherstudent.cli import commands
from teacherstudent.cli.grammar import VERBOSE, one_line
from teacherstudent.cli.groups import Group
from teacherstudent.cli.options import what_takes
from teacherstudent.cli.outside import (
    system_option,
    systems_being_completed,
    systems_of,
)
from teacherstudent.cli.streams import (
    Ended,
    abandon_stream,
    ending_in_order,
    prepare_streams,
    print_text,
    print_to_stderr,
)
from teacherstudent.house.control_characters import in_one_line
from teacherstudent.house.errors import InputError, OutsideError, UnconvergedWarning
from teacherstudent.house.extras import MissingExtra
from teacherstudent.house.files import FULL
from teacherstudent.house.provenance import asked_as
from teacherstudent.house.signals import heeding_signal
from teacherstudent.house.suggestions import nearest_words

NAME = "teacherstudent"
BACKEND = "MPLBACKEND"
"""The variable that says how matplotlib shows windows."""
COMPLETION = "_TEACHERSTUDENT_COMPLETE"
"""The variable through which a shell asks for completions."""


@cache
def command_names() -> tuple[str, ...]:
    """The name of every command, which is a module of `teacherstudent.cli.commands`."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(commands.__path__)))


def command(name: str) -> click.Command:
    """The `COMMAND` of that module."""
    return importlib.import_module(f"{commands.__name__}.{name}").COMMAND


WARNED_BY_FORTRAN = {"GFORTRAN_STDERR_UNIT": "6", "GFORTRAN_STDOUT_UNIT": "0"}
"""What Fortran prints, as in SciPy before 1.17, goes to standard error, not into the numbers."""

SECTIONS = {
    "Ask a question": ("curve", "sweep", "map", "turns", "onset", "solve", "best"),
    "Use your own data or system": ("mine", "select", "judge", "new"),
    "Browse and check": ("list", "figure", "check", "reproduce", "compare", "lesson"),
}
"""How commands are grouped in help."""


def hint(name: str, rest: Sequence[str]) -> str:
    """The right command for an id that was typed without a command, or after a wrong one."""
    from teacherstudent.api.listing import listing

    near = nearest_words(name, command_names())
    problems = {each["id"] for each in listing("problems")}
    if rest and rest[0] in problems and not near:
        return f"did you mean `{NAME} curve {rest[0]}`?"
    if near and "-" not in name:  # ids of figures and checks have dashes, and to list them takes a while
        return ""
    return what_takes(name)


def version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    """Print the version of the code, and exit."""
    from teacherstudent.house.provenance import commit, package_version

    if asked and not context.resilient_parsing:
        of = commit()
        print_text(f"{NAME} {package_version()}{of and f' (commit {of})'}")
        context.exit()


COMMANDS = Group(
    "COMMAND",
    command_names,
    command,
    hint=hint,
    sections=SECTIONS,
    name=NAME,
    help="Compute the theory of teacher-student models and compare it with simulations.",
    epilog="Every command has -h for help, and --verbose to print what it computes and how long that takes. "
    "On a terminal, long computations show a progress bar.",
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=version,
            help="show the version and the commit, and exit",
        ),
        click.Option(["--verbose"], is_flag=True, expose_value=False, help=VERBOSE),
        system_option(),
    ],
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (default: the process's own) and return its exit status."""
    # Matrices of this trade are small: threads inside them cost several times what they save.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ |= WARNED_BY_FORTRAN
    prepare_streams()
    words = list(sys.argv[1:] if arguments is None else arguments)
    verbose = "--verbose" in words
    asked = shlex.join([NAME, *words])
    try:
        with heeding_signal(signal.SIGINT), ending_in_order(), warnings.catch_warnings(), _told(verbose):
            warnings.filterwarnings("always", category=UnconvergedWarning)
            warnings.filterwarnings("ignore", ".*joblib will operate in serial mode")  # here it always does
            warnings.showwarning = _warn_with_place if verbose else _warn
            with systems_of(words) as rest:
                status = _run(rest, asked)
            sys.stdout.flush()
            return status
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except (click.ClickException, InputError, MissingExtra) as error:
        return _refused(one_line(error))
    except OutsideError as error:
        if verbose:
            print_to_stderr("".join(traceback.format_exception(error)).rstrip())
        return _refused(in_one_line(f"{error}{'' if verbose else '; --verbose shows the traceback'}"))
    except MemoryError:
        return _refused("the sizes of this question do not fit into memory")
    except KeyboardInterrupt as stopped:
        print_to_stderr(f"interrupted: {str(stopped) or 'nothing was written'}")
        return _ended(signal.SIGINT, at_once=arguments is None)
    except Ended as ended:
        return _ended(ended.signal, at_once=arguments is None)
    except BrokenPipeError:
        abandon_stream(sys.stdout)
        return 141
    except OSError as error:
        if error.errno not in NO_OUTPUT:
            return _fault(error, verbose)
        output = error.filename or "a file"
        if _while_printing(error):
            abandon_stream(sys.stdout)
            output = "standard output"
        return _refused(f"{output}: must be {NO_OUTPUT[error.errno]}")
    except Exception as error:
        if str(error).startswith("Key backend:"):  # so matplotlib refuses to be imported
            said = InputError(BACKEND, os.environ.get(BACKEND, ""), "a backend of matplotlib, or not set")
            return _refused(one_line(said))
        return _fault(error, verbose)


NO_OUTPUT = {
    **dict.fromkeys(FULL, "on a device with free space"),
    errno.EBADF: "open",
}
"""What an output must be where writing it fails in one of these ways."""


def _ended(number: int, *, at_once: bool) -> int:
    """The status after that signal; `at_once` ends the process, which owns it, with it.

    Taking down what was imported takes seconds, and nobody waits for them.
    """
    if at_once:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(128 + number)
    return 128 + number


def _while_printing(error: OSError) -> bool:
    """Whether it was raised by what prints, and not by what writes a file."""
    *_, (raising, _) = traceback.walk_tb(error.__traceback__)
    return raising.f_globals.get("__name__") in (click.utils.__name__, __name__)


def _refused(line: str) -> int:
    print_to_stderr(f"error: {line}")
    return 2


def _told(verbose: bool) -> AbstractContextManager[None]:
    if not verbose:
        return nullcontext()
    from teacherstudent.cli.log_output import logging_to_stderr

    return logging_to_stderr()


def _fault(error: Exception, verbose: bool) -> int:
    from teacherstudent.cli.faults import describe_fault

    if verbose:
        print_to_stderr("".join(traceback.format_exception(error)).rstrip())
    print_to_stderr(f"error: {in_one_line(describe_fault(error))}")
    return 70


def _run(arguments: list[str], asked: str) -> int:
    if COMPLETION in os.environ:
        complete = partial(shell_complete, COMMANDS, {}, NAME, COMPLETION, os.environ[COMPLETION])
        with suppress(InputError), systems_of(systems_being_completed()):
            return complete()
        return complete()  # without a folder that cannot be used
    with (
        asked_as(asked),
        COMMANDS.make_context(NAME, arguments or ["--help"]) as context,
    ):
        return COMMANDS.invoke(context) or 0


def _warn(message: Warning | str, *_: object, **__: object) -> None:
    """One line for a warning, without the place in the code that raised it."""
    print_to_stderr(f"warning: {in_one_line(str(message))}")


def _warn_with_place(
    message: Warning | str, category: object, filename: object, lineno: object, *_: object, **__: object
) -> None:
    _warn(f"{message} ({filename}, line {lineno})")
