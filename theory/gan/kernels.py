r"""Kernels of infinitely wide discriminators, and their slopes: the NTK of the relu network, and a Gaussian.

**relu.** With x~ = (x, beta) and p the angle between x~ and y~ (0 where either is 0),

    k(x, y) = |x~| |y~| (sin p + (pi - p) cos p)/(2 pi) + x~ . y~ (pi - p)/(2 pi),

first what the outer weights learn, then the inner (cho2009 for both means, jacot2018 for their sum). As a
function of x it has a kink at y, a cone -(|y~|/2 pi) N(x - y) with N(v)^2 = |v|^2 less (v . y)^2/|y~|^2:
there `slopes` gives the mean of both sides along any line, which is y. The angle comes from the difference of
both points, by the arctangent: the arc cosine of their product loses half of the digits near the kink.

**Gaussian.** k(x, y) = exp(-|x - y|^2/(2 l^2)), the limit of random waves (random Fourier features).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from teacherstudent.problems.gan import Gan

ROUNDED = 8 * np.finfo(float).eps
"""What is left across a vector, relative to it, of one that is parallel to it."""


class Values(Protocol):
    """A kernel on R^d. Points x, (..., m, d), and y, (..., n, d), in units of input."""

    def values(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """k(x_i, y_j), (..., m, n)."""
        ...


class Kernel(Values, Protocol):
    """A kernel that has slopes too."""

    def slopes(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The gradient of k(x_i, y_j) over x_i, (..., m, n, d): the mean of both sides at a kink."""
        ...


@dataclass(frozen=True)
class Relu:
    """The NTK of one hidden layer of rectified units, all weights N(0, 1), with biases times beta."""

    bias: float

    def values(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """k(x_i, y_j), (..., m, n)."""
        pair = self._pairs(x, y)
        return (pair.crossed + 2 * (np.pi - pair.angle) * pair.product) / (2 * np.pi)

    def slopes(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The gradient over x_i, (..., m, n, d).

        2 pi times it: sin p |y~|/|x~| x + 2 (pi - p) y + |y~| cos p e, with e the unit vector from x~
        across it towards y~, less its last component. The mean of both sides has no e where p is 0, or pi.
        """
        pair = self._pairs(x, y)
        square = _where_positive(pair.square)
        along = (pair.crossed / square)[..., None] * x[..., :, None, :]
        towards = 2 * (np.pi - pair.angle)[..., None] * y[..., None, :, :]
        # e = -r/|r| with r what is across x~ of x~ - y~, and |x~| |r| = |x~ ^ y~|
        across = pair.aside + (pair.along * (self.bias**2 / square))[..., None] * pair.unit
        turned = np.divide(
            pair.product, pair.crossed, out=np.zeros_like(pair.crossed), where=pair.crossed > 0
        )
        total = along + towards - turned[..., None] * across
        # x~ = 0: k(v, y) is |v| |y| (sin p + 2 (pi - p) cos p)/(2 pi), of mean slope y/2
        return np.where((pair.square > 0)[..., None], total / (2 * np.pi), y[..., None, :, :] / 2)

    def holding(self, y: np.ndarray, push: np.ndarray) -> float:
        """The mass at y, (d,), whose kink holds a point there against that push, (d,). For a bias above 0.

        2 pi/|y~| times the norm of the push that is dual to N.
        """
        return float(2 * np.pi / np.hypot(np.linalg.norm(y), self.bias) * np.sqrt(push @ self.way(y, push)))

    def way(self, y: np.ndarray, push: np.ndarray) -> np.ndarray:
        """Where a push leads that the kink at y just fails to hold, (d,): A^-1 push with N(v)^2 = v . A v."""
        size = float(np.linalg.norm(y))
        unit = y / size if size else y
        return push + (push @ unit) * (size / self.bias) ** 2 * unit

    def _pairs(self, x: np.ndarray, y: np.ndarray) -> _Pairs:
        size = np.linalg.norm(x, axis=-1)[..., :, None]
        unit = x[..., :, None, :] / _where_positive(size)[..., None]
        difference = x[..., :, None, :] - y[..., None, :, :]
        along = np.sum(difference * unit, axis=-1)
        aside = difference - along[..., None] * unit
        apart = np.linalg.norm(difference, axis=-1)
        beside = np.linalg.norm(aside, axis=-1)
        parallel = beside <= ROUNDED * apart
        aside, beside = np.where(parallel[..., None], 0.0, aside), np.where(parallel, 0.0, beside)
        # |x~ ^ y~|^2 = |x ^ y|^2 + beta^2 |x - y|^2 (Lagrange)
        crossed = np.hypot(size * beside, self.bias * apart)
        product = x @ np.swapaxes(y, -1, -2) + self.bias**2
        square = np.broadcast_to(size**2 + self.bias**2, product.shape)
        return _Pairs(aside, along, unit, square, crossed, product, np.arctan2(crossed, product))


@dataclass(frozen=True)
class _Pairs:
    """Of each pair: x - y across x, and the unit vector of x, (..., m, n, d); the rest (..., m, n).

    along: x - y along x. square: |x~|^2. crossed: |x~ ^ y~| = |x~| |y~| sin p. product: x~ . y~. angle: p.
    """

    aside: np.ndarray
    along: np.ndarray
    unit: np.ndarray
    square: np.ndarray
    crossed: np.ndarray
    product: np.ndarray
    angle: np.ndarray


@dataclass(frozen=True)
class Gaussian:
    """exp(-|x - y|^2/(2 l^2)), of random waves of length scale l."""

    length_scale: float

    def values(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """k(x_i, y_j), (..., m, n)."""
        apart = (x[..., :, None, :] - y[..., None, :, :]) / self.length_scale
        return np.exp(-np.sum(apart**2, axis=-1) / 2)

    def slopes(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The gradient over x_i, (..., m, n, d): -(x - y)/l^2 k(x, y)."""
        apart = (x[..., :, None, :] - y[..., None, :, :]) / self.length_scale
        return -apart / self.length_scale * np.exp(-np.sum(apart**2, axis=-1, keepdims=True) / 2)


def kernel_of(problem: Gan) -> Kernel:
    """The kernel of the problem's discriminator, infinitely wide."""
    return Relu(problem.bias) if problem.discriminator == "relu" else Gaussian(problem.length_scale)


def _where_positive(values: np.ndarray) -> np.ndarray:
    return np.where(values > 0, values, 1.0)
