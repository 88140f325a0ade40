"""Questions from a file of settings, and to one: `--from question.toml` and `--settings question.toml`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from teacherstudent.cli.grammar import typed_options
from teacherstudent.cli.options import Target, spelling
from teacherstudent.house.declarations import Problem
from teacherstudent.house.errors import InputError, in_short
from teacherstudent.house.files import path_of, room_for, whole_file
from teacherstudent.house.outside import HOW
from teacherstudent.house.parameters import Parameter
from teacherstudent.house.suggestions import did_you_mean, one_of
from teacherstudent.house.synonyms import ambiguous_word, parameters_meant

SUFFIXES = (".toml", ".nc", ".zarr")
FROM, SETTINGS = "--from", "--settings"
READ = (
    "read values that are not given here from the settings FILE.toml or from a saved answer FILE.nc; "
    "the file may contain only settings of the question"
)
WRITTEN = (
    "write all options of this question, defaults included, to FILE.toml for --from (defaults that depend on "
    "other values as comments)"
)


def source(args: Iterable[str]) -> Path | None:
    """The file that a command line names by `--from`."""
    given = [value for name, value in typed_options(args) if name == FROM]
    if not given or given[0] is None:
        return None  # which the parser refuses
    path = path_of(given[0], "from")
    if path.suffix not in SUFFIXES:
        raise InputError("from", str(path), Target(*SUFFIXES).describe(None))
    return path


def problem_of(args: Sequence[str], among: Iterable[str]) -> str:
    """The problem of the settings that a command line names; "" if it names none."""
    path = source(args)
    found = _read(path).get("problem", "") if path else ""
    if path and found not in (among := tuple(among)):
        raise InputError(
            "from", str(path), f"of a problem: {one_of(among)}", did_you_mean(found, among) or HOW
        )
    return found


def defaults(
    command: click.Command,
    problem: Problem,
    parameters: Sequence[Parameter],
    asking: Collection[str],
    args: Sequence[str],
    path: Path,
) -> dict[str, Any]:
    """Return the values in a settings file by keyword, without those that the command line overrides.

    An option on the command line overrides the same option in the file, and any option that excludes it.
    asking: the names that a file may set. A file from somebody else must not make the command connect or
    write. Raises `InputError` for any other name and for the settings of another problem.
    """
    found = _read(path)
    written_for = found.pop("command", "")
    if (of := found.pop("problem", problem.id)) != problem.id:
        raise InputError("from", str(path), f"for {problem.id}: it is for {in_short(of)}")
    named = {
        opt.removeprefix("--").replace("-", "_"): str(each.name)
        for each in command.params
        for opt in each.opts
    }
    declared = {each.name: each for each in parameters}
    over = {named.get(name[2:].replace("-", "_")) for name, _ in typed_options(args)}
    values: dict[str, Any] = {}
    for key, value in found.items():
        keyword = _keyword(key, value, named, parameters, asking, path, written_for)
        if keyword not in asking:
            taken = spelling(next(each for each in command.params if each.name == keyword))
            hint = f"a file sets only the question: give {taken} on the command line"
            raise InputError("from", str(path), f"without the name {in_short(key)}", hint)
        if keyword in values:
            raise InputError("from", str(path), f"without a second line for {keyword}: {key} means the same")
        values[keyword] = value
    return {
        name: value
        for name, value in values.items()
        if name not in over and not _replaced(name, over, declared)
    }


def _keyword(
    key: str,
    value: Any,
    named: Mapping[str, str],
    parameters: Sequence[Parameter],
    asking: Collection[str],
    path: Path,
    written_for: str,
) -> str:
    """What the command calls that option."""
    plain = key.replace("-", "_")
    word = plain if plain in named else plain.removesuffix("_")  # which Python adds to words of its own
    if word in named:
        return named[word]
    others = parameters_meant(key, parameters)
    if len(others) > 1:
        raise ambiguous_word(key, value, others).hinted(f"so says {path}")
    if others and others[0].name in named:
        return others[0].name
    other = written_for and f"it is for `teacherstudent {in_short(written_for)}`"
    hint = did_you_mean(plain, [name for name, each in named.items() if each in asking], value) or other
    raise InputError("from", str(path), f"without the name {key}, which is no option here", hint)


def _replaced(name: str, over: Iterable[str | None], declared: Mapping[str, Parameter]) -> bool:
    """Whether a parameter is replaced by one of those in `over`, or replaces one."""
    own = declared[name].instead_of if name in declared else ()
    return any(
        each in own or name in declared[each].instead_of
        for each in over
        if each is not None and each in declared
    )


def log_question(command: str, problem: Problem, asked: Mapping[str, Any]) -> None:
    """Log the whole question, defaults included."""
    import logging

    log = logging.getLogger("teacherstudent")
    if log.isEnabledFor(logging.INFO):
        from teacherstudent.house.settings import settings_as_toml

        log.info("question: %s", ", ".join(settings_as_toml(command, problem, asked).splitlines()))


@contextmanager
def settings_in(
    path: Path | None, command: str, problem: Problem, asked: Mapping[str, Any]
) -> Iterator[None]:
    """Write the settings of a question if the block ends without an error; check before that they can be."""
    if path is None:
        yield
        return
    from teacherstudent.house.settings import settings_as_toml

    with whole_file(path, "settings") as page:
        yield
        with room_for(path, "settings"):
            page.write_text(settings_as_toml(command, problem, asked), encoding="utf-8")


def _read(path: Path) -> dict[str, Any]:
    from teacherstudent.house.settings import read_settings

    return read_settings(path, "from")
