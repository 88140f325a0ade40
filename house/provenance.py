"""Where an answer came from: the question with all its values, how it was asked, versions, the commit.

Nothing here imports NumPy: the command line enters `asked_as` before it knows what is asked.
"""

from __future__ import annotations

import inspect
import json
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from teacherstudent.house.declarations import Problem, witness
from teacherstudent.house.errors import InputError
from teacherstudent.house.functions import name_of
from teacherstudent.house.interruptible import run_interruptibly
from teacherstudent.house.signals import heeding_signal
from teacherstudent.house.suggestions import one_of

P = ParamSpec("P")
T = TypeVar("T")

LIBRARIES = {"theory": ("scipy",), "sims": ("jax", "jaxlib")}
"""What a room's routes compute with, beside NumPy."""

MACHINERY = ("out", "resume", "workers", "scheduler")
"""Arguments that no answer depends on."""

LONGEST = 30_000
"""Letters of a recorded call: a NetCDF file holds attributes of 64 kB."""

HERE = Path(__file__).resolve().parents[1]
"""The folder of the rooms: of a clone or of an installed package."""

_ASKED: ContextVar[str] = ContextVar("asked", default="")
_CALLED: ContextVar[tuple[str, dict[str, Any]] | None] = ContextVar("called", default=None)
"""The function of the front door that was called, the outermost one, and its arguments by name."""

_NOTED_BEFORE: set[tuple[str, str]] = set()
_NOTED: ContextVar[set[tuple[str, str]]] = ContextVar("noted")
"""Problems and what was noted of them: in the block of `noting_anew`, or else in this process."""


@contextmanager
def asked_as(text: str) -> Iterator[None]:
    """Answers that are computed in this block record that text, the outermost one, as their `command`."""
    token = _ASKED.set(_ASKED.get() or _one_line(text))
    try:
        yield
    finally:
        _ASKED.reset(token)


def recorded(function: Callable[P, T], stands_for: str = "") -> Callable[P, T]:
    """A function of the front door whose answers record the call, unless a command line made it.

    They also record the settings that ask for them again (`house.settings`), however it was called. What
    was `rounded`, and `remarks`, are noted (`note`); a `caution` is a warning. A question that lacks an
    argument without a default is refused, as any other wrong question is.

    stands_for: the name of the function that it replaces where the answer need not be a dataset.
    """
    parameters = inspect.signature(function).parameters.values()
    first, *_ = (each.name for each in parameters)
    due = [each.name for each in parameters if each.kind is each.KEYWORD_ONLY and each.default is each.empty]
    front = stands_for or function.__name__

    @wraps(function)
    def asking(*args: P.args, **kwargs: P.kwargs) -> T:
        given = {name: value for name, value in kwargs.items() if name not in MACHINERY}
        said = [*map(_shown, args), *(f"{name}={_shown(value)}" for name, value in given.items())]
        if args:
            given[first] = args[0]
        if "problem" in given:
            for each in due:
                if each not in given:
                    raise InputError(each, "(missing)", _choices(each, given))
        called = _CALLED.set(_CALLED.get() or (front, given))
        try:
            with (
                heeding_signal(signal.SIGINT),
                asked_as(f"teacherstudent.{front}({', '.join(said)})"),
            ):
                if not stands_for and "xarray" not in sys.modules:
                    run_interruptibly(_libraries)
                answer = function(*args, **kwargs)
        finally:
            _CALLED.reset(called)
        if "problem" in given and _CALLED.get() is None:
            for name in ("rounded", "remarks"):
                note(str(given["problem"]), getattr(answer, "attrs", {}).get(name, ""))
            note(str(given["problem"]), _caution(answer), kind="warning")
        return answer

    return asking


def _libraries() -> None:
    """Import what every answer needs. An interrupted import of these would leave Python without them."""
    import xarray  # noqa: F401  which imports NumPy and pandas


def _caution(answer: object) -> str:
    """That of a dataset, or of another answer that has one."""
    if hasattr(answer, "attrs"):  # a dataset that is asked for a name which it has not looks for the nearest
        return str(answer.attrs.get("caution", ""))
    return str(getattr(answer, "caution", ""))


def note(problem: str, text: str, kind: str = "note") -> None:
    """Log what whoever asked must know of answers: Python and the commands show it on standard error.

    The same text of the same problem is logged once in a process, as Python shows a warning of one place, so
    that questions in a loop do not repeat it; answers always hold it. Commands note anew (`noting_anew`).
    """
    noted = _NOTED.get(_NOTED_BEFORE)
    if text and (problem, text) not in noted:
        import logging

        noted.add((problem, text))
        logging.getLogger("teacherstudent").warning("%s", text, extra={"kind": kind})


@contextmanager
def noting_anew() -> Iterator[None]:
    """In this block everything is noted once, whether or not it was before."""
    token = _NOTED.set(set())
    try:
        yield
    finally:
        _NOTED.reset(token)


def record_decision(name: str, value: Any) -> None:
    """Let the settings of the answer that is being computed hold that value, as if it had been given."""
    _, given = _CALLED.get() or ("", {})
    given[name] = value


def _choices(name: str, given: Mapping[str, Any]) -> str:
    """What must be given under that name, by what is already known of the question."""
    from teacherstudent.house import catalogue

    kind = catalogue.find_problem(given["problem"])
    if name == "dynamics":
        return one_of(clock.name for clock in kind.dynamics)
    if name == "route" and "dynamics" in given:
        clock = kind.on_clock(given["dynamics"])
        routes = [each for each in catalogue.routes() if each.problem == kind.id]
        return one_of(route.name for route in routes if route.dynamics == clock.name)
    return "given"


def provenance(kind: Problem, entries: Iterable[str], **asked: Any) -> dict[str, Any]:
    """Attributes that say where an answer came from.

    entries: `module:function` of what computed it, which says which libraries were used. `asked` holds the
    rest of the question. `commit` is that of the clone whose code ran, "" where there is no clone; what was
    changed in the clone since is not known.
    """
    used = {name for entry in entries for name in LIBRARIES.get(witness(entry), ())}
    from teacherstudent.house.catalogue import system_of

    return {
        "problem": kind.id,
        **asked,
        "settings": _settings(kind),
        "command": _ASKED.get(),
        "commit": commit(),
        **system_of(kind.id),
        **versions("teacherstudent", "numpy", *sorted(used)),
    }


def _settings(kind: Problem) -> str:
    """The settings that ask for this answer again; "" where they are too long, or nothing was asked."""
    from teacherstudent.house.settings import LONGEST as LONGEST_SETTINGS
    from teacherstudent.house.settings import settings_as_toml

    name, given = _CALLED.get() or ("", {})
    if given.get("problem") != kind.id:
        return ""
    try:
        if any(len(each) > LONGEST_SETTINGS for each in given.values() if hasattr(each, "__len__")):
            return ""
        text = settings_as_toml(name, kind, {key: each for key, each in given.items() if key != "problem"})
    except (TypeError, ValueError):  # what no file can hold, as an object that only Python has
        return ""
    return text if len(text) <= LONGEST_SETTINGS else ""


def values_as_json(values: Mapping[str, Any]) -> str:
    """Values by name, as JSON."""
    return json.dumps(dict(values), default=str)


def versions(*names: str) -> dict[str, str]:
    """The installed version of each package; `source` for one that is not installed."""
    return {name: _version(name) for name in names}


@cache  # it reads files
def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return "source"


def package_version() -> str:
    """The installed version of teacherstudent, or `source` when it is not installed."""
    return _version("teacherstudent")


@cache
def commit(checkout: Path = HERE) -> str:
    """The commit that is checked out in a clone, as 40 letters; "" for what is no clone.

    Reads git's files: git need not be installed, nor trust the owner of the clone.
    """
    try:
        folder = checkout / ".git"
        if folder.is_file():  # a worktree: the text names its folder
            folder = checkout / folder.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        head = (folder / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref:"):
            return head
        return _commit_of(head.removeprefix("ref:").strip(), folder)
    except (OSError, UnicodeDecodeError):
        return ""


def _commit_of(branch: str, folder: Path) -> str:
    """The commit of a branch, which is in a file of its own or in a line of the packed ones."""
    shared = folder / "commondir"
    common = folder / shared.read_text(encoding="utf-8").strip() if shared.is_file() else folder
    if (common / branch).is_file():
        return (common / branch).read_text(encoding="utf-8").strip()
    for line in (common / "packed-refs").read_text(encoding="utf-8").splitlines():
        if line.endswith(f" {branch}"):
            return line.split()[0]
    return ""


def _shown(value: Any) -> str:
    """An argument as it would be written; of long lists the ends, as the answer has the rest."""
    try:
        if len(shape := getattr(value, "shape", ())) > 1:
            return f"({type(value).__name__}, {' x '.join(map(str, shape))})"
        count = 0 if isinstance(value, str) else len(value)
    except Exception:  # no list, or one that does not tell its length
        count = 0
    try:
        if count > 20 and not isinstance(value, Mapping):
            return f"[{value[0]!r}, ..., {value[-1]!r}] ({count} values)"
        if callable(value):
            return name_of(value)
        if isinstance(value, list | tuple) and any(map(callable, value)):
            return f"[{', '.join(map(_shown, value))}]"
        return repr(value.tolist() if hasattr(value, "tolist") else value)
    except Exception:  # what is wrong with it the function itself will say
        return f"<{type(value).__name__}>"


def _one_line(text: str) -> str:
    """Text that every file can hold."""
    return (text if text.isprintable() else repr(text)[1:-1])[:LONGEST]
