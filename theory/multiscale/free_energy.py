r"""The replica free energy of the multi-scale student, and where it is stationary.

A derivation of R, Q and Q0 that uses no resolvent. Replicas of one data set interact through
their outputs alone, which know the scales by their sums R, Q and Q0 only; the volume of weights
and the ridge know each scale apart. Per input dimension (pezeshki2022 Eqs. .2.54-.2.65, with any
number of scales, ridge and label noise),

    -beta f = 1/2 sum_k [mu_k ln(2 pi e D_k/(mu_k s_k)) + (mu_k Q_k - R_k^2)/D_k - beta ridge Q0_k/s_k]
              - alpha/2 [ln(1 + beta D) + beta (1 + noise^2 - 2R + Q)/(1 + beta D)],

D_k = Q0_k - Q_k, D = sum_k D_k, s_k = sigma_k^2, and mu_k the share of scale k in the features. An
output penalty a completes a square: the labels shrink by 1 + a where beta grows by as much.
Its stationary value is that of ln Z/d, Z the integral of exp(-beta L) over the weights.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import scipy

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.multiscale import MultiScale


@dataclass(frozen=True)
class OrderParameters:
    """Each scale's part of R, Q (two replicas) and Q0 (one with itself), (..., K); totals are sums."""

    alignment: np.ndarray
    overlap: np.ndarray
    self_overlap: np.ndarray


Functional = Callable[[MultiScale, float, OrderParameters], np.ndarray]
"""-beta f of (problem, inverse temperature, order parameters), analytic in the latter, (...)."""

IMAGINARY = 1e-40
"""Step of the complex-step derivative: its square is below rounding, and nothing is subtracted."""

RESIDUAL = 1e-10
"""Largest scaled gradient that still counts as stationary."""


def minus_beta_f(problem: MultiScale, beta: float, order: OrderParameters) -> np.ndarray:
    """-beta f at any order parameters (..., K), stationary or not: (...)."""
    mu = np.asarray(problem.counts) / problem.d
    s = np.square(problem.sigmas)
    R, Q = order.alignment.sum(axis=-1), order.overlap.sum(axis=-1)
    gap = order.self_overlap - order.overlap
    volume = mu * np.log(2 * np.pi * np.e * gap / (mu * s)) + (mu * order.overlap - order.alignment**2) / gap
    ridge = beta * problem.ridge * order.self_overlap / s
    speed, label = 1 + problem.output_penalty, 1 + problem.noise**2
    stiffness = 1 + speed * beta * gap.sum(axis=-1)  # one susceptibility for all scales
    misfit = np.log(stiffness) + beta * (label / speed - 2 * R + speed * Q) / stiffness
    misfit = misfit + beta * label * problem.output_penalty / speed
    return ((volume - ridge).sum(axis=-1) - problem.alpha * misfit) / 2


def stationary_point(
    problem: MultiScale, beta: float, functional: Functional = minus_beta_f
) -> OrderParameters:
    """Where the functional is stationary in all R_k, Q_k and Q0_k, each (K,).

    Followed by halving from a large ridge, where R = Q = 0, to the problem's own. NaN, with a
    warning, where the gradient does not vanish. Raises `InputError` where n <= d without ridge:
    nothing then holds the student.
    """
    if problem.ridge == 0 and problem.n <= problem.d:
        raise InputError("ridge", problem.ridge, "above 0 where n <= d, for a student in equilibrium")
    s = np.square(problem.sigmas)
    last = problem.ridge or s.min() / 10
    strides = np.ceil(np.log2(10 * s.max() * (1 + problem.alpha) / last))
    path = [*(last * 2 ** np.arange(strides, 0, -1)), problem.ridge]
    before = at = np.concatenate([np.zeros(2 * s.size), np.log(s / path[0])])
    for ridge in path:
        slopes = partial(_slopes, replace(problem, ridge=ridge), beta, functional)
        with np.errstate(all="ignore"):  # of trial points far off
            before, at = at, scipy.optimize.root(slopes, 2 * at - before, tol=1e-14).x
    residual = np.abs(slopes(at)).max()
    why = f"free energy: no stationary point found, gradient {residual:g}"
    return _order(problem, beta, nan_where(not residual <= RESIDUAL, why, at))


def gradient(
    problem: MultiScale, beta: float, order: OrderParameters, functional: Functional = minus_beta_f
) -> np.ndarray:
    """The functional's slopes in R_k, in Q_k at fixed Q0_k - Q_k, and in ln(Q0_k - Q_k), (3K,).

    By complex steps, and scaled so that each is made of terms of order one.
    """
    mu, gap = np.asarray(problem.counts) / problem.d, order.self_overlap - order.overlap
    zero, step = np.zeros((mu.size, mu.size)), 1j * IMAGINARY * np.eye(mu.size)
    moved = OrderParameters(
        order.alignment + np.concatenate([step, zero, zero]),
        order.overlap + np.concatenate([zero, step, zero]),
        order.self_overlap + np.concatenate([zero, step, step * gap]),
    )
    R, Q, log_gap = np.split(functional(problem, beta, moved).imag / IMAGINARY, 3)
    return np.concatenate([R * gap / mu, Q * gap / mu, log_gap / ((1 + beta) * mu)])


def _slopes(problem: MultiScale, beta: float, functional: Functional, x: np.ndarray) -> np.ndarray:
    return gradient(problem, beta, _order(problem, beta, x), functional)


def _order(problem: MultiScale, beta: float, x: np.ndarray) -> OrderParameters:
    """Order parameters from (R_k/mu_k, Q_k/mu_k, ln(beta (Q0_k - Q_k)/mu_k)), (3K,)."""
    mu = np.asarray(problem.counts) / problem.d
    R, Q, log_chi = np.split(x, 3)
    return OrderParameters(mu * R, mu * Q, mu * (Q + np.exp(log_chi) / beta))
