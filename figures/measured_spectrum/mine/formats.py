"""Numbers as people write them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

TINY = 1e-4
"""Numbers below are written with exponents."""


def time(value: float) -> str:
    """A time to two digits."""
    return digits(value, 2)


def digits(value: float, count: int) -> str:
    """A number to that many significant digits."""
    return f"{float(f'{value:.{count}g}'):g}"


def pair(number: Mapping[str, float], factor: float = 1.0) -> str:
    """A number with its error, both to the second digit of the error; `unknown` for NaN.

    Examples:
        >>> pair({"value": 3232.4, "error": 87.2})
        '3232 ± 87'
    """
    value, error = factor * number["value"], factor * number["error"]
    if not np.isfinite(value):
        return "unknown"
    if value == 0 == error:
        return "0 (rounding)"
    if not (np.isfinite(error) and error > 0):
        return digits(value, 3)
    if max(abs(value), error) < TINY:
        return f"{value:.2g} ± {error:.2g}"
    places = max(0, 1 - int(np.floor(np.log10(error))))
    return f"{value:.{places}f} ± {error:.{places}f}"
