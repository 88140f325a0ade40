"""Numbers as people write them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

TINY, HUGE = 1e-4, 1e6
"""Numbers below and above are written with a power of ten."""


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
        >>> pair({"value": 1.7961e9, "error": 5.99e7})
        '(1.796 ± 0.060)e9'
    """
    value, error = factor * number["value"], factor * number["error"]
    if not np.isfinite(value):
        return "unknown"
    if value == 0 == error:
        return "0 (rounding)"
    if not (np.isfinite(error) and error > 0):
        return digits(value, 3)
    if not TINY <= max(abs(value), error) < HUGE:
        power = int(np.floor(np.log10(max(abs(value), error))))
        scaled = {"value": value / 10.0**power, "error": error / 10.0**power}
        return f"({pair(scaled)})e{power}"
    places = max(0, 1 - int(np.floor(np.log10(error))))
    shown = f"{value:.{places}f}"
    return f"{shown if float(shown) or not value else digits(value, 2)} ± {error:.{places}f}"
