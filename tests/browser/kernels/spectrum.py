"""The limiting spectrum of the multi-scale problem."""

from __future__ import annotations

from typing import Any

import numpy as np

import teacherstudent as ts
from tests.browser.kernels import Kernel


def inputs(rng: np.random.Generator) -> dict[str, Any]:
    """Sizes and strengths over what lessons 2 to 4 and the explorer offer, and further; up to four scales."""
    if rng.random() < 0.25:
        count = int(rng.integers(1, 5))
        scales = [[int(rng.integers(1, 200)), float(10 ** rng.uniform(-2, 1))] for _ in range(count)]
        d = sum(each[0] for each in scales)
        return {"scales": scales, "n": max(1, round(d * float(np.exp(rng.uniform(np.log(0.1), np.log(10))))))}
    d = int(rng.choice([100, 200, 1000]))
    alpha = 1.0 if rng.random() < 0.1 else float(np.exp(rng.uniform(np.log(0.1), np.log(10))))
    kappa = 1.0 if rng.random() < 0.1 else float(np.exp(rng.uniform(0, np.log(100))))
    return {"alpha": max(1, round(alpha * d)) / d, "d": d, "p": int(rng.integers(1, d)), "kappa": kappa}


def _question(rng: np.random.Generator) -> dict[str, Any]:
    question = inputs(rng)
    if rng.random() < 0.5:
        low, high = np.sort(rng.uniform(-7, 1, 2))
        question["eigenvalues"] = np.geomspace(10**low, 10 ** (high + 0.1), 40).tolist()
    return question


def _answer(**question: Any) -> dict[str, Any]:
    law = ts.spectrum("multiscale", **question)
    names = ("eigenvalue", "density", "share_below", "band_edge", "zeros")
    return {name: law[name].values for name in names}


KERNELS = [
    Kernel(
        "spectrum.of",
        "theory/spectrum.js",
        _question,
        _answer,
        floor={"share_below": 1e-5, "band_edge": 1e-9},
        why="a share is a difference of numbers of order 1, and an edge at zero is rounding where n = d",
    ),
]
