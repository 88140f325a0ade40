"""How SGD on the population loss turns: the gradient flow, and gradient descent to second order.

Flow x' = -grad L - ridge x in time s: the radius shrinks whatever the loss, and the angle follows the
flow on the unit sphere in its own time tau. Without L2, r^2 + eta L is kept up to eta^2 for any radially
invariant loss; the angle's law then holds to second order in the learning rate.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.theory.scale_invariant import hinge_angles
from teacherstudent.theory.scale_invariant.hinge import HingeKR
from teacherstudent.theory.scale_invariant.losses import LossLaw, SquaredCorrelation

Curve = Callable[[np.ndarray, float, float, float], tuple[np.ndarray, np.ndarray]]


def sphere_time(time: np.ndarray, ridge: float, radius0: float) -> np.ndarray:
    """tau(s), (T,): integral of r^-2, that is (e^(2 ridge s) - 1)/(2 ridge r_0^2)."""
    if ridge == 0:
        return time / radius0**2
    with np.errstate(over="ignore"):
        return np.expm1(2 * ridge * time) / (2 * ridge * radius0**2)


def flow_angle(law: LossLaw, tau: np.ndarray, angle0: float) -> np.ndarray:
    """Angle (T,) on the flow after time tau on the unit sphere.

    tan(angle/2) falls like e^-tau for 1 - m; tan(angle) like e^(-2 tau) for 1 - m^2. That of hinge-kr is
    integrated, for increasing tau.
    """
    if isinstance(law, HingeKR):
        return hinge_angles.flow_angle(law, tau, angle0)
    if isinstance(law, SquaredCorrelation):
        return np.arctan2(np.sin(angle0) * np.exp(-2 * tau), np.cos(angle0))
    return 2 * np.arctan2(np.sin(angle0 / 2) * np.exp(-tau), np.cos(angle0 / 2))


def flow_radius(time: np.ndarray, ridge: float, radius0: float) -> np.ndarray:
    """r(s) = r_0 e^(-ridge s), (T,)."""
    return radius0 * np.exp(-ridge * time)


def second_order_radius(
    law: LossLaw, angle: np.ndarray, learning_rate: float, angle0: float, radius0: float
) -> np.ndarray:
    """r, (...), at these angles, from r^2 + eta L = r_0^2 + eta L_0; no L2."""
    return np.sqrt(radius0**2 + learning_rate * law.drop(angle0, angle))


def second_order_angle(
    law: LossLaw, steps: np.ndarray, learning_rate: float, angle0: float, radius0: float
) -> np.ndarray:
    """Angle (T,) of gradient descent without L2 after that many steps.

    Solves k = integral of r^2/(eta g) - g'/(2 g) over the angle, g = dL/dangle and r as in
    `second_order_radius`: one logarithm falls by k, up to a bounded correction. Raises `InputError` where
    eta g' >= 2 r^2 on the way: steps that large are beyond second order.
    """
    if isinstance(law, HingeKR):
        return hinge_angles.second_order_angle(law, steps, learning_rate, angle0, radius0)
    if isinstance(law, SquaredCorrelation):
        mirrored = angle0 > np.pi / 2
        start = np.pi - angle0 if mirrored else angle0
        largest = radius0**2 / np.cos(start) ** 2
        curve, halves = _squared, 1
    else:
        mirrored, start = False, angle0
        largest = 2 * radius0**2 / np.cos(start) if np.cos(start) > 0 else np.inf
        curve, halves = _linear, 2
    if not learning_rate < largest:
        raise InputError("learning_rate", learning_rate, f"below {largest:g} for route second-order")
    if start == 0:
        return np.full(np.shape(steps), angle0)
    y = _fallen(curve, np.log(np.tan(start / halves)), steps, learning_rate, start, radius0)
    angle = halves * np.arctan(np.exp(y))
    return np.pi - angle if mirrored else angle


def _linear(y: np.ndarray, eta: float, start: float, r0: float) -> tuple[np.ndarray, np.ndarray]:
    """1 - m: k and dk/dy at y = ln tan(angle/2), where sin(angle) = sech(y). Convex."""
    y0, unmoved = np.log(np.tan(start / 2)), (r0**2 - eta * np.cos(start)) / eta
    sines = np.logaddexp(y, -y) - np.logaddexp(y0, -y0)
    return unmoved * (y0 - y) + sines / 2, -unmoved + np.tanh(y) / 2


def _squared(y: np.ndarray, eta: float, start: float, r0: float) -> tuple[np.ndarray, np.ndarray]:
    """1 - m^2: k and dk/dy at y = ln tan(angle), where cos(angle)^-2 = 1 + e^(2y). Concave."""
    y0, unmoved = np.log(np.tan(start)), (r0**2 - eta * np.cos(start) ** 2) / (2 * eta)
    cosines = (np.logaddexp(0, 2 * y) - np.logaddexp(0, 2 * y0)) / 2  # ln cos(start) - ln cos(angle)
    sine_squared = np.exp(2 * y - np.logaddexp(0, 2 * y))
    return unmoved * (y0 - y) - cosines / 2, -unmoved - sine_squared / 2


def _fallen(curve: Curve, y0: float, steps: np.ndarray, eta: float, start: float, r0: float) -> np.ndarray:
    """y, (T,), with k(y) = steps: Newton from y0, which cannot overshoot twice on these curves."""
    y = np.full(np.shape(steps), y0)
    for _ in range(100):
        k, dk = curve(y, eta, start, r0)
        step = (steps - k) / dk
        y = y + step
        rounded = 4 * np.finfo(float).eps * np.maximum(1, np.abs(y) + abs(y0))  # of y0 - y, for one
        if np.all(np.abs(step) <= rounded):
            return y
    raise ArithmeticError("Newton's method did not converge")
