r"""Landmarks of the risk over training: its extrema, the best stopping time, how often it descends.

Gradient flow (`theory.spectral.motion`), ridge regression and the printed formulas (`penalties`) give the
slope of the risk over log time by derivatives that keep their digits however close the end is, so that its
sign is certain there as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory import turning
from teacherstudent.theory.multiscale import penalties
from teacherstudent.theory.multiscale.penalised import unpenalised
from teacherstudent.theory.multiscale.safe_range import check_representable
from teacherstudent.theory.multiscale.spectral_task import spectrum_of, task_of
from teacherstudent.theory.resolvents import Spectrum
from teacherstudent.theory.spectral.motion import Curves, Flow
from teacherstudent.theory.spectral.tasks import Task

MARGIN = 1e3
"""How much later than its slowest part a curve over time ends."""

DIFFERENCE = 1e-4
"""Distance in log time from where the printed risk is infinite."""

STEPS = (1e-4, -1e-4)
"""Steps in log time between which the slope of ridge regression changes: their square is below 1e-8."""

SETTLED = 1e9
"""How much later than its slowest part or best ridge a curve over 1/ridge ends: it settles like 1/time."""

LATEST = 600.0
"""Log time after which no curve goes on, inside the range of float64."""

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
    low, high = np.log(time_range(problem))
    flow = Flow.of(task_of(unpenalised(problem)), 1 + problem.output_penalty)
    return turning.Curve(lambda x: flow.at(x).times(0.5), low, min(high, flow.last))


def flow_curves(problems: Sequence[MultiScale], curve: str = "flow") -> Curves:
    """The curves of gradient flow of many problems, to be asked together. Raises as `risk_curve` does."""
    for each in problems:
        check_representable(each)
    speed = np.array([1.0 + each.output_penalty for each in problems])
    tasks = [task_of(unpenalised(each)) for each in problems]
    low, high = np.zeros((2, len(problems)))
    groups = []
    for some, task in Task.alike(tasks):
        low[some], high[some] = np.log(_ends(task.spectrum, task.ridge, task.start.any(axis=-1), speed[some]))
        groups.append((some, Flow.of(task, speed[some])))
    return Curves.of(low, high, groups)


def ridge_curve(problem: MultiScale) -> turning.Curve:
    """Excess risk of ridge regression over log(1/added ridge)."""
    return _by_ridge(partial(penalties.exact, problem), problem)


def printed_curve(problem: MultiScale) -> turning.Curve:
    """Excess risk of the printed formulas over log(1/added ridge): approximate.

    For n < d it may become infinite, and then negative: the curve ends before that.
    """
    whole = _by_ridge(partial(penalties.printed, problem), problem)
    points = turning.grid(whole)
    negative = np.flatnonzero(whole.value(points) < 0)
    if not negative.size:
        return whole
    last, beyond = points[negative[0] - 1], points[negative[0]]
    while beyond - last > DIFFERENCE:
        middle = (last + beyond) / 2
        last, beyond = (last, middle) if whole.value(np.array([middle]))[0] < 0 else (middle, beyond)
    return replace(whole, high=float(last - 2 * DIFFERENCE))


def _by_ridge(by: Callable[[np.ndarray], penalties.Change], problem: MultiScale) -> turning.Curve:
    """A curve over x = log(1/added ridge) from its change with the logarithm of the whole ridge."""

    def slope(x: np.ndarray) -> tuple[penalties.Change, np.ndarray]:
        added = np.exp(-x)
        return by(problem.ridge + added), -added / (problem.ridge + added)  # d log(ridge)/dx

    def at(x: np.ndarray) -> turning.Motion:
        here, turned = slope(x)
        after, before = (change.slope * by_x for change, by_x in (slope(x + step) for step in STEPS))
        size = np.abs(turned) * here.size
        bend = (after - before) / (STEPS[0] - STEPS[1])
        return turning.Motion(here.value, turned * here.slope, bend, size, np.abs(turned) * here.error)

    return turning.Curve(at, *_penalty_range(problem))


def _penalty_range(problem: MultiScale) -> tuple[float, float]:
    """Log times 1/(added ridge) from before the fastest feature to the ridgeless limit, where gains are
    measured. The best ridge is noise^2 times a mean of the strengths: with little noise, a late time. With a
    ridge the curve would be flat to rounding so late: it ends where training does.
    """
    low, high = np.log(time_range(problem))
    if problem.ridge:
        return low, high
    spectrum, late = spectrum_of(unpenalised(problem)), high + np.log(SETTLED / MARGIN)
    if problem.noise:
        best = 2 * np.log(problem.noise) + np.log(spectrum.strengths.min() * (1 + problem.output_penalty))
        late = max(late, np.log(SETTLED) - best)
    return low, max(high, min(late, LATEST))


def time_range(problem: MultiScale) -> tuple[float, float]:
    """Times between which everything happens: before the fastest feature, after the slowest.

    The slowest rate is that of the weakest features, slowed by the gap of the spectrum that closes at alpha =
    1, or the ridge where that is faster. Initial weights that no example sees, which there are for n < d, are
    left to the ridge alone. Raises `InputError` for a ridge whose time scale overflows.
    """
    speed, problem = 1 + problem.output_penalty, unpenalised(problem)
    return _ends(spectrum_of(problem), problem.ridge, problem.init > 0, speed)


def _ends(spectrum: Spectrum, ridge: Any, init: Any, speed: Any) -> tuple[Any, Any]:
    """`time_range` of a spectrum, a ridge and initial weights, on a clock that is faster by a factor."""
    gap = np.maximum((1 - np.sqrt(spectrum.alpha)) ** 2, 1e-6)
    slowest = np.maximum(spectrum.strengths.min(axis=-1) * gap, ridge)
    unseen = init & (np.asarray(ridge) > 0) & (spectrum.alpha < 1)
    slowest = np.where(unseen, ridge, slowest)
    if np.any(unseen & (slowest < SLOWEST)):
        domain = (
            f"0 or at least {SLOWEST:g} with init > 0 and n < d: a smaller ridge has an effect "
            "only at times that are too late"
        )
        raise InputError("ridge", float(slowest.min()), domain)
    return 0.03 / (spectrum.upper_edge() + ridge) / speed, MARGIN / slowest / speed


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
