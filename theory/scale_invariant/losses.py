"""The losses of problems/scale_invariant, as functions of the angle and of the alignment lost.

Population losses 1 - m for correlation and mse, 1 - m^2 for squared-correlation, m = cos(angle); the loss
hinge-kr is in `hinge`. The alignment lost is n = 1 - m, in which nothing is lost to rounding near the
teacher.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from teacherstudent.problems.scale_invariant import ScaleInvariant
from teacherstudent.theory.scale_invariant.hinge import HingeKR


class LossLaw(Protocol):
    """What the dynamics of a scale-invariant student know of a loss."""

    @property
    def farthest(self) -> float:
        """The angle at which the loss is largest: the gradient vanishes, and the least change grows."""

    @property
    def curvature(self) -> float:
        """L'' at the teacher, in radians^-2."""

    def slope(self, angle: float) -> float:
        """dL/dangle: the size of grad L(u) on the unit sphere, along growing angle."""

    def drop(self, start: float, angle: np.ndarray) -> np.ndarray:
        """L(start) - L(angle), (...), without the cancellation of small angles' cosines."""

    def alignment_drift(self, n: np.ndarray) -> np.ndarray:
        """-<grad L(u), u*> = dm/dtime of the flow on the unit sphere, (...)."""

    def gradient_variance(self, n: np.ndarray, noise: float) -> np.ndarray:
        """V, (...): the mean of |grad l(u)|^2/d over samples as d grows; noise: deviation of the labels."""


@dataclass(frozen=True)
class Correlation:
    """1 - m."""

    farthest: float = math.pi
    curvature: float = 1.0

    def slope(self, angle: float) -> float:
        """As `LossLaw` says, and so the others."""
        return math.sin(angle)

    def drop(self, start: float, angle: np.ndarray) -> np.ndarray:
        """cos(angle) - cos(start)."""
        return 2 * np.sin((start - angle) / 2) * np.sin((start + angle) / 2)

    def alignment_drift(self, n: np.ndarray) -> np.ndarray:
        """1 - m^2."""
        return n * (2 - n)

    def gradient_variance(self, n: np.ndarray, noise: float) -> np.ndarray:
        """E t^2, whatever the angle."""
        return 1 + 0 * n + noise**2


@dataclass(frozen=True)
class MeanSquaredError(Correlation):
    """1 - m up to a constant; its samples are quieter near the teacher."""

    def gradient_variance(self, n: np.ndarray, noise: float) -> np.ndarray:
        """E (t - h)^2."""
        return 2 * n + noise**2


@dataclass(frozen=True)
class SquaredCorrelation:
    """1 - m^2: the antipode of the teacher is one as well."""

    farthest: float = math.pi / 2
    curvature: float = 2.0

    def slope(self, angle: float) -> float:
        """As `LossLaw` says, and so the others."""
        return math.sin(2 * angle)

    def drop(self, start: float, angle: np.ndarray) -> np.ndarray:
        """cos^2(angle) - cos^2(start)."""
        return np.sin(start - angle) * np.sin(start + angle)

    def alignment_drift(self, n: np.ndarray) -> np.ndarray:
        """2 m (1 - m^2)."""
        return 2 * (1 - n) * n * (2 - n)

    def gradient_variance(self, n: np.ndarray, noise: float) -> np.ndarray:
        """2 E[h^2 (t^2 - 1)^2]/2 + 2 noise^2, h and t of correlation m."""
        return 2 + 8 * (1 - n) ** 2 + 2 * noise**2


FREE: Mapping[str, LossLaw] = {
    "correlation": Correlation(),
    "squared-correlation": SquaredCorrelation(),
    "mse": MeanSquaredError(),
}
"""Losses without numbers of their own, by name."""


def law(problem: ScaleInvariant) -> LossLaw:
    """The loss of a problem."""
    if problem.loss == "hinge-kr":
        return HingeKR(problem.hinge_weight, problem.margin, problem.class_mean, problem.class_noise)
    return FREE[problem.loss]
