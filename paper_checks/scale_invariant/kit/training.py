"""Weights in R^d trained by the book: what identities on the sphere are held against.

Plain NumPy: neither the theory's image steps nor the optimisers' transformations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from teacherstudent.paper_checks.judging.evidence import Seeds
from teacherstudent.theory.scale_invariant.sphere_step import SphereStep, image

GENERIC = ("sgd", "sgd-momentum", "sgd-mrt", "adam", "adamw", "adam-s", "adam-srt")
"""Schemes of the form x' = s x - eta a/b (Eqs. 3-4)."""


@dataclass(frozen=True)
class Training:
    """What happened in K steps of a scheme x' = s x - eta a/b.

    x: (K+1, d). gradients: grad L(x_k), (K, d). a, b: (K, d). learning_rates: (K,). m: first moments after
    each step's update, (K, d); v: second moments, (K, d), equal entries where they are scalar.
    """

    scheme: str
    ridge: float
    beta1: float
    beta2: float
    epsilon: float
    shrinkage: float
    learning_rates: np.ndarray
    x: np.ndarray
    gradients: np.ndarray
    a: np.ndarray
    b: np.ndarray
    m: np.ndarray
    v: np.ndarray

    @property
    def r(self) -> np.ndarray:
        """Radii, (K+1,)."""
        return np.linalg.norm(self.x, axis=1)

    @property
    def u(self) -> np.ndarray:
        """Directions, (K+1, d)."""
        return self.x / self.r[:, None]

    @property
    def gradients_on_sphere(self) -> np.ndarray:
        """grad L(u_k) = r_k grad L(x_k), (K, d) (Lemma 1)."""
        return self.r[:-1, None] * self.gradients


@dataclass(frozen=True)
class Repeatable:
    """A training, and the gradients with which another scheme may repeat it."""

    training: Training
    gradient: Gradient


def rescaled_transport(old: np.ndarray, new: np.ndarray, a: np.ndarray) -> np.ndarray:
    """RT(a) as printed in Eq. 75."""
    return ((new @ old) * a - (new @ a) * old) / (new @ new)


def train(
    gradient: Gradient,
    scheme: str,
    x: np.ndarray,
    learning_rates: np.ndarray,
    *,
    ridge: float = 0.0,
    beta1: float = 0.9,
    beta2: float = 0.99,
    epsilon: float = 0.0,
) -> Training:
    """Train by Eqs. 5-8, 15, 19-21, 76 or decoupled weight decay; beta1 is the momentum factor of SGD-M."""
    adaptive = scheme.startswith("adam")
    memory = 0.0 if scheme == "sgd" else beta1
    m, v = np.zeros_like(x), np.zeros_like(x)
    history: dict[str, list[np.ndarray]] = {name: [] for name in ("gradients", "a", "b", "m", "v")}
    path = [x]
    shrinkage = 1 - learning_rates[0] * ridge if scheme == "adamw" else 1.0
    for k, eta in enumerate(np.asarray(learning_rates).tolist()):
        g = gradient(k, x)
        full = g if scheme == "adamw" else g + ridge * x
        if k and scheme in ("sgd-mrt", "adam-srt"):
            m = rescaled_transport(path[-2], x, m)
            v = v * (path[-2] @ path[-2]) / (x @ x)
        if adaptive:
            m = memory * m + (1 - memory) * full
            square = full**2 if scheme in ("adam", "adamw") else np.full_like(x, full @ full / len(x))
            v = beta2 * v + (1 - beta2) * square
            a = m / (1 - memory)
            b = (1 - memory ** (k + 1)) / (1 - memory) * (np.sqrt(v / (1 - beta2 ** (k + 1))) + epsilon)
        else:
            m = memory * m + full
            a, b = m, np.ones_like(x)
        for name, value in zip(history, (g, a, b, m, v), strict=True):
            history[name].append(value)
        x = shrinkage * x - eta * a / b
        path.append(x)
    arrays = {name: np.array(values) for name, values in history.items()}
    return Training(
        scheme, ridge, beta1, beta2, epsilon, shrinkage, np.asarray(learning_rates), np.array(path), **arrays
    )


def train_on(
    task: Task, scheme: str, learning_rate: float, steps: int, radius: float = 1.3, **numbers: float
) -> Training:
    """Train on a task from its own start at a constant learning rate; `numbers` as in `train`."""
    return train(task.gradient, scheme, start(task.seed, radius), np.full(steps, learning_rate), **numbers)


def train_adagradg(
    gradient: Gradient,
    u: np.ndarray,
    steps: int,
    learning_rate: float,
    beta: float,
    v: float,
    more: Callable[[float, float], float] = lambda v, square: 0.0,
    present: bool = False,
) -> np.ndarray:
    """Directions (K+1, d) of AdaGradG (Theorem 4); `more(v, |g|^2)` is added to v a step.

    present: v already holds the gradient that it divides, as that of Adam does.
    """
    path = [u]
    for k in range(steps):
        g = gradient(k, u)
        square = float(g @ g)
        after = beta * v + square + more(v, square)
        moved = u - learning_rate * g / np.sqrt(after if present else v)
        u, v = moved / np.linalg.norm(moved), after
        path.append(u)
    return np.array(path)


# Two radially invariant losses on minibatches, and where training on them starts -----------------------

# Plain NumPy, one group of weights, gradients by the chain rule through the normalisation. Minibatches are
# the same whatever the scheme.

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


# Every generic scheme trained on both tasks, and the image of each of its steps on the sphere ----------

TRAINED, RATES = 400, (0.02, 0.1)


def trainings(seeds: Seeds, epsilon: float = 0.0) -> list[Training]:
    """Every generic scheme on both tasks, with a ridge."""
    return [
        train_on(
            task, scheme, 0.1 if scheme.startswith("sgd") else 0.02, TRAINED, ridge=0.02, epsilon=epsilon
        )
        for task in both_tasks(seeds)
        for scheme in GENERIC
    ]


def seen(training: Training) -> SphereStep:
    """The images of all steps of a training."""
    t = training
    return image(t.x[:-1], t.a, t.b, float(t.learning_rates[0]), t.shrinkage)
