"""Our own figure: kernels on digits, predicted over training and over n, and where to stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.measured_spectrum import own_kernel_numbers as asked
from teacherstudent.figures.measured_spectrum import panels
from teacherstudent.house.grids import Span

if TYPE_CHECKING:
    from matplotlib.gridspec import GridSpec

NAMES = {"rbf": "Gaussian kernel", "ntk": "tangent kernel"}
COLOURS = {"rbf": (style.ORANGE, style.VERMILION), "ntk": (style.SKY, style.BLUE)}
PLACES = {"stopped": "stopped as predicted", "end": "after the last step"}
MARKED = {"stopped": {"rbf": "P", "ntk": "D"}, "end": {"rbf": "X", "ntk": "v"}}


TICKS = (30, 100, 300, 640)


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column each: over training, over n, and the stopping time over n."""
    family = style.ordered_looks([f"(a) n = {n}" for n in asked.TRAINED])
    trained = {f"trained_{n}": look for n, look in zip(asked.TRAINED, family, strict=True)}
    over_n = {
        f"{place}_{kernel}": style.Look(
            f"(b) {NAMES[kernel]}, {words}", COLOURS[kernel][row], MARKED[place][kernel]
        )
        for kernel in asked.KERNELS
        for row, (place, words) in enumerate(PLACES.items())
    }
    grid = panels.layout(canvas, 3, 17, 12)
    columns = [panels.column(canvas, grid, place) for place in range(2)]
    for axes, looks, x in zip(columns, (trained, over_n), ("time", "n"), strict=True):
        panels.draw_column(axes, numbers, looks, x)
        axes[0].set_xscale("log")
    style.ticks(columns[1][0].xaxis, TICKS)
    columns[0][0].set_title(f"(a) Over training, {NAMES['rbf']}")
    columns[1][0].set_title("(b) Over the number of rows, both kernels")
    draw_stopping(canvas, grid, numbers)
    simulated = {name: answer for name, answer in numbers.items() if name.startswith("simulation_")}
    draws = next(iter(simulated.values())).attrs["n_seeds"]
    legends.around(
        canvas,
        [*trained.values(), *over_n.values()],
        [
            *panels.entries(draws, "; (b, c) exact given each"),
            legends.simulation("(c) step of the least mean; bars: larger by less than two standard errors"),
        ],
        above=4,
        fixed=f"{asked.POOL} digits as ten outputs, label noise {asked.NOISE:g} on each, no ridge, "
        "start at 0; learning rate $\\eta$ = "
        + ", ".join(f"{rate:g} ({NAMES[kernel]})" for kernel, rate in asked.KERNELS.items()),
        notes=panels.off(list(simulated.values())),
    )


def draw_stopping(canvas: Canvas, grid: GridSpec, numbers: Numbers) -> None:
    """Predicted and measured stopping times over n; below, what stopping as predicted costs."""
    top = canvas.add_subplot(grid[0, 2])
    below = canvas.add_subplot(grid[1:, 2], sharex=top)
    for kernel in asked.KERNELS:
        found = numbers[f"stopping_{kernel}"]
        look = style.Look("", COLOURS[kernel][0], MARKED["stopped"][kernel])
        style.theory(top, numbers[f"stop_{kernel}"], "n", "predicted", look)
        reach = [found["measured"] - found["earliest"], found["latest"] - found["measured"]]
        top.errorbar(found["n"], found["measured"], yerr=reach, **style.marked(look), **style.BARS)
        below.errorbar(
            found["n"], found["cost"], yerr=found["cost_stderr"], **style.marked(look), **style.BARS
        )
    top.set(xscale="log", yscale="log", title="(c) Where to stop")
    style.ticks(top.xaxis, TICKS)
    style.ticks(top.yaxis, (50, 100, 200, 300, 500, 1000))
    top.set_ylabel(style.axis_label(found["predicted"], "step at which the risk is least"))
    top.tick_params(labelbottom=False)
    below.axhline(0, color="0.4", lw=0.8)
    below.set_ylabel(
        f"risk at the predicted step over the least measured, minus 1 [{found['cost'].attrs['units']}]"
    )
    below.set_xlabel(style.axis_label(found["n"]))


FIGURE = Figure(
    id=asked.ID,
    title="Kernels on digits: learning curves, and where to stop, predicted",
    caption=(
        f"{asked.POOL} digits of scikit-learn as ten outputs, one for each digit, label noise "
        f"{asked.NOISE:g} on each; n of them are learned by a kernel from zero, without ridge, and the rest "
        "tests. Gaussian kernel: its length is the median distance of two rows. Tangent kernel: of a wide "
        "rectified network with one hidden layer. (a) Gaussian kernel over the steps of gradient descent. "
        f"(b) Over n: stopped at the step at which the limit is least, and after {style.number(asked.END)} "
        "steps. Trained to its end, the Gaussian kernel fits the noise, and from some n on more rows make "
        "it worse. (c) The step at which the limit is least (line), and the one at which the mean over "
        "subsets is (markers; bars: all steps at which it is larger by less than two standard errors of the "
        f"difference); below, how much larger the measured risk is at the predicted step. {panels.READING} "
        "Markers: (a) gradient descent, every step (late ones composed); (b, c) its exact dynamics; mean of "
        f"{asked.SUBSETS} subsets ({asked.QUICK_SUBSETS} in the quick version)."
    ),
    paper="canatar2021",
    ref="kernel regression from the spectrum and the target's power in it; bodin2023: over training; of the "
    "rows of a pool: derived here",
    compute=asked.compute,
    draw=draw,
    small=constants(
        asked.__name__,
        POOL=90,
        QUICK_SUBSETS=3,
        TRAINED=(10,),
        SIZES=(10, 40),
        LINE_SIZES=(10, 20, 40),
        LINES=Span(1, 1e5, 20),
        RECORDED=Span(1, 1e5, 5),
        STEPS=Span(30, 3000, 9),
        LINE_STEPS=Span(30, 3000, 9),
    ),
)
