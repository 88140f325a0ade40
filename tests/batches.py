"""Stochastic gradient descent by other means: dense moments, enumerated batches, and a sum over all steps.

Routes solve the recursion of one pass on a contour in the eigenbasis, and batches of n rows by transforms.
Here are matrices in a turned basis, step by step; every batch there is; and the convolution as it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import numpy as np

NODES = 240


def learning_rate(options: Mapping[str, Any], largest: float, trace: float) -> float:
    """As asked, or "auto": from the largest eigenvalue and the trace of X^T X, or n times the covariance."""
    asked = options["learning_rate"]
    return 1 / (largest + trace / options["batch"]) if asked == "auto" else float(asked)


def one_pass(
    n: int,
    lam: np.ndarray,
    theta: np.ndarray,
    start: np.ndarray,
    noise: float,
    *,
    ridge: float,
    eta: float,
    batch: int,
    steps: int,
    cross: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Mean squares of the error, and means of its products with the target, of each of d weights, (d,) each.

    theta, start, cross: means of theta^2, w0^2 and theta w0 of each weight, (d,).
    """
    turn, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(lam.size, lam.size)))

    def turned(each: np.ndarray) -> np.ndarray:
        return (turn * each) @ turn.T

    covariance, target = turned(lam), turned(theta)
    mixed = turned((0 * lam if cross is None else cross) - theta)  # of error and target
    error = turned(start + theta - 2 * (0 * lam if cross is None else cross))
    mean = np.eye(lam.size) * (1 - eta * ridge) - eta * n * covariance
    for _ in range(steps):
        fluctuating = covariance @ error @ covariance + covariance * (np.sum(covariance * error) + noise)
        error = (
            mean @ error @ mean
            + (eta * n) ** 2 / batch * fluctuating
            - eta * ridge * (mean @ mixed + mixed.T @ mean)
            + (eta * ridge) ** 2 * target
        )
        mixed = mean @ mixed - eta * ridge * target
    return np.diagonal(turn.T @ error @ turn), np.diagonal(turn.T @ mixed @ turn)


def enumerated(
    inputs: np.ndarray,
    labels: np.ndarray,
    moments: np.ndarray,
    *,
    ridge: float,
    eta: float,
    batch: int,
    steps: int,
) -> np.ndarray:
    """Second moments of (w, x), (d + m, d + m), after some steps, by every batch; `moments` before the first.

    inputs: X, (n, d); labels: y = labels x, (n, m), of what is not trained.
    """
    n, d = inputs.shape
    size = len(moments)
    maps = []
    for chosen in combinations(range(n), batch):
        rows, step = list(chosen), np.eye(size)
        both = np.concatenate([inputs[rows], -labels[rows]], axis=1)
        step[:d] -= eta * n / batch * inputs[rows].T @ both
        step[:d, :d] -= eta * ridge * np.eye(d)
        maps.append(step)
    every = np.array(maps)
    for _ in range(steps):
        moments = np.mean(every @ moments @ np.swapaxes(every, 1, 2), axis=0)
    return moments


def missed(
    n: int, lam: np.ndarray, *, power: np.ndarray, start: np.ndarray, ridge: float, eta: float, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    """What descent on the population misses in each mode of a target and of a start, (k, K), before k steps.

    power, start: their mean squares in each mode, (K,).
    """
    left, of_target, of_start = np.ones(lam.size), [], []
    unlearned = np.ones(lam.size)
    for _ in range(steps):
        of_target.append(power * unlearned**2)
        of_start.append(start * left**2)
        unlearned = unlearned - eta * (n * lam * unlearned - ridge * (1 - unlearned))
        left = left * (1 - eta * (n * lam + ridge))
    return np.reshape(of_target, (steps, lam.size)), np.reshape(of_start, (steps, lam.size))


def convolved(
    root: Callable[[np.ndarray], np.ndarray],
    n: int,
    m: np.ndarray,
    lam: np.ndarray,
    residuals: np.ndarray,
    means: np.ndarray,
    *,
    pool: float,
    largest: float,
    ridge: float,
    eta: float,
    batch: int,
) -> tuple[np.ndarray, np.ndarray]:
    """What batches add after k steps: of each cause in each mode, (C, K), and to the examples, (C,).

    root: q of points z, (N,). residuals: descent's of each cause after steps 0, ..., k - 1, (k, C). means:
    the square of its error in each mode of the population, (k, C, K).
    """
    turned = (largest / 2 + 0.1 * largest) * np.exp(2j * np.pi * (np.arange(NODES) + 0.5) / NODES)
    c, weights = largest / 2 + turned, turned / NODES
    share = (weights / c)[:, None] * m / (1 + root(-c)[:, None] * lam)  # of a function of C in each mode
    kappa = eta**2 * n / batch * (n - batch) / (n - 1)
    again = (1 - eta * (c + ridge)) ** 2 + kappa * c**2 / n  # what a step leaves of V
    own, alone = kappa * n * lam**2, (1 - eta * (n * lam + ridge)) ** 2
    steps = len(residuals)
    kernel = [float(np.sum((c**2 * again**t) @ share).real) * kappa / n for t in range(steps)]
    total, single = np.zeros_like(residuals), np.zeros((residuals.shape[1], lam.size))
    for k in range(steps):
        total[k] = residuals[k] + single.sum(axis=1)
        total[k] += sum((kernel[k - 1 - s] * total[s] for s in range(k)), 0.0)
        single = (alone + own) * single + own * means[k]
    driven = np.array([kappa * c * again ** (steps - 1 - s) for s in range(steps)])
    learned = total.T @ driven  # V, a function of C, of each cause
    seen = np.real(learned @ share) * lam
    if np.isfinite(pool):
        seen = (pool * seen - np.real((learned * c) @ share)) / (pool - n)
    on_examples = np.real((learned * c) @ share).sum(axis=1) / n
    return seen + single, on_examples + single.sum(axis=1)
