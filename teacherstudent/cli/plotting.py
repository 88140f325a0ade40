"""The option `--plot`: the answer as a picture, in a file or in a window."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from teacherstudent.api.figure import FORMATS, check_sheet, said_of_sheets
from teacherstudent.cli.interruption import told_on_interruption
from teacherstudent.cli.options import Option, Target, Word, Words
from teacherstudent.figures.declaration import SHEETS
from teacherstudent.house.declarations import Problem, Route
from teacherstudent.house.errors import InputError
from teacherstudent.house.files import file_target, in_a_folder
from teacherstudent.house.grids import Span
from teacherstudent.house.labelled import in_dataset
from teacherstudent.house.parameters import TIMES

WINDOW = "window"
"""What `--plot` without a file stands for."""

SUFFIXES = tuple(f".{each}" for each in FORMATS)

MOST_SWEPT = 2

INSTEAD = "--plot FILE.png draws into a file"


class Picture(Target):
    """A file for a picture, or no file for a window."""

    def __init__(self) -> None:
        super().__init__(*SUFFIXES, pictures=SUFFIXES)

    def describe(self, _: click.Context | None) -> str:
        return f"{super().describe(None)}, or absent for a window"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path | None:
        if value == WINDOW:
            return Path(WINDOW)
        return super().convert(value, param, ctx)


def plot_options(problem: Problem | None = None, *, of: bool = False) -> list[Option]:
    """The options of a command that draws its answer.

    problem: the problem whose observables may be chosen; None if the picture is always the same. of: whether
    one number of each curve can be drawn.
    """
    options = [
        Option(
            "plot",
            "Output",
            is_flag=False,
            flag_value=WINDOW,
            type=Picture(),
            metavar="[FILE]",
            help=f"draw the answer into FILE{'|'.join(SUFFIXES)}, its numbers into FILE.nc; without FILE, "
            "open a window",
        ),
        Option(
            "plot_style",
            "Output",
            type=Word(lambda _: SHEETS),
            metavar="NAME",
            help=f"what the picture is for: {said_of_sheets()} (default: paper)",
        ),
        Option(
            "plot_width",
            "Output",
            type=float,
            metavar="INCHES",
            help="width of the picture (default: the width of the style); text keeps its size",
        ),
    ]
    if problem:
        names = [each.name for each in problem.observables]
        options.append(
            Option(
                "show",
                "Output",
                type=Words(lambda _: names),
                metavar="NAME,...",
                help="observables to draw (default: all)",
            )
        )
    if of:
        options.append(
            Option(
                "of",
                "Output",
                metavar="WHAT",
                help="draw one number of each curve: OBSERVABLE@best, OBSERVABLE@end, OBSERVABLE@descents or "
                "OBSERVABLE@TIME, as colours if two parameters are swept (default: end)",
            )
        )
    return options


@dataclass(frozen=True)
class Plotting:
    """The picture that a command must draw."""

    plot: Path | None = None
    show: tuple[str, ...] | None = None
    of: str | None = None
    style: str = "paper"
    width: float | None = None

    @classmethod
    def taken(cls, options: dict[str, Any], problem: Problem | None = None) -> Plotting:
        """Take these options from the others, and check that the picture can be drawn. Raises `InputError`.

        A sweep may take hours, so options that cannot work are rejected before it starts.
        """
        plot, show, of = (options.pop(name, None) for name in ("plot", "show", "of"))
        asked = cls(plot, show, of, **sheet_of(options, plot))
        for name, value in (("show", asked.show), ("of", asked.of)):
            if value is not None and not asked.plot:
                given = value if isinstance(value, str) else ",".join(value)
                raise InputError(name, given, "absent without --plot, because it selects what is drawn")
        if problem and asked.plot:
            _demand_observables(asked, problem, options)
        swept = [
            name for name, value in options.items() if isinstance(value, Span | list) and name != TIMES.name
        ]
        if asked.plot and len(swept) > MOST_SWEPT:
            raise InputError(
                "plot", str(asked.plot), f"absent if more than two parameters are swept: {', '.join(swept)}"
            )
        if len(swept) == MOST_SWEPT and len(asked.show or ()) > 1:
            from teacherstudent.figures.answers.drawing import ONE_SHADED

            raise InputError("show", ",".join(asked.show or ()), f"{ONE_SHADED}: {', '.join(swept)}")
        asked.settle()
        return asked

    def settle(self) -> None:
        """Raise `InputError` for a wrong style or width, no possible window, or no writable file."""
        check_sheet(self.style, self.width, "plot_")
        if self.windowed:
            _demand_a_window()
        elif self.plot:
            _demand_room(self.plot)

    @property
    def windowed(self) -> bool:
        return self.plot == Path(WINDOW)

    def draw(self, answer: Any) -> None:
        """Draw an answer before anything is printed; if it cannot be drawn, the error is one line."""
        if not self.plot:
            return
        from teacherstudent.api.plot import draw, gathered, plot

        answer = in_dataset(answer)
        with told_on_interruption("no picture was drawn"):
            if self.windowed:
                from matplotlib import pyplot

                draw(pyplot.figure(), gathered(answer), self.show, self.of, self.style, self.width)
            else:
                plot(answer, self.plot, show=self.show, of=self.of, style=self.style, width=self.width)

    def present(self) -> None:
        """Show the window, if there is one, until it is closed."""
        if self.windowed:
            from matplotlib import pyplot

            pyplot.show()


def sheet_of(options: dict[str, Any], plot: Path | None) -> dict[str, Any]:
    """Take the style and the width of the picture from the options.

    Raises `InputError` if they are given and no picture is requested.
    """
    taken = {name: options.pop(f"plot_{name}", None) for name in ("style", "width")}
    given = {name: value for name, value in taken.items() if value is not None}
    for name, value in given.items() if not plot else ():
        raise InputError(f"plot_{name}", value, "absent without --plot")
    return given


def prints_numbers(context: click.Context, plotting: Plotting) -> bool:
    """Whether numbers are printed. If a picture is requested, they are printed only with `--out`."""
    return not plotting.plot or context.get_parameter_source("out") is not click.core.ParameterSource.DEFAULT


def _demand_observables(asked: Plotting, problem: Problem, options: Mapping[str, Any]) -> None:
    """Raise `InputError` where these routes will not give what is to be drawn of their answers."""
    from teacherstudent.api.curve import recording_times, route_names
    from teacherstudent.house.answers import added_by
    from teacherstudent.house.catalogue import find_route

    routes = [find_route(problem, options["dynamics"], name) for name in route_names(options["route"])]
    given = {route: _given(problem, route, options) for route in routes}
    among = {
        each.name: each for each in problem.observables if any(each.name in has for has in given.values())
    }
    for name in asked.show or ():
        if name not in among:
            domain = f"an observable of this question: {', '.join(among)}"
            hint = added_by(problem.on_clock(options["dynamics"]), routes, name)
            raise InputError("show", ",".join(asked.show or ()), domain, hint)
    if asked.of is None:
        return
    from teacherstudent.figures.answers import aspect

    shown = {name: each for name, each in among.items() if name in (asked.show or among)}
    wanted = aspect.read(asked.of, shown)
    aspect.demand_no_noise(
        wanted, any(route.sampled and wanted.observable in given[route] for route in routes)
    )
    recorded = recording_times(options.get("times"), problem.on_clock(options["dynamics"]))
    if isinstance(recorded, Span):
        aspect.demand_between(wanted, recorded.low, recorded.high)


def _given(problem: Problem, route: Route, options: Mapping[str, Any]) -> list[str]:
    """The observables that a route gives of this question, or of the first of a sweep."""
    from teacherstudent.house.answers import expected_shapes
    from teacherstudent.house.running import instance_and_options

    clock = problem.on_clock(route.dynamics)
    known = {each.name for each in (*problem.parameters, *clock.options, *route.options)}
    first = {name: _first(value) for name, value in options.items() if name in known and value is not None}
    try:
        return list(expected_shapes(problem, route, *instance_and_options(problem, clock, route, first)))
    except InputError:  # said by the command, which knows all of the question
        return list(route.gives or [each.name for each in problem.observables])


def _first(value: Any) -> Any:
    """The first value of a grid."""
    return value.values()[0] if isinstance(value, Span) else value[0] if isinstance(value, list) else value


def _demand_a_window() -> None:
    """Raise `InputError` where no window could be shown, or nobody would see it."""
    if not sys.stderr.isatty():
        raise InputError("plot", "(no file)", f"given a file, since there is no terminal: {INSTEAD}")
    unix = sys.platform not in ("darwin", "win32")
    if unix and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise InputError("plot", "(no file)", f"given a file, since there is no display: {INSTEAD}")
    from matplotlib import pyplot
    from matplotlib.backends import BackendFilter, backend_registry

    if pyplot.get_backend().lower() not in backend_registry.list_builtin(BackendFilter.INTERACTIVE):
        raise InputError(
            "plot", "(no file)", f"given a file, since matplotlib can open no window here: {INSTEAD}"
        )


def _demand_room(picture: Path) -> None:
    """Raise `InputError` where the picture or its numbers could not be written."""
    numbers = picture.with_suffix(".nc")
    for path in (picture, numbers):
        in_a_folder(path, "plot")
        file_target(path, "plot")
    if numbers.exists() and not picture.exists():
        raise InputError("plot", str(picture), f"another name, because its numbers would replace {numbers}")
