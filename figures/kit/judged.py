"""Somebody's own draws on her own theory: arrays, and nothing of this package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from teacherstudent.figures.declaration import Canvas
from teacherstudent.figures.kit import residuals, style, words

DECADES = 100.0
"""Ratio of the ends of an axis from which on it is logarithmic."""


def draw(
    canvas: Canvas,
    title: str,
    points: Sequence[Any],
    theory: np.ndarray,
    drawn: tuple[np.ndarray, ...],
    band: float,
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
    looks = [style.Look("draws", style.BLUE, "o")]
    if len(sizes) > 1:
        looks = style.ordered_looks([f"draws of size {size:g}" for size in sizes[: len(style.MARKERS)]])
    style.size(canvas, 4.2)
    grid = canvas.add_gridspec(2, 1, height_ratios=residuals.heights(1))
    curves, beneath = residuals.stack(canvas, grid, 0, ["residual\n[std. errors]"])
    beneath.axhspan(-band, band, **residuals.BAND)
    beneath.axhline(0, color="0.4", lw=0.8)
    order = np.argsort(x)
    alone = {"marker": "_", "ms": 16, "mew": 1.6} if count == 1 else {}
    for i in range(len(sizes)):
        own, look = slice(i * count, (i + 1) * count), looks[i % len(looks)]
        label = "" if i else "theory"
        curves.plot(x[order], theory[own][order], color=look.colour, label=label, **style.THEORY, **alone)
        mean, error, residual = (each[own] for each in drawn)
        curves.errorbar(x, mean, yerr=error, label=look.label, **style.marked(look), **style.BARS)
        beneath.plot(x, residual, **style.marked(look, 3.5))
    if not numeric:
        style.ticks(beneath.xaxis, x, labels[:count])
    elif x.min() > 0 and x.max() >= DECADES * x.min():
        curves.set_xscale("log")
    if np.nanmin([theory, drawn[0]]) > 0 and np.nanmax(theory) >= DECADES * np.nanmin(theory):
        curves.set_yscale("log")
    reach = 1.15 * max(min(band, residuals.WIDE), float(np.nanmax(np.abs(drawn[2]))))
    beneath.set_ylim(-reach, reach)
    beneath.set_xlabel("point")
    curves.set_ylabel("value")
    curves.legend()
    canvas.suptitle(words.broken(title, 1.2 * style.text(), 0.95 * style.width()))
