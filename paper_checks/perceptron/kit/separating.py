"""Which drawn labels a plane through the origin separates, certified either way by least squares."""

from __future__ import annotations

import numpy as np
from scipy.optimize import nnls

from teacherstudent.problems.perceptron.data import Draws


def separable(signed: np.ndarray) -> bool:
    """Whether some w has w.(y x) > 0 for all rows y x of (n, d).

    Weights p >= 0 bring sum p y x and sum p as near to 0 and 1 as possible. If sum p y x is not 0, it has a
    positive product with each row, so w = sum p y x separates the rows; else no w can have all margins
    positive (Gordan). Raises `ArithmeticError` where neither certificate holds.
    """
    n, d = signed.shape
    rows = signed / np.linalg.norm(signed, axis=1, keepdims=True)
    weights, _ = nnls(np.vstack([rows.T, np.ones(n)]), np.append(np.zeros(d), 1.0))
    w = weights @ rows
    if np.min(rows @ w) > CERTAIN * np.max(np.abs(w)):
        return True
    if np.max(np.abs(w)) < CERTAIN * weights.sum():
        return False
    raise ArithmeticError(f"could neither separate {n} rows in {d} dimensions nor prove them inseparable")


CERTAIN = 1e-8
"""Far above rounding, and below any margin that is met."""


def most_separable(drawn: Draws) -> np.ndarray:
    """By draw, how many of its first examples are separable, at most: all, where they are."""
    found = []
    for inputs, labels in zip(drawn.inputs, drawn.labels, strict=True):
        signed = labels[:, None] * inputs
        low, high = min(signed.shape), len(signed) + 1  # as many as inputs always are
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if separable(signed[:middle]) else (low, middle)
        found.append(low)
    return np.array(found)
