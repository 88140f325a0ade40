"""Step sizes of gradient descent on a summed square loss, and where descent diverges with them.

A step multiplies weights by 1 - eta (c + ridge) along an eigenvalue c of X^T X, and they grow where that is
below -1. "auto" is 1/largest eigenvalue, but at most `BRISK`/(largest eigenvalue + ridge), so that no ridge
and no penalty makes it diverge. A number that makes weights grow is refused by limits; draws for which it
does are NaN, never numbers of 1e100.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.house.schedules import Schedule

BRISK = 1.5
"""Step size "auto" times the whole curvature, at most: descent diverges at 2."""

TINY = 1e-300
"""What stands for a curvature of 0, with which nothing diverges."""

ROUNDING = 1e-12
"""Of the largest eigenvalue: at the bound itself weights oscillate, and do not grow."""


def automatic_step(
    largest: np.ndarray | float, ridge: float, penalty: float = 0.0, edge: float = 2.0
) -> np.ndarray:
    """The step size "auto" for largest eigenvalues, (S,) or one: infinite where the whole curvature is 0.

    penalty: of outputs, which enlarges each eigenvalue by 1 + penalty. edge: the step size times the whole
    curvature from which on weights grow.
    """
    brisk = BRISK * min(1.0, edge / 2)
    with np.errstate(divide="ignore"):
        return np.minimum(
            np.divide(1, largest), np.divide(brisk, (1 + penalty) * np.asarray(largest) + ridge)
        )


def of_batches(
    largest: np.ndarray | float, trace: np.ndarray | float, batch: int, ridge: float, penalty: float = 0.0
) -> np.ndarray:
    """The same for batches of b examples, whose noise enlarges the largest eigenvalue by the trace over b."""
    return automatic_step((1 + penalty) * (largest + np.asarray(trace) / batch), ridge)


def in_the_limit(
    asked: float | str | Schedule, edge: float, ridge: float, penalty: float = 0.0, stable: float = 2.0
) -> float:
    """The step size, from "auto" or a number, where the spectrum of X^T X ends at `edge`.

    stable: the step size times the whole curvature from which on weights grow. Raises `InputError` where the
    largest eigenvalue makes them grow, and for a `Schedule`: it is no one size.
    """
    if isinstance(asked, Schedule):
        hint = "automatic times need a constant learning rate: give times"
        raise InputError("learning_rate", asked, "auto or a number here", hint)
    if isinstance(asked, str):
        return float(automatic_step(edge, ridge, penalty, stable))
    eta, largest = float(asked), (1 + penalty) * edge + ridge
    if eta * largest < stable:
        return eta
    name = "(1 + penalty) edge" if penalty else "upper edge of the spectrum"
    raise InputError("learning_rate", eta, f"below {stable:g}/({name} + ridge) = {stable / largest:g}")


def of_draws(
    asked: float | str | np.ndarray | Schedule,
    largest: np.ndarray,
    ridge: float,
    penalty: float = 0.0,
    edge: float = 2.0,
) -> tuple[np.ndarray, str]:
    """The step size of each draw, NaN where descent diverges with it, and why, empty where it nowhere does.

    asked: "auto", a number, one for each draw, or a `Schedule`: then the step sizes are 1, multiplied by
    its rates, and the answer states where these are too large. largest: eigenvalue of X^T X of each draw,
    (S,). edge: step size times curvature from which on an algorithm diverges.
    """
    if isinstance(asked, str):
        return automatic_step(largest, ridge, penalty, edge), ""
    if isinstance(asked, Schedule):
        asked.meets(edge_of(largest, ridge, penalty, edge))
        return np.ones(largest.shape), ""
    rates = np.broadcast_to(np.asarray(asked, dtype=float), largest.shape)
    bound = edge / np.maximum((1 + penalty) * largest + ridge, TINY)
    lost = rates > bound * (1 + ROUNDING)
    if not lost.any():
        return rates.copy(), ""
    span = " to ".join(dict.fromkeys(f"{each:g}" for each in (np.min(rates[lost]), np.max(rates[lost]))))
    name = "(1 + penalty) eigenvalue" if penalty else "largest eigenvalue"
    domain = f"it must be below {edge:g}/({name} + ridge) = {bound.min():g}"
    reason = f"learning_rate {span}: gradient descent diverges; {domain}"
    return np.where(lost, np.nan, rates), reason


def edge_of(largest: np.ndarray, ridge: float, penalty: float = 0.0, edge: float = 2.0) -> float:
    """The step size from which on weights grow in some draw."""
    return float(np.min(edge / np.maximum((1 + penalty) * largest + ridge, TINY)))
