"""Kernels of drawn discriminators of finite width, as they are before training: waves, and units.

Points x, (..., m, d), and y, (..., n, d), as in `theory.gan.kernels`, whose kernels these approach with W.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Waves:
    """2/W sum_k cos(w_k . x + phi_k) cos(w_k . y + phi_k): w (W, d), in 1/input, and phi (W,)."""

    inner: np.ndarray
    phase: np.ndarray

    def values(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """(..., m, n)."""
        return 2 / len(self.phase) * np.cos(self._fields(x)) @ np.swapaxes(np.cos(self._fields(y)), -1, -2)

    def slopes(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The gradient over x, (..., m, n, d)."""
        down, waves = -np.sin(self._fields(x)), np.cos(self._fields(y))
        each = (down @ (column[:, None] * np.swapaxes(waves, -1, -2)) for column in self.inner.T)
        return 2 / len(self.phase) * np.stack([*each], axis=-1)

    def _fields(self, x: np.ndarray) -> np.ndarray:
        return x @ self.inner.T + self.phase


@dataclass(frozen=True)
class Units:
    """1/W sum_k [relu(u_k(x)) relu(u_k(y)) + a_k^2 (x . y + beta^2) 1(u_k(x) > 0) 1(u_k(y) > 0)].

    u_k(x) = w_k . x + shift_k: w (W, d), shift = beta b and a (W,). That of both halves of a pair.
    """

    inner: np.ndarray
    shift: np.ndarray
    outer: np.ndarray
    bias: float

    def values(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """(..., m, n)."""
        left, right = self._fields(x), self._fields(y)
        ramps = np.maximum(left, 0) @ np.swapaxes(np.maximum(right, 0), -1, -2)
        steps = (self.outer**2 * (left > 0)) @ np.swapaxes(right > 0, -1, -2).astype(float)
        product = x @ np.swapaxes(y, -1, -2) + self.bias**2
        return (ramps + product * steps) / len(self.shift)

    def _fields(self, x: np.ndarray) -> np.ndarray:
        return x @ self.inner.T + self.shift
