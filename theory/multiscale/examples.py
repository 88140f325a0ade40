r"""Outputs on the training examples in the limit n, d -> infinity: their error and their size.

A training example is fitted by the student that it helped to train. That multiplies every kernel of
`theory.multiscale.terms`, and the example's own noise, by g g' with g = q z/alpha, and gives

    residuals:  sum over v, v' of g g' (sum mu h h' + noise^2)/(1 - T),
    outputs:    the same of (a + noise^2 b) + g g' T (sum mu h h' + noise^2)/(1 - T),

b = (1 - g)(1 - g'), a = sum mu (1 - g h)(1 - g' h'), for the outputs are the labels less the
residuals. Both are sums of parts that are not negative.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory.multiscale.terms import Filter, Kernels, once, spectrum_of, whole
from teacherstudent.theory.resolvents import resolvent


@dataclass(frozen=True)
class Examples:
    """Means over training examples at T times, (T,) each.

    training: squared error. overlap: product of label and residual. output: squared output.
    """

    training: np.ndarray
    overlap: np.ndarray
    output: np.ndarray


def untrained(problem: MultiScale, count: int) -> Examples:
    """Of the initial student, `count` times."""
    spectrum = spectrum_of(problem)
    label, output = 1 + problem.noise**2, problem.init**2 * float(spectrum.weights @ spectrum.strengths)
    return Examples(*(np.full(count, value) for value in (label + output, label, output)))


def at_ridge(problem: MultiScale, ridge: np.ndarray) -> Examples:
    """Ridge regression at effective ridges (T,)."""
    spectrum, noise = spectrum_of(problem), problem.noise**2
    at = resolvent(spectrum, ridge)
    alpha, mu = spectrum.alpha, spectrum.weights
    learned, own = spectrum.strengths * at.qh, at.qz / alpha
    amplified = alpha / (at.qz + (learned * at.h) @ mu)
    others = own**2 * amplified * (at.h**2 @ mu + noise)
    taken = (learned @ mu / alpha)[:, None]  # 1 - g
    return Examples(
        training=others,
        overlap=own * (at.h @ mu + noise),
        output=(taken + own[:, None] * learned) ** 2 @ mu
        + noise * taken[:, 0] ** 2
        + (learned**2 @ mu / alpha) * others,
    )


def filtered(problem: MultiScale, by: Filter) -> Examples:
    """Of a student that a filter makes."""
    spectrum, at, noise = spectrum_of(problem), by.at, problem.noise**2
    alpha, mu = spectrum.alpha, spectrum.weights
    kernels = Kernels.of(problem, at)
    learned, own = spectrum.strengths * at.qh, at.qz / alpha

    def refitted(weights: np.ndarray, kernel: np.ndarray) -> np.ndarray:
        """Sum of weight weight' kernel g g': (T,)."""
        mine = weights * own
        return 2 * np.sum(mine * (kernel @ whole(mine)[..., None])[..., 0], axis=-1).real

    fresh = problem.init**2 * refitted(by.over_z, kernels.moved) if problem.init else 0.0
    others = kernels.missed + noise * kernels.amplified
    shared = (mu * learned) @ np.swapaxes(whole(learned), -1, -2) / alpha  # T
    taken = (learned @ mu / alpha)[..., None]
    return Examples(
        training=refitted(by.over_v, others) + fresh,
        overlap=once(by.over_v, (own * (at.h @ mu + noise))[..., None])[:, 0],
        output=once(by.learning, taken + own[..., None] * learned) ** 2 @ mu
        + noise * once(by.learning, taken)[:, 0] ** 2
        + refitted(by.learning, shared * others)
        + fresh,
    )
