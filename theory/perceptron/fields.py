r"""Averages over training examples as a student meets them, t = y h before it is trained on.

x = t/sqrt(Q) is skew normal (`labels`). Panels lie between the edges of the loss and those of both widths in
the law, that of x and that of the layer sqrt(1 - c^2 R^2) in which labels are doubtful. All parts of a mean
have one sign: no digit of a small one is lost, as it is in closed forms, which subtract tails.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from teacherstudent.theory.perceptron.losses import Loss

_WIDE = np.linspace(-9, 9, 19)
_NARROW = np.array([-9.0, -6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 9])


@dataclass(frozen=True)
class Means:
    """(T,) each. force: E F^2. turning: the mean of F where labels are doubtful, E_{N(0, 1 - c^2 R^2)} F.
    stiffness: -E F'. loss: E l."""

    force: np.ndarray
    turning: np.ndarray
    stiffness: np.ndarray
    loss: np.ndarray


def means(
    loss: Loss, size: np.ndarray, narrow: np.ndarray, delta: np.ndarray, V: np.ndarray, unit: np.ndarray
) -> Means:
    """Of a student of output sqrt(Q) = size and response V, (T,); forces and stiffness in units of `unit`.

    narrow = sqrt(1 - c^2 R^2), delta = c R/narrow.
    """
    size, narrow, delta, V, unit = (each[:, None] for each in (size, narrow, delta, V, unit))
    edges = np.sort(size * np.concatenate([_WIDE + 0 * size, narrow * _NARROW], axis=1), axis=1)
    at = loss.pulled(edges, V)
    x, weights = at.t / size, at.weight / size / np.sqrt(2 * np.pi)
    seen = weights * 2 * np.exp(-(x**2) / 2) * ndtr(delta * x)
    doubtful = weights / narrow * np.exp(-((x / narrow) ** 2) / 2)
    force, stiffness = at.force / unit, at.stiffness / unit
    return Means(
        force=np.sum(seen * force**2, axis=1),
        turning=np.sum(doubtful * force, axis=1),
        stiffness=np.sum(seen * stiffness, axis=1),
        loss=np.sum(seen * at.loss, axis=1),
    )
