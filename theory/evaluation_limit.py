"""A limit on the work of an integrator: one that is stuck never says so itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

import numpy as np

Field = Callable[[float, np.ndarray], np.ndarray]

MOST_EVALUATIONS = 100_000
"""Of a field, on one path: ten times what the longest of usual questions took."""


def limit_evaluations(field: Field) -> Field:
    """That field; it raises `ArithmeticError` where it is asked for more than `MOST_EVALUATIONS`."""
    asked = 0

    @wraps(field)
    def counted(time: float, state: np.ndarray) -> np.ndarray:
        nonlocal asked
        asked += 1
        if asked > MOST_EVALUATIONS:
            raise ArithmeticError(f"the integrator is stuck at time {time:.4g}")
        return field(time, state)

    return counted
