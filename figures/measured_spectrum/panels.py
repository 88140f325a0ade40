"""How claims about measured rows are drawn: curves, pale where they are not to be trusted, and residuals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Numbers
from teacherstudent.figures.kit import legends, residuals, style
from teacherstudent.figures.measured_spectrum.claims import CLAIMS, RISK

if TYPE_CHECKING:
    from matplotlib.gridspec import GridSpec

PALE = {"alpha": 0.35}
"""Where the certificate warns of the limit."""
LABELS = {
    "asymptotic": "simulation −\nlimit\n[std. errors]",
    "leverage": "simulation −\ncorrected\n[std. errors]",
}
"""The residual panels, top to bottom, and the labels of their axes."""
RATE = "error_rate"
HEIGHTS = (3.4, *(1.1 for _ in LABELS), 1.7)


def layout(canvas: Canvas, columns: int, width: float, height: float) -> GridSpec:
    """A grid of columns: risk, its residuals, error rate."""
    style.size(canvas, width, height)
    return canvas.add_gridspec(len(HEIGHTS), columns, height_ratios=HEIGHTS)


def column(canvas: Canvas, grid: GridSpec, place: int) -> list[Axes]:
    """The axes of one column, top to bottom; all share the horizontal axis."""
    axes: list[Axes] = []
    for row in range(len(HEIGHTS)):
        axes.append(canvas.add_subplot(grid[row, place], **({"sharex": axes[0]} if axes else {})))
        axes[-1].tick_params(labelbottom=row == len(HEIGHTS) - 1)
    for panel, label in zip(axes[1:-1], LABELS.values(), strict=True):
        residuals.name(panel, label)
    return axes


def draw_risk(axes: Axes, numbers: Numbers, looks: Mapping[str, style.Look], x: str) -> None:
    """Risk over `x` by every route; of the limit, solid where it is trusted and pale where not.

    A claim without a line of its own is drawn where it was compared with the simulation.
    """
    from teacherstudent.theory.measured_spectrum.trust import UNSURE

    for name, look in looks.items():
        simulated = numbers[f"simulation_{name}"]
        limit, corrected = (line(numbers, route, name) for route in CLAIMS)
        style.theory(axes, limit, x, "claim", look, **PALE)
        style.theory(axes, limit.where(limit["spread"] < UNSURE), x, "claim", look)
        style.approximation(axes, corrected, x, "claim", look)
        style.simulation(axes, simulated, x, RISK, look)


def line(numbers: Numbers, route: str, name: str) -> xr.Dataset:
    """The risk that a route claims, as `claim`, and the `spread` beside it."""
    if f"{route}_{name}" in numbers:
        return numbers[f"{route}_{name}"].rename({RISK: "claim"})
    return numbers[f"simulation_{name}"].rename({f"{RISK}_{route}": "claim"})


def draw_column(axes: Sequence[Axes], numbers: Numbers, looks: Mapping[str, style.Look], x: str) -> None:
    """A whole column: risk, residuals of both claims, error rate."""
    draw_risk(axes[0], numbers, looks, x)
    answers = {look: numbers[f"simulation_{name}"] for name, look in looks.items()}
    degrees = min(answer.attrs["n_seeds"] for answer in answers.values()) - 1
    for panel, route in zip(axes[1:-1], LABELS, strict=True):
        shown = {look: answer[f"{RISK}_minus_{route}"] for look, answer in answers.items()}
        residuals.draw(panel, shown, degrees)
    for look, answer in answers.items():
        axes[-1].plot(answer[x], answer[RATE], color=look.colour, **style.JOINED)
        style.simulation(axes[-1], answer, x, RATE, look)
    some = next(iter(answers.values()))
    axes[0].set_ylabel(style.axis_label(some[RISK], "squared error on rows not trained on"))
    axes[-1].set_ylabel(style.axis_label(some[RATE], "error rate"))
    axes[-1].set_xlabel(style.axis_label(some[x]))
    axes[-1].set_ylim(bottom=0)


def entries(draws: int, beside: str = "") -> list[legends.Entry]:
    """What lines, markers and band are; `beside` says which markers are no simulation."""
    from teacherstudent.theory.measured_spectrum.trust import UNSURE

    said = f"simulation: mean of {draws} drawn subsets ± 1 standard error{beside}"
    return [
        legends.theory("exact limit of rows rotated at random, from spectrum and target's share"),
        legends.theory(f"pale: spread of susceptibilities above {UNSURE:g}, the certificate warns", **PALE),
        legends.approximation("corrected by leverages, averaged over rows: an approximation"),
        legends.simulation(said),
        legends.band(["real rows are not rotated at random"]),
    ]


READING = (
    "Solid: the limit of many rows and features of this spectrum and this share of the target in each "
    "eigenvector, for rows rotated at random, drawn without replacement from a pool; pale where the spread "
    "of the rows' susceptibilities is above 0.2 and the certificate warns. Dashed: the same corrected by "
    "the leverages of these rows. Below, simulation minus each of them in standard errors: real rows are "
    "not rotated at random, so that points leave the band where there are draws enough to see it, and a "
    "line below the panels says by how many per cent. All points of a curve share their subsets and move "
    "together. At the bottom the share of rows that the largest output misclassifies, of which no theory "
    "here speaks."
)
"""The part of a caption that is the same for all columns."""


def off(answers: Sequence[xr.Dataset]) -> str:
    """Median and largest relative error of both claims over simulated points, by spread."""
    from teacherstudent.theory.measured_spectrum.trust import UNSURE

    spread = np.concatenate([answer["spread"].values for answer in answers])
    said = []
    for words, those in (("below", spread < UNSURE), ("above", spread >= UNSURE)):
        errors = []
        for route, short in (("asymptotic", "limit"), ("leverage", "corrected")):
            gaps = [abs(answer[f"{RISK}_{route}"] / answer[RISK] - 1).values for answer in answers]
            each = 100 * np.concatenate(gaps)[those]
            errors.append(
                f"{short} {np.median(each):.1f} ({each.max():.0f})" if each.size else f"{short} none"
            )
        said.append(f"at spreads {words} {UNSURE:g}: {', '.join(errors)}")
    return f"Off the simulated mean by per cent, median (largest), {'; '.join(said)}."
