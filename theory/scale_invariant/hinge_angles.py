"""How the angle falls under the loss hinge-kr: the same laws as in `angle_laws`, integrated.

With y = ln tan(angle/2), in which the teacher is at minus infinity, m = -tanh(y) and the flow on the unit
sphere is y' = -pull(m), smooth and never slower than 2 mu.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp

from teacherstudent.house.errors import InputError
from teacherstudent.theory.evaluation_limit import limit_evaluations
from teacherstudent.theory.scale_invariant.hinge import HingeKR

LOWEST = -750.0
"""y of an angle that is no number any more."""

ON_THE_WAY = 4001
"""Angles at which the steepest place between start and teacher is looked for."""


def flow_angle(law: HingeKR, tau: np.ndarray, angle0: float) -> np.ndarray:
    """Angle (T,) on the flow after time tau on the unit sphere, increasing. Raises `ArithmeticError`."""
    if angle0 == 0:
        return np.zeros(np.shape(tau))
    start = np.log(np.tan(angle0 / 2))
    soon = (start - LOWEST) / (2 * law.class_mean)
    return _angles(lambda y: -law.pull(-np.tanh(y)), start, soon, tau)


def second_order_angle(
    law: HingeKR, steps: np.ndarray, learning_rate: float, angle0: float, radius0: float
) -> np.ndarray:
    """Angle (T,) of gradient descent without L2 after that many steps, to second order in the learning rate.

    From k = integral of r^2/(eta g) - g'/(2 g) over the angle, g = dL/dangle and r^2 + eta L kept: in y,
    dk/dy = -r^2/(eta pull) + (ln g)'/2. Raises `InputError` where eta g' >= 2 r^2 on the way.
    """
    if angle0 == 0:
        return np.zeros(np.shape(steps))
    start = np.log(np.tan(angle0 / 2))
    way = np.log(np.tan(np.linspace(angle0, 0, ON_THE_WAY, endpoint=False) / 2))
    steepest = np.max(law.pull(-np.tanh(way)) * _log_slope(law, way) / 2 - _drop(law, angle0, way))
    if not learning_rate * steepest < radius0**2:
        raise InputError(
            "learning_rate", learning_rate, f"below {radius0**2 / steepest:g} for route second-order"
        )

    largest = radius0**2 + learning_rate * (law.loss(np.cos(angle0)) - law.loss(np.ones(())))
    soon = (start - LOWEST) * (largest / (2 * learning_rate * law.class_mean) + 1 / 2)

    def slope(y: np.ndarray) -> np.ndarray:
        squared = radius0**2 + learning_rate * _drop(law, angle0, y)
        return 1 / (_log_slope(law, y) / 2 - squared / (learning_rate * law.pull(-np.tanh(y))))

    return _angles(slope, start, soon, steps)


def _drop(law: HingeKR, angle0: float, y: np.ndarray) -> np.ndarray:
    """L(angle0) - L, (...)."""
    return law.loss(np.cos(angle0)) - law.loss(-np.tanh(y))


def _log_slope(law: HingeKR, y: np.ndarray) -> np.ndarray:
    """d(ln g)/dy, (...), of g = pull sech(y)."""
    return law.stretch(-np.tanh(y)) * (1 - np.tanh(y) ** 2) - np.tanh(y)


def _angles(
    slope: Callable[[np.ndarray], np.ndarray], start: float, soon: float, times: np.ndarray
) -> np.ndarray:
    """Angles (T,) at increasing times from y = start and y' = slope(y), good to about 1e-10.

    soon: a time from which on y is below `LOWEST`.
    """
    known, places = np.unique(np.minimum(times, soon), return_inverse=True)
    limited = limit_evaluations(lambda _, y: slope(y))
    with warnings.catch_warnings():  # its status tells of a failure
        warnings.simplefilter("ignore", UserWarning)
        solved = solve_ivp(limited, (0.0, soon), [start], "LSODA", known, rtol=1e-12, atol=1e-13)
    if not solved.success:
        raise ArithmeticError(solved.message)
    return 2 * np.arctan(np.exp(solved.y[0]))[places]
