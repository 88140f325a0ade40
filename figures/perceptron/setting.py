"""Learning curves of the perceptron: the numbers and panels that its figures share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.figures.declaration import constants
from teacherstudent.figures.kit import legends
from teacherstudent.figures.kit.comparison import Curve, Times

ID, DYNAMICS = "perceptron", "examples"
ERROR = "generalisation_error"
FEW = 6
"""Draws of the quick version of every figure."""
FEWEST = constants(__name__, FEW=3)
"""What makes a small run of every figure: the fewest draws with a standard error."""


def limit(times: Times, **values: Any) -> xr.Dataset:
    """A learning curve in the limit."""
    return Curve(ID, DYNAMICS, values).by("asymptotic", times)


def drawn(times: Times, seeds: Sequence[int], size: int, **values: Any) -> xr.Dataset:
    """Students of d = `size` inputs beside the limit: means, standard errors and residuals."""
    return Curve(ID, DYNAMICS, {**values, "d": size}).simulation(times, seeds, {"asymptotic": "limit"})


def entries(what: str) -> list[legends.Entry]:
    """What solid lines, markers and the band are."""
    return [
        legends.theory("exact limit n, d → ∞"),
        legends.simulation(f"simulation: {what}, mean over draws ± 1 standard error"),
        legends.band(["draws of these d deviate from the limit"]),
    ]


def off(answers: Iterable[xr.Dataset], name: str = ERROR) -> str:
    """By how much drawn sizes are off the limit, median and largest, in words."""
    apart = np.concatenate([(each[name] / each[f"{name}_asymptotic"] - 1).values.ravel() for each in answers])
    middle, most = 100 * np.nanmedian(abs(apart)), 100 * np.nanmax(abs(apart))
    return (
        f"Simulated errors deviate from the limit by {middle:.1f} per cent in the median, {most:.0f} at most."
    )
