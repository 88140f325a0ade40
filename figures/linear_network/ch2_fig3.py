"""Fig. 3 of pezeshki2022 ch. 2: modes are learned along sigmoids, and their layers along hyperbolas."""

from __future__ import annotations

from collections.abc import Sequence

from teacherstudent.figures.declaration import Axes, Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, residuals, style
from teacherstudent.figures.kit.comparison import DRAWS, FEWEST, QUICK_DRAWS
from teacherstudent.figures.linear_network import ch2_fig3_numbers
from teacherstudent.figures.linear_network.ch2_fig3_numbers import (
    BALANCE,
    EXTENT,
    HIDDEN,
    ID,
    INIT,
    LAWFUL,
    PORTRAIT_RATE,
    RATES,
    RESOLVED,
    SMALL_RATE,
    U0,
    VALUES,
    compute,
)

UNBALANCED = style.Look(f"$s = {VALUES[-1]:g}$, unbalanced: $c = {BALANCE:g}$", style.ORANGE, "D")
PORTRAIT = style.Look("$a$ and $b$ from several starts", style.PURPLE, "o")
ARROWS = {"color": "0.75"}
CHANCE = "simulation −\ntheory\n[std. errors]"
BEGIN = style.Look("start", style.PURPLE, "o", filled=True)
ENDS = style.Look("where learning ends, $ab = s$", style.BLACK, "")


def looks() -> list[style.Look]:
    """A look for each mode, the darkest for the largest singular value."""
    return style.ordered_looks([f"$s = {s:g}$" for s in reversed(VALUES)])[::-1]


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Sigmoids left and middle, above their residuals; the plane of one mode right."""
    style.size(canvas, 14, 6.6)
    grid = canvas.add_gridspec(2, 3, height_ratios=residuals.heights(1), width_ratios=[1, 1, 1.25])
    decoupled = residuals.stack(canvas, grid, 0, ["simulation −\ntheory [step-\nsize errors]"])
    random = residuals.stack(canvas, grid, 1, [CHANCE])
    draw_decoupled(decoupled, numbers)
    draw_random(random, numbers)
    plane = canvas.add_subplot(grid[:, 2])
    draw_portrait(plane, numbers)
    for letter, axes in zip("abc", (decoupled[0], random[0], plane), strict=True):
        axes.set_title(f"({letter}) {axes.get_title()}")
    for axes, below in (decoupled, random):
        axes.set_ylabel(style.axis_label(numbers["theory_random"]["u"], "mode strength"))
        below.set_xlabel(style.axis_label(numbers["theory_balanced"]["time"]))
    curves = [*looks(), UNBALANCED, PORTRAIT, legends.curve(ENDS, lw=2.6)]
    fixed = (
        f"White inputs, two layers; learning rate $\\eta$: (a) {RATES[-1]:g} (residual: and {RATES[0]:g}), "
        f"(b) {SMALL_RATE:g}, (c) {PORTRAIT_RATE:g}; hidden units: (b) {HIDDEN}"
    )
    legends.around(canvas, curves, entries(numbers), columns=4, fixed=fixed)


def draw_decoupled(panels: Sequence[Axes], numbers: Numbers) -> None:
    """Decoupled modes; the unbalanced one leaves the printed sigmoid, which has no balance in it."""
    axes, below = panels
    left = {}
    curves = [("balanced", i, look) for i, look in enumerate(looks())] + [("unbalanced", 0, UNBALANCED)]
    for name, mode, look in curves:
        style.theory(axes, numbers[f"theory_{name}"].isel(mode=mode), "time", "u", look)
        seen = numbers[f"simulation_{name}"].isel(mode=mode)
        axes.plot(seen["time"], seen["u"], **style.marked(look))
        left[look] = seen["residual"]
    residuals.bounded(below, left)
    style.approximation(axes, numbers["theory_balanced"].isel(mode=-1), "time", "u", UNBALANCED)
    axes.set_title(f"Decoupled modes, $u_0$ = {U0:g}")


def draw_random(panels: Sequence[Axes], numbers: Numbers) -> None:
    """Means over draws of small random weights, and their residuals in standard errors."""
    axes, below = panels
    simulated = numbers["simulation_random"]
    for mode, look in enumerate(looks()):
        style.theory(axes, numbers["theory_random"].isel(mode=mode), "time", "u", look)
        style.simulation(axes, simulated.isel(mode=mode), "time", "u", look)
    left = {look: simulated["residual"].isel(mode=mode) for mode, look in enumerate(looks())}
    residuals.draw(below, left)
    axes.set_title(f"Small random weights, $\\sigma_0$ = {INIT:g}")
    words = f"none where the standard error is below {RESOLVED:g} $s$"
    below.text(0.98, 0.04, words, transform=below.transAxes, ha="right", va="bottom", fontsize="small")


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
    axes.set_title("Both layers of one mode, $s = 1$")
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
            "(c) direction of the flow", {**ARROWS, "ls": "none", "marker": "$\\rightarrow$", "ms": 11}
        ),
        legends.bound(f"(a) within one step-size error (at most {max(changes):.1g} output)"),
        legends.band(),
    ]


SMALL = FEWEST | constants(ch2_fig3_numbers.__name__, LAWFUL=40)

FIGURE = Figure(
    id=ID,
    title="Modes are learned along sigmoids, their layers along hyperbolas",
    caption=(
        "Gradient descent on two-layer linear networks with white inputs, singular values 4, 2.5 and 1. "
        f"(a) Decoupled start, u0 = {U0:g}; balanced layers follow the sigmoid of Eq. 2.2.22, the "
        f"unbalanced mode (a^2 - b^2 = {BALANCE:g}) does not, although the thesis says so. Nothing is random "
        "here but the frames: below stands the simulation, extrapolated from learning rates "
        f"{RATES[0]:g} and {RATES[1]:g} to 0, minus theory, in units of the largest change that the halving "
        "makes. Inside the band a step size can explain what is left. Markers above: "
        f"{RATES[1]:g}. (b) All weights random, standard deviation {INIT:g}, {HIDDEN} hidden "
        "units, "
        f"learning rate {SMALL_RATE:g}; markers are means of {DRAWS} draws ({QUICK_DRAWS} in the quick "
        f"version), bars one standard error. The line is the mean, over {LAWFUL} draws of its own, of "
        "what the growing part of each draw's weights leads to; below, simulation minus theory in standard "
        "errors, by the spread of theory's draws. "
        "Points of one mode share their draws and move together; none is shown where the standard error is "
        f"below {RESOLVED:g} s, for there the scale of the weights, which theory takes to 0, would show "
        "instead of chance. (c) The plane of both layers' amplitudes at s = 1. Arrows: direction of the "
        "flow, Eqs. 2.2.15-2.2.16; lines through the markers: exact trajectories; markers: trained networks, "
        f"learning rate {PORTRAIT_RATE:g}; full markers: starts. A start with a = -b would end at the saddle "
        "in the middle, any other ends on ab = s."
    ),
    paper="pezeshki2022",
    ref="Ch. 2 Fig. 3",
    compute=compute,
    draw=draw,
    small=SMALL,
)
