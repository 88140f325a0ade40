"""Our own figure: kernels on digits, predicted over training and over n, and where to stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from teacherstudent.figures.declaration import Figure, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.measured_spectrum import own_kernel_numbers, panels, rows
from teacherstudent.figures.measured_spectrum.own_kernel_numbers import (
    ID,
    KERNELS,
    NOISE,
    QUICK_SUBSETS,
    SUBSETS,
    TRAINED,
    compute,
)

if TYPE_CHECKING:
    from matplotlib.gridspec import GridSpec

    from teacherstudent.figures.declaration import Canvas, Numbers

NAMES = {"rbf": "Gaussian kernel", "ntk": "tangent kernel"}
COLOURS = {"rbf": (style.ORANGE, style.VERMILION), "ntk": (style.SKY, style.BLUE)}
PLACES = {"stopped": "stopped as predicted", "end": "after the last step"}
MARKED = {"stopped": {"rbf": "P", "ntk": "D"}, "end": {"rbf": "X", "ntk": "v"}}


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column each: over training, over n, and the stopping time over n."""
    family = style.ordered_looks([f"(a) n = {n}" for n in TRAINED])
    trained = {f"trained_{n}": look for n, look in zip(TRAINED, family, strict=True)}
    over_n = {
        f"{place}_{kernel}": style.Look(
            f"(b) {NAMES[kernel]}, {words}", COLOURS[kernel][row], MARKED[place][kernel]
        )
        for kernel in KERNELS
        for row, (place, words) in enumerate(PLACES.items())
    }
    grid = panels.layout(canvas, 3, 17, 12)
    columns = [panels.column(canvas, grid, place) for place in range(2)]
    for axes, looks, x in zip(columns, (trained, over_n), ("time", "n"), strict=True):
        panels.draw_column(axes, numbers, looks, x)
        axes[0].set_xscale("log")
    columns[0][0].set_title(f"(a) Over training, {NAMES['rbf']}")
    columns[1][0].set_title("(b) Over the number of rows, both kernels")
    draw_stopping(canvas, grid, numbers)
    simulated = {name: answer for name, answer in numbers.items() if name.startswith("simulation_")}
    draws = next(iter(simulated.values())).attrs["n_seeds"]
    legends.around(
        canvas,
        [*trained.values(), *over_n.values()],
        panels.entries(draws),
        above=4,
        fixed=f"{rows.POOL} digits as ten outputs, label noise {NOISE:g} on each, no ridge, start at 0; "
        f"learning rate $\\eta$ = "
        + ", ".join(f"{rate:g} ({NAMES[kernel]})" for kernel, rate in KERNELS.items()),
        notes=panels.off(list(simulated.values())),
    )


def draw_stopping(canvas: Canvas, grid: GridSpec, numbers: Numbers) -> None:
    """Predicted and measured stopping times over n; below, what stopping as predicted costs."""
    top = canvas.add_subplot(grid[0, 2])
    below = canvas.add_subplot(grid[1:, 2], sharex=top)
    for kernel in KERNELS:
        found = numbers[f"stopping_{kernel}"]
        look = style.Look("", COLOURS[kernel][0], MARKED["stopped"][kernel])
        style.theory(top, found, "n", "predicted", look)
        reach = [found["measured"] - found["earliest"], found["latest"] - found["measured"]]
        top.errorbar(found["n"], found["measured"], yerr=reach, **style.marked(look), **style.BARS)
        below.errorbar(found["n"], found["cost"], yerr=found["cost_stderr"], **style.marked(look), **style.BARS)
    top.set(xscale="log", yscale="log", title="(c) Where to stop")
    style.ticks(top.yaxis, (50, 100, 200, 300, 500, 1000))
    top.set_ylabel(style.axis_label(found["predicted"], "step at which the risk is least"))
    top.tick_params(labelbottom=False)
    below.axhline(0, color="0.4", lw=0.8)
    below.set_ylabel(f"risk at the predicted step over the least measured, minus 1 [{found['cost'].attrs['units']}]")
    below.set_xlabel(style.axis_label(found["n"]))


FIGURE = Figure(
    id=ID,
    title="Kernels on digits: learning curves, and where to stop, predicted",
    caption="Gaussian kernel.",
    paper="pezeshki2022",
    ref="Sect. 4.2.1: measured features",
    compute=compute,
    draw=draw,
    small=constants(rows.__name__, POOL=90)
    | constants(own_kernel_numbers.__name__, QUICK_SUBSETS=3, TRAINED=(10, 20), SIZES=(10, 40)),
)
