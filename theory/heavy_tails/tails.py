"""The order at which products of steps neither grow nor shrink: the tail index."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.optimize import brentq

Moments = Callable[[float], float]
"""ln h at an order s >= 0: convex, 0 at s = 0."""

ROUNDING = 1e-14
"""Relative accuracy to which the order is solved for."""

MOST = 1000
"""Steps of the solver: bisection alone takes some hundred for orders near 0, in units of their rounding."""


def index(rho: float, moments: Callable[[float], Moments], orders: Sequence[float]) -> float:
    """alpha > 0 with ln h(alpha) = 0; infinite where it is above the last of `orders`.

    rho: the slope of ln h at 0, below 0. moments: ln h for orders up to a given one, of which `orders` are
    tried, in rising order.
    """
    for highest in orders:
        log_moment = moments(highest)
        if log_moment(highest) > 0:

            def slope(order: float, log_moment: Moments = log_moment) -> float:
                return log_moment(order) / order if order > 0 else rho

            return float(brentq(slope, 0.0, highest, xtol=1e-300, rtol=ROUNDING, maxiter=MOST))
    return np.inf
