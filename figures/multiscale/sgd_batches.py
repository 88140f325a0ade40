"""How the noise of batches moves both descents: excess risk over flow time at several batch sizes."""

from __future__ import annotations

from typing import Any

from teacherstudent.figures.declaration import Canvas, Figure, Numbers, constants
from teacherstudent.figures.kit import columns, legends, style
from teacherstudent.figures.kit.columns import Column, traces
from teacherstudent.figures.kit.comparison import FEWEST, Curve, draws_of, on_clock
from teacherstudent.house.grids import Span

ID = "sgd-batches"
RATE = 0.08
SETTING: dict[str, Any] = {"n": 150, "d": 100, "p": 60, "kappa": 10.0, "learning_rate": RATE}
NOISES = (0.0, 0.4)
BATCHES = (5, 10, 25)
"""The smallest is just above those with which this rate diverges."""
DENSE, SPARSE = Span(1, 4e4, 120), Span(1, 2e4, 16)
SEEDS = 20
AGAINST = {"asymptotic": "limit n, d -> infinity"}


def compute(quick: bool) -> Numbers:
    """Descent and every batch size, without label noise and with it, on the clock s = eta k."""
    seeds = draws_of(ID, quick, SEEDS)
    numbers: Numbers = {}
    for noise in NOISES:
        setting = {**SETTING, "noise": noise}
        curves = {"all": Curve("multiscale", "descent", setting)}
        for batch in BATCHES:
            curves[f"{batch}"] = Curve(
                "multiscale", "sgd", {**setting, "batch": batch, "data": "replacement"}
            )
        for name, curve in curves.items():
            answers = {
                "asymptotic": curve.by("asymptotic", DENSE),
                "simulation": curve.simulation(SPARSE, seeds, AGAINST),
            }
            for route, answer in answers.items():
                numbers[f"{route}_{name}_noise_{noise:g}"] = on_clock(answer, "flow", RATE)
    return numbers


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """A column for each noise: risk over flow time, and residuals."""
    labels = [*(f"$b$ = {batch}" for batch in BATCHES), f"$b = n$ = {SETTING['n']}: gradient descent"]
    looks = dict(zip([*map(str, BATCHES), "all"], style.ordered_looks(labels), strict=True))
    panels = []
    for letter, noise in zip("ab", NOISES, strict=False):
        shown = traces(numbers, looks, f"asymptotic_{{}}_noise_{noise:g}", f"simulation_{{}}_noise_{noise:g}")
        words = f"label noise $\\sigma_\\epsilon$ = {noise:g}" if noise else "no label noise"
        panels.append(Column("time", RISK, shown, f"({letter}) {words}", log="x", ylim=(-0.02, 1.0)))
    columns.draw(canvas, panels, shared=True)
    drawn = numbers[f"simulation_all_noise_{NOISES[0]:g}"]
    entries = [
        legends.theory("exact limit $n, d \\to \\infty$"),
        legends.draws(drawn.attrs["n_seeds"]),
        legends.band([f"draws at $d$ = {SETTING['d']} deviate from the limit"]),
    ]
    fixed = (
        f"$n$ = {SETTING['n']}, {SETTING['p']} features of strength 1 and "
        f"{SETTING['d'] - SETTING['p']} of strength 1/{SETTING['kappa']:g}, learning rate $\\eta$ = {RATE:g} "
        "at every batch size, new batches at every step"
    )
    legends.around(canvas, [*looks.values()], entries, fixed=fixed)


RISK = "excess_risk"

FIGURE = Figure(
    id=ID,
    title="Small batches remove the first descent and keep the second",
    caption=(
        "Excess risk of stochastic gradient descent over s = eta k; n = 150 examples, 60 features of "
        "strength 1 and 40 of strength 1/10. Batches of b examples are redrawn at each step, and all b have "
        "the same learning rate. There is no label noise in (a) and some in (b). Small batches raise the "
        "risk while strong features are learned: at b = 5 the first descent becomes a rise. Without label "
        "noise this effect ends with training, because batch noise is proportional to the training error, "
        "which vanishes. The second descent comes at about the same time for all b. With label noise small "
        "batches also end at a higher risk. Solid: exact limit n, d -> infinity. Markers: simulation, mean "
        f"of {SEEDS} draws, bars one standard error. Below: simulation minus limit in standard errors. "
        "Points of a curve share their draws and include the finite-size offset."
    ),
    paper="paquette2021",
    ref="batches redrawn at each step",
    compute=compute,
    draw=draw,
    small=FEWEST
    | constants(
        __name__,
        SETTING={**SETTING, "n": 15, "d": 10, "p": 6},
        BATCHES=(5,),
        NOISES=(0.4,),
        DENSE=Span(1, 100, 4),
        SPARSE=Span(1, 100, 3),
    ),
)
