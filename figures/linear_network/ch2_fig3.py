"""Fig. 3 of pezeshki2022 ch. 2: modes are learned along sigmoids, and their layers along hyperbolas."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, residuals, style
from teacherstudent.figures.kit.columns import Column, Trace
from teacherstudent.figures.kit.comparison import DRAWS, FEWEST, QUICK_DRAWS, Curve, draws_of, on_clock
from teacherstudent.house.grids import Span
from teacherstudent.house.running import summarise
from teacherstudent.problems.linear_network import PROBLEM
from teacherstudent.problems.linear_network import draw as sample

ID = "ch2-fig3"
VALUES, U0, BALANCE = (4.0, 2.5, 1.0), 0.01, 2.0
UNBALANCED_START = {"singular_values": VALUES[-1:], "balance": BALANCE}
RATES = (8e-3, 4e-3)
"""Of which the second is half the first."""
RESIDUAL = {
    "units": "step-size errors",
    "long_name": "simulation at learning rate 0 minus theory",
    "symbol": "e",
}
CHANGE = {
    "units": "output",
    "long_name": "change at half the learning rate",
    "symbol": "u_fine - u_coarse",
}
DENSE, SPARSE = Span(0, 8, 321, "lin"), Span(0, 8, 41, "lin")

INIT, HIDDEN, SMALL_RATE, LAWFUL = 0.01, 3, 1e-3, 4000
RESOLVED = 2e-3
"""Of s: with standard errors below this, the finite scale of the weights would show, not chance."""

STARTS = (
    (0.3, -0.2),
    (-0.5, 0.55),
    (0.02, 0.02),
    (-0.02, -0.02),
    (1.6, -0.3),
    (-1.9, 0.1),
    (0.1, 2.1),
    (-0.6, -2.0),
)
LEVELS = (-4.0, -2.0, -1.0, -0.25, 0.0, 0.25, 1.0, 2.0, 4.0)
EXTENT, PORTRAIT_RATE = 2.4, 0.02
MARKED = (0, 0.4, 0.8, 1.2, 1.6, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 9.0)
"""Flow times at which simulated trajectories are marked."""


def compute(quick: bool) -> Numbers:
    """Decoupled modes at two learning rates, small random weights, and the plane of one mode."""
    seeds = draws_of(ID, quick)
    return {**decoupled(seeds), **random(seeds), **portrait(seeds[0])}


def decoupled(seeds: list[int]) -> Numbers:
    """Theory, simulations, and residuals of their limit in step-size errors: only the frames are random.

    The step-size error of a mode is the largest change over time that halving the learning rate makes.
    Extrapolated to learning rate 0 by that change, the simulation is left with the next order.
    """
    numbers = {}
    for name, values in (("balanced", {"singular_values": VALUES}), ("unbalanced", UNBALANCED_START)):
        start: dict[str, Any] = {"u0": (U0,), **values}
        flow = Curve("linear-network", "flow", start)
        numbers[f"theory_{name}"] = flow.by("closed-form", DENSE)
        coarse, fine = (simulated(start, rate, seeds[:1]).isel(seed=0) for rate in RATES)
        theory = flow.by("closed-form", fine["time"].values)
        change = fine["u"] - coarse["u"].values
        residual = (fine["u"] + change - theory["u"]) / abs(change).max("time")
        numbers[f"simulation_{name}"] = fine.assign(
            residual=residual.assign_attrs(RESIDUAL), change=change.assign_attrs(CHANGE)
        )
    return numbers


def simulated(start: dict[str, Any], rate: float, seeds: list[int]) -> xr.Dataset:
    """Gradient descent at the sparse flow times, on their clock."""
    steps = [round(t / rate) for t in SPARSE.values()]
    descent = Curve("linear-network", "descent", {**start, "learning_rate": rate})
    return on_clock(descent.by("simulation", steps, seeds), "flow", rate)


def random(seeds: list[int], **shape: int) -> Numbers:
    """Means over draws from small random weights; theory over many draws of its own.

    Residuals are in standard errors that follow from the spread of theory's draws: most of few draws have
    learned a mode late in training, and their own spread then knows nothing of the slow ones.

    `shape` gives numbers of units where they are not the number of modes.
    """
    start = {"singular_values": VALUES, "init": INIT, "hidden": HIDDEN, **shape}
    seen = summarise(simulated(start, SMALL_RATE, seeds))
    others = draws_of(f"{ID}-law", False, LAWFUL)
    by = Curve("linear-network", "flow", start).by
    theory = summarise(by("effective", DENSE, others))
    at = summarise(by("effective", seen["time"].values, others))
    spread = at["u_stderr"] * (1 + len(others) / len(seeds)) ** 0.5
    attrs = {"units": "standard error", "long_name": "simulation minus theory", "symbol": "z"}
    gap = (seen["u"] - at["u"]) / spread
    gap = gap.where(spread > RESOLVED * gap["singular_value"]).assign_attrs(attrs)
    return {"theory_random": theory, "simulation_random": seen.assign(residual=gap)}


def portrait(seed: int) -> Numbers:
    """The plane of a and b at s = 1: field, hyperbolas, ends, and both witnesses' trajectories."""
    from teacherstudent.theory.linear_network import modes, phase_portrait

    grid = np.linspace(-EXTENT, EXTENT, 25)
    da, db = phase_portrait.velocity(grid, grid[:, None], 1.0)
    along, positive = np.linspace(-EXTENT, EXTENT, 121), np.geomspace(1 / EXTENT, EXTENT, 81)
    branches = np.stack([phase_portrait.hyperbola(c, along) for c in LEVELS], axis=1)
    ends = np.stack(phase_portrait.solutions(1.0, positive))
    clock, starts = np.linspace(0, MARKED[-1], 451), np.array(STARTS)
    exact = modes.amplitudes(clock, 1.0, starts[:, :1], starts[:, 1:])
    steps = np.rint(np.array(MARKED) / PORTRAIT_RATE)
    seen = simulated_amplitudes(starts, steps, seed)
    return {
        "field": xr.Dataset({"da": (("b", "a"), da), "db": (("b", "a"), db)}, {"a": grid, "b": grid}),
        "hyperbolas": points(branches, "c").assign_coords(c=list(LEVELS)),
        "ends": points(ends),
        "theory_amplitudes": points(exact, "start", "time").assign_coords(time=clock),
        "simulation_amplitudes": points(seen, "start", "time").assign_coords(time=PORTRAIT_RATE * steps),
    }


def points(values: Any, *dims: str) -> xr.Dataset:
    """Both layers' amplitudes a and b with their names and units; the last axis is `point` unless named."""
    axes = dims if "time" in dims else (*dims, "point")
    columns = {
        symbol: (
            axes,
            array,
            {"symbol": symbol, "units": "√output", "long_name": f"{layer} layer's amplitude"},
        )
        for symbol, layer, array in zip("ab", ("first", "second"), values, strict=True)
    }
    return xr.Dataset(columns)


def simulated_amplitudes(starts: Any, steps: Any, seed: int) -> tuple[Any, Any]:
    """a and b (start, time) along the hidden direction of a trained network with 2 inputs and outputs."""
    from teacherstudent.sims.linear_network.descent import layer_trajectory
    from teacherstudent.sims.linear_network.modes import connectivity_modes

    problem = PROBLEM.instance(singular_values=(1.0,), u0=(0.25,), inputs=2, outputs=2, hidden=3)
    draws = sample(problem, [seed] * len(starts))
    first, second = (2 * layer for layer in draws.weights)  # both gains are 1/2 at u0 = 1/4
    scaled = starts[:, 0, None, None] * first, starts[:, 1, None, None] * second
    hidden = (first @ draws.right)[..., 0]
    layers = layer_trajectory(replace(draws, weights=scaled), steps, PORTRAIT_RATE)
    a, b = (np.einsum("stmh,sh->st", modes, hidden) for modes in connectivity_modes(draws, layers))
    return a, b


UNBALANCED = style.Look(f"$s = {VALUES[-1]:g}$, unbalanced: $c = {BALANCE:g}$", style.ORANGE, "D")
PORTRAIT = style.Look("$a$ and $b$ from several starts", style.PURPLE, "o")
ARROWS = {"color": "0.75"}
BEGIN = style.Look("start", style.PURPLE, "o", filled=True)
ENDS = style.Look("end of learning, $ab = s$", style.BLACK, "")


def looks() -> list[style.Look]:
    """A look for each mode, the darkest for the largest singular value."""
    return style.ordered_looks([f"$s = {s:g}$" for s in reversed(VALUES)])[::-1]


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Sigmoids left and middle, above their residuals; the plane of one mode right."""
    style.size(canvas, residuals.tall(1) + PORTRAIT_HEIGHT)
    grid = canvas.add_gridspec(3, 2, height_ratios=[*residuals.heights(1), PORTRAIT_HEIGHT])
    panels = columns.draw_on(canvas, grid, [decoupled_modes(numbers), random_modes(numbers)])
    plane = canvas.add_subplot(grid[2, :])
    draw_portrait(plane, numbers)
    for letter, axes in zip("abc", (panels[0][0], panels[1][0], plane), strict=True):
        axes.set_title(f"({letter}) {axes.get_title()}")
    curves = [*looks(), UNBALANCED, PORTRAIT, legends.curve(ENDS, lw=2.6)]
    fixed = (
        f"White inputs, two layers; learning rate $\\eta$: (a) {RATES[-1]:g} (residual: and {RATES[0]:g}), "
        f"(b) {SMALL_RATE:g}, (c) {PORTRAIT_RATE:g}; hidden units: (b) {HIDDEN}"
    )
    legends.around(canvas, curves, entries(numbers), fixed=fixed, notes=NOT_SHOWN)


PORTRAIT_HEIGHT = 2.9
"""Inches on paper of the last panel."""


def decoupled_modes(numbers: Numbers) -> Column:
    """Decoupled modes; the unbalanced one leaves the printed sigmoid, which has no balance in it."""
    shown = [
        Trace(look, *(numbers[f"{kind}_{name}"].isel(mode=mode) for kind in ("theory", "simulation")))
        for name, mode, look in [
            *(("balanced", mode, look) for mode, look in enumerate(looks())),
            ("unbalanced", 0, UNBALANCED),
        ]
    ]
    shown.append(Trace(UNBALANCED, rough=numbers["theory_balanced"].isel(mode=-1), judged=False))
    title, name = f"Decoupled modes, $u_0$ = {U0:g}", "mode strength"
    below = {"sim. − theory\n[step errors]": "residual"}
    return Column("time", "u", shown, title, below, yname=name, bounded=-1.0)


def random_modes(numbers: Numbers) -> Column:
    """Means over draws of small random weights, and their residuals in standard errors."""
    theory, simulated = numbers["theory_random"], numbers["simulation_random"]
    shown = [
        Trace(look, theory.isel(mode=mode), simulated.isel(mode=mode)) for mode, look in enumerate(looks())
    ]
    title, below = f"Small random weights, $\\sigma_0$ = {INIT:g}", {columns.THEORY: "residual"}
    return Column("time", "u", shown, title, below, yname="mode strength", degrees=None)


NOT_SHOWN = f"(b) shows no residuals where the standard error is below {RESOLVED:g} $s$."


def draw_portrait(axes: Axes, numbers: Numbers) -> None:
    """Directions as arrows of equal length, hyperbolas thin, trajectories with their starts."""
    field, hyperbolas, ends = numbers["field"], numbers["hyperbolas"], numbers["ends"]
    speed = (field["da"] ** 2 + field["db"] ** 2) ** 0.5
    speed = speed.where(speed > 0, 1)
    arrows = {"angles": "xy", "scale": 34, "width": 0.0028, "pivot": "mid"}
    axes.quiver(field["a"], field["b"], field["da"] / speed, field["db"] / speed, **ARROWS, **arrows)
    for c in hyperbolas["c"].values:
        for sign in (1, -1):
            branch = sign * hyperbolas.sel(c=c)
            axes.plot(branch["a"], branch["b"], color="0.4", lw=0.5)
    for sign in (1, -1):
        axes.plot(sign * ends["a"], sign * ends["b"], color=ENDS.colour, lw=2.6)
    exact, seen = numbers["theory_amplitudes"], numbers["simulation_amplitudes"]
    for start in range(exact.sizes["start"]):
        axes.plot(exact["a"][start], exact["b"][start], color=PORTRAIT.colour, **style.THEORY)
        axes.plot(seen["a"][start], seen["b"][start], **style.marked(PORTRAIT))
        axes.plot(seen["a"][start, :1], seen["b"][start, :1], **style.marked(BEGIN, 7))
    axes.set(xlim=(-EXTENT, EXTENT), ylim=(-EXTENT, EXTENT), aspect="equal")
    axes.set_title("Amplitudes of one mode, $s = 1$")
    axes.set_xlabel(style.axis_label(exact["a"]))
    axes.set_ylabel(style.axis_label(exact["b"]))


def entries(numbers: Numbers) -> list[legends.Entry]:
    """What lines, markers and bands are."""
    draws = numbers["simulation_random"].attrs["n_seeds"]
    changes = [float(abs(answer["change"]).max()) for answer in numbers.values() if "change" in answer]
    return [
        legends.theory("theory: exact limit $\\eta \\to 0$, (b) also $\\sigma_0 \\to 0$"),
        legends.simulation(f"simulation; (b) mean of {draws} draws ± 1 standard error"),
        legends.approximation("as printed for $c = 2$ (Eq. 2.2.22)", UNBALANCED.colour),
        legends.Entry("(c) hyperbolas $a^2 - b^2 = c$", {"color": "0.4", "lw": 0.5}),
        legends.markers("(c) start", BEGIN, 7),
        legends.Entry(
            "(c) direction of flow", {**ARROWS, "ls": "none", "marker": "$\\rightarrow$", "ms": 11}
        ),
        legends.bound(f"(a) within one step-size error (at most {max(changes):.1g} output)"),
        legends.band(),
    ]


SMALL = FEWEST | constants(__name__, LAWFUL=40)

FIGURE = Figure(
    id=ID,
    title="Modes are learned along sigmoids, and their layers move along hyperbolas",
    caption=(
        "Gradient descent on two-layer linear networks with white inputs and singular values 4, 2.5 and 1. "
        f"(a) Mode strengths over time from decoupled starts, u0 = {U0:g}. Balanced layers follow the "
        f"sigmoid of Eq. 2.2.22. The unbalanced mode (a^2 - b^2 = {BALANCE:g}) does not, although the "
        "thesis says so. Below: simulation minus theory, where the simulation is extrapolated from learning "
        f"rates {RATES[0]:g} and {RATES[1]:g} to 0. The unit is the largest change caused by halving the "
        "learning rate; differences inside the band can be due to the step size. In (a) only the frames of "
        f"the weights are random. Markers: simulation at learning rate {RATES[1]:g}. (b) All weights start "
        f"random with standard deviation {INIT:g}; {HIDDEN} hidden units, learning rate {SMALL_RATE:g}. "
        f"Markers: means of {DRAWS} draws ({QUICK_DRAWS} in the quick version), bars one standard error. "
        f"Line: mean over {LAWFUL} other draws of the solution that starts from the growing part of each "
        "draw's weights. Below: simulation minus theory in standard errors, computed from the spread of the "
        "draws behind the line. Points of one mode share their draws and are correlated. Residuals are "
        f"omitted where the standard error is below {RESOLVED:g} s, because there the finite scale of the "
        "weights, which theory takes to 0, would exceed chance. (c) Plane of both layers' amplitudes at s = "
        "1. Arrows: direction of the flow, Eqs. 2.2.15-2.2.16. Lines through the markers: exact "
        f"trajectories. Markers: trained networks, learning rate {PORTRAIT_RATE:g}; filled markers: starts. "
        "A start with a = -b ends at the saddle in the middle; every other start ends on ab = s."
    ),
    paper="pezeshki2022",
    ref="Ch. 2 Fig. 3",
    compute=compute,
    draw=draw,
    small=SMALL,
)
