"""Schemes that are others in disguise: L2 as a schedule, SGD as AdaGradG, AdamW as Adam.

All exact but Theorem 4 itself. alpha = 1 - learning_rate ridge must be positive.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


def l2_schedule(learning_rate: float, ridge: float, steps: np.ndarray) -> np.ndarray:
    """Learning rates (K,) of SGD without L2 that visits the directions of SGD with it (Eq. 44).

    eta_k = eta alpha^(-2k-1); infinite from k of about 355/(eta lambda) on. The radii are r_L2 = alpha^k r.
    """
    shrinking = np.log1p(-learning_rate * ridge)
    with np.errstate(over="ignore"):
        return learning_rate * np.exp(-(2 * steps + 1) * shrinking)  # Eq. 44


@dataclass(frozen=True)
class AdaGradG:
    """Parameters of AdaGradG: x' = (x - learning_rate g/sqrt(v)) normalised, v' = beta v + |g|^2, v = v0."""

    learning_rate: float
    beta: float
    v0: float


def adagradg_of_sgd(learning_rate: float, ridge: float, radius0: float) -> AdaGradG:
    """The AdaGradG of roburin2020 Theorem 4 for SGD + L2 with these parameters, from the same direction."""
    beta = (1 - learning_rate * ridge) ** 4
    v0 = radius0**4 / (2 * learning_rate**2 * np.sqrt(beta))
    return AdaGradG(float((2 * beta) ** -0.5), beta, float(v0))


def second_moment(beta: float, v0: float, squares: np.ndarray) -> np.ndarray:
    """v_0..v_K, (K+1,), after squared gradient norms |g_i|^2, (K,): v_k holds those before k (Eq. 48)."""
    v = [v0]
    for square in squares:
        v.append(beta * v[-1] + square)
    return np.array(v)


def exact_second_moment(beta: float, v0: float, squares: np.ndarray) -> np.ndarray:
    """The same with g^4/(4 beta v) more a step: Theorem 4 then holds for steps of any size.

    From 1/eta^e' = alpha^2 (1/eta^e + eta^e g^2) of SGD + L2, squared, with v = 1/(2 beta eta^e^2).
    """
    v = [v0]
    for square in squares:
        v.append(beta * v[-1] + square + square**2 / (4 * beta * v[-1]))
    return np.array(v)


@dataclass(frozen=True)
class ScheduledAdam:
    """Adam without decay that visits the directions of AdamW: its factors, and learning rates (K,)."""

    beta1: float
    beta2: float
    learning_rates: np.ndarray


def adam_of_adamw(
    learning_rate: float, ridge: float, beta1: float, beta2: float, steps: np.ndarray
) -> ScheduledAdam:
    """AdamW of these parameters, decay alpha = 1 - learning_rate ridge a step, as Adam; epsilon = 0.

    The radii are alpha^k times Adam's. beta1' = alpha beta1, beta2' = alpha^2 beta2 and
    eta_k = eta alpha^-(k+1) C_k/C'_k, C_k = (1-beta1)/(1-beta1^(k+1)) sqrt((1-beta2^(k+1))/(1-beta2)),
    C'_k the same of beta1' and beta2'.
    """
    alpha = 1 - learning_rate * ridge

    def correction(first: float, second: float) -> np.ndarray:
        return (1 - first) / (1 - first ** (steps + 1)) * np.sqrt((1 - second ** (steps + 1)) / (1 - second))

    slow = correction(beta1, beta2) / correction(alpha * beta1, alpha**2 * beta2)
    with np.errstate(over="ignore"):
        rates = learning_rate * np.exp(-(steps + 1) * np.log(alpha)) * slow
    return ScheduledAdam(alpha * beta1, alpha**2 * beta2, rates)
