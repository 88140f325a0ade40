"""How long the plateau lasts: over the overlap at the start, and over the number of inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.committee import setting
from teacherstudent.figures.committee.setting import of_equals, question_of
from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, Trace
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.house.grids import Span

ID = "cm-length"
RATES = {2: 1.5, 3: 0.9}
"""Learning rates by K = M."""
OVERLAPS = (0.2, 0.1, 0.05, 0.02, 0.01, 1e-3, 1e-4, 1e-6, 1e-8)
TIMES = {2: Span(0, 300, 1201, "lin"), 3: Span(0, 800, 1601, "lin")}
SIZES = (64, 256, 1024)
DRAWS = 80
WATCHED = Span(0, 200, 34, "lin")
HALF = 0.5
OFF = 0.1
"""What is shown as the bound of a length, in units of 1/l: the share of an e-fold of the overlap."""
AXES = {
    "overlap": {"symbol": "X_0", "long_name": "initial overlap", "units": "1"},
    "d": {"symbol": "d", "long_name": "inputs", "units": "inputs"},
}
LENGTH = {"symbol": "t", "long_name": "time until specialised", "units": "steps/d"}


def compute(quick: bool) -> Numbers:
    """Times at which units are specialised, by the limit over overlaps and drawn over sizes, and lines."""
    from teacherstudent.theory.committee.plateau import plateau

    numbers = {}
    for K, rate in RATES.items():
        question = {"width": K, "teacher_width": K, "learning_rate": rate}
        times = [
            passed(of_equals(question_of(overlap=each, **question).by("symmetric", TIMES[K])))
            for each in OVERLAPS
        ]
        slope = 1 / plateau(K, rate).escape_rate
        line = times[-1] + slope * np.log(OVERLAPS[-1] / np.array(OVERLAPS))
        numbers[f"overlap_{K}"] = table("overlap", OVERLAPS, times, line)
    slope = 1 / plateau(2, RATES[2]).escape_rate / 2
    sample = np.stack([escaped(d, quick) for d in SIZES])
    mean, error = sample.mean(axis=1), sample.std(axis=1, ddof=1) / sample.shape[1] ** 0.5
    logs = np.log(SIZES)
    line = np.average(mean - slope * logs, weights=1 / error**2) + slope * logs
    found = table("d", SIZES, mean, line).assign_attrs(n_seeds=sample.shape[1])
    numbers["size"] = found.assign(time_stderr=("d", error), z=("d", (mean - line) / error))
    return numbers


def passed(answer: xr.Dataset) -> np.ndarray:
    """When R_ii - R_ij, or its size, passes 1/2, of each draw."""
    from teacherstudent.paper_checks.committee.kit.crossing import crossings

    apart = abs(answer["R_own"] - answer["R_other"]).transpose(..., "time")
    return crossings(answer["time"].values, apart.values, HALF)


def escaped(d: int, quick: bool) -> np.ndarray:
    """The same of draws of two units that start from random weights."""
    seeds = draws_of(ID, quick, DRAWS, setting.FEW, str(d))
    return passed(
        of_equals(question_of(d=d, learning_rate=RATES[2], start="random").by("chain", WATCHED, seeds))
    )


def table(axis: str, places: Any, times: Any, line: Any) -> xr.Dataset:
    """Times and a line along one of the `AXES`."""
    return xr.Dataset(
        {"length": (axis, times, LENGTH), "line": (axis, line, LENGTH)},
        {axis: (axis, list(places), AXES[axis])},
    )


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Over the overlap on the left, over the number of inputs on the right."""
    labels = [f"$K = M$ = {K}, $\\eta$ = {each:g}" for K, each in RATES.items()]
    looks = dict(zip(RATES, style.ordered_looks(labels), strict=True))
    overlaps = {K: numbers[f"overlap_{K}"] for K in RATES}
    size = numbers["size"].rename(time_stderr="length_stderr")
    left = [Trace(look, drawn=off(overlaps[K]), rough=line(overlaps[K])) for K, look in looks.items()]
    right = [Trace(looks[2], line(size), size)]
    titles = (
        "(a) Time grows as $\\ln(1/X_0)/l$",
        "(b) Random start: as $\\ln d/(2l)$",
    )
    bound, chance = {"limit − line\n[0.1/$l$]": "off"}, {"chain − line\n[std. errors]": "z"}
    panels = [
        Column("overlap", "length", left, titles[0], bound, log="x", bounded=-1.0),
        Column("d", "length", right, titles[1], chance, log="x", ticks={"x": SIZES}),
    ]
    columns.draw(canvas, panels)
    entries = [
        legends.markers("(a) exact limit d → ∞: equations of the overlaps"),
        legends.approximation("(a) theory $\\ln(1/X_0)/l$ + constant, through the smallest overlap"),
        legends.bound(f"(a) within {OFF:g}$/l$"),
        legends.simulation(
            f"(b) simulation: chain, mean of {size.attrs['n_seeds']} draws ± 1 standard error"
        ),
        legends.theory("(b) theory $\\ln d/(2l)$ + fitted constant"),
        legends.band(),
    ]
    fixed = (
        "erf units, $T_{mn} = \\delta_{mn}$, second layers 1 and fixed, no label noise, no decay, "
        "start $Q_{ii}$ = 0.25; $l$: escape rate of the plateau"
    )
    legends.around(canvas, [*looks.values()], entries, fixed=fixed)


def line(found: xr.Dataset) -> xr.Dataset:
    """The line of a table, as a length."""
    return found[["line"]].rename(line="length")


def off(found: xr.Dataset) -> xr.Dataset:
    """Lengths, and by how much they are `off` the line, in units of the bound."""
    logs = np.log(found["overlap"].values)
    slope = float(found["line"][-1] - found["line"][0]) / float(abs(logs[-1] - logs[0]))
    return found.assign(off=(found["length"] - found["line"]) / slope / OFF)


FIGURE = Figure(
    id=ID,
    title="The plateau's length grows with ln(1/initial overlap) and with ln(dimension)",
    caption=(
        "Time until R_ii - R_ij passes 1/2. (a) The units start with an overlap X_0 with the teacher. The "
        "time grows as ln(1/X_0)/l, where l is the rate at which units leave the plateau. The dashed line "
        "has this slope and passes through the smallest overlap. With large overlaps there is no plateau. "
        "Below: time minus dashed line, in units of 0.1/l. (b) The units start from random weights, whose "
        "overlaps are of order 1/sqrt(d). The time therefore grows as ln(d)/(2 l), not as ln(d)/l. Markers: "
        "draws by the chain of the overlaps. Line: the slope of the theory with a fitted constant. Below: "
        "draws minus line in standard errors."
    ),
    paper="saad1995",
    ref="symmetric phase; parameters: ours",
    compute=compute,
    draw=draw,
    small=constants("teacherstudent.figures.committee.setting", FEW=4)
    | constants(
        __name__, RATES={2: 1.6}, OVERLAPS=(0.3, 0.2), SIZES=(8, 16), WATCHED=Span(0, 160, 21, "lin")
    ),
)
