"""The error with label noise over the width of the student: one layer in training, and both."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import xarray as xr

from teacherstudent.figures.committee import setting
from teacherstudent.figures.committee.setting import RISK, question_of
from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, Trace
from teacherstudent.figures.kit.comparison import Curve, along, draws_of
from teacherstudent.problems.committee import PROBLEM

ID = "cm-overparametrised"
WIDTHS = (2, 3, 4, 5, 6)
TIMES = (100.0, 400.0)
"""When students are drawn."""

LATER = (2e3, 5e4)
"""Times of the equations alone: the error of wide students still falls."""

SIZE, DRAWS = 60, 20
RATE, NOISE = 0.3, 0.3
OVERLAPS = ((0.3, 0.02), (-0.02, 0.3), (0.1, 0.06), (-0.05, 0.1), (0.08, -0.07), (-0.09, -0.04))
LAYERS = {"first": 0.0, "both": RATE}
"""Learning rates of the second layer."""
TITLES = {
    "first": "(a) Training the first layer only",
    "both": "(b) Training both layers",
}
WIDTH = {"symbol": "K", "long_name": "student units", "units": "units"}


def question(K: int, layers: str) -> Curve:
    """K units that learn from two."""
    start = {"initial_overlaps": OVERLAPS[:K], "init": 0.5}
    rates = {"learning_rate": RATE, "second_layer_learning_rate": LAYERS[layers]}
    return question_of(width=K, noise=NOISE, d=SIZE, **start, **rates)


def compute(quick: bool) -> Numbers:
    """Risks over the width by the limit and by the chain, and floors beside the teacher."""
    from teacherstudent.theory.committee.final import small_noise_floor

    def limit(layers: str, K: int) -> xr.Dataset:
        return question(K, layers).by("asymptotic", (*TIMES, *LATER))[[RISK]]

    def drawn(layers: str, K: int) -> xr.Dataset:
        seeds = draws_of(ID, quick, DRAWS, setting.FEW, layers)
        return setting.drawn(question(K, layers), TIMES, seeds, "chain", lambda answer: answer[[RISK]])

    numbers: Numbers = {}
    for layers in LAYERS:
        numbers[f"limit_{layers}"] = along("width", WIDTHS, WIDTH, partial(limit, layers))
        numbers[f"drawn_{layers}"] = along("width", WIDTHS, WIDTH, partial(drawn, layers))
    floors = [
        NOISE**2 * small_noise_floor(PROBLEM.instance(width=K, learning_rate=RATE, noise=NOISE))
        for K in WIDTHS
    ]
    attrs: dict[str, Any] = dict(numbers["limit_first"][RISK].attrs)
    numbers["floor"] = numbers["limit_first"][["width"]].assign({RISK: ("width", floors, attrs)})
    return numbers


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column for each way to train."""
    looks = style.family((*TIMES, *LATER), "$t$ = {:g}")
    looks |= {time: replace(looks[time], marker="") for time in LATER}
    below, panels = {"chain − limit\n[std. errors]": "{y}_minus_asymptotic"}, []
    for layers, title in TITLES.items():
        limit, drawn = numbers[f"limit_{layers}"], numbers[f"drawn_{layers}"]
        shown = [
            Trace(look, limit.sel(time=time), drawn.sel(time=time) if time in TIMES else None)
            for time, look in looks.items()
        ]
        panels.append(Column("width", RISK, shown, title, below, ticks={"x": WIDTHS}))
    (left, _), _ = columns.draw(canvas, panels, shared=True)
    style.approximation(left, numbers["floor"], "width", RISK, style.Look("", style.VERMILION, "s"))
    left.set(yscale="log")
    style.digits(left.yaxis, *left.get_ylim())
    rows = ", ".join(f"({one:g}, {other:g})" for one, other in OVERLAPS).replace("-", "−")
    draws = numbers["drawn_first"].attrs["n_seeds"]
    entries = [
        legends.theory("exact limit d → ∞: equations of the overlaps"),
        legends.simulation(
            f"simulation: chain of the overlaps, d = {SIZE}, mean of {draws} draws ± 1 standard error"
        ),
        legends.approximation(
            "printed final error for small noise; a saddle for $K \\geq M + 2$", style.VERMILION
        ),
        legends.band([f"draws at d = {SIZE} deviate from the limit"]),
    ]
    fixed = (
        f"erf units, $M$ = 2, $\\eta$ = {RATE:g}, label noise $\\sigma_\\epsilon$ = {NOISE:g}, no "
        f"decay; (a) $v$ = 1, (b) $\\eta_v$ = {RATE:g}, start $v$ = 1;\n"
        f"start $Q_{{ij}}$ = 0.25 $\\delta_{{ij}}$, rows of $R$: {rows}"
    )
    legends.around(canvas, [*looks.values()], entries, fixed=fixed)


FIGURE = Figure(
    id=ID,
    title="Extra units keep the error high if only one layer is trained, but not if both are trained",
    caption=(
        "Students with K erf units learn online from a teacher with two units and label noise. (a) Only the "
        "first layer is trained, and the error grows with K. Dashed: the final error for small noise, in "
        "the closed form of goldt2019. For K >= 4 the state with this error is a saddle. Extra units "
        "form pairs with weights w and -w over many thousands of time units, and the error falls below the "
        "dashed line. At K = 3 and 5 one extra unit has no partner, and the error stays higher. For K >= 4 "
        "the error still falls at the last time. (b) Both layers are trained. At early times the error "
        "grows with K; at late times it falls with K. Lines: equations for infinite d. Markers: draws at d "
        f"= {SIZE} by the chain of the overlaps. Below: draws minus limit in standard errors."
    ),
    paper="goldt2019",
    ref="final error over the width; parameters: ours",
    compute=compute,
    draw=draw,
    small=constants("teacherstudent.figures.committee.setting", FEW=2)
    | constants(__name__, WIDTHS=(2, 3), TIMES=(2.0, 4.0), LATER=(8.0,), SIZE=10),
)
