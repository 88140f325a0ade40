"""Our own figure: digits, predicted from two curves of their data, and learned by gradient descent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import legends, style
from teacherstudent.figures.kit.comparison import Curve, draws_of
from teacherstudent.figures.measured_spectrum import claims, panels, rows
from teacherstudent.figures.measured_spectrum.claims import RISK
from teacherstudent.house.grids import Span
from teacherstudent.house.tables import as_table

ID = "own-digits"
SUBSETS, QUICK_SUBSETS = 30, 10
FEATURES = 300
NOISE = 0.2
TRAINED = (100, 300, 1000)
"""Training rows of the curves over time: fewer than features, as many, and more."""
RATE = 0.01
LINES, RECORDED = Span(1, 1e6, 120), Span(1, 1e6, 11)
"""Steps at which the limit is drawn, and at which the simulation is compared with both claims."""

RIDGE = 3e-4
"""1e-5 of the largest eigenvalue of X^T X at n = 300."""
NOISES = (0.0, NOISE)
SIZES = (
    *(60, 80, 100, 120, 140, 160, 180, 200, 215, 230, 250, 260, 270, 278, 285, 293, 300, 307, 315, 322),
    *(330, 345, 360, 380, 400, 425, 450, 485, 520, 560, 600, 650, 700, 775, 850, 925, 1000, 1100, 1200),
)
SIMULATED_SIZES = (60, 100, 180, 250, 300, 360, 450, 600, 850, 1200)

SLOW, SLOW_STRENGTH, FEW = 600, 0.03, 120
"""Weak random features beside the pixels, and training rows: fast ones are learned, then slow ones fit."""
SLOW_RATE = 0.05
SLOW_LINES, SLOW_RECORDED = Span(1, 1e7, 140), Span(1, 1e7, 15)


def compute(quick: bool) -> Numbers:
    """Risk over training at several n, over n, and over training of fast beside slow features."""
    seeds = draws_of(ID, quick, SUBSETS, QUICK_SUBSETS)
    labels = {"targets": as_table(rows.parity(), "parity"), "task": "classification", "intercept": "pool"}
    images, _ = rows.digits()
    wide = {"features": as_table(rows.rectified(FEATURES, images), "rectified"), **labels}
    numbers: Numbers = {}
    for n in TRAINED:
        curve = Curve(claims.ID, "descent", {**wide, "n": n, "noise": NOISE, "learning_rate": RATE})
        numbers |= claims.answers(f"trained_{n}", curve, LINES, RECORDED, seeds)
    for noise in NOISES:
        numbers |= over_sizes(f"sizes_{noise:g}", {**wide, "noise": noise}, seeds)
    slow = Curve(
        claims.ID, "descent", {**labels, "features": as_table(both()), "n": FEW, "learning_rate": SLOW_RATE}
    )
    return numbers | claims.answers("slow", slow, SLOW_LINES, SLOW_RECORDED, seeds)


def both() -> Any:
    """Pixels beside random features of `SLOW_STRENGTH`, (rows, 46 + SLOW)."""
    pixels = rows.pixels()
    return np.hstack([pixels, SLOW_STRENGTH * rows.rectified(SLOW, pixels)])


def over_sizes(name: str, values: dict[str, Any], seeds: Sequence[int]) -> Numbers:
    """Ridge regression over the number of training rows, by every route."""

    def at(n: int) -> Curve:
        return Curve(claims.ID, "ridge", {**values, "n": n})

    time = (1 / RIDGE,)
    drawn = [claims.doubted(at(n), at(n).simulation(time, seeds, claims.CLAIMS)) for n in SIMULATED_SIZES]
    lines = {
        f"{route}_{name}": [claims.doubted(at(n), at(n).by(route, time)) for n in SIZES]
        for route in claims.CLAIMS
    }
    joined = {line: claims.over_n(each, SIZES) for line, each in lines.items()}
    return {**joined, f"simulation_{name}": claims.over_n(drawn, SIMULATED_SIZES)}


TICKS = (
    {"y": (0.2, 0.3, 0.5, 1, 2, 3)},
    {"x": (100, 300, 1000), "y": (0.1, 0.2, 0.5, 1)},
    {"y": (0.18, 0.2, 0.22, 0.25)},
)
"""Of the axes of each panel."""


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
    titles = (
        f"(a) {FEATURES} features, label noise {NOISE:g}",
        f"(b) {FEATURES} features, ridge {style.number(RIDGE)}",
        f"(c) Pixels and {SLOW} weak features",
    )
    columns = [
        panels.column(numbers, looks, x, title, log="xy", ticks=ticks)
        for looks, x, title, ticks in zip(
            (trained, noises, slow), ("time", "n", "time"), titles, TICKS, strict=True
        )
    ]
    _, middle, right = panels.draw(canvas, panels.layout(canvas), columns)
    middle.axvline(FEATURES, **MARK)
    for at in numbers["turns_slow"]["time"].values:
        right.axvline(at, **MARK)
    simulated = {name: answer for name, answer in numbers.items() if name.startswith("simulation_")}
    draws = next(iter(simulated.values())).attrs["n_seeds"]
    curves = [*trained.values(), *noises.values(), *slow.values()]
    entries = [
        *panels.entries(draws),
        legends.Entry(f"(b) $n$ = {FEATURES} features; (c) predicted turns", MARK),
    ]
    fixed = (
        f"{rows.POOL} digits, odd or even as two outputs; ridge only in (b); start at 0; "
        f"learning rate $\\eta$ = {RATE:g} in (a), {SLOW_RATE:g} in (c)"
    )
    notes = f"{panels.off(list(simulated.values()))}\n{peak(numbers)} {turns(numbers)}"
    legends.around(canvas, curves, entries, fixed=fixed, notes=notes)


def turns(numbers: Numbers) -> str:
    """What the simulated risk does between the times at which it is predicted to turn."""
    found = numbers["turns_slow"]
    changes = zip(found["change"].values[1:], found["change_stderr"].values[1:], strict=True)
    said = ", ".join(f"{change:+.3f} ± {error:.3f}" for change, error in changes).replace("-", "−")
    return f"(c) Simulated changes between predicted turns, paired by subset: {said}."


def peak(numbers: Numbers) -> str:
    """How far both claims are off at the peak without label noise."""
    answer = numbers[f"simulation_sizes_{NOISES[0]:g}"].sel(n=FEATURES, method="nearest")
    parts = {"simulated": RISK, "limit": f"{RISK}_asymptotic", "corrected": f"{RISK}_leverage"}
    said = ", ".join(f"{words} {float(answer[name]):.2f}" for words, name in parts.items())
    return f"(b) At $n$ = {int(answer['n'])} without noise: {said}."


MARK = {"color": "0.7", "lw": 0.8}

FIGURE = Figure(
    id=ID,
    title="The spectrum and the target's share in each mode predict how digits are learned",
    caption=(
        f"The {rows.POOL} digits of scikit-learn: n of them are training examples, the rest are test "
        f"examples; the two outputs are odd and even. (a) Gradient descent from zero on {FEATURES} random "
        f"rectified features, with label noise {NOISE:g} on each output, no ridge, learning rate {RATE:g}. "
        "Early stopping matters most where n equals the number of features. (b) Ridge regression on the "
        f"same features over n, ridge {RIDGE:g}. The risk has a peak at n = {FEATURES}, with and without "
        "label noise. The spread of the rows' susceptibilities is largest at this peak. Without noise both "
        "formulas are too high at the peak, and the corrected formula is further off. (c) Gradient descent "
        f"on {FEW} rows, learning rate {SLOW_RATE:g}, no label noise. The features are the pixels lit in at "
        f"least a fifth of the rows and {SLOW} random features of them, {SLOW_STRENGTH:g} times as strong. "
        "The risk falls, rises and falls again. The pixels are learned first and overfit a part of the "
        "target, which the slow features learn later. Grey lines: predicted turns of the risk. The note "
        f"below the panels gives the simulated changes of the risk between these times. {panels.READING} "
        f"Markers: gradient descent, or the solved normal equations, on {SUBSETS} subsets ({QUICK_SUBSETS} "
        "in the quick version)."
    ),
    paper="bodin2023",
    ref=(
        "gradient flow for any covariance and target; hastie2022 for ridge regression; the formulas for "
        "rows of a pool and the correction by leverages are derived here"
    ),
    compute=compute,
    draw=draw,
    small=constants(rows.__name__, POOL=150)
    | constants(
        __name__,
        QUICK_SUBSETS=3,
        FEATURES=20,
        TRAINED=(20,),
        SIZES=(10, 20, 40),
        SIMULATED_SIZES=(10, 20),
        LINES=Span(1, 1e6, 20),
        RECORDED=Span(1, 1e6, 5),
        SLOW=30,
        FEW=15,
        SLOW_LINES=Span(1, 1e7, 20),
        SLOW_RECORDED=Span(1, 1e7, 5),
    ),
)
