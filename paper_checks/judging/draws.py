"""What draws say of their mean: the mean, and its standard error.

Imports nothing heavy, so that declarations may read `RESOLVABLE`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

RESOLVABLE = 1e-9
"""Standard errors below this drown in rounding and in a contour's error: chance is not seen there."""


@dataclass(frozen=True)
class DrawnMean:
    """A mean over `count` independent draws, and one standard error of it, of one shape."""

    mean: Any
    stderr: Any
    count: int

    @property
    def degrees(self) -> int:
        """Degrees of freedom of the standard error."""
        return self.count - 1


def drawn_mean(sample: Any, axis: int = 0) -> DrawnMean:
    """The mean over draws, which lie along that axis of an array of NumPy or xarray."""
    count = sample.shape[axis]
    return DrawnMean(sample.mean(axis=axis), sample.std(axis=axis, ddof=1) / sqrt(count), count)
