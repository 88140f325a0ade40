"""Our own figure: singular values at every size of the signal, and training where it can succeed or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, residuals, style
from teacherstudent.figures.kit.comparison import Curve, draws_of
from teacherstudent.house.catalogue import find_problem, find_route
from teacherstudent.house.grids import Span
from teacherstudent.problems.orthogonal_convolution import PROBLEM as SYSTEM

ID, PROBLEM = "oc-spectra", "orthogonal-convolution"
LAYER: dict[str, Any] = {"outputs": 2, "inputs": 2, "kernel_size": 5, "stride": 1}
STAGES = (1.0, 2.0, 5.0)
"""Flow times at which the kernel of (a) is looked at."""
SIZES = (*range(1, 17), 20, 24, 28, 32, 40, 48, 56, 64)
DRAWN_SIZES = (1, 2, 4, 8, 16, 32, 64)
EXTREMES = ("largest_singular_value", "smallest_singular_value")
SHAPES: dict[str, tuple[str, dict[str, int]]] = {
    "no overlap, exists": ("closed-form", {"outputs": 3, "inputs": 2, "kernel_size": 2, "stride": 2}),
    "overlap, exists": ("frequencies", {"outputs": 1, "inputs": 1, "kernel_size": 3, "stride": 1}),
    "too many rows, $M > Ck$": ("closed-form", {"outputs": 5, "inputs": 2, "kernel_size": 2, "stride": 3}),
    "skipped inputs, $S > k$": ("closed-form", {"outputs": 8, "inputs": 2, "kernel_size": 2, "stride": 3}),
}
"""Layers of (b): the route that answers for each, and its shape."""
LOOKS = dict(
    zip(
        SHAPES,
        zip((style.BLUE, style.ORANGE, style.VERMILION, style.BLACK), "Dv^s", strict=True),
        strict=True,
    )
)
"""Colour and marker of each."""
TIMES = Span(0.02, 30, 60)
RECORDED = (0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.2, 2.0, 4.0, 10.0, 30.0)
DRAWS, FEW = 4, 2
ERROR = "regulariser"


def compute(quick: bool) -> Numbers:
    """(a) extremes by size, (b) the regulariser in training: theory, and simulation with differences."""
    seeds = draws_of(ID, quick, DRAWS, FEW)
    found: Numbers = {}

    def sized(route: str, sizes: Sequence[int]) -> xr.Dataset:
        asked = [_asked(route, STAGES, seeds[:1], size=size, **LAYER).squeeze("seed") for size in sizes]
        along = xr.DataArray(list(sizes), dims="size", attrs={"units": "samples", "symbol": "N"})
        along.attrs["long_name"] = "length of the output"
        return xr.concat(asked, along.rename("size"), combine_attrs="override")

    found["theory_sizes"] = sized("frequencies", SIZES)
    found["drawn_sizes"] = _compared(sized("simulation", DRAWN_SIZES), sized("frequencies", DRAWN_SIZES))
    for i, (route, shape) in enumerate(SHAPES.values()):
        found[f"theory_{i}"] = _asked(route, TIMES, seeds, size=2, **shape)[[ERROR]]
        drawn, claimed = (
            _asked(name, RECORDED, seeds, size=2, **shape)[[ERROR]] for name in ("simulation", route)
        )
        found[f"drawn_{i}"] = _compared(drawn, claimed)
    return found


def _asked(route: str, times: Span | Sequence[float], seeds: list[int], **values: Any) -> xr.Dataset:
    return Curve(PROBLEM, "flow", values).told(route, times, seeds)


def _compared(drawn: xr.Dataset, claimed: xr.Dataset) -> xr.Dataset:
    """The simulation, and `<name>_off`: its difference from theory in the accuracy that both declare."""
    routes = [find_route(find_problem(PROBLEM), "flow", each.attrs["route"]) for each in (drawn, claimed)]
    accuracy = sum(route.accuracy for route in routes)
    for name in list(drawn.data_vars):
        drawn[f"{name}_off"] = (drawn[name] - claimed[name]) / (accuracy * abs(claimed[name]).max())
    return drawn


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Extremes over size on the left, the regulariser over time on the right; differences below."""
    style.size(canvas, 4.5)
    grid = canvas.add_gridspec(2, 2, height_ratios=residuals.heights(1))
    label = "sim. − theory\n[bound]"
    left, right = (residuals.stack(canvas, grid, column, [label]) for column in range(2))
    stages = _draw_sizes(left, numbers)
    shapes = _draw_training(right, numbers)
    entries = [
        legends.theory("theory: frequency by frequency in (a) and for overlap, else closed form"),
        legends.approximation(
            "(a) bounds at any size $N$, $|s^2 - 1| \\leq \\sqrt{9L}$; (b) $L = 1/(32 t^2)$"
        ),
        legends.markers("simulation: (a) full matrix of the layer; (b) training in small steps"),
        legends.theory("(b) least value where no orthogonal kernel exists", "0.4", **LEAST),
        legends.bound("bound: declared errors of rounding and step size, summed"),
    ]
    fixed = "(a) $M = C = 2$, $k = 5$, $S = 1$, one kernel at three training times; " + style.fixed(
        numbers["theory_0"], dimension="dimension", init="initial standard deviation"
    )
    legends.around(canvas, [*stages, *shapes], entries, fixed=fixed)


LEAST = {"lw": 0.9, "ls": ":"}


def _draw_sizes(axes: Sequence[Any], numbers: Numbers) -> list[style.Look]:
    """Extremes at each size, and what the regulariser says of all sizes."""
    from teacherstudent.theory.orthogonal_convolution.existence import singular_value_bounds

    theory, drawn = numbers["theory_sizes"], numbers["drawn_sizes"]
    levels = [float(theory[ERROR].isel(size=0, time=i)) for i in range(len(STAGES))]
    looks = style.ordered_looks([f"(a) $L$ = {level:.2g}" for level in levels])
    off: dict[style.Look, xr.DataArray] = {}
    for i, look in enumerate(looks):
        for name in EXTREMES:
            style.theory(axes[0], theory.isel(time=i), "size", name, look)
            axes[0].plot(drawn["size"], drawn[name].isel(time=i), **style.marked(look))
        for bound in singular_value_bounds(SYSTEM.instance(**LAYER), levels[i]):
            axes[0].axhline(bound, color=look.colour, **style.APPROXIMATION)
        off[look] = drawn[f"{EXTREMES[1]}_off"].isel(time=i)
    residuals.bounded(axes[1], off)
    axes[0].set(xscale="log", title="(a) Extreme singular values of the layer")
    axes[0].set_ylabel("extreme singular values $s$ [dimensionless]")
    axes[1].set_xlabel(style.axis_label(theory["size"]))
    style.ticks(axes[1].xaxis, DRAWN_SIZES)
    return looks


def _draw_training(axes: Sequence[Any], numbers: Numbers) -> list[style.Look]:
    """The regulariser of each draw of each layer."""
    from teacherstudent.theory.orthogonal_convolution.existence import least

    looks = [style.Look(f"(b) {name}", *LOOKS[name]) for name in SHAPES]
    off: dict[style.Look, xr.DataArray] = {}
    for i, look in enumerate(looks):
        theory, drawn = numbers[f"theory_{i}"], numbers[f"drawn_{i}"]
        for draw in range(theory.sizes["seed"]):
            style.theory(axes[0], theory.isel(seed=draw), "time", ERROR, look, lw=1.1)
            axes[0].plot(drawn["time"], drawn[ERROR].isel(seed=draw), **style.marked(look))
        values = drawn[f"{ERROR}_off"]
        worst = abs(values).fillna(0).argmax("seed")
        off[look] = values.isel(seed=worst)
        if value := least(SYSTEM.instance(**list(SHAPES.values())[i][1])):
            axes[0].axhline(value, color=look.colour, **LEAST)
    late = np.array([2.0, TIMES.high])
    axes[0].plot(late, 1 / (32 * late**2), color=style.ORANGE, **style.APPROXIMATION)
    residuals.bounded(axes[1], off)
    axes[0].set(xscale="log", yscale="log", ylim=(1e-9, 20), title="(b) Training on the regulariser only")
    axes[0].set_ylabel(style.axis_label(theory[ERROR]))
    axes[1].set_xlabel(style.axis_label(theory["time"]))
    return looks


FIGURE = Figure(
    id=ID,
    title="One regulariser makes layers orthogonal for every signal length, but not every layer can reach "
    "zero",
    caption=(
        "Convolutions are trained to preserve lengths of vectors. (a) Largest and smallest singular value "
        "of one layer at three training times, over the length of the signals. The regulariser L does not "
        "depend on the signal length, and its bounds on singular values (dashed) hold for every length. (b) "
        f"The regulariser during training on it alone, for {DRAWS} drawn kernels of each layer. If an "
        "orthogonal kernel exists and windows do not overlap, all singular values converge to 1 "
        "exponentially. If windows overlap, some kernels converge only as a power of time (dashed). If a "
        "layer has more rows than a window has numbers, or if windows skip inputs, L cannot fall below a "
        "whole number (dotted). Solid: theory for the same kernels. Markers: (a) matrix of the layer from "
        "its impulse responses, (b) training by the gradient of L. Below: simulation minus theory in units "
        "of the declared errors; (b) shows the draw with the largest difference."
    ),
    paper="isis2021",
    ref="the talk of El-Mehdi Achour; layers: ours",
    compute=compute,
    draw=draw,
    small=constants(
        __name__,
        FEW=1,
        SIZES=(2, 4),
        DRAWN_SIZES=(2,),
        SHAPES=dict(list(SHAPES.items())[2:3]),
        TIMES=Span(0.05, 1, 3),
        RECORDED=(0.1, 0.5),
        STAGES=(0.1, 0.2, 0.3),
    ),
)
