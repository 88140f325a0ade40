"""What an algorithm of steps leaves of its start, by its recursion and nothing else: step after step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from teacherstudent.house import catalogue
from teacherstudent.house.step_sizes import automatic_step

RECURSIONS = {name: each for name, each in catalogue.algorithms().items() if each.recursion}
"""By name the algorithms that are declared by a recursion of two steps."""


def own_options(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the algorithm itself, without the learning rate: those given, or their defaults."""
    declared = RECURSIONS[name].options if name in RECURSIONS else ()
    return {
        each.name: options.get(each.name, each.default) for each in declared if each.name != "learning_rate"
    }


def rate_of(name: str, options: Mapping[str, Any], largest: Any, ridge: float) -> Any:
    """The learning rate, where that is "auto" of the largest eigenvalue of X^T X."""
    asked = options.get("learning_rate", 0.0)
    if asked != "auto":
        return asked
    recursion = RECURSIONS[name].recursion if name in RECURSIONS else None
    return automatic_step(
        largest, ridge, 0.0, recursion.edge(**own_options(name, options)) if recursion else 2.0
    )


def stepped(
    name: str, x: Callable[[Any], Any], one: Any, eta: Any, steps: int, options: Mapping[str, Any]
) -> tuple[Any, Any]:
    """Filter f and propagator p after `steps`: eta times the curvature, `x`, acts on numbers or on matrices.

    one: the unit of these. By descent or a recursion; p = 1 - (curvature) f at every step.
    """
    recursion = RECURSIONS[name].recursion if name in RECURSIONS else None
    own = own_options(name, options)
    (a0, b0), (a, b) = (
        recursion.step(each, **own) if recursion else (1.0 - each, 0.0) for each in (0.0, 1.0)
    )
    a1, b1 = a - a0, b - b0
    f = before_f = 0 * one
    p = before_p = one
    for _ in range(int(steps)):
        f, before_f = a0 * f + a1 * x(f) + b0 * before_f + b1 * x(before_f) + eta * one, f
        p, before_p = a0 * p + a1 * x(p) + b0 * before_p + b1 * x(before_p), p
    return f, p


def of_modes(
    name: str, curvature: np.ndarray, eta: Any, steps: int, options: Mapping[str, Any]
) -> tuple[np.ndarray, np.ndarray]:
    """Filter and propagator along modes of these curvatures, or at points of the plane, (R,) each."""
    return stepped(name, lambda each: eta * curvature * each, np.ones_like(curvature), eta, steps, options)
