r"""What two points z, z' of the equivalent make together, as sums of products that do not cancel.

With eta_k = 1/(1 + y u_k), x_k = 1 - eta_k = y u_k eta_k, <.> the mean over inputs, and of z and z'

    P = <x x'>,  A = mustar^2 + <u eta eta'>,  so that  E - P = y A,  E' - P = y' A,

every denominator of the errors is a sum as well. With g_i = psi_i - E

    psi_i - P = g_i + y A,  D = (psi_1 - P)(psi_2 - P) - y y' A^2 = g_1 g_2' + g_1 y' A + g_2' y A.

As kernels of (z, z'), P and y y' A^2 are positive definite, and so are 1/(psi_i - P) and 1/D, which are power
series in them. No denominator loses digits where E comes close to psi_1 or psi_2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from teacherstudent.theory.random_features.model import Model, Point, over
from teacherstudent.theory.spectral.filters import whole


@dataclass(frozen=True)
class Pairs:
    """Kernels of points z with z': of (T or 1, J) with (T or 1, 2J) on all of a contour, or of (T,) alone.

    missed: <eta eta'>. learned: P. strength: A. features, samples: psi_1 - P, psi_2 - P. both: D.
    spread: y y' A^2. aligned: y y' A <u eta eta'>. untouched: g_1 g_1'.
    """

    missed: np.ndarray
    learned: np.ndarray
    strength: np.ndarray
    features: np.ndarray
    samples: np.ndarray
    both: np.ndarray
    spread: np.ndarray
    aligned: np.ndarray
    untouched: np.ndarray

    @classmethod
    def of(cls, model: Model, at: Point) -> Pairs:
        """Of points (T or 1, J) on the upper half of a contour with all of its points: (T or 1, J, 2J)."""
        side = _Side.of(at)
        one = _Side(side.missed, side.learned, *(each[..., None] for each in side[2:]))
        other = _Side(
            *(np.swapaxes(whole(each), -1, -2) for each in side[:2]),
            *(whole(each)[:, None] for each in side[2:]),
        )
        m, u = model.m[..., None, :], model.u[..., None, :]
        return cls._joined(model, u * one.missed, one, other, lambda a, b: (m * a) @ b)

    @classmethod
    def alone(cls, model: Model, at: Point) -> Pairs:
        """Of points (T,) with themselves."""
        side = _Side.of(at)
        return cls._joined(model, model.u * side.missed, side, side, lambda a, b: (a * b) @ model.m)

    @classmethod
    def _joined(
        cls,
        model: Model,
        weighed: np.ndarray,
        one: _Side,
        other: _Side,
        mean: Callable[[np.ndarray, np.ndarray], np.ndarray],
    ) -> Pairs:
        learned = mean(one.learned, other.missed)  # y <u eta eta'>
        mate = mean(one.missed, other.learned)
        rising, risen = one.floor + learned, other.floor + mate  # y A and y' A
        return cls(
            missed=mean(one.missed, other.missed),
            learned=mean(one.learned, other.learned),
            strength=over(model.rest, mate) + mean(weighed, other.missed),
            features=one.features + rising,
            samples=one.samples + rising,
            both=one.features * other.samples + one.features * risen + other.samples * rising,
            spread=rising * risen,
            aligned=rising * mate,
            untouched=one.features * other.features,
        )


class _Side(NamedTuple):
    """What is known of single points, shaped so that two sides make pairs: eta and 1 - eta with an axis of
    scales, y mustar^2, psi_1 - E and psi_2 - E."""

    missed: np.ndarray
    learned: np.ndarray
    floor: np.ndarray
    features: np.ndarray
    samples: np.ndarray

    @classmethod
    def of(cls, at: Point) -> _Side:
        """Those of the points."""
        return cls(at.eta, at.learned, at.floor, at.features, at.samples)
