"""How wrong the misprints about the figures of ch. 4 are, each in one setting."""

from __future__ import annotations

from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.reading import relative

HIGHEST = 0.7 + 0.3 * 70 / 40
"""Q at B of Fig. 4: p/d + (1 - p/d) p/(n - p)."""
LATE = np.unique(np.geomspace(1, 1e4, 60).round())


def curve(steps: Any, n: int, p: int, kappa: float, name: str = "excess_risk", **more: Any) -> np.ndarray:
    """An observable of descent in the exact limit, or by `route`, d = 100, (T,)."""
    question = {
        "n": n,
        "d": 100,
        "p": p,
        "kappa": kappa,
        "learning_rate": 0.25,
        "route": "asymptotic",
        **more,
    }
    values: np.ndarray = run("multiscale", "descent", times=steps, **question)[name].values
    return values


def of_the_ratio() -> float:
    """kappa = 50 against the ratio of half-times at n = 1.5 d."""
    from teacherstudent.paper_checks.multiscale.rate_ratio import in_the_limit

    fast, slow = in_the_limit(50.0)
    return relative(50.0, slow / fast)


def of_the_height() -> float:
    """The plane's edge at Q = 1.2 against B."""
    return relative(1.2, HIGHEST)


def of_the_vicinity() -> float:
    """Q at B against the largest Q at kappa = 7."""
    return relative(HIGHEST, curve(LATE, 110, 70, 7.0, "Q").max())


def of_the_condition() -> float:
    """The printed loss at step 3000, without a ridge, at kappa = 100 against kappa = 40."""
    risks = [curve([3000], 120, 80, kappa, noise=0.2, route="printed") for kappa in (100.0, 40.0)]
    return relative(*(risk + 0.2**2 / 2 for risk in risks))


def of_the_axis() -> float:
    """The risk that is drawn at t = 2, that of t = 1, against the one there."""
    return relative(*curve([1, 2], 150, 60, 50.0))


def of_the_rise() -> float:
    """The risk at the end of the large ridge, if it had the intermediate one's share of a rise."""
    ridges = (4 * 10 ** -(0.1 + 7.9 * i / 99) for i in (10, 30))
    large, between = (curve(LATE, 120, 80, 40.0, noise=0.2, ridge=ridge) for ridge in ridges)
    return relative(large.min() * between[-1] / between.min(), large[-1])
