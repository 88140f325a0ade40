"""The numbers of `own-digits`: descent and ridge regression on digits, by theory and on drawn rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from teacherstudent.figures.declaration import Numbers
from teacherstudent.figures.kit.comparison import Curve, draws_of
from teacherstudent.figures.measured_spectrum import claims, rows
from teacherstudent.house.grids import Span
from teacherstudent.house.tables import table

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
    *(60, 100, 140, 180, 215, 250, 270, 285, 293, 300, 307, 315, 330, 360, 400, 450),
    *(520, 600, 700, 850, 1000, 1200),
)
SIMULATED_SIZES = (60, 100, 180, 250, 300, 360, 450, 600, 850, 1200)

SLOW, SLOW_STRENGTH, FEW = 600, 0.03, 120
"""Weak random features beside the pixels, and training rows: fast ones are learned, then slow ones fit."""
SLOW_RATE = 0.05
SLOW_LINES, SLOW_RECORDED = Span(1, 1e7, 140), Span(1, 1e7, 15)


def compute(quick: bool) -> Numbers:
    """Risk over training at several n, over n, and over training of fast beside slow features."""
    seeds = draws_of(ID, quick, SUBSETS, QUICK_SUBSETS)
    labels = {"targets": table(rows.parity(), "parity"), "task": "classification", "intercept": "pool"}
    images, _ = rows.digits()
    wide = {"features": table(rows.rectified(FEATURES, images), "rectified"), **labels}
    numbers: Numbers = {}
    for n in TRAINED:
        curve = Curve(claims.ID, "descent", {**wide, "n": n, "noise": NOISE, "learning_rate": RATE})
        numbers |= claims.answers(f"trained_{n}", curve, LINES, RECORDED, seeds)
    for noise in NOISES:
        numbers |= over_sizes(f"sizes_{noise:g}", {**wide, "noise": noise}, seeds)
    slow = Curve(
        claims.ID, "descent", {**labels, "features": table(both()), "n": FEW, "learning_rate": SLOW_RATE}
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
