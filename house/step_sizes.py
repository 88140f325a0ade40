"""Step sizes of gradient descent on a summed square loss, and where descent diverges with them.

A step multiplies weights by 1 - eta (c + ridge) along an eigenvalue c of X^T X, and they grow where that is
below -1. "auto" is 1/largest eigenvalue, but at most `BRISK`/(largest eigenvalue + ridge), so that no ridge
and no penalty makes it diverge.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.house.errors import InputError

BRISK = 1.5
"""Step size "auto" times the whole curvature, at most: descent diverges at 2."""


def automatic(largest: np.ndarray | float, ridge: float, penalty: float = 0.0) -> np.ndarray:
    """The step size "auto" for largest eigenvalues, (S,) or one: infinite where the whole curvature is 0.

    penalty: of outputs, which enlarges each eigenvalue by 1 + penalty.
    """
    with np.errstate(divide="ignore"):
        return np.minimum(
            np.divide(1, largest), np.divide(BRISK, (1 + penalty) * np.asarray(largest) + ridge)
        )


def of_batches(
    largest: np.ndarray | float, trace: np.ndarray | float, batch: int, ridge: float, penalty: float = 0.0
) -> np.ndarray:
    """The same for batches of b examples, whose noise enlarges the largest eigenvalue by the trace over b."""
    return automatic((1 + penalty) * (largest + np.asarray(trace) / batch), ridge)


def in_the_limit(asked: float | str, edge: float, ridge: float, penalty: float = 0.0) -> float:
    """The step size, from "auto" or a number, where the spectrum of X^T X ends at `edge`.

    Raises `InputError` where the largest eigenvalue makes descent diverge.
    """
    if isinstance(asked, str):
        return float(automatic(edge, ridge, penalty))
    eta, largest = float(asked), (1 + penalty) * edge + ridge
    if eta * largest < 2:
        return eta
    name = "(1 + penalty) edge" if penalty else "upper edge of the spectrum"
    raise InputError("learning_rate", eta, f"below 2/({name} + ridge) = {2 / largest:g}")
