"""Step sizes of gradient descent on a summed square loss, and where descent diverges with them.

"auto" is 1/largest eigenvalue of X^T X, whatever the ridge. A step multiplies weights by 1 - eta (c + ridge)
along an eigenvalue c, and they grow where that is below -1: with a ridge above the largest eigenvalue "auto"
diverges. Nobody typed that number, so every route says which it is, and what to type instead. A number that
makes weights grow is refused by limits; draws for which it does are NaN, never numbers of 1e100.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.house.errors import InputError

TINY = 1e-300
"""What stands for a curvature of 0, with which nothing diverges."""

ROUNDING = 1e-12
"""Of the largest eigenvalue: at the bound itself weights oscillate, and do not grow."""


def in_the_limit(asked: float | str, edge: float, ridge: float, penalty: float = 0.0) -> float:
    """The step size, from "auto" or a number, where the spectrum of X^T X ends at `edge`.

    penalty: of outputs, which enlarges each eigenvalue by 1 + penalty. Raises `InputError` where the largest
    makes descent diverge.
    """
    automatic = isinstance(asked, str)
    eta, largest = 1 / edge if automatic else float(asked), (1 + penalty) * edge + ridge
    if eta * largest < 2:
        return eta
    name = "(1 + penalty) edge" if penalty else "upper edge of the spectrum"
    said = f"auto (1/upper edge of the spectrum = {eta:g})" if automatic else eta
    domain = f"{'a number ' if automatic else ''}below 2/({name} + ridge) = {2 / largest:g}"
    raise InputError("learning_rate", said, domain)


def of_draws(
    asked: float | str | np.ndarray, largest: np.ndarray, ridge: float, penalty: float = 0.0
) -> tuple[np.ndarray, str]:
    """The step size of each draw, NaN where descent diverges with it, and why, empty where it nowhere does.

    asked: "auto", a number, or one for each draw; largest: eigenvalue of X^T X of each draw, (S,).
    """
    if isinstance(asked, str):
        return automatic(largest, ridge, penalty)
    rates = np.broadcast_to(np.asarray(asked, dtype=float), largest.shape)
    bound = 2 / np.maximum((1 + penalty) * largest + ridge, TINY)
    lost = rates > bound * (1 + ROUNDING)
    if not lost.any():
        return rates.copy(), ""
    span = " to ".join(dict.fromkeys(f"{each:g}" for each in (np.min(rates[lost]), np.max(rates[lost]))))
    name = "(1 + penalty) eigenvalue" if penalty else "largest eigenvalue"
    domain = f"it must be below 2/({name} + ridge) = {bound.min():g}"
    reason = f"learning_rate {span}: gradient descent diverges; {domain}"
    return np.where(lost, np.nan, rates), reason


def automatic(largest: np.ndarray, ridge: float, penalty: float = 0.0) -> tuple[np.ndarray, str]:
    """1/largest eigenvalue of each draw, (S,), and why some are NaN, in one line, empty where none is.

    NaN where descent diverges with that number. Infinite where the largest eigenvalue and the ridge are 0.
    """
    enlarged = (1 + penalty) * largest + ridge
    lost = enlarged > 2 * largest
    with np.errstate(divide="ignore"):
        rates = 1 / largest
        safe = 2 / np.max(enlarged)
    if not lost.any():
        return rates, ""
    span = " to ".join(dict.fromkeys(f"{each:g}" for each in (np.min(rates[lost]), np.max(rates[lost]))))
    name = "(1 + penalty) eigenvalue" if penalty else "largest eigenvalue"
    reason = (
        f"--learning-rate auto (1/largest eigenvalue = {span}): gradient descent diverges; "
        f"give a number below 2/({name} + ridge) = {safe:g}"
    )
    return np.where(lost, np.nan, rates), reason
