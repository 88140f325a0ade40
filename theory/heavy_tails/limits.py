r"""Limits of the tail index, for inputs of one strength and new examples: large dimensions, small steps.

Large d: between infinite variance and no stationary law every step changes a length by little, so that
ln h(s) = (s/2) m + (s/2)(s/2 - 1) w/2 with the mean m and the variance w of V - 1, and

    alpha = 2 - 4 m/w,    rho = m/2 - w/4.

Small steps: v is most likely lengthened by a large X, of weight e^{-X/2}. Minimising x/(2 ln(x - 1)) over x =
k X gives alpha eta/b = e^{1 + W(1/e)}/2, for every b and d.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import lambertw

from teacherstudent.house.certainty import nan_where
from teacherstudent.problems.heavy_tails import HeavyTails
from teacherstudent.theory.heavy_tails import answers, exact

Arrays = dict[str, np.ndarray]

CONSTANT = math.exp(1 + float(lambertw(1 / math.e).real)) / 2
"""alpha eta/b of small steps, 1.7956."""

SMALL = 0.5
"""Mean and standard deviation of V - 1 up to which an expansion in it is told."""

NONE = "the approximation gives no tail index above 0"


def large_dimension(problem: HeavyTails, times: np.ndarray) -> Arrays:
    """rho and tail index over step sizes, (T,), NaN where changes of length are not small."""
    answers.demand_one_strength(problem)
    mean, variance = changes(problem.batch, problem.d, times)
    with np.errstate(divide="ignore"):
        found = {"lyapunov": mean / 2 - variance / 4, "tail_index": 2 - 4 * mean / variance}
    large = np.maximum(np.abs(mean), np.sqrt(variance)) > SMALL
    found = nan_where(
        large, f"a step changes squared lengths by more than {SMALL:g}: use --route exact", found
    )
    none = nan_where(found["tail_index"] <= 0, NONE, {"tail_index": found["tail_index"]})
    return found | {"tail_index": _told(problem, times, none["tail_index"])}


def small_step(problem: HeavyTails, times: np.ndarray) -> Arrays:
    """Tail index over step sizes, (T,)."""
    answers.demand_one_strength(problem)
    return {"tail_index": _told(problem, times, CONSTANT * problem.batch / times)}


def changes(batch: int, d: int, eta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of V - 1 = X (k^2 (X + Y) - 2 k): moments of two chi-square variables, (T,)."""
    b, k = batch, eta / batch
    mean = eta * (eta * (b + d + 1) / b - 2)
    two, three = b * (b + 2), b * (b + 2) * (b + 4)
    four = three * (b + 6)
    sums = four + 2 * (d - 1) * three + (d**2 - 1) * two  # E X^2 (X + Y)^2
    square = k**2 * (k**2 * sums - 4 * k * (three + (d - 1) * two) + 4 * two)
    return mean, square - mean**2


def _told(problem: HeavyTails, times: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """NaN where there is no stationary law, which the exact rho knows."""
    rho = np.array([exact.lyapunov(problem.batch, problem.d, eta) for eta in times])
    return answers.tail_index(problem, times, rho, alpha)
