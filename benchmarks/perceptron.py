"""The perceptron: its state evolution by Newton's method, against plain iteration of it on a grid."""

from __future__ import annotations

from typing import Any

import numpy as np

from teacherstudent.benchmarks.declaration import Job, Pair, Side
from teacherstudent.problems.perceptron import PROBLEM

SHAPE: dict[str, Any] = {"rule": "logistic", "ridge": 0.01, "noise": 0.3}


def alphas() -> np.ndarray:
    """Thirty, across the threshold of separability."""
    return np.geomspace(0.3, 30, 30)


def curve(quick: bool) -> Job:
    """The asymptotic route at all of them."""
    from teacherstudent.theory.perceptron import asymptotic

    problem, at = PROBLEM.instance(**SHAPE), alphas()
    return Job(lambda: asymptotic.examples(problem, at)["generalisation_error"])


def iterated(quick: bool) -> Job:
    """Each alpha by iteration until nothing changes by 1e-9, averages on a grid of 400 points."""
    x = np.linspace(-8, 8, 400)
    weight = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi) * (x[1] - x[0])
    return Job(lambda: np.array([plain(alpha, x, weight) for alpha in alphas()]))


def plain(alpha: float, x: np.ndarray, weight: np.ndarray) -> float:
    """The generalisation error of logistic regression, as plain NumPy has it."""
    from scipy.special import expit, ndtr

    ridge, noise = SHAPE["ridge"], SHAPE["noise"]
    m = q = V = 1.0
    for _ in range(100_000):
        spread = np.sqrt(1 + noise**2 - m * m / q)
        t = np.sqrt(q) * x
        h = np.maximum(t, 0)  # Newton's method in h, damped where it would overshoot
        for _ in range(50):
            force = expit(-h)
            step = (h - t - V * force) / (1 + V * force * (1 - force))
            h = h - np.clip(step, -1, 1)
            if np.max(np.abs(step)) < 1e-12:
                break
        force = expit(-h)
        bend = force * (1 - force)
        mean = m * x / np.sqrt(q) / spread
        seen = 2 * weight * ndtr(mean)
        turning = 2 * weight * np.exp(-(mean**2) / 2) / np.sqrt(2 * np.pi) / spread
        m_hat, q_hat = alpha * turning @ force, alpha * seen @ force**2
        V_hat = alpha * seen @ (bend / (1 + V * bend))
        kept = 1 / (ridge + V_hat)
        new = m_hat * kept, (m_hat**2 + q_hat) * kept**2, kept
        change = max(abs(a / b - 1) for a, b in zip(new, (m, q, V), strict=True))
        m, q, V = new
        if change < 1e-9:
            break
    return float(np.arccos(m / np.sqrt(q)) / np.pi)


BENCHMARKS = (
    Pair(
        "perceptron-logistic",
        "logistic regression on a noisy teacher for 30 numbers of examples, asymptotic route",
        Side("state evolution by Newton's method, certified", curve),
        Side("plain iteration on a grid, until all changes are below 1e-9", iterated),
        within=1e-5,
        why="plain iteration stops too early where it converges slowly, about 1e-7 from its limit",
    ),
)
