"""Our own figure: kernels on digits, predicted over training and over n, and where to stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.measured_spectrum import panels
from teacherstudent.house.grids import Span

if TYPE_CHECKING:
    from matplotlib.gridspec import GridSpec


from collections.abc import Sequence

import xarray as xr

from teacherstudent.figures.kit.comparison import Curve, draws_of, mean_and_error
from teacherstudent.figures.measured_spectrum import claims, rows
from teacherstudent.figures.measured_spectrum.claims import RISK
from teacherstudent.house.tables import as_table

ID = "own-kernel"
SUBSETS, QUICK_SUBSETS = 12, 6
NOISE = 0.2
KERNELS = {"rbf": 0.02, "ntk": 0.1}
"""Each with the learning rate of gradient descent."""
TRAINED = (60, 180, 540)
"""Training rows of the curves over time, of the first kernel."""
LINES, RECORDED = Span(1, 1e5, 60), Span(1, 1e5, 11)
SIZES = (30, 60, 100, 170, 280, 430, 640)
LINE_SIZES = (
    *(30, 34, 38, 42, 47, 53, 60, 68, 77, 88, 100, 114, 130, 149, 170, 194, 220, 248, 280, 313, 350, 388),
    *(430, 478, 530, 583, 640),
)
"""Training rows at which subsets are drawn, and at which the claims are drawn as lines."""
STEPS, END = Span(30, 3000, 61), 1e5
"""Steps among which training may stop, and the last one, of every route."""
LINE_STEPS = Span(30, 3000, 121)
"""Those for the line: so fine that it does not look like stairs."""
POOL = 800
"""Digits that are used: a kernel of all 1797 takes five times as long."""


def compute(quick: bool) -> Numbers:
    """Risk over training at several n, and over n where training stops as predicted and at its end."""
    seeds = draws_of(ID, quick, SUBSETS, QUICK_SUBSETS)
    first = next(iter(KERNELS))
    numbers: Numbers = {}
    for n in TRAINED:
        numbers |= claims.answers(f"trained_{n}", question(first, n), LINES, RECORDED, seeds)
    for kernel in KERNELS:
        found = [stopping(question(kernel, n), seeds) for n in SIZES]
        for name in found[0]:
            numbers[f"{name}_{kernel}"] = claims.over_n([each[name] for each in found], SIZES)
        claimed = [predicted(question(kernel, n)) for n in LINE_SIZES]
        for name in claimed[0]:
            numbers[f"{name}_{kernel}"] = claims.over_n([each[name] for each in claimed], LINE_SIZES)
    return numbers


def question(kernel: str, n: int) -> Curve:
    """Ten outputs, one for each digit, from a kernel of the pixels."""
    images, shown = (each[:POOL] for each in rows.digits())
    given = {
        "features": as_table(rows.unit_trace(images)),
        "targets": as_table(shown),
        "task": "classification",
    }
    training = {"n": n, "intercept": "pool", "noise": NOISE, "learning_rate": KERNELS[kernel]}
    return Curve(claims.ID, "descent", {**given, "kernel": kernel, **training})


def predicted(curve: Curve) -> Numbers:
    """Where the limit says to stop (`stop`); by each claim, the risk there (`stopped`) and at the `end`."""
    limit = curve.by("asymptotic", (*LINE_STEPS.values(), END))
    two = limit.isel(time=[int(limit[RISK][:-1].argmin("time")), -1])
    found = {"stop": xr.Dataset({"predicted": ((), two["time"].values[0], two["time"].attrs)})}
    doubt = claims.doubted(curve, two)["spread"]
    for route in claims.CLAIMS:
        answer = curve.by(route, two["time"].values).assign(spread=doubt)
        found |= {f"{route}_stopped": answer.isel(time=[0]), f"{route}_end": answer.isel(time=[1])}
    return found


def stopping(curve: Curve, seeds: Sequence[int]) -> Numbers:
    """By every route, the risk where the limit says to stop and at the end; and where draws say to stop."""
    limit, drawn = curve.by("asymptotic", STEPS), curve.by("instance", (*STEPS.values(), END), seeds)
    place = int(limit[RISK].argmin("time"))
    found = claims.doubted(curve, curve.compared(drawn.isel(time=[place, -1]), claims.CLAIMS))
    return {
        "stopping": stopping_times(drawn.isel(time=slice(-1)), place),
        "simulation_stopped": found.isel(time=[0]),
        "simulation_end": found.isel(time=[1]),
    }


def stopping_times(drawn: xr.Dataset, predicted: int) -> xr.Dataset:
    """The predicted stopping time, the place `predicted` among those of the draws, and the measured one.

    measured: where the mean risk over draws is least; from `earliest` to `latest` it is larger by less than
    two standard errors of the difference. cost: by how much the predicted time raises that risk, per cent.
    """
    mean, _ = mean_and_error(drawn[RISK])
    least = int(mean.argmin("time"))
    above, error = mean_and_error(drawn[RISK] - drawn[RISK].isel(time=least))
    level = drawn["time"].values[(above <= 2 * error).values]
    clock = drawn["time"].attrs
    percent = {"units": "per cent", "long_name": "cost of stopping as predicted", "symbol": "c"}
    return xr.Dataset(
        {
            "predicted": ((), drawn["time"].values[predicted], clock),
            "measured": ((), drawn["time"].values[least], clock),
            "earliest": ((), level.min(), clock),
            "latest": ((), level.max(), clock),
            "cost": ((), 100 * float(above[predicted] / mean[least]), percent),
            "cost_stderr": ((), 100 * float(error[predicted] / mean[least]), percent),
        },
        attrs={"n_seeds": drawn.sizes["seed"]},
    )


NAMES = {"rbf": "Gaussian kernel", "ntk": "tangent kernel"}
COLOURS = {"rbf": (style.ORANGE, style.VERMILION), "ntk": (style.SKY, style.BLUE)}
PLACES = {"stopped": "stopped as predicted", "end": "after the last step"}
MARKED = {"stopped": {"rbf": "P", "ntk": "D"}, "end": {"rbf": "X", "ntk": "v"}}


TITLE = "(b) Risk over the number of rows"
TICKS = (30, 100, 300, 640)


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
    grid = panels.layout(canvas)
    columns = [
        panels.column(numbers, trained, "time", f"(a) Risk over training, {NAMES['rbf']}", log="x"),
        panels.column(numbers, over_n, "n", TITLE, log="x", ticks={"x": TICKS}),
    ]
    panels.draw(canvas, grid, columns)
    draw_stopping(canvas, grid, numbers)
    simulated = {name: answer for name, answer in numbers.items() if name.startswith("simulation_")}
    draws = next(iter(simulated.values())).attrs["n_seeds"]
    legends.around(
        canvas,
        [*trained.values(), *over_n.values()],
        [
            *panels.entries(draws, "; (b, c) exact given each"),
            legends.simulation("(c) step of the smallest mean; bars: steps within two standard errors"),
        ],
        fixed=f"{POOL} digits as ten outputs, label noise {NOISE:g} on each, no ridge, "
        "start at 0; learning rate $\\eta$ = "
        + ", ".join(f"{rate:g} ({NAMES[kernel]})" for kernel, rate in KERNELS.items()),
        notes=panels.off(list(simulated.values())),
    )


def draw_stopping(canvas: Canvas, grid: GridSpec, numbers: Numbers) -> None:
    """Predicted and measured stopping times over n; below, what stopping as predicted costs."""
    top = canvas.add_subplot(grid[:2, 2])
    below = canvas.add_subplot(grid[2:, 2], sharex=top)
    for kernel in KERNELS:
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
    top.set_ylabel(style.axis_label(found["predicted"], "step of the smallest risk"))
    below.axhline(0, color="0.4", lw=0.8)
    below.set_ylabel(f"extra risk at the predicted step [{found['cost'].attrs['units']}]")
    top.tick_params(labelbottom=False)
    below.set_xlabel(style.axis_label(found["n"]))


FIGURE = Figure(
    id=ID,
    title="Theory predicts the learning curves of kernels on digits, and where to stop",
    caption=(
        f"{POOL} digits of scikit-learn as ten outputs, one for each digit, with label noise {NOISE:g} on "
        "each. A kernel learns n of them from zero, without ridge; the rest are test examples. The length "
        "of the Gaussian kernel is the median distance of two rows. The tangent kernel belongs to a wide "
        "rectified network with one hidden layer. (a) Risk of the Gaussian kernel over the steps of "
        "gradient descent. (b) Risk over n if training stops at the step at which the limit is smallest, "
        f"and after {style.number(END)} steps. At the last step the Gaussian kernel has fitted the noise, "
        "and above some n additional rows increase its risk. (c) Line: step at which the limit is smallest. "
        "Markers: step at which the mean over subsets is smallest. Bars: steps at which the mean is larger "
        "by less than two standard errors of the difference. Below: relative excess of the measured risk at "
        f"the predicted step. {panels.READING} Markers: (a) gradient descent; (b, c) its exact dynamics; "
        f"mean of {SUBSETS} subsets ({QUICK_SUBSETS} in the quick version)."
    ),
    paper="canatar2021",
    ref=(
        "kernel regression from the spectrum and the target's power in each mode; bodin2023 for training "
        "time; the formulas for rows of a pool are derived here"
    ),
    compute=compute,
    draw=draw,
    small=constants(
        __name__,
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
