"""Numbers that differ by little, stored as differences so that no digits are lost.

Almost equal units leave a plateau when their small differences grow. The differences need all their digits to
give the right time: in the state, in its slopes and in the solver, which integrates a logarithm.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

Field = Callable[[np.ndarray], np.ndarray]

SMALL = 1e-5
"""Differences below which slopes would lose more digits than a step may."""
NODE = 1e-3
"""Differences at which slopes are taken instead; in their fourth power is the error of what lies between."""
PLACES = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
POWERS = np.linalg.inv(np.vander(PLACES, increasing=True))
"""(5, 5): from values at these places to the coefficients of x^0, ..., x^4 through them."""


@dataclass(frozen=True)
class Apart:
    """base, (n,): for each of n numbers the one from which its difference is stored; itself if none."""

    base: np.ndarray

    @cached_property
    def differences(self) -> np.ndarray:
        """Which of the numbers are stored as differences, (n,)."""
        return self.base != np.arange(self.base.size)

    def told(self, numbers: np.ndarray) -> np.ndarray:
        """Bases and differences of the numbers, (n,)."""
        return numbers - np.where(self.differences, numbers[self.base], 0)

    def numbers(self, y: np.ndarray) -> np.ndarray:
        """The numbers, (n,), of bases and differences."""
        return y + np.where(self.differences, y[self.base], 0)

    def field(self, slopes: Field, reach: Callable[[np.ndarray], float]) -> Field:
        """Slopes of bases and differences, from those of numbers.

        Where no number differs from its base the slopes must not either. Beside this, where all
        differences are `SMALL`, a polynomial in their common size stands for the slopes. reach: of numbers,
        the size over which slopes bend.
        """
        which = self.differences

        def direct(y: np.ndarray) -> np.ndarray:
            return self.told(slopes(self.numbers(y)))

        def field(y: np.ndarray) -> np.ndarray:
            size = float(np.max(np.abs(y[which]), initial=0))
            unit = reach(self.numbers(y)) if size else 1.0
            if not 0 < size < SMALL * unit:
                return direct(y)
            alike, way = np.where(which, 0, y), np.where(which, y / size, 0)
            powers = POWERS @ [direct(alike + NODE * unit * place * way) for place in PLACES]
            powers[0, which] = 0  # alike units stay alike: what is left is rounding
            found: np.ndarray = (size / (NODE * unit)) ** np.arange(PLACES.size) @ powers
            return found

        return field


@dataclass(frozen=True)
class LogScaled:
    """Differences as their direction and the logarithm of their size: on a plateau that grows evenly.

    z, (n + 1,): the n numbers y, of which differences are divided by their size, and log(size/usual).
    """

    of: Field
    differences: np.ndarray
    usual: float

    def z(self, y: np.ndarray) -> np.ndarray:
        """The same of y, (n,)."""
        size = float(np.linalg.norm(y[self.differences]))
        return np.append(np.where(self.differences, y / size, y), np.log(size / self.usual))

    def y(self, z: np.ndarray) -> np.ndarray:
        """Back again."""
        found: np.ndarray = np.where(self.differences, z[:-1] * self.usual * np.exp(z[-1]), z[:-1])
        return found

    def field(self, z: np.ndarray) -> np.ndarray:
        """Slopes of z."""
        way, size = np.where(self.differences, z[:-1], 0), self.usual * np.exp(z[-1])
        slopes = self.of(self.y(z))
        slopes = np.where(self.differences, slopes / size, slopes)
        growth = (way @ slopes) / (way @ way)
        return np.append(slopes - growth * way, growth)
