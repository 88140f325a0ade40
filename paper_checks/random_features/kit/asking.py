"""Questions put to the routes of random features, and nonlinearities by their moments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from teacherstudent.house.running import run

ERRORS = ("generalisation_error", "training_error")


def errors(dynamics: str, route: str, times: np.ndarray | Sequence[float], **question: Any) -> np.ndarray:
    """Generalisation and training error, (2, T), of a sampled route (S, 2, T)."""
    answer = run("random-features", dynamics, route, times, **question)
    return np.stack([answer[name].values for name in ERRORS], axis=-2)


@dataclass(frozen=True)
class Nonlinearity:
    """mu1 = E[G s(G)], and mustar^2, the variance of s(G) - mu1 G."""

    mu1: float
    rest: float

    @property
    def hermite(self) -> tuple[float, ...]:
        """Coefficients of one that the limit cannot tell from it: all of the rest is of second order."""
        return 0.0, self.mu1, self.rest**0.5


RELU = Nonlinearity(1 / 2, 1 / 4 - 1 / (2 * np.pi))
ERF = Nonlinearity(2 / np.sqrt(3 * np.pi), 2 / np.pi * np.arcsin(2 / 3) - 4 / (3 * np.pi))
SIGN = Nonlinearity(np.sqrt(2 / np.pi), 1 - 2 / np.pi)
LINEAR = Nonlinearity(1.0, 0.0)
TANH = Nonlinearity(0.605705509602, 0.165575741084**2)
"""Numerically, to 12 digits."""
