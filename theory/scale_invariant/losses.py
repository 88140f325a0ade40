"""The losses of problems/scale_invariant.py, as functions of the angle and of the alignment lost.

Population losses 1 - m for correlation and mse, 1 - m^2 for squared-correlation, m = cos(angle). The
alignment lost is n = 1 - m, in which nothing is lost to rounding near the teacher.
"""

from __future__ import annotations

import math

import numpy as np


def slope(loss: str, angle: float) -> float:
    """dL/dangle: the size of grad L(u) on the unit sphere, along growing angle."""
    return math.sin(2 * angle) if loss == "squared-correlation" else math.sin(angle)


def drop(loss: str, start: float, angle: np.ndarray) -> np.ndarray:
    """L(start) - L(angle), (...), without the cancellation of small angles' cosines."""
    if loss == "squared-correlation":
        return np.sin(start - angle) * np.sin(start + angle)
    return 2 * np.sin((start - angle) / 2) * np.sin((start + angle) / 2)


def farthest(loss: str) -> float:
    """The angle at which the loss is largest: the gradient vanishes, and the least change grows."""
    return math.pi / 2 if loss == "squared-correlation" else math.pi


def curvature(loss: str) -> float:
    """L'' at the teacher, in radians^-2."""
    return 2.0 if loss == "squared-correlation" else 1.0


def alignment_drift(loss: str, n: np.ndarray) -> np.ndarray:
    """-<grad L(u), u*> = dm/dtime of the flow on the unit sphere, (...)."""
    sine_squared = n * (2 - n)
    return 2 * (1 - n) * sine_squared if loss == "squared-correlation" else sine_squared


def gradient_variance(loss: str, n: np.ndarray, noise: float) -> np.ndarray:
    """V, (...): the mean of |grad l(u)|^2/d over samples as d grows; noise: standard deviation of labels."""
    if loss == "squared-correlation":  # 2 E[h^2 (t^2 - 1)^2]/2 + 2 noise^2, h and t of correlation m
        return 2 + 8 * (1 - n) ** 2 + 2 * noise**2
    return (2 * n if loss == "mse" else 1 + 0 * n) + noise**2
