"""The error with label noise over the width of the student: one layer in training, and both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import xarray as xr

from teacherstudent.figures.committee import setting
from teacherstudent.figures.committee.setting import RISK, asked
from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, residuals, style
from teacherstudent.figures.kit.comparison import Curve, draws_of
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
WIDTH = {"symbol": "K", "long_name": "units of the student", "units": "units"}


def question(K: int, layers: str) -> Curve:
    """K units that learn from two."""
    start = {"initial_overlaps": OVERLAPS[:K], "init": 0.5}
    rates = {"learning_rate": RATE, "second_layer_learning_rate": LAYERS[layers]}
    return asked(width=K, noise=NOISE, d=SIZE, **start, **rates)


def along(ask: Callable[[int], xr.Dataset]) -> xr.Dataset:
    """What is asked at each width, along an axis of widths."""
    axis = xr.IndexVariable("width", list(WIDTHS), WIDTH)
    return xr.concat([ask(K) for K in WIDTHS], axis, combine_attrs="override")


def limit(layers: str, K: int) -> xr.Dataset:
    """Risks by the equations at all times."""
    return question(K, layers).by("asymptotic", (*TIMES, *LATER))[[RISK]]


def drawn(layers: str, quick: bool, K: int) -> xr.Dataset:
    """Risks of draws by the chain, with the equations beside them."""
    seeds = draws_of(ID, quick, DRAWS, setting.FEW, layers)
    return setting.drawn(question(K, layers), TIMES, seeds, "chain", lambda answer: answer[[RISK]])


def compute(quick: bool) -> Numbers:
    """Risks over the width by the limit and by the chain, and floors beside the teacher."""
    from teacherstudent.theory.committee.final import small_noise_floor

    numbers: dict[str, xr.Dataset] = {}
    for layers in LAYERS:
        numbers[f"limit_{layers}"] = along(partial(limit, layers))
        numbers[f"drawn_{layers}"] = along(partial(drawn, layers, quick))
    floors = [
        NOISE**2 * small_noise_floor(PROBLEM.instance(width=K, learning_rate=RATE, noise=NOISE))
        for K in WIDTHS
    ]
    attrs: dict[str, Any] = dict(numbers["limit_first"][RISK].attrs)
    numbers["floor"] = numbers["limit_first"][["width"]].assign({RISK: ("width", floors, attrs)})
    return numbers


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column for each way to train."""
    style.size(canvas, 12, 7.6)
    grid = canvas.add_gridspec(2, 2, height_ratios=residuals.heights(1))
    left = residuals.stack(canvas, grid, 0, ["chain −\nlimit\n[std. errors]"])
    right = residuals.stack(canvas, grid, 1, [""], left)
    times = (*TIMES, *LATER)
    looks = dict(zip(times, style.ordered_looks([f"$t$ = {each:g}" for each in times]), strict=True))
    looks |= {time: replace(looks[time], marker="") for time in LATER}
    for axes, layers in ((left, "first"), (right, "both")):
        limit, drawn = numbers[f"limit_{layers}"], numbers[f"drawn_{layers}"]
        for time, look in looks.items():
            style.theory(axes[0], limit.sel(time=time), "width", RISK, look)
            if time in TIMES:
                style.simulation(axes[0], drawn.sel(time=time), "width", RISK, look)
        residuals.draw(
            axes[1],
            {looks[time]: drawn[f"{RISK}_minus_asymptotic"].sel(time=time) for time in TIMES},
            drawn.attrs["n_seeds"] - 1,
        )
        axes[1].set_xlabel(style.axis_label(limit["width"]))
        style.ticks(axes[1].xaxis, WIDTHS)
    floor = style.Look("", style.VERMILION, "s")
    style.approximation(left[0], numbers["floor"], "width", RISK, floor)
    left[0].set(yscale="log", title="(a) first layer in training: more error, until units pair off")
    style.digits(left[0].yaxis, *left[0].get_ylim())
    right[0].set_title("(b) both layers in training: early more error, later less")
    left[0].set_ylabel(style.axis_label(numbers["limit_first"][RISK]))
    rows = ", ".join(f"({one:g}, {other:g})" for one, other in OVERLAPS).replace("-", "−")
    draws = numbers["drawn_first"].attrs["n_seeds"]
    legends.around(
        canvas,
        [*looks.values()],
        [
            legends.theory("exact limit d → ∞: equations of the overlaps"),
            legends.simulation(
                f"simulation: chain of the overlaps, d = {SIZE}, mean of {draws} draws ± 1 standard error"
            ),
            legends.approximation(
                "printed final error, small noise; a saddle from $K = M + 2$ on", style.VERMILION
            ),
            legends.band([f"at d = {SIZE} draws are off the limit"]),
        ],
        columns=1,
        fixed=f"erf units, $M$ = 2, $\\eta$ = {RATE:g}, label noise $\\sigma_\\epsilon$ = {NOISE:g}, no "
        f"decay; (a) $v$ = 1, (b) $\\eta_v$ = {RATE:g}, start $v$ = 1;\n"
        f"start $Q_{{ij}}$ = 0.25 $\\delta_{{ij}}$, rows of $R$: {rows}",
    )


FIGURE = Figure(
    id=ID,
    title="The error of overparametrised students: more for long with one layer in training, not with both",
    caption=(
        "Students of K erf units learn online from two units with label noise. (a) Only the first layer is "
        "trained: the error grows with K. Dashed: the final error of small noise as goldt2019 has it in "
        "closed form; from K = 4 on it is that of a saddle, below which the error falls as units pair off, "
        "w and -w, over times of many thousands: then the odd unit left over at K = 3 and 5 costs. "
        "At the last time the error of four units and more still falls. (b) Both layers are trained: early "
        "the error grows with K, later it falls with K. Lines: the "
        f"equations for infinite d; markers: draws at d = {SIZE} by the chain of the overlaps. Below, draws "
        "minus limit in standard errors. Parameters of our own."
    ),
    paper="goldt2019",
    ref="final error over the width, with parameters of our own",
    compute=compute,
    draw=draw,
    small=constants("teacherstudent.figures.committee.setting", FEW=2)
    | constants(__name__, WIDTHS=(2, 3), TIMES=(2.0, 4.0), LATER=(8.0,), SIZE=10),
)
