"""Results of figures and checks that are kept for the next run, and what they rest on.

DIR/kept/KIND-ID.json holds one result: what it rests on, the seconds that it took, and the outcome of a check
or the digests of a figure's files. A result is used again only if what it rests on is the same as now, so
never after a change of code that it can reach. The files are read as data that nobody need trust: one that is
damaged is noted, and its result is computed again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from teacherstudent.api.reproducing.tasks import Task, system_of_figure
from teacherstudent.figures import gallery
from teacherstudent.house.catalogue import PACKAGE, from_outside
from teacherstudent.house.files import room_for, whole_file
from teacherstudent.house.provenance import note, versions
from teacherstudent.house.reading import LIST, Stamp, byte_stream, file_stamp, file_text, why_unreadable
from teacherstudent.paper_checks import kept, ledger
from teacherstudent.paper_checks.code import HERE, check_modules, code_reached, files_reached
from teacherstudent.paper_checks.judging.effects import Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict

DRAWING = ("matplotlib", "xarray", "pandas", "h5netcdf", "pillow")
"""Libraries that make the files of a figure, in addition to those that compute."""

ALWAYS = ("house.running", "api.figure", "api.check")
"""Modules that tasks use without naming them."""

ROOMS = ("problems", "theory", "sims", "house", "optimisers", "paper_checks",
         "sweeps", "maps", "inverse", "figures", "api")  # fmt: skip
"""Rooms whose code computes results; in a clone `api` lies in another folder."""

Fields = dict[str, Any]


@dataclass(frozen=True)
class Result:
    """What became of a task: what it rests on, its seconds, and fields of an outcome or digests of files."""

    rests_on: Fields | None
    seconds: float
    fields: Fields
    kept: bool = False


class Results:
    """The results in a folder, and the code of this installation as it was when they were asked for."""

    def __init__(self, folder: Path, figures: Path) -> None:
        self.folder, self.figures = folder, figures
        self._stamps = _stamps()

    def find(self, task: Task, basis: Fields | None) -> Result | None:
        """The kept result of a task that rests on this; None where there is none."""
        path = self.file(task)
        try:
            found = _read(path)
            if basis is None or found["rests_on"] != basis:
                return None
            fields = _outcome(task, found["result"]) if task.kind == "check" else dict(found["result"])
            if task.kind == "figure" and (
                fields != file_digests(self.figures, task) or None in fields.values()
            ):
                note("", f"{task.name} is computed again: its files are not those that were drawn")
                return None
            return Result(basis, _number(found["seconds"]), fields, kept=True)
        except FileNotFoundError:
            return None
        except (
            ArithmeticError,
            AttributeError,
            LookupError,
            OSError,
            RecursionError,
            TypeError,
            ValueError,
        ) as error:
            why = why_unreadable(error) if isinstance(error, OSError | UnicodeError) else "damaged"
            note("", f"{path} cannot be used ({why}): {task.name} is computed again")
            return None

    def keep(self, task: Task, result: Result) -> None:
        """Write a result, unless code has changed on disk: it is not known which code computed the result."""
        if result.rests_on is None or _stamps() != self._stamps:
            return
        if (file := self.file(task)).is_symlink():
            file.unlink()  # what it leads to is not ours
        plain = _as_json(result.fields) if task.kind == "check" else result.fields
        text = json.dumps({"rests_on": result.rests_on, "seconds": result.seconds, "result": plain})
        write_text(file, f'{{"digest": "{_digest(text)}", "kept": {text}}}\n')

    def file(self, task: Task) -> Path:
        """Where the result of a task is kept."""
        return self.folder / f"{task.kind}-{task.id}.json"


def files_of(task: Task) -> list[str]:
    """The names of the files of a figure."""
    return [
        f"{task.id}.{kind}" for kind in ("png", "nc", *(("gif",) if gallery.figures()[task.id].film else ()))
    ]


def file_digests(folder: Path, task: Task) -> dict[str, str | None]:
    """The digests of the files of a figure; None of one that cannot be read."""
    found: dict[str, str | None] = dict.fromkeys(files_of(task))
    for name in found:
        with suppress(OSError), byte_stream(folder / name, packed=False) as stream:
            found[name] = sha256(stream.read()).hexdigest()
    return found


def rests_on(task: Task) -> Fields | None:
    """The question, the code and the versions that a result depends on; None while code changes on disk."""
    if task.kind == "figure":
        figure = gallery.figures()[task.id]
        parts = (each for each in (figure.compute, figure.draw, figure.film) if each)
        begins = [getattr(each, "__module__", "") for each in parts]
        known, system = all(map(files_reached, ([each] for each in begins))), system_of_figure(task.id)
    else:
        check, home = ledger.checks()[task.id], check_modules().get(task.id)
        begins = [*(name.partition(":")[0] for name in check.functions), home or ""]
        known, system = home is not None, check.problem
    code = _code(frozenset(begins if known else ()), system.replace("-", "_"))
    if code is None:
        return None
    return {
        "question": {task.kind: task.id},
        "code": code,
        "outside systems": {}
        if known
        else {each.system.package: each.system.digest for each in from_outside()},
        "versions": {
            **kept.versions(),
            **versions(*DRAWING),
            "GPUs": str(len([*Path("/dev").glob("nvidia[0-9]*")])),
        },
    }


@cache  # hundreds of checks are declared in few modules
def _code(begins: frozenset[str], system: str) -> str | None:
    """The digest of the code that these modules and that system's problem reach.

    Of all rooms where nothing is known of where a task begins, as of a system from outside.
    """
    begins = begins or frozenset(".".join(each) for each in _code_files().values())
    return code_reached(sorted({*begins, f"problems.{system}", *ALWAYS}))


@cache
def _code_files() -> dict[Path, tuple[str, ...]]:
    """The files of all rooms that compute results, with the parts of their modules' names."""
    folders = (folder / room for room in ROOMS for folder in (HERE, HERE / PACKAGE))
    paths = (path for folder in folders if not folder.is_symlink() for path in folder.rglob("*.py"))
    return {path: path.relative_to(HERE).with_suffix("").parts for path in paths}


def _stamps() -> list[Stamp]:
    return [file_stamp(path) if path.is_file() else () for path in _code_files()]


def write_text(path: Path, text: str) -> None:
    """Write a text, whole or not at all. Raises `InputError` naming `--out`."""
    with whole_file(path) as temporary, room_for(path, "out"):
        temporary.write_text(text, encoding="utf-8")


# As text ----------------------------------------------------------------------------------------------


def _read(path: Path) -> Fields:
    """What a file holds. Raises where it is damaged."""
    found = json.loads(file_text(path, LIST))
    if found["digest"] != _digest(json.dumps(found["kept"])):
        raise ValueError
    return dict(found["kept"])


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _as_json(fields: Fields) -> Fields:
    """The fields of an outcome in what JSON can hold, with all digits."""
    wrong, errata = (
        {name: asdict(each) for name, each in fields[kind].items()} for kind in ("wrong", "errata")
    )
    whole = {**fields, "verdict": asdict(fields["verdict"]), "wrong": wrong, "errata": errata}
    text = json.dumps({**whole, "seeds": fields["seeds"].name}, default=lambda number: number.item())
    return dict(json.loads(text))


def _outcome(task: Task, found: Mapping[str, Any]) -> Fields:
    """The fields of an outcome from what JSON held. Raises where they are not those of that check."""
    check = ledger.checks()[task.id]
    wrong, errata = (
        {name: _verdict(each) for name, each in found[kind].items()} for kind in ("wrong", "errata")
    )
    if [*wrong] != [each.name for each in check.wrong] or [*errata] != [each.id for each in check.errata]:
        raise ValueError
    seeds, seconds = Seeds(_text(found["seeds"])), _number(found["seconds"])
    verdict = _verdict(found["verdict"])
    return {"verdict": verdict, "wrong": wrong, "errata": errata, "seeds": seeds, "seconds": seconds}


def _verdict(found: Mapping[str, Any]) -> Verdict:
    """A verdict; every field must be there, and of its kind."""
    effect = found["effect"]
    return Verdict(
        **{name: _number(found[name]) for name in NUMBERS},
        unit=_text(found["unit"]),
        reason=_text(found["reason"]),
        parts=tuple(map(_verdict, found["parts"])),
        effect=None if effect is None else Effect(_number(effect["size"]), _text(effect["what"])),
    )


NUMBERS = ("statistic", "threshold", "resolution", "points", "from_few_draws", "undecided", "undetected")
"""Fields of a verdict that are numbers."""


def _number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    float(value)  # raises where the number is too large
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
