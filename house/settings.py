"""The settings that ask a question again: written beside an answer as TOML, and read back.

A file has one line for each option, `kappa = 50.0`, under the names that Python uses, with `command` and
`problem` first. Texts are what one types, so grids stand as LO:HI:N; a list stands for several values.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from teacherstudent.house import reading
from teacherstudent.house.catalogue import routes_under, system_of
from teacherstudent.house.declarations import Problem
from teacherstudent.house.errors import InputError, Misread, in_short
from teacherstudent.house.grids import Span
from teacherstudent.house.netcdf import read_texts
from teacherstudent.house.parameters import ASKING, FIRST_SEED, REQUIRED, SEEDS, TIMES, Parameter
from teacherstudent.house.ranges import Interval, OrGrid, OrInterval
from teacherstudent.house.synonyms import by_name
from teacherstudent.house.tables import UNNAMED

FIRST = ("dynamics", "route", "curve")
"""What stands first of a question."""

LONGEST = 30_000
"""Letters of settings that an answer carries: a NetCDF file holds attributes of 64 kB."""


def settings_as_toml(command: str, problem: Problem, given: Mapping[str, Any]) -> str:
    """The settings of that question as TOML, with the defaults that take part in it.

    Defaults that depend on other values stand below as comments.

    given: what was asked beside the problem, None where a default is meant. Raises `TypeError` for a value
    that no file can hold.
    """
    asked = {"command": command, "problem": problem.id, **whole_question(problem, given)}
    lines = [f"{name} = {_shown(value)}\n" for name, value in asked.items()]
    lines += [f"# {name} = {_shown(value)}\n" for name, value in _derived(problem, given).items()]
    if of := system_of(problem.id):
        place = json.dumps(of["system"], ensure_ascii=False)
        lines.append(f"# {problem.id} is a system from outside: --system {place}\n")
    return "".join(lines)


def _derived(problem: Problem, given: Mapping[str, Any]) -> dict[str, Any]:
    """The defaults that depend on other values: comments, for other values would make others of them."""
    parameters = problem.parameters
    if "points" in given or _on_axes({k: v for k, v in given.items() if v is not None}, parameters):
        return {}
    return problem.derive(by_name(parameters, {k: v for k, v in given.items() if k not in ASKING}))


def whole_question(problem: Problem, given: Mapping[str, Any]) -> dict[str, Any]:
    """Every value of a question: first how it is asked, then what is swept, in its order, then the rest.

    Defaults are left out that a given value replaces, and all of them where a file of points may do so.
    """
    given = {  # an option that may be given several times, and was not, is an empty list
        name: value
        for name, value in given.items()
        if value is not None and not (isinstance(value, list | tuple) and not value)
    }
    if isinstance(route := given.get("route"), list | tuple) and len(route) == 1:
        given["route"] = route[0]
    parameters, drawn = _takes_part(problem, given)
    clocks = [each.times for each in problem.dynamics if each.name == given.get("dynamics")]
    times = replace(TIMES, default=clocks[0] if clocks else TIMES.default)
    clocked = [times, *((SEEDS, FIRST_SEED) if drawn else ())] if "dynamics" in given else []
    present = {*given, *_on_axes(given, parameters)}
    replaced = {name for each in parameters if each.name in present for name in each.instead_of}
    defaults = {
        each.name: each.default
        for each in (*clocked, *parameters)
        if each.default is not None and each.default is not REQUIRED and each.name not in replaced | present
    }
    if "points" in given:
        defaults = {}
    read = {each.name: each for each in (TIMES, SEEDS, FIRST_SEED, *parameters)}
    given = {name: _read(read[name], value) if name in read else value for name, value in given.items()}
    found = {**defaults, **given}
    asking = [name for name in sorted(given) if name not in read]
    swept = [name for name, value in given.items() if name in read and isinstance(value, Span | list)]
    order = dict.fromkeys([*FIRST, *asking, "times", "seeds", "seed", *swept, *read])
    return {name: found[name] for name in order if name in found}


def _on_axes(given: Mapping[str, Any], parameters: Sequence[Parameter]) -> set[str]:
    """The parameters that run along an axis, PARAMETER=LO:HI, or are uncertain, PARAMETER=VALUE+-SD."""
    own = {each.name for each in parameters}
    asked = [(name, [v] if isinstance(v, str) else v) for name, v in given.items() if name not in own]
    texts = [(name, each) for name, listed in asked if isinstance(listed, list | tuple) for each in listed]
    axes = {
        each.partition("=")[0].strip(): name for name, each in texts if isinstance(each, str) and "=" in each
    }
    named = {word.removeprefix("--").replace("-", "_"): name for word, name in axes.items()}
    return own.intersection(by_name(parameters, named))


def _read(parameter: Parameter, value: Any) -> Any:
    """A value, or several, as the declaration reads it: the same however it was written."""
    with suppress(InputError):
        return parameter.check(value)
    for wider in (OrGrid, OrInterval):
        with suppress(InputError):
            return replace(parameter, domain=wider(parameter.domain)).check(value)
    return value


def _takes_part(problem: Problem, given: Mapping[str, Any]) -> tuple[list[Parameter], bool]:
    """Parameters and options that such a question has, and whether anything is drawn."""
    dynamics, names = given.get("dynamics", ""), given.get("route", ())
    names = names.split(",") if isinstance(names, str) else names
    clocks = [clock for clock in problem.dynamics if clock.name == dynamics]
    routes = [each for name, each in routes_under(problem.id, str(dynamics)).items() if name in names]
    options = [option for clock in clocks for option in clock.options]
    options += [option for route in routes for option in route.options]
    return [*problem.parameters, *dict.fromkeys(options)], any(route.sampled for route in routes)


def _shown(value: Any) -> str:
    """A value as TOML."""
    value = _plain(value)
    if isinstance(value, str):
        return json.dumps(value).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def _plain(value: Any) -> Any:
    """A value as TOML knows it: arrays and tuples as lists, and what has a text of its own as that.

    That of what a file holds has its digest, so that the file is refused when it has changed.
    """
    if getattr(value, "digest", "") and (value.name == UNNAMED or callable(value)):
        raise TypeError("no text for an array or a function")
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Span | Interval | Path) or hasattr(value, "digest"):
        return str(value)
    if isinstance(value, Sequence):
        return [_plain(each) for each in value]
    raise TypeError(f"no text for {type(value).__name__}")


def read_settings(path: Path, option: str) -> dict[str, Any]:
    """The settings in a file: of TOML, or the answer that they asked for. Raises `InputError`."""
    return parse_settings(text_in(path, option), path, option)


def text_in(path: Path, option: str) -> str:
    """The text of the settings in a file. Raises `InputError`."""
    try:
        return reading.file_text(path, reading.PAGE) if path.suffix == ".toml" else _kept(path, option)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            option, str(path), f"a readable file of settings ({reading.why_unreadable(error)})"
        ) from None


def parse_settings(text: str, source: object, option: str) -> dict[str, Any]:
    """The values in a text of settings that comes from there. Raises `InputError`."""
    try:
        return tomllib.loads(text)
    except (RecursionError, ValueError) as error:
        hint = 'a line is name = value, and words are in quotes: route = "asymptotic"'
        said = "brackets in brackets" if isinstance(error, RecursionError) else in_short(str(error))
        raise InputError(option, str(source), f"a file in TOML ({said})", hint) from None


def _kept(path: Path, option: str) -> str:
    """The settings that an answer carries."""
    try:
        attributes = _of_zarr(path) if path.suffix == ".zarr" else read_texts(path)
        why = ""
    except Misread as error:
        attributes, why = {}, error.hint
    if kept := settings_in_attributes(attributes):
        return kept
    hint = why or why_no_settings(attributes) or "`--settings FILE.toml` writes them to a file"
    raise InputError(option, str(path), "an answer that holds its settings", hint)


def _of_zarr(path: Path) -> dict[str, Any]:
    """The attributes of an answer in Zarr, of either version, and nothing else of it.

    To open it with zarr would decode arrays, by codecs that the answer names: one of them unpickles. Raises
    `Misread` and `OSError`.
    """
    path.stat()
    new = (path / "zarr.json").exists()
    try:
        found = json.loads(reading.file_text(path / ("zarr.json" if new else ".zattrs"), reading.PAGE))
    except (RecursionError, ValueError):
        raise Misread("its attributes are damaged") from None
    except (FileNotFoundError, NotADirectoryError):
        raise Misread("it is no Zarr store") from None
    found = found.get("attributes") if new and isinstance(found, dict) else found
    return found if isinstance(found, dict) else {}


def settings_in_attributes(attributes: Mapping[Any, Any]) -> str:
    """The settings among the attributes of an answer; "" where there are none."""
    found = attributes.get("settings", "")
    return found if isinstance(found, str) else ""


def why_no_settings(attributes: Mapping[Any, Any]) -> str:
    """Why an answer with these attributes has no settings; "" where nothing is known of that."""
    said = (attributes.get("fixed", ""), attributes.get("tables", ""))
    if any(f'"{UNNAMED} (digest ' in each for each in said if isinstance(each, str)):
        return "its question contained arrays, which settings cannot hold: give files (numpy.save) instead"
    if any('"function ' in each and "(digest " in each for each in said if isinstance(each, str)):
        return "its question contained a Python function, which settings cannot hold: repeat it in Python"
    return ""
