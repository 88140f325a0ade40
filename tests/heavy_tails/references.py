"""Heavy tails by other means: means over X and Y in 20 digits, and sums over all batches of a small set."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import mpmath
import numpy as np
from scipy.optimize import brentq

from teacherstudent.problems.heavy_tails import HeavyTails
from teacherstudent.problems.heavy_tails.data import rows

Answer = dict[str, np.ndarray]


def mean(c: float, b: int, given_x: Callable[[Any], Any]) -> Any:
    """Of a function of X ~ chi2_b, singular at b/c, in 20 digits."""
    k, half = mpmath.mpf(c) / b, mpmath.mpf(b) / 2
    edges = [mpmath.mpf(0), *sorted((1 / k, mpmath.mpf(b), mpmath.mpf(4 * b + 40))), mpmath.inf]

    def density(x: Any) -> Any:
        return x ** (half - 1) * mpmath.exp(-x / 2) / (2**half * mpmath.gamma(half))

    return mpmath.quad(lambda x: density(x) * given_x(x), edges)


def precise(c: float, b: int, d: int, order: float | None) -> float:
    """ln h, or rho where the order is None; for d = 1, and for d = 3, where Y is exponential."""
    k = mpmath.mpf(c) / b

    def given_x(x: Any) -> Any:
        square = (1 - k * x) ** 2
        if d == 1:
            return mpmath.log(square) / 2 if order is None else square ** (mpmath.mpf(order) / 2)
        over = square / (2 * k**2 * x)
        if order is None:
            return (mpmath.log(square) + mpmath.exp(over) * mpmath.e1(over)) / 2
        power = mpmath.mpf(order) / 2
        return (2 * k**2 * x) ** power * mpmath.exp(over) * mpmath.gammainc(power + 1, over)

    with mpmath.workdps(20):
        found = mean(c, b, given_x)
        return float(found if order is None else mpmath.log(found))


def orders(problem: HeavyTails, times: np.ndarray, *, learning_rate: float) -> Answer:
    """The exact route, for d = 1 and 3."""
    logs = [precise(learning_rate, problem.batch, problem.d, order) for order in times]
    return {"log_growth": np.array(logs)}


def batches(problem: HeavyTails, seed: int) -> list[tuple[float, float]]:
    """Means of a^2 and of a xi over each batch."""
    assert problem.n is not None
    drawn = rows(problem, [seed])
    a, noise = drawn.inputs[0, :, 0], drawn.noise[0]
    return [
        (
            math.fsum(a[each] ** 2 for each in one) / len(one),
            math.fsum(a[each] * noise[each] for each in one) / len(one),
        )
        for one in combinations(range(problem.n), problem.batch)
    ]


def orders_of_draws(
    problem: HeavyTails, times: np.ndarray, *, seeds: Sequence[int], learning_rate: float
) -> Answer:
    """The route for finite sets."""
    found = []
    for seed in seeds:
        factors = [abs(1 - learning_rate * square) for square, _ in batches(problem, seed)]
        found.append([math.log(math.fsum(f**order for f in factors) / len(factors)) for order in times])
    return {"log_growth": np.array(found)}


def stationary_of_draws(problem: HeavyTails, times: np.ndarray, *, seeds: Sequence[int]) -> Answer:
    """The same; the variance by the fixed point of the first two moments."""
    found = np.full((3, len(seeds), len(times)), np.nan)
    for s, seed in enumerate(seeds):
        for t, eta in enumerate(times):
            found[:, s, t] = _of_draw(eta, batches(problem, seed))
    return dict(zip(("lyapunov", "tail_index", "excess_risk"), found, strict=True))


def _of_draw(eta: float, parts: list[tuple[float, float]]) -> tuple[float, float, float]:
    count = len(parts)
    factors = [1 - eta * square for square, _ in parts]
    rho = math.fsum(math.log(abs(f)) for f in factors) / count

    def excess(order: float) -> float:
        return math.log(math.fsum(abs(f) ** order for f in factors) / count) / order

    heavy = rho < 0 and max(map(abs, factors)) > 1
    alpha = brentq(excess, 1e-6, 1000, xtol=1e-14) if heavy else math.nan
    # E v and E v^2 by their two linear equations
    first = np.array([1 - math.fsum(factors) / count, 0.0])
    cross = -2 * eta * math.fsum(f * each for f, (_, each) in zip(factors, parts, strict=True)) / count
    second = np.array([cross, 1 - math.fsum(f * f for f in factors) / count])
    driven = [
        eta * math.fsum(b for _, b in parts) / count,
        eta**2 * math.fsum(b * b for _, b in parts) / count,
    ]
    square = np.linalg.solve(np.array([first, second]), driven)[1] if second[1] > 0 else math.nan
    return rho, alpha, square / 2


REFERENCES = {
    "heavy-tails/orders/exact": orders,
    "heavy-tails/orders/instance": orders_of_draws,
    "heavy-tails/stationary/instance": stationary_of_draws,
}
