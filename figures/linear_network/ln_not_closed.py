"""Our own figure: a loss that falls for ever while the weights grow, because no weights attain its least."""

from __future__ import annotations

from typing import Any

import numpy as np

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, residuals, style
from teacherstudent.figures.kit.comparison import Curve, draws_of, mean_and_error, on_clock
from teacherstudent.house.grids import Span
from teacherstudent.house.running import summarise

ID = "ln-not-closed"
VALUES = (1.0, 1.0)
RATE, INITS = 5e-3, (0.3, 1.0, 2.0)
LARGE_RATES, LARGE_INIT = (0.02, 0.05), 1.0
"""Larger steps, at which descent stops to follow its flow before the last time."""
TIMES, DRAWN = Span(1.0, 1e4, 200), Span(1.0, 1e4, 17)
LATE = 100.0
"""Time t/tau from which the approach to the law is shown."""
DRAWS, FEW = 20, 5
NAMES = {"residual": "residual", "squared_norm": "squared norm of all weights"}


def _curve(dynamics: str, init: float, **clock: float) -> Curve:
    question: dict[str, Any] = {"support": "triangular", "singular_values": VALUES, "init": init, **clock}
    return Curve("linear-network", dynamics, question)


def compute(quick: bool) -> Numbers:
    """The law, and descent by init and by learning rate; of small steps also what the law misses."""
    from teacherstudent.theory.linear_network.unattained import next_order

    found: Numbers = {"law": _curve("flow", LARGE_INIT).by("power-law", TIMES)}
    small = [(f"init_{init:g}", init, RATE) for init in INITS]
    large = [(f"rate_{rate:g}", LARGE_INIT, rate) for rate in LARGE_RATES]
    for name, init, rate in (*small, *large):
        seeds = draws_of(ID, quick, DRAWS, FEW, name)
        steps = np.unique(np.rint(np.array(DRAWN.values()) / rate))
        answer = _curve("descent", init, learning_rate=rate).by("simulation", steps, seeds)
        drawn = on_clock(answer, "flow", rate)
        found[name] = summarise(drawn)
        if rate == RATE:
            times = drawn["time"].values
            late = drawn.isel(time=times >= LATE)
            law = _curve("flow", init).by("power-law", late["time"].values)
            mean, error = mean_and_error(late["residual"] / law["residual"] - 1)
            found[name] = found[name].assign(missed=mean, missed_stderr=error)
            found["bound"] = law.assign(missed=("time", next_order(law["residual"], VALUES[0])))
    return found


def looks() -> dict[str, style.Look]:
    """Of the starts, light to dark, and of the larger steps."""
    starts = style.ordered_looks([f"$\\sigma_0$ = {init:g}, $\\eta$ = {RATE:g}" for init in INITS])
    steps = [
        style.Look(f"$\\sigma_0$ = {LARGE_INIT:g}, $\\eta$ = {rate:g}", colour, marker)
        for rate, colour, marker in zip(LARGE_RATES, (style.VERMILION, style.PURPLE), "vP", strict=False)
    ]
    names = [*(f"init_{init:g}" for init in INITS), *(f"rate_{rate:g}" for rate in LARGE_RATES)]
    return dict(zip(names, [*starts, *steps], strict=True))


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """The residual on the left, with what the law misses below; the squared norm on the right."""
    style.size(canvas, 3.7)
    grid = canvas.add_gridspec(2, 2, height_ratios=residuals.heights(1))
    left = residuals.stack(canvas, grid, 0, ["sim./law − 1\n[dimensionless]"])
    right = canvas.add_subplot(grid[:, 1])
    curves = looks()
    for axes, (name, called) in zip((left[0], right), NAMES.items(), strict=True):
        style.approximation(axes, numbers["law"], "time", name, style.Look("", style.BLACK, ""))
        for key, look in curves.items():
            style.simulation(axes, numbers[key], "time", name, look)
        axes.set(xscale="log", yscale="log", ylabel=style.axis_label(numbers["law"][name], called))
    _edges(left[0], right, curves)
    bound = numbers["bound"]
    shown = {
        look: (numbers[key]["missed"].dropna("time"), numbers[key]["missed_stderr"].dropna("time"))
        for key, look in curves.items()
        if key.startswith("init_")
    }
    residuals.measured(left[1], shown, bound["missed"])
    for axes in (left[1], right):
        axes.set_xlabel(style.axis_label(numbers["law"]["time"], "flow time"))
    left[0].set_title("(a) Residual")
    right.set_title("(b) Squared norm of the weights")
    draws = numbers[f"init_{INITS[0]:g}"].attrs["n_seeds"]
    entries = [
        legends.approximation(
            "late-time law (approximation): $\\rho = (3t/\\tau)^{-1/3}$, $|\\theta|^2 = 4/\\rho$",
            style.BLACK,
        ),
        legends.theory("theory: descent leaves the law where $|\\theta|^2 = 2/\\eta$", ls=":", lw=1.2),
        legends.draws(draws),
        legends.bound("next order of the law, for layers of equal norm: $7\\rho^2/2$"),
    ]
    fixed = (
        "$W_1$ upper, $W_2$ lower triangular, 2 × 2, trained towards [[0, 1], [1, 0]] at learning rate "
        "$\\eta$\nfrom random weights of standard deviation $\\sigma_0$; residual $\\rho = |Y - W_2 W_1 X|$, "
        "training loss $\\rho^2/2$"
    )
    legends.around(canvas, list(curves.values()), entries, fixed=fixed)


def _edges(left: Axes, right: Axes, curves: dict[str, style.Look]) -> None:
    """Where the weights stop to grow at each of the larger rates: the curvature |theta|^2 is 2/eta."""
    for rate in LARGE_RATES:
        colour = curves[f"rate_{rate:g}"].colour
        for axes, level in ((left, 2 * rate), (right, 2 / rate)):
            axes.axhline(level, color=colour, ls=":", lw=1.2)


FIGURE = Figure(
    id=ID,
    title="Triangular factors approach a matrix that they cannot reach, so the loss falls forever",
    caption=(
        "Gradient descent on W_2 W_1, with W_1 upper and W_2 lower triangular, towards the target Y = [[0, "
        "1], [1, 0]]. No such product equals Y, but products come arbitrarily close. (a) The residual rho = "
        "|Y - W_2 W_1 X| falls as (3t)^(-1/3) from small and large random starts; a small start first waits "
        "at a saddle. (b) The weights grow without bound, because |theta|^2 rho tends to 4. The curvature "
        "of the loss is |theta|^2. At learning rate eta, descent leaves the law when |theta|^2 reaches "
        "2/eta (dotted lines) and stays there, except for bursts. Lower left: relative excess of the "
        "residual over the law; the band is the next order of the law."
    ),
    paper="isis2021",
    ref="fixed supports (Le, Zheng); example: ours, products with a support that are not closed",
    compute=compute,
    draw=draw,
    small=constants(
        __name__,
        RATE=0.05,
        INITS=(1.0, 2.0),
        LARGE_RATES=(0.1,),
        TIMES=Span(1.0, 200, 20),
        DRAWN=Span(1.0, 200, 6),
        FEW=3,
    ),
)
