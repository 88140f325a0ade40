"""What a dynamics makes of each eigenvalue of X^T X: filter, propagator, and what is missed.

A student w_hat = f(C) X^T y + p(C) w_hat_0 with C = X^T X has, along an eigenvector of eigenvalue c, the
propagator p of the dynamics, the filter f = (1 - p)/(c + ridge), and misses 1 - f c of what it is taught.
Each is computed on its own: early and late in training a difference of two of them keeps no digit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from teacherstudent.house.step_sizes import of_draws


class Modes(NamedTuple):
    """filter f, propagator p and missed 1 - f c, each (T, R)."""

    filter: np.ndarray
    propagator: np.ndarray
    missed: np.ndarray


Rule = Callable[[np.ndarray, np.ndarray], Modes]
"""Eigenvalues c >= 0, (R,), and times, (T,), to modes. Values beyond float64 are infinite or NaN."""


def flow(ridge: float) -> Rule:
    """Gradient flow: p = e^{-s a}, a = c + ridge."""

    def rule(c: np.ndarray, times: np.ndarray) -> Modes:
        exponent = -np.multiply.outer(times, c + ridge)
        return _from_gain(c, ridge, -np.expm1(exponent), np.exp(exponent), times)

    return rule


def descent(ridge: float, learning_rate: float) -> Rule:
    """Gradient descent of whole steps k: p = (1 - eta a)^k, a = c + ridge; it grows where eta a > 2."""

    def rule(c: np.ndarray, times: np.ndarray) -> Modes:
        taken = learning_rate * (c + ridge)
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):  # diverges; 0 inf at a step of 1
            smooth = np.multiply.outer(times, np.log1p(-np.minimum(taken, 1.0)))
            smooth = np.where(times[:, None] == 0, 0.0, smooth)
            kept = np.where(taken < 1, np.exp(smooth), (1 - taken) ** times[:, None])
            gained = np.where(taken < 1, -np.expm1(smooth), 1 - kept)
            return _from_gain(c, ridge, gained, kept, learning_rate * times)

    return rule


class Descents:
    """The rule of gradient descent of each draw, and why numbers of theirs are not finite.

    learning_rate: a number, or the "auto" of `house.step_sizes` for each draw. Where descent diverges with a
    number, all that it learns is NaN.
    """

    def __init__(self, ridge: float, learning_rate: float | str) -> None:
        self._ridge, self._learning_rate = ridge, learning_rate
        self._largest: list[float] = []

    def __call__(self, c: np.ndarray) -> Rule:
        """That of a draw with eigenvalues c, (R,)."""
        self._largest.append(np.max(c, initial=0.0))
        (rate,), _ = of_draws(self._learning_rate, np.array(self._largest[-1:]), self._ridge)
        return descent(self._ridge, rate)

    @property
    def reason(self) -> str:
        """Of the draws so far."""
        _, said = of_draws(self._learning_rate, np.array(self._largest), self._ridge)
        return said or "gradient descent diverges at this learning rate"


def ridge_path(ridge: float) -> Rule:
    """Ridge regression at ridge + 1/time: f = 1/(c + ridge + 1/time), and nothing is left of the start."""

    def rule(c: np.ndarray, times: np.ndarray) -> Modes:
        held = ridge + 1 / times[:, None]
        f = 1 / (c + held)
        return Modes(f, np.zeros_like(f), f * held)

    return rule


def _from_gain(c: np.ndarray, ridge: float, gained: np.ndarray, kept: np.ndarray, flown: np.ndarray) -> Modes:
    """f = (1 - p)/a, which is the flow time `flown` (T,) where a = 0; 1 - f c = p + f ridge."""
    a = c + ridge
    f = np.where(a > 0, gained / np.where(a > 0, a, 1.0), flown[:, None])
    return Modes(f, kept, kept + f * ridge)
