"""All order parameters of a student without symmetry, both layers in training: limit and simulation."""

from __future__ import annotations

from typing import Any

import xarray as xr

from teacherstudent.figures.committee import setting
from teacherstudent.figures.committee.setting import RISK, question_of
from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, Trace
from teacherstudent.figures.kit.comparison import draws_of
from teacherstudent.house.grids import Span

ID = "cm-orders"
SIZE, DRAWS = 400, 20
LINES, MARKS = Span(0, 16, 129, "lin"), Span(0, 16, 9, "lin")
PANELS: dict[str, dict[str, tuple[int, ...]]] = {
    "R": {"R_11": (1, 1), "R_12": (1, 2), "R_22": (2, 2), "R_31": (3, 1)},
    "Q": {"Q_11": (1, 1), "Q_12": (1, 2), "Q_22": (2, 2), "Q_33": (3, 3)},
    "second_layer": {"second_1": (1,), "second_2": (2,), "second_3": (3,)},
    RISK: {RISK: ()},
}
"""Panels, and the entries of each that are shown."""


def entries_of(answer: xr.Dataset) -> xr.Dataset:
    """The entries that are shown, by name."""
    found = {}
    for name, shown in PANELS.items():
        axes = [each for each in answer[name].dims if each not in ("time", "seed")]
        for entry, place in shown.items():
            found[entry] = answer[name].sel(dict(zip(axes, place, strict=True)), drop=True)
    return xr.Dataset(found, attrs=answer.attrs)


def compute(quick: bool) -> Numbers:
    """The limit over time, and draws."""
    from teacherstudent.paper_checks.committee.kit.asking import BOTH_LAYERS

    curve = question_of(d=SIZE, **BOTH_LAYERS)
    seeds = draws_of(ID, quick, DRAWS, setting.FEW)
    limit = entries_of(curve.by("asymptotic", LINES))
    return {"limit": limit, "drawn": setting.drawn(curve, MARKS, seeds, of=entries_of)}


LABELS = {
    "R": "overlap with the teacher $R_{im}$ [dimensionless]",
    "Q": "overlap of units $Q_{ij}$ [dimensionless]",
    "second_layer": "second-layer weight $v_i$ [output]",
}
COLOURS = (style.BLACK, style.BLUE, style.ORANGE, style.VERMILION)


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column for each kind of order parameter, and one for the risk."""
    looks = [
        style.Look(label, colour, marker)
        for label, colour, marker in zip(NAMES, COLOURS, "osDP", strict=True)
    ]
    limit, drawn, panels = numbers["limit"], numbers["drawn"], []
    for (name, shown), letter in zip(PANELS.items(), "abcd", strict=True):
        curves = [Trace(look, limit, drawn, y=entry) for look, entry in zip(looks, shown, strict=False)]
        title = f"({letter}) {TITLES[name]}"
        scales: dict[str, Any] = {"log": "y", "ticks": {"y": columns.DIGITS}} if name == RISK else {}
        panels.append(Column("time", name, curves, title, xname="time", yname=LABELS.get(name), **scales))
    columns.draw(canvas, 18, 7.6, panels)
    fixed = (
        "erf, $K$ = 3, $M$ = 2, $\\eta$ = 0.6, $\\eta_v$ = 0.4, $\\sigma_\\epsilon$ = 0.3, $\\kappa$ "
        "= 0.1, $\\kappa_v$ = 0.05, $v^*$ = (1, −0.8), $T$ = [1, 0.3; 0.3, 0.8]; start: $v$ = (1, 0.7, "
        "−0.5), $R$ = [0.2, −0.1; 0.1, 0.3; −0.2, 0.05], $Q$ = [0.5, 0.1, 0; 0.1, 0.6, −0.05; 0, −0.05, 0.4]"
    )
    legends.around(canvas, looks, setting.entries(numbers, SIZE), columns=1, fixed=fixed)


NAMES = (
    "$R_{11}$, $Q_{11}$, $v_1$, $E$",
    "$R_{12}$, $Q_{12}$, $v_2$",
    "$R_{22}$, $Q_{22}$, $v_3$",
    "$R_{31}$, $Q_{33}$",
)
TITLES = {
    "R": "student and teacher",
    "Q": "student",
    "second_layer": "second layer",
    RISK: "risk, held up by noise and decay",
}

FIGURE = Figure(
    id=ID,
    title="Every overlap of a student in training, in the limit and by training",
    caption=(
        "Three erf units and their second layer learn online from two, with label noise and weight decay of "
        "both layers. Lines: the equations of the overlaps for infinite dimension d (saad1995, for both "
        f"layers goldt2019); markers: training on drawn examples at d = {SIZE}. (a) Overlaps with the "
        "teacher, (b) of the student's units, (c) second layer, (d) excess risk, which ends where noise and "
        "decay hold it. Below, simulation minus limit in standard errors. Parameters of our own."
    ),
    paper="goldt2019",
    ref="equations of both layers, with parameters of our own",
    compute=compute,
    draw=draw,
    small=constants("teacherstudent.figures.committee.setting", FEW=2)
    | constants(
        __name__,
        SIZE=12,
        LINES=Span(0, 4, 5, "lin"),
        MARKS=Span(0, 4, 3, "lin"),
    ),
)
