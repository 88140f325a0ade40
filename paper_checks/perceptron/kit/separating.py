"""Which drawn labels a plane through the origin separates, certified either way by linear programming."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from teacherstudent.problems.perceptron.data import Draws


def separable(signed: np.ndarray) -> bool:
    """Whether some w has w.(y x) > 0 for all rows y x of (n, d).

    The largest least margin of a w in the cube |w_k| <= 1: above 0, w separates; else the dual weights
    p >= 0 of the rows have sum p y x = 0, so that no w can have all margins positive (Gordan). Raises
    `ArithmeticError` where neither certificate holds.
    """
    n, d = signed.shape
    rows = signed / np.linalg.norm(signed, axis=1, keepdims=True)
    found = linprog(
        np.append(np.zeros(d), -1.0),
        A_ub=np.column_stack([-rows, np.ones(n)]),
        b_ub=np.zeros(n),
        bounds=[(-1.0, 1.0)] * d + [(None, None)],
        method="highs-ds",
    )
    if found.status == 0 and np.min(rows @ found.x[:d]) > CERTAIN:
        return True
    against = -found.ineqlin.marginals if found.status == 0 else np.full(n, np.nan)
    if abs(against.sum() - 1) < CERTAIN and against.min() >= 0 and np.max(np.abs(rows.T @ against)) < CERTAIN:
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
