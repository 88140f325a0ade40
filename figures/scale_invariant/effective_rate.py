"""Our own: radius and effective learning rate of seven schemes, towards their predicted equilibria."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from teacherstudent.figures.declaration import Figure, constants
from teacherstudent.figures.kit import legends, residuals, style
from teacherstudent.figures.scale_invariant import effective_rate_numbers
from teacherstudent.figures.scale_invariant.effective_rate_numbers import (
    BETA2,
    CASES,
    ID,
    NOISE,
    QUICK_SEEDS,
    SEEDS,
    SHOWN,
    D,
    compute,
)

if TYPE_CHECKING:
    from teacherstudent.figures.declaration import Axes, Canvas, Numbers

LOOKS = {
    "sgd": style.Look("SGD + L2", style.ORANGE, "o"),
    "sgd-momentum": style.Look("SGD-M", style.VERMILION, "s"),
    "sgd-mrt": style.Look("SGD-MRT", style.PURPLE, "^"),
    "adam": style.Look("Adam", style.SKY, "D"),
    "adamw": style.Look("AdamW", style.GREEN, "v"),
    "adam-s": style.Look("Adam-S", style.BLUE, "P"),
    "adam-srt": style.Look("Adam-SRT", style.BLACK, "X"),
}
COLUMNS = (
    ("SGD and momentum: exact laws", ("sgd", "sgd-momentum", "sgd-mrt"), (0.1, 0.2, 0.5, 1)),
    (
        "Adam and its variants: averaged second moments",
        ("adam", "adamw", "adam-s", "adam-srt"),
        (0.02, 0.03, 0.04),
    ),
)
"""Title, schemes, and ticks of the effective rate."""


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column for each family: radius and effective rate over time, each above its residuals."""
    style.size(canvas, 13, 9.6)
    grid = canvas.add_gridspec(4, 2, height_ratios=[3, 1, 3, 1])
    for column, (title, schemes, rates) in enumerate(COLUMNS):
        top: Axes | None = None
        for row, name in enumerate(SHOWN):
            axes = canvas.add_subplot(grid[2 * row, column], sharex=top)
            below = canvas.add_subplot(grid[2 * row + 1, column], sharex=axes)
            top = top or axes
            shown = [scheme for scheme in schemes if f"theory_{scheme}" in numbers]
            draw_quantity(axes, below, numbers, shown, name)
            below.tick_params(labelbottom=row == len(SHOWN) - 1)
        axes.set(yscale="log")
        style.ticks(axes.yaxis, rates)
        top.set_title(title)
        below.set_xlabel("samples seen, in units of the dimension $t$ [steps/$d$]")
    draws = next(answer.attrs["n_seeds"] for answer in numbers.values() if "n_seeds" in answer.attrs)
    entries = [
        legends.theory("theory, exact as $d \\to \\infty$"),
        legends.approximation("theory, second moments averaged"),
        legends.theory("predicted equilibrium", **REST),
        legends.draws(draws),
        legends.band(),
    ]
    legends.around(canvas, list(LOOKS.values()), entries, columns=3)


def draw_quantity(axes: Axes, below: Axes, numbers: Numbers, schemes: Sequence[str], name: str) -> None:
    """Lines, equilibria, markers; below, simulation minus theory in standard errors."""
    left = {}
    for scheme in schemes:
        look = LOOKS[scheme]
        theory, simulated = numbers[f"theory_{scheme}"], numbers[f"simulation_{scheme}"]
        line = style.approximation if theory.attrs["approximate"] else style.theory
        line(axes, theory, "time", name, look)
        rest = float(numbers[f"equilibrium_{scheme}"][name][-1])
        axes.axhline(rest, color=look.colour, **REST)
        style.simulation(axes, simulated, "time", name, look)
        left[look] = simulated[f"{name}_minus_theory"]
    residuals.name(below, "simulation −\ntheory\n[std. errors]")
    residuals.draw(below, left, simulated.attrs["n_seeds"] - 1)
    axes.set(xscale="log")
    axes.tick_params(labelbottom=False)
    axes.set_ylabel(LABELS[name])


LABELS = {
    "radius": "radius $r$ [weight]",
    "effective_learning_rate": "effective learning rate of $d$ steps\n$d\\,\\eta^e$ [1/loss]",
}
REST = {"lw": 0.9, "ls": ":"}


FIGURE = Figure(
    id=ID,
    title="Radius and effective learning rate settle where noise and weight decay balance",
    caption=(
        "One scale-invariant unit of dimension "
        f"d = {D} learns a teacher's direction from a stream of noisy samples (correlation loss, label noise "
        f"{NOISE:g}, start at 1.5 rad and radius 1), each step on one new sample with L2 (AdamW: decoupled "
        "decay). Noise lengthens the weights, decay shortens them, and their balance sets the effective "
        "learning rate. Learning rate and ridge: "
        + ", ".join(f"{LOOKS[c.scheme].label} {c.learning_rate:g}, {c.ridge:g}" for c in CASES)
        + f"; momentum 0.9, beta2 = {BETA2:g}. Solid: laws that become exact as d grows. Dashed: laws that "
        "replace second moments by their means, where Adam and Adam-S coincide. Dotted: the predicted "
        "equilibrium; Adam-SRT relaxes 1/(1 - beta1) = 10 times more slowly than Adam-S, for its momentum no "
        f"longer carries the decay. Markers: training in R^d by the real optimisers, mean of {SEEDS} draws "
        f"({QUICK_SEEDS} in the quick version), bars one standard error. Below, simulation minus theory in "
        "standard errors, which also hold the finite-size offset of order 1/d and, for Adam's variants, what "
        "averaging leaves out. All schemes share their draws, so that points of one time move together."
    ),
    paper="roburin2020",
    ref="Table 1, Eqs. 11, 13",
    compute=compute,
    draw=draw,
    small=constants(
        effective_rate_numbers.__name__,
        QUICK_SEEDS=3,
        D=20,
        CASES=tuple(case for case in CASES if case.scheme in ("sgd", "adam-srt")),
    ),
)
