"""Two radially invariant losses on minibatches, and where training on them starts.

Plain NumPy, one group of weights, gradients by the chain rule through the normalisation. Minibatches are
the same whatever the scheme.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from teacherstudent.paper_checks.judging.evidence import Seeds

D, SAMPLES, BATCH = 20, 200, 16

Gradient = Callable[[int, np.ndarray], np.ndarray]
"""grad L of the batch of step k at x, (d,)."""


@dataclass(frozen=True)
class Task:
    """A radially invariant loss on minibatches: `loss(outputs, targets)` of normalised weights' outputs.

    inputs: (n, d). targets: (n,). normalised: "weights" divides x by |x|, "batch" divides the outputs by
    their standard deviation over the batch, after subtracting their mean.
    """

    inputs: np.ndarray
    targets: np.ndarray
    normalised: str
    seed: int

    def batch(self, k: int) -> np.ndarray:
        """Indices of the samples of step k, (B,)."""
        rng = np.random.default_rng([self.seed, 7, k])
        return rng.choice(len(self.targets), BATCH, replace=False)

    def gradient(self, k: int, x: np.ndarray) -> np.ndarray:
        """grad L(x), (d,), of the batch of step k."""
        chosen = self.batch(k)
        Z, t = self.inputs[chosen], self.targets[chosen]
        if self.normalised == "weights":  # linear regression with u = x/|x|
            r = np.sqrt(x @ x)
            u = x / r
            to_u = Z.T @ (Z @ u - t) / len(t)
            return (to_u - (to_u @ u) * u) / r
        h = Z @ x  # a neuron with batch normalisation (Eqs. 23-25 with epsilon = 0) and softplus
        spread = h.std()
        hhat = (h - h.mean()) / spread
        inner = (np.logaddexp(0, hhat) - t) / (1 + np.exp(-hhat)) / len(t)
        to_h = (inner - inner.mean() - hhat * np.mean(inner * hhat)) / spread
        return Z.T @ to_h


def tasks(seed: int) -> list[Task]:
    """Normalised linear regression and a batch-normalised softplus neuron on noisy targets."""
    rng = np.random.default_rng([seed, 0])
    Z = rng.standard_normal((SAMPLES, D))
    t = Z @ rng.standard_normal(D) / np.sqrt(D) + 0.3 * rng.standard_normal(SAMPLES)
    return [Task(Z, t, "weights", seed), Task(Z, np.logaddexp(0, t), "batch", seed)]


def both_tasks(seeds: Seeds, count: int = 1) -> list[Task]:
    """The tasks of that many seeds."""
    return [task for seed in seeds(count) for task in tasks(seed)]


def start(seed: int, radius: float = 1.3) -> np.ndarray:
    """Initial weights, (d,), of that norm."""
    x = np.random.default_rng([seed, 1]).standard_normal(D)
    return radius * x / np.linalg.norm(x)
