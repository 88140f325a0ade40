"""How wrong the misprints about the figures of ch. 4 are, each in one setting."""

from __future__ import annotations

from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.reading import relative
from teacherstudent.paper_checks.multiscale.kit.half_times import in_the_limit

FIGURE_4: dict[str, Any] = {"n": 110, "d": 100, "p": 70, "learning_rate": 0.25}
HIGHEST = 0.7 + 0.3 * 70 / 40
"""Q at B: p/d + (1 - p/d) p/(n - p)."""
FIGURE_5: dict[str, Any] = {"n": 120, "d": 100, "p": 80, "noise": 0.2, "learning_rate": 0.25}


def of_the_ratio() -> float:
    """kappa = 50 against the ratio of half-times at n = 1.5 d."""
    fast, slow = in_the_limit(50.0)
    return relative(50.0, slow / fast)


def of_the_height() -> float:
    """The plane's edge at Q = 1.2 against B."""
    return relative(1.2, HIGHEST)


def of_the_vicinity() -> float:
    """Q at B against the largest Q at kappa = 7."""
    steps = np.arange(30, 400, 4)
    answer = run("multiscale", "descent", "asymptotic", steps, kappa=7.0, **FIGURE_4)
    return relative(HIGHEST, answer["Q"].values.max())


def of_the_condition() -> float:
    """The printed loss at step 3000, without a ridge, at kappa = 100 against kappa = 40."""
    printed, right = (
        run("multiscale", "descent", "printed", [3000], kappa=kappa, **FIGURE_5)["excess_risk"].values
        for kappa in (100.0, 40.0)
    )
    return relative(printed + FIGURE_5["noise"] ** 2 / 2, right + FIGURE_5["noise"] ** 2 / 2)


def of_the_axis() -> float:
    """The risk that is drawn at t = 2, that of t = 1, against the one there."""
    answer = run(
        "multiscale", "descent", "asymptotic", [1, 2], kappa=50.0, n=150, d=100, p=60, learning_rate=0.25
    )
    return relative(*answer["excess_risk"].values)


def of_the_rise() -> float:
    """The risk at the end of the large ridge, if it had the intermediate one's share of a rise."""
    ridges, steps = (
        [4 * 10 ** -(0.1 + 7.9 * i / 99) for i in (10, 30)],
        np.unique(np.geomspace(1, 1e4, 60).round()),
    )
    large, between = (
        run("multiscale", "descent", "asymptotic", steps, kappa=40.0, ridge=ridge, **FIGURE_5)[
            "excess_risk"
        ].values
        for ridge in ridges
    )
    return relative(large.min() * between[-1] / between.min(), large[-1])
