"""Our own figure: how far the formulas are off on real rows, and what tells it beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from teacherstudent.figures.declaration import Figure, constants
from teacherstudent.figures.kit import legends, residuals, style
from teacherstudent.figures.measured_spectrum import own_trust_numbers, rows
from teacherstudent.figures.measured_spectrum.claims import RISK
from teacherstudent.figures.measured_spectrum.own_trust_numbers import (
    FEATURES,
    ID,
    QUICK_SUBSETS,
    RIDGE,
    SETS,
    SUBSETS,
    compute,
)

if TYPE_CHECKING:
    import xarray as xr

    from teacherstudent.figures.declaration import Axes, Canvas, Numbers

LOOKS = {
    name: style.Look(f"(a, b) {name.replace('_', ' ')}", colour, marker)
    for name, colour, marker in zip(
        SETS, (style.BLUE, style.ORANGE, style.GREEN, style.PURPLE), ("o", "s", "^", "D"), strict=True
    )
}
CORRECTED = style.Look("(c) pool, corrected by leverages", style.SKY, "v")
POOL = style.Look("(c) limit of rows of a pool", style.BLACK, "o")
ENDLESS = style.Look("(c) limit of an endless population", style.VERMILION, "s")
TITLES = {
    "asymptotic": "(a) Limit, from spectrum and target's share",
    "leverage": "(b) Limit corrected by the rows' leverages",
}
THRESHOLD = {"color": "0.4", "lw": 0.8, "ls": ":"}
BARS = {"lw": 0.6, "alpha": 0.35}
LINEAR = 5.0
"""Per cent, up to which the scale of errors is linear."""


def draw(canvas: Canvas, numbers: Numbers) -> None:
    """Errors over spread, of both formulas; and a learning curve by the formulas of pool and population."""
    style.size(canvas, 17, 8.5)
    grid = canvas.add_gridspec(2, 3, height_ratios=residuals.heights(1))
    beside = None
    for column, (route, title) in enumerate(TITLES.items()):
        axes = canvas.add_subplot(grid[:, column], sharex=beside, sharey=beside)
        draw_cases(axes, numbers["cases"], f"off_{route}")
        axes.set_title(title)
        beside = beside or axes
    top = canvas.add_subplot(grid[0, 2])
    draw_shares(top, canvas.add_subplot(grid[1, 2], sharex=top), numbers["simulation_shares"])
    draws = numbers["cases"].attrs["n_seeds"]
    legends.around(
        canvas,
        [*LOOKS.values(), POOL, CORRECTED, ENDLESS],
        [
            legends.draws(draws),
            legends.Entry("(a, b) filled: gradient flow; open: ridge regression", style.marked(style.ANY)),
            legends.Entry("(a, b) thresholds of the certificate", THRESHOLD),
            legends.theory("(c) exact limit, from spectrum and target's share"),
            legends.approximation("(c) corrected, averaged over rows: an approximation"),
            legends.band(["real rows are not rotated at random"]),
        ],
        columns=3,
        fixed=f"(a, b) {numbers['cases'].sizes['point']} points: rows as measured, random features and Gaussian "
        f"kernels of them; (c) {rows.POOL} digits, {FEATURES} random features, "
        f"ridge {RIDGE:g}",
        notes="Numbers at the top of each class of spread: median and largest error without its sign, and median "
        "standard error of the simulation, per cent.",
    )


def draw_cases(axes: Axes, cases: xr.Dataset, name: str) -> None:
    """Relative errors with standard errors; in each class of spread the median and the largest, in words."""
    import numpy as np

    for kind, look in LOOKS.items():
        for dynamics, face in (("ridge", "white"), ("flow", look.colour)):
            of = cases.isel(point=((cases["rows"] == kind) & (cases["dynamics"] == dynamics)).values)
            drawn = {**style.marked(look, 3.5), "mfc": face, "alpha": 0.7}
            axes.plot(of["spread"], of[name], **drawn)
            axes.vlines(of["spread"], of[name] - of["stderr"], of[name] + of["stderr"], color=look.colour, **BARS)
    axes.axhline(0, color="0.4", lw=0.8)
    axes.set_xscale("log")
    axes.set_yscale("symlog", linthresh=LINEAR)
    axes.set_ylim(-100, 300)
    style.ticks(axes.yaxis, (-50, -20, -10, -5, 0, 5, 10, 20, 50))
    edges = classes()
    for edge in edges[1:-1]:
        axes.axvline(edge, **THRESHOLD)
    inner = np.clip(edges, *axes.get_xlim())
    for low, high in zip(inner[:-1], inner[1:], strict=True):
        those = ((cases["spread"] >= low) & (cases["spread"] < high)).values
        if those.any():
            words = [f"{each:.2g}" for each in summary(cases.isel(point=those), name)]
            place = (np.sqrt(low * high), 0.98)
            axes.text(*place, "\n".join(words), transform=axes.get_xaxis_transform(), ha="center", va="top")
    axes.set_xlabel("spread of the rows' susceptibilities [dimensionless]")
    axes.set_ylabel("claim over simulation, minus 1 [per cent]")


def summary(cases: xr.Dataset, name: str) -> tuple[float, float, float]:
    """Of those points the median and the largest error, without sign, and the median standard error."""
    size = abs(cases[name])
    return float(size.median()), float(size.max()), float(cases["stderr"].median())


def classes() -> list[float]:
    """Edges of the certificate's classes of spread."""
    from teacherstudent.theory.measured_spectrum.trust import INVENTED, SURE, UNSURE

    return [0.0, SURE, UNSURE, INVENTED, float("inf")]


def draw_shares(axes: Axes, below: Axes, answer: xr.Dataset) -> None:
    """Risk over n, both claims, and residuals of both."""
    claims = {POOL: "asymptotic", CORRECTED: "leverage", ENDLESS: "population"}
    for look, route in claims.items():
        line = style.approximation if route == "leverage" else style.theory
        line(axes, answer, "n", f"{RISK}_{route}", look)
    style.simulation(axes, answer, "n", RISK, style.ANY)
    axes.set_yscale("log")
    residuals.name(below, "simulation −\nclaim\n[std. errors]")
    shown = {look: answer[f"{RISK}_minus_{route}"] for look, route in claims.items()}
    residuals.draw(below, shown, answer.attrs["n_seeds"] - 1)
    style.ticks(axes.yaxis, (0.06, 0.08, 0.1, 0.12, 0.15))
    axes.set(title="(c) Rows of a pool are not rows of a population")
    axes.set_ylabel(style.axis_label(answer[RISK], "squared error on rows not trained on"))
    axes.tick_params(labelbottom=False)
    below.set_xlabel(style.axis_label(answer["n"]))


FIGURE = Figure(
    id=ID,
    title="How far the formulas hold on real rows, and what tells it",
    caption="Errors.",
    paper="pezeshki2022",
    ref="Sect. 4.2.1: measured features",
    compute=compute,
    draw=draw,
    small=constants(rows.__name__, POOL=150)
    | constants(
        own_trust_numbers.__name__, QUICK_SUBSETS=3, SETS=("wine",), FEATURES=20, SIZES=(15, 60, 140)
    ),
)
