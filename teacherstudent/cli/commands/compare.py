"""`teacherstudent compare`: whether a saved simulation agrees with a saved theory."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from teacherstudent.api.compare import Comparison, compare
from teacherstudent.cli.grammar import Command
from teacherstudent.cli.options import Target, spelling, wrong_value
from teacherstudent.cli.plotting import Plotting, plot_options
from teacherstudent.cli.streams import print_text, print_to_stderr
from teacherstudent.house import catalogue
from teacherstudent.house.errors import InputError, Misread, in_short
from teacherstudent.house.reading import why_unreadable

if TYPE_CHECKING:
    import xarray as xr

COLUMNS = ("observable", "verdict", "largest_residual", "threshold", "detectable_error", "units", "points")


class Saved(Target):
    """A file that `curve` or `sweep` wrote."""

    def describe(self, _: click.Context | None) -> str:
        return "a file ending in .nc that `curve` or `sweep` wrote by --out"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path | None:
        if value in catalogue.problems():
            assert param
            raise wrong_value(spelling(param), value, self.describe(ctx), _without_files(value))
        return super().convert(value, param, ctx)


class Comparing(Command):
    """A command that takes files, and names the command that compares routes without files."""

    def another(self, name: str, args: Sequence[str]) -> str:
        return next((_without_files(word) for word in args if word in catalogue.problems()), "")


def _without_files(problem: str) -> str:
    from teacherstudent.cli.examples import compared

    words = shlex.join(["teacherstudent", *compared(catalogue.find_problem(problem))])
    return f"to compare routes without files: {words}"


def _complete(typed: Sequence[str]) -> list[str]:
    return ["compare", "simulation.nc", "theory.nc"]


@click.command(
    "compare",
    cls=Comparing,
    complete=_complete,
    short_help="Test whether a saved simulation agrees with a theory.",
)
@click.argument("simulation", type=Saved(".nc"))
@click.argument("theory", type=Saved(".nc"))
def COMMAND(simulation: Path, theory: Path, **options: Any) -> int:
    """Compare two answers that were saved as NetCDF at the same points.

    SIMULATION is the answer of a sampled route; THEORY is the answer of another route, or of other seeds.
    Prints CSV with a row for each observable that both have: the verdict, the largest difference and the
    largest difference that chance explains (in standard errors), the smallest detectable error in the
    observable's
    units, and the number of points. The verdict is `too few draws` if more than half of the tolerance is due
    to the small number of draws, and `too noisy` if an error as large as the value would pass at some point.
    The exit status is 1 if any observable disagrees.
    """
    drawing = Plotting.taken(options)
    answers = _read(simulation, "SIMULATION"), _read(theory, "THEORY")
    try:
        found = compare(*answers)
    except InputError as error:
        name, path = ("THEORY", theory) if error.option == "theory" else ("SIMULATION", simulation)
        axis = "" if error.option == name.lower() else f"one with {error.option} "
        raise InputError(name, str(path), f"{axis}{error.domain} {in_short(error.value)}") from None
    drawing.draw(found)
    print_text(",".join(COLUMNS))
    for row in _rows(found):
        print_text(",".join(row))
    for line in found.notes:
        print_to_stderr(f"note: {line}")
    if not found.agrees and (proviso := _proviso(found.theory)):
        print_to_stderr(f"note: {proviso}")
    drawing.present()
    return 0 if found.agrees else 1


COMMAND.params += plot_options()


def _proviso(theory: xr.Dataset) -> str:
    """Why the theory need not agree with draws of finite size, where its attributes tell its route."""
    from teacherstudent.api.agreement import automatic_rate_remark

    asked = [theory.attrs.get(name) for name in ("problem", "dynamics", "route")]
    known = [each for each in catalogue.routes() if [each.problem, each.dynamics, each.name] == asked]
    rate = automatic_rate_remark(json.loads(theory.attrs.get("fixed", "{}")))
    said = (
        f"{each.name} {each.proviso}{rate * (each.exact_for == 'limit')}" for each in known if each.proviso
    )
    return next(said, "")


def _rows(found: Comparison) -> list[list[str]]:
    rows = []
    for name, verdict in found.verdicts.items():
        word = "too few draws" if verdict.too_few_draws else "too noisy" if verdict.undecided else "agrees"
        word = word if verdict.agrees else "disagrees" if verdict.refutes else "no number"
        numbers = [str(each) for each in (verdict.statistic, verdict.threshold, verdict.resolution)]
        units = str(found.simulation[name].attrs.get("units", ""))
        rows.append([name, word, *numbers, units, str(verdict.points)])
    return rows


def _read(path: Path, option: str) -> xr.Dataset:
    """The answer in that file. Raises `InputError` where it holds none."""
    from teacherstudent.house.netcdf import read_dataset

    try:
        return read_dataset(path)
    except FileNotFoundError:
        raise InputError(option, str(path), "a file that exists") from None
    except (Misread, OSError) as error:
        said = error.hint if isinstance(error, Misread) else why_unreadable(error)
        raise InputError(option, str(path), f"a NetCDF file that curve or sweep wrote ({said})") from None
