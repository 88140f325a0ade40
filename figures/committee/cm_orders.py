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


SHOWN = {
    "R": {"R_11": "$R_{11}$", "R_22": "$R_{22}$", "R_31": "$R_{31}$"},
    "Q": {"Q_11": "$Q_{11}$", "Q_22": "$Q_{22}$", "Q_12": "$Q_{12}$"},
    "second_layer": {"second_1": "$v_1$", "second_2": "$v_2$", "second_3": "$v_3$"},
    RISK: {RISK: "$E$"},
}
"""The entries that are drawn, with their names."""
LABELS = {
    "R": "overlap with the teacher [dimensionless]",
    "Q": "overlap of units [dimensionless]",
    "second_layer": "second-layer weight [output]",
}
TITLES = {
    "R": "Only unit 1 nears its teacher unit",
    "Q": "Units 1 and 2 of the student align",
    "second_layer": "All second-layer weights shrink",
    RISK: "Noise and decay set the final risk",
}
TICKS = (0, 4, 8, 12, 16)
APART = {"Q_12": 2.0, "Q_22": -2.0}
"""Points up or down by which names are drawn off curves that end near each other."""
LOOKS = tuple(zip((style.BLACK, style.BLUE, style.ORANGE), "osD", strict=True))


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A panel for each kind of order parameter, and one for the risk; each curve has its name at its end."""
    limit, drawn, panels = numbers["limit"], numbers["drawn"], []
    looks = {
        name: {
            entry: style.Look(label, *look)
            for (entry, label), look in zip(shown.items(), LOOKS, strict=False)
        }
        for name, shown in SHOWN.items()
    }
    for name, letter in zip(SHOWN, "abcd", strict=True):
        curves = [Trace(look, limit, drawn, y=entry) for entry, look in looks[name].items()]
        scales: dict[str, Any] = {"ticks": {"x": TICKS}}
        if name == RISK:
            scales = {"log": "y", "ticks": {"x": TICKS, "y": columns.DIGITS}}
        title, room = f"({letter}) {TITLES[name]}", (-0.03 * LINES.high, 1.32 * LINES.high)
        panels.append(
            Column("time", name, curves, title, xname="time", yname=LABELS.get(name), xlim=room, **scales)
        )
    for (axes, _), shown in zip(columns.draw(canvas, panels), looks.values(), strict=True):
        for entry, look in shown.items():
            style.name(axes, limit, "time", entry, look, LINES.high, (6, APART.get(entry, 0)))
    fixed = (
        "erf, $K$ = 3, $M$ = 2, $\\eta$ = 0.6, $\\eta_v$ = 0.4, $\\sigma_\\epsilon$ = 0.3, $\\kappa$ "
        "= 0.1, $\\kappa_v$ = 0.05, $v^*$ = (1, −0.8), $T$ = [1, 0.3; 0.3, 0.8]"
    )
    legends.around(canvas, [], setting.entries(numbers, SIZE), fixed=fixed)


FIGURE = Figure(
    id=ID,
    title="A few equations predict how both layers of a student learn",
    caption=(
        "A student with three erf units learns both layers online from a teacher with two units, with label "
        "noise and weight decay of both layers. Lines: the equations of the overlaps for infinite dimension "
        "d (saad1995; goldt2019 for training both layers). Markers: training on drawn examples at d = "
        f"{SIZE}. (a) Overlaps R_im of student unit i with teacher unit m: unit 1 approaches teacher unit 1, "
        "and unit 2 moves away from teacher unit 2. (b) Overlaps Q_ij of the student's units, (c) "
        "second-layer weights v_i, (d) excess risk, which ends at a floor set by noise and decay. Below: "
        "simulation minus limit in standard errors. Start: v = (1, 0.7, -0.5), R = [0.2, -0.1; 0.1, 0.3; "
        "-0.2, 0.05], Q = [0.5, 0.1, 0; 0.1, 0.6, -0.05; 0, -0.05, 0.4]. The paper has other parameters."
    ),
    paper="goldt2019",
    ref="equations of both layers, with other parameters",
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
