"""Somebody's own draws on her own theory: arrays, and nothing of this package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from teacherstudent.figures.declaration import Canvas
from teacherstudent.figures.kit import residuals, style

DECADES = 100.0
"""Ratio of the ends of an axis from which on it is logarithmic."""


def draw(
    canvas: Canvas, points: Sequence[Any], theory: np.ndarray, drawn: tuple[np.ndarray, ...], band: float
) -> None:
    """Theory solid, means of the draws with one standard error, residuals beneath on the band of chance.

    points: labels, or (size, label) where the theory was held to each of several sizes. drawn: means, their
    errors and residuals (points,).
    """
    sizes = list(dict.fromkeys(each[0] for each in points if isinstance(each, tuple))) or [0.0]
    labels = [each[1] if isinstance(each, tuple) else each for each in points]
    count = len(labels) // len(sizes)
    numeric = not any(isinstance(each, str) for each in labels)
    x = np.array(labels[:count] if numeric else range(count), dtype=float)
    style.size(canvas, 6.4, 5.2)
    grid = canvas.add_gridspec(2, 1, height_ratios=residuals.heights(1))
    curves, beneath = residuals.stack(canvas, grid, 0, ["residual\n[std. errors]"])
    beneath.axhspan(-band, band, **residuals.BAND)
    beneath.axhline(0, color="0.4", lw=0.8)
    order, looks = np.argsort(x), _looks(sizes)
    for i in range(len(sizes)):
        own, look = slice(i * count, (i + 1) * count), looks[i % len(looks)]
        alone = {"marker": "_", "ms": 16, "mew": 1.6} if count == 1 else {}
        curves.plot(
            x[order],
            theory[own][order],
            color=look.colour,
            **style.THEORY,
            **alone,
            label="" if i else "theory",
        )
        mean, error, residual = (each[own] for each in drawn)
        curves.errorbar(x, mean, yerr=error, label=look.label, **style.marked(look), **style.BARS)
        beneath.plot(x, residual, **style.marked(look, 3.5))
    if numeric and _wide(x):
        curves.set_xscale("log")
    if not numeric:
        style.ticks(beneath.xaxis, x, labels[:count])
    if _wide(theory) and np.nanmin(drawn[0]) > 0:
        curves.set_yscale("log")
    reach = 1.15 * max(min(band, residuals.WIDE), float(np.nanmax(np.abs(drawn[2]))))
    beneath.set_ylim(-reach, reach)
    beneath.set_xlabel("point")
    curves.set_ylabel("value")
    curves.legend()


def _wide(values: np.ndarray) -> bool:
    """Whether values are positive and span decades."""
    return bool(np.nanmin(values) > 0 and np.nanmax(values) >= DECADES * np.nanmin(values))


def _looks(sizes: Sequence[float]) -> list[style.Look]:
    """A look for each size, at most as many as there are markers."""
    if len(sizes) == 1:
        return [style.Look("draws", style.BLUE, "o")]
    return style.ordered_looks([f"draws of size {size:g}" for size in sizes[: len(style.MARKERS)]])
