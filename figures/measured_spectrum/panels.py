"""How claims about measured rows are drawn: curves, pale where they are not to be trusted, and residuals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import Axes, Canvas, Numbers
from teacherstudent.figures.kit import legends, residuals, style
from teacherstudent.figures.kit.columns import LIMIT, Column, Trace
from teacherstudent.figures.measured_spectrum.claims import CLAIMS, RISK

if TYPE_CHECKING:
    from matplotlib.gridspec import GridSpec

PALE = {"alpha": 0.35}
"""Where the certificate warns of the limit."""
BELOW = {
    LIMIT: "{y}_minus_asymptotic",
    "sim. − corr.\n[std. errors]": "{y}_minus_leverage",
}
"""The residual panels, top to bottom: the labels of their axes, and what they show."""
RATE = "error_rate"
HEIGHTS = (1.8, *(0.74 for _ in BELOW), 0.9)
"""Inches on paper of the risk, its residuals and the error rate."""


def layout(canvas: Canvas) -> GridSpec:
    """A grid of three columns: risk, its residuals, error rate."""
    style.size(canvas, sum(HEIGHTS) + 0.7)
    return canvas.add_gridspec(len(HEIGHTS), 3, height_ratios=HEIGHTS)


def column(numbers: Numbers, looks: Mapping[str, style.Look], x: str, title: str, **how: Any) -> Column:
    """Risk over `x` by every route; of the limit, solid where it is trusted and pale where not.

    A claim without a line of its own is drawn where it was compared with the simulation. how: of `Column`.
    """
    from teacherstudent.theory.measured_spectrum.trust import UNSURE

    shown = []
    for name, look in looks.items():
        limit, corrected = (line(numbers, route, name) for route in CLAIMS)
        sure = limit.where(limit["spread"] < UNSURE)
        shown += [Trace(look, limit, line=PALE), Trace(look, sure, numbers[f"simulation_{name}"], corrected)]
    return Column(x, RISK, shown, title, BELOW, yname="test error", **how)


def line(numbers: Numbers, route: str, name: str) -> xr.Dataset:
    """The risk that a route claims, and the `spread` beside it."""
    if f"{route}_{name}" in numbers:
        return numbers[f"{route}_{name}"]
    return numbers[f"simulation_{name}"][[f"{RISK}_{route}", "spread"]].rename({f"{RISK}_{route}": RISK})


def draw(canvas: Canvas, grid: GridSpec, columns: Sequence[Column]) -> list[Axes]:
    """Whole columns: risk, residuals of both claims, error rate; returns the panels of the risk."""
    found = []
    for at, column in enumerate(columns):
        axes = residuals.stack(canvas, grid, at, list(BELOW))
        rate = canvas.add_subplot(grid[len(axes), at], sharex=axes[0])
        for look, answer in ((each.look, each.drawn) for each in column.traces if each.drawn is not None):
            rate.plot(answer[column.x], answer[RATE], color=look.colour, **style.JOINED)
            style.simulation(rate, answer, column.x, RATE, look)
        rate.set_ylabel("error rate\n[dimensionless]")
        rate.set_xlabel(style.axis_label(answer[column.x]))
        rate.set_ylim(bottom=0)
        column.draw(axes)
        axes[-1].tick_params(labelbottom=False)
        axes[-1].set_xlabel("")
        found.append(axes[0])
    return found


def entries(draws: int, beside: str = "") -> list[legends.Entry]:
    """What lines, markers and band are; `beside` says which markers are no simulation."""
    from teacherstudent.theory.measured_spectrum.trust import UNSURE

    said = f"simulation: mean of {draws} drawn subsets ± 1 standard error{beside}"
    return [
        legends.theory("exact limit for randomly rotated rows, from spectrum and target's share"),
        legends.theory(f"pale: spread of susceptibilities above {UNSURE:g}; the certificate warns", **PALE),
        legends.approximation("approximation: limit corrected by leverages, averaged over rows"),
        legends.simulation(said),
        legends.band(["real rows are not rotated at random"]),
    ]


READING = (
    "Solid: limit of many rows and features with this spectrum and this share of the target in each "
    "eigenvector, for randomly rotated rows drawn without replacement from a pool. The dashed line is pale "
    "where the spread of the rows' susceptibilities exceeds 0.2 and the certificate warns. Dashed: the limit "
    "corrected by the leverages of these rows. Below: simulation minus limit, and simulation minus corrected "
    "limit, in standard errors. Real rows are not randomly rotated, so with enough draws points leave the "
    "band; the note below the panels gives the errors in per cent. Points of a curve share their subsets "
    "and are correlated. Bottom: share of rows that the largest output misclassifies; no theory is shown "
    "for it."
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
    return f"Errors relative to the simulated mean in per cent, median (largest): {'; '.join(said)}."
