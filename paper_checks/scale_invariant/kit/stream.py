"""Training on a stream, exactly, at a cost that is free of d: weights and momentum in their own few axes.

Inputs are isotropic, so that a step sees only where the teacher, the weights x and the momentum a are to each
other. The first axis is the teacher, x lies in the first two, a in the first three; what else an input has
is one number, the length of d - 3 normal numbers. After a step the axes are turned back.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def drawn(
    d: int,
    count: int,
    seed: int,
    times: Sequence[float],
    *,
    loss: str = "correlation",
    scheme: str = "sgd",
    learning_rate: float,
    ridge: float,
    noise: float,
    angle0: float,
    momentum: float = 0.0,
) -> np.ndarray:
    """Angle, then radius, at each time t = steps/d, of that many students with d weights: (count, 2 T)."""
    rng = np.random.default_rng(seed)
    x = np.repeat(np.array([[np.cos(angle0)], [np.sin(angle0)], [0.0], [0.0]]), count, axis=1)
    a, steps, recorded = np.zeros_like(x), np.rint(np.asarray(times) * d).astype(int), []
    for k in range(steps[-1] + 1):
        if k in steps:
            recorded.append((np.arctan2(x[1], x[0]), np.linalg.norm(x, axis=0)))
        z = rng.standard_normal((4, count))
        target = transfer(loss, z[0]) + noise * z[3]
        z[3] = np.sqrt(rng.chisquare(d - 3, count))
        gradient = gradient_of(loss, x, z, target)
        memory = 0.0 if scheme == "sgd" else momentum
        a = memory * a + gradient + ridge * x
        before, x = x, x - learning_rate / d * a
        if scheme == "sgd-mrt":  # RT, Eq. 18
            a = (inner(x, before) * a - inner(x, a) * before) / inner(x, x)
        x, a = turned_back(x, a)
    return np.concatenate(np.array(recorded).swapaxes(0, 1)).T


def inner(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Scalar products, (count,), of vectors (4, count)."""
    return np.sum(one * other, axis=0)


def transfer(loss: str, h: np.ndarray) -> np.ndarray:
    """phi(h) of student and teacher."""
    return (h**2 - 1) / np.sqrt(2) if loss == "squared-correlation" else h


def gradient_of(loss: str, x: np.ndarray, z: np.ndarray, target: np.ndarray) -> np.ndarray:
    """grad L(x), (4, count), of one sample: l'(h) (z - h u)/r, h = u.z."""
    r = np.linalg.norm(x, axis=0)
    u = x / r
    h = inner(u, z)
    slope = (
        h - target if loss == "mse" else -target * (np.sqrt(2) * h if loss == "squared-correlation" else 1.0)
    )
    return slope / r * (z - h * u)


def turned_back(x: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same scalar products with x in the first two axes and a in the first three, (4, count) each."""
    across = x[1:] / np.linalg.norm(x[1:], axis=0)
    along = inner(a[1:], across)
    rest = np.linalg.norm(a[1:] - along * across, axis=0)
    nought = np.zeros_like(rest)
    return np.stack([x[0], np.linalg.norm(x[1:], axis=0), nought, nought]), np.stack(
        [a[0], along, rest, nought]
    )
