"""Our own film: training as a walk through the plane of R and Q, and the risk on the way."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from teacherstudent.figures.declaration import Canvas, Figure, Numbers
from teacherstudent.figures.kit import columns, films, legends, residuals, style
from teacherstudent.figures.kit.comparison import DRAWS, FEWEST, QUICK_DRAWS, Curve, draws_of
from teacherstudent.figures.multiscale import routes
from teacherstudent.figures.multiscale.rq_plane import IMPOSSIBLE, background, plane
from teacherstudent.house.grids import Span

ID = "film-rq"
SETTING = {"n": 110, "d": 100, "p": 70, "learning_rate": 0.25}
KAPPAS = (1.0, 100.0, 1e5)
DENSE, SPARSE = (0.0, *Span(1, 1e6, 240).values()), Span(1, 1e6, 19)
FRAMES = Span(1, 1e6, 84)
"""Steps of the frames. The first step already shows in every panel; step 0, all at the origin, would not."""


def compute(quick: bool) -> Numbers:
    """Every trajectory in the limit and simulated."""
    seeds = draws_of(ID, quick)
    numbers: Numbers = {}
    for kappa in KAPPAS:
        curve = Curve("multiscale", "descent", {**SETTING, "kappa": kappa})
        numbers[f"asymptotic_kappa_{kappa:g}"] = curve.by("asymptotic", DENSE)
        numbers[f"simulation_kappa_{kappa:g}"] = routes.simulated(curve, SPARSE, seeds)
    return {**numbers, "plane": plane(numbers["asymptotic_kappa_1"])}


def film(canvas: Canvas, numbers: Numbers) -> Iterator[None]:
    """The plane left, the risk over time right, its residuals below."""
    E = "excess_risk"
    looks = {f"kappa_{kappa:g}": look for kappa, look in routes.looks_of(KAPPAS).items()}
    style.size(canvas, 4.6)
    grid = canvas.add_gridspec(3, 2, height_ratios=residuals.heights(2))
    left = canvas.add_subplot(grid[:, 0])
    shade = background(left, numbers["plane"])
    canvas.colorbar(shade, ax=left, aspect=40, label=style.axis_label(numbers["plane"][E]))
    left.set_title("Trajectories from the origin")
    columns.curves(left, routes.curves(numbers, looks), "R", "Q")
    simulated, title = routes.simulations(numbers, looks), "Excess risk over the same steps"
    panel = routes.column(numbers, looks, E, title, xlim=(0.8, 1.25e6), ylim=(-0.01, 0.55))
    ((risk, *_),) = (axes,) = columns.draw_on(canvas, grid, [panel], first=1)
    exact = numbers["asymptotic_kappa_1"]
    clocks = exact["time"].values, numbers["simulation_kappa_1"]["time"].values
    reveals = [reveal for panel in (left, *axes) for reveal in films.unveiled(panel, *clocks)]
    risk.set_xscale("log", nonpositive="mask")  # step 0 stands in the plane only
    routes.legend(
        canvas,
        list(looks.values()),
        simulated,
        fixed=routes.fixed(exact, {1: "$1/\\kappa$"}),
        more=[HEAD, IMPOSSIBLE],
        notes=[routes.unresolved(E, simulated)],
    )
    reveals.append(films.clock(left, exact["time"], ",.0f", (0.04, 0.93)))
    yield from films.played(reveals, np.unique(np.rint(FRAMES.values())))


HEAD = legends.Entry("exact limit at the step shown", {"ls": "none", "marker": "o", "ms": 7, "color": "0.3"})

FIGURE = Figure(
    id=ID,
    title="Training moves the student through the plane of alignment and norm",
    caption=(
        "Left: alignment R and modulated norm Q during gradient descent from zero (the origin). Colours: "
        "excess risk 1/2 (1 - 2R + Q). Hatched: Q < R^2, which no student can reach. Right: excess risk "
        f"over the step k, at the same times. n = {SETTING['n']}, d = {SETTING['d']}, {SETTING['p']} "
        f"features of strength 1 and {SETTING['d'] - SETTING['p']} of strength 1/kappa, no label noise, no "
        f"ridge, learning rate {SETTING['learning_rate']:g}. At kappa = 1 all features are learned together "
        "and the risk falls once. At larger kappa the fast features are learned first. Until the slow "
        "features are learned, their part of the target is fitted as noise: Q grows more than R justifies, "
        "and the risk rises. When the slow features are learned too (kappa = 100), the risk falls again. "
        "Solid: exact limit n, d -> infinity, with a dot at the present step. Markers: gradient descent on "
        f"drawn data, mean of {DRAWS} draws ({QUICK_DRAWS} in the quick version), bars one standard error. "
        f"{routes.RESIDUALS}"
    ),
    paper="pezeshki2022",
    ref="Fig. 4",
    compute=compute,
    draw=films.still(film),
    film=film,
    small=FEWEST,
)
