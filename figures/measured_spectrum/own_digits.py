"""Our own figure: digits, predicted from two curves of their data, and learned by gradient descent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from teacherstudent.figures.declaration import Figure, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.measured_spectrum import own_digits_numbers, panels, rows
from teacherstudent.figures.measured_spectrum.own_digits_numbers import (
    FEATURES,
    FEW,
    ID,
    NOISE,
    NOISES,
    QUICK_SUBSETS,
    RATE,
    RIDGE,
    SLOW,
    SLOW_RATE,
    SLOW_STRENGTH,
    SUBSETS,
    TRAINED,
    compute,
)

if TYPE_CHECKING:
    from teacherstudent.figures.declaration import Axes, Canvas, Numbers


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column each: over training at several n, over n, and the two descents over training."""
    family = style.ordered_looks([f"(a) n = {n}" for n in TRAINED])
    trained = {f"trained_{n}": look for n, look in zip(TRAINED, family, strict=True)}
    noises = {
        f"sizes_{noise:g}": style.Look(f"(b) {words}", colour, marker)
        for noise, words, colour, marker in zip(
            NOISES,
            ("no label noise", f"label noise {NOISE:g}"),
            (style.ORANGE, style.VERMILION),
            ("P", "X"),
            strict=True,
        )
    }
    slow = {"slow": style.Look(f"(c) n = {FEW}, no label noise", style.BLACK, "D")}
    grid = panels.layout(canvas, 3, 17, 12)
    columns = [panels.column(canvas, grid, place) for place in range(3)]
    for axes, looks, x in zip(columns, (trained, noises, slow), ("time", "n", "time"), strict=True):
        panels.draw_column(axes, numbers, looks, x)
        axes[0].set(xscale="log", yscale="log")
    left, middle, right = (axes[0] for axes in columns)
    left.set_title(f"(a) Over training, {FEATURES} features, label noise {NOISE:g}")
    middle.set_title(f"(b) Over the number of rows, {FEATURES} features, ridge {style.number(RIDGE)}")
    right.set_title(f"(c) Over training, {SLOW} weak features beside the pixels")
    for axes, shown in ((left, (0.2, 0.3, 0.5, 1, 2, 3)), (middle, (0.1, 0.2, 0.5, 1)), (right, (0.18, 0.2, 0.22, 0.25))):
        style.ticks(axes.yaxis, shown)
    style.ticks(middle.xaxis, (100, 200, 300, 500, 1000))
    middle.axvline(FEATURES, **MARK)
    draw_turns(right, numbers)
    simulated = {name: answer for name, answer in numbers.items() if name.startswith("simulation_")}
    draws = next(iter(simulated.values())).attrs["n_seeds"]
    legends.around(
        canvas,
        [*trained.values(), *noises.values(), *slow.values()],
        [*panels.entries(draws), legends.Entry(f"(b) $n$ = {FEATURES} features; (c) predicted turns", MARK)],
        fixed=f"{rows.POOL} digits, odd or even as two outputs, no ridge but in (b), start at 0; learning rate "
        f"$\\eta$ = {RATE:g} in (a), {SLOW_RATE:g} in (c)",
        notes=panels.off(list(simulated.values())),
    )


def draw_turns(axes: Axes, numbers: Numbers) -> None:
    """Where the risk is predicted to turn, and what the simulated one does from turn to turn."""
    turns = numbers["turns_slow"]
    for at in turns["time"].values:
        axes.axvline(at, **MARK)
    changes = zip(turns["change"].values[1:], turns["change_stderr"].values[1:], strict=True)
    said = [f"{change:+.3f} ± {error:.3f}" for change, error in changes]
    words = "simulated from turn to turn,\nsubset by subset: " + ", ".join(said)
    axes.text(0.03, 0.03, words.replace("-", "−"), transform=axes.transAxes, linespacing=1.4)


MARK = {"color": "0.7", "lw": 0.8}

FIGURE = Figure(
    id=ID,
    title="Digits: learning predicted from their spectrum and the target's share in it",
    caption=(
        "Rows of scikit-learn's digits, trained to tell odd from even."
    ),
    paper="pezeshki2022",
    ref="Sect. 4.2.1: measured features",
    compute=compute,
    draw=draw,
    small=constants(rows.__name__, POOL=150)
    | constants(
        own_digits_numbers.__name__,
        QUICK_SUBSETS=3,
        FEATURES=20,
        TRAINED=(10, 20),
        SIZES=(10, 20, 40),
        SIMULATED_SIZES=(10, 40),
        SLOW=30,
        FEW=15,
    ),
)
