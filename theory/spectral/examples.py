r"""Outputs on the training examples: their error and their size, for samples of an infinite population.

A training example is fitted by the student that it helped to train. That multiplies every kernel of
`kernels`, and the example's own noise, by g g' with g = q z/alpha, and gives

    residuals:  sum over v, v' of g g' (sum power h h' + noise)/(1 - T),
    outputs:    the same of (a + noise b) + g g' T (sum power h h' + noise)/(1 - T),

b = (1 - g)(1 - g'), a = sum power (1 - g h)(1 - g' h'), for the outputs are the labels less the
residuals. Both are sums of parts that are not negative. The start knows nothing of the target here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.theory.resolvents import resolvent
from teacherstudent.theory.spectral.errors import own_share
from teacherstudent.theory.spectral.filters import Filter, once, twice, whole
from teacherstudent.theory.spectral.kernels import Alone, Kernels, Modes
from teacherstudent.theory.spectral.tasks import Task


@dataclass(frozen=True)
class Examples:
    """Means over training examples at T times, (T,) each.

    training: squared error. overlap: product of label and residual. output: squared output.
    """

    training: np.ndarray
    overlap: np.ndarray
    output: np.ndarray


def untrained(task: Task, count: int) -> Examples:
    """Of the initial student, `count` times."""
    label, output = float(np.sum(task.power)) + task.noise, float(np.sum(task.start))
    return Examples(*(np.full(count, value) for value in (label + output, label, output)))


def at_ridge(task: Task, ridge: np.ndarray) -> Examples:
    """Ridge regression at effective ridges (T,)."""
    at = resolvent(task.spectrum, ridge)
    own, coupling = own_share(task.spectrum, at), task.spectrum.weights / task.spectrum.alpha
    others = own**2 * Alone.of(task, at).amplified * (at.h**2 @ task.power + task.noise)
    taken = (at.learned @ coupling)[:, None]  # 1 - g
    return Examples(
        training=others,
        overlap=own * (at.h @ task.power + task.noise),
        output=(taken + own[:, None] * at.learned) ** 2 @ task.power
        + task.noise * taken[:, 0] ** 2
        + (at.learned**2 @ coupling) * others,
    )


def filtered(task: Task, by: Filter) -> Examples:
    """Of a student that a filter makes."""
    at, noise = by.at, task.noise
    kernels, own = Kernels.of(task, at, Modes.of(task, at)), own_share(task.spectrum, at)
    coupling = task.spectrum.weights / task.spectrum.alpha

    def refitted(weights: np.ndarray, kernel: np.ndarray) -> np.ndarray:
        """Sum of weight weight' kernel g g': (T,)."""
        return twice(weights * own, kernel, weights * own)

    fresh = refitted(by.over_z, kernels.moved) if task.start.any() else 0.0
    others = kernels.missed + noise * kernels.amplified
    shared = (coupling * at.learned) @ np.swapaxes(whole(at.learned), -1, -2)  # T
    taken = (at.learned @ coupling)[..., None]
    return Examples(
        training=refitted(by.over_v, others) + fresh,
        overlap=once(by.over_v, (own * (at.h @ task.power + noise))[..., None])[:, 0],
        output=once(by.learning, taken + own[..., None] * at.learned) ** 2 @ task.power
        + noise * once(by.learning, taken)[:, 0] ** 2
        + refitted(by.learning, shared * others)
        + fresh,
    )
