r"""Landmarks of the risk over training: its extrema, the best stopping time, how often it descends.

The excess risk E(s) of gradient flow is a quadratic function of the contour's weights w(s) =
e^{us}...; with w' = dw/d log s = u s w, its slope dE/d log s is [E(w + w') - E(w - w')]/2, two
evaluations and no finite difference. Ridge regression and the printed formulas are smooth in
log time and take a central difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from teacherstudent.house.domains import InputError
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory import contours, turning
from teacherstudent.theory.multiscale import printed
from teacherstudent.theory.multiscale.extremes import check_representable
from teacherstudent.theory.multiscale.penalised import shrunk, unpenalised
from teacherstudent.theory.multiscale.terms import (
    Terms,
    at_ridge,
    filtered,
    on_contour,
    poles_of,
    spectrum_of,
)

DIFFERENCE = 1e-4
"""Step in log time: its square and rounding/step are both below 1e-8 of the risk."""

ROUNDING = 64 * np.finfo(float).eps
"""Relative error of a risk in closed form: a sum of parts >= 0, each a few dozen operations from its q."""

CONTOUR = 5e-11
"""Relative error of a slope on a contour: the truncation, and what of it the factor u s enlarges."""

SLOWEST = 1e-100
"""Least ridge whose time, times any strength squared, is a number with room to spare."""


@dataclass(frozen=True)
class Stop:
    """When to stop and the excess risk there; time infinite where training to the end is best."""

    time: float
    excess_risk: float
    gain: float
    """How much lower than at the end of training."""


def flow_curve(problem: MultiScale) -> turning.Curve:
    """Excess risk of gradient flow over log s."""

    plain, speed = unpenalised(problem), 1 + problem.output_penalty
    slowest, poles = spectrum_of(plain).lower_edge() + plain.ridge, poles_of(plain)

    def at(x: np.ndarray, tilt: float) -> np.ndarray:
        clock = speed * np.exp(x)
        contour = contours.flow(clock, slowest)
        rate = contour.nodes * clock[:, None]
        tilted = replace(
            contour,
            weights=contour.weights * (1 + tilt * rate),
            outside=lambda v: contour.outside(v) * (1 + tilt * clock * v),  # a pole's p(v) has its slope too
        )
        return _excess(shrunk(problem, filtered(plain, on_contour(plain, tilted, poles))))

    low, high = np.log(time_range(problem))
    return turning.Curve(lambda x: at(x, 0), lambda x: (at(x, 1) - at(x, -1)) / 2, low, high, CONTOUR)


def ridge_curve(problem: MultiScale) -> turning.Curve:
    """Excess risk of ridge regression over log(1/added ridge)."""
    plain, speed = unpenalised(problem), 1 + problem.output_penalty

    def value(x: np.ndarray) -> np.ndarray:
        return _excess(shrunk(problem, at_ridge(plain, (problem.ridge + np.exp(-x)) / speed)))

    return _by_differences(value, problem)


def printed_curve(problem: MultiScale) -> turning.Curve:
    """Excess risk of the printed formulas over log(1/added ridge): approximate.

    For n < d it may become infinite, and then negative: the curve ends before that.
    """

    def value(x: np.ndarray) -> np.ndarray:
        return printed.ridge(problem, np.exp(x))["excess_risk"]

    whole = _by_differences(value, problem)
    points = turning.grid(whole)
    negative = np.flatnonzero(value(points) < 0)
    if not negative.size:
        return whole
    last, beyond = points[negative[0] - 1], points[negative[0]]
    while beyond - last > DIFFERENCE:
        middle = (last + beyond) / 2
        last, beyond = (last, middle) if value(np.array([middle]))[0] < 0 else (middle, beyond)
    return replace(whole, high=float(last - 2 * DIFFERENCE))


def _by_differences(value: Callable[[np.ndarray], np.ndarray], problem: MultiScale) -> turning.Curve:
    def slope(x: np.ndarray) -> np.ndarray:
        return (value(x + DIFFERENCE) - value(x - DIFFERENCE)) / (2 * DIFFERENCE)

    low, high = np.log(time_range(problem))
    return turning.Curve(value, slope, low, high, ROUNDING / DIFFERENCE)


def _excess(terms: Terms) -> np.ndarray:
    total = (terms.bias + terms.variance + terms.start).sum(axis=-1)
    return np.where(terms.converged, total, np.nan)


def time_range(problem: MultiScale) -> tuple[float, float]:
    """Times between which everything happens: before the fastest feature, after the slowest.

    The slowest rate is that of the weakest features, slowed by the gap of the spectrum that
    closes at alpha = 1, or the ridge where that is faster. Initial weights that no example sees, which there
    are for n < d, are left to the ridge alone. Three decades of margin. Raises `InputError` for a ridge
    that takes longer than numbers can tell.
    """
    speed, problem = 1 + problem.output_penalty, unpenalised(problem)
    spectrum = spectrum_of(problem)
    gap = max((1 - np.sqrt(spectrum.alpha)) ** 2, 1e-6)
    slowest = max(spectrum.strengths.min() * gap, problem.ridge)
    if problem.init and problem.ridge and spectrum.alpha < 1:
        slowest = problem.ridge
        if slowest < SLOWEST:
            domain = f"0 or at least {SLOWEST:g} with init > 0 and n < d: else it works beyond all times"
            raise InputError("ridge", slowest, domain)
    return 0.03 / (spectrum.upper_edge() + problem.ridge) / speed, 1e3 / slowest / speed


CURVES = {"flow": flow_curve, "ridge": ridge_curve, "printed": printed_curve}


def risk_curve(problem: MultiScale, curve: str) -> turning.Curve:
    """The excess risk over log time; `curve` is a key of `CURVES`. Raises `InputError` at extreme values."""
    check_representable(problem)
    return CURVES[curve](problem)


def extrema(problem: MultiScale, curve: str = "flow") -> tuple[turning.Extremum, ...]:
    """Every minimum and maximum of the excess risk over time. Raises as `risk_curve` does."""
    return turning.extrema(risk_curve(problem, curve))


def descents(problem: MultiScale, curve: str = "flow") -> int:
    """How often the excess risk descends over training. Raises as `risk_curve` does."""
    return turning.descents(risk_curve(problem, curve))


def best_stop(problem: MultiScale, curve: str = "flow") -> Stop:
    """The lowest of the minima and of the end of training."""
    whole = risk_curve(problem, curve)
    end = float(whole.value(np.array([whole.high]))[0])
    minima = [each for each in turning.extrema(whole) if each.is_minimum]
    stops = [Stop(each.time, each.value, end - each.value) for each in minima]
    return min([Stop(np.inf, end, 0.0), *stops], key=lambda stop: stop.excess_risk)
