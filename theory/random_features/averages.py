r"""Exact averages of nonlinear features over Gaussian inputs, given the drawn rows.

h_i = F_i x are jointly Gaussian, of covariance C, r_i = C_ii. The mean of s(h_i) s(h_j) is

    linear  C_ij
    relu    (sqrt(r_i r_j - C_ij^2) + C_ij (pi/2 + asin rho_ij))/(2 pi)
    sign    (2/pi) asin rho_ij
    erf     (2/pi) asin 2 C_ij/sqrt((1 + 2 r_i)(1 + 2 r_j))
    sum_k c_k He_k(h)  sum_k k! c_k(i) c_k(j) C_ij^k, c_k(i) the coefficients of He_k for variance r_i

and tanh is a mixture of erfs (`_mixture`). What of it is not linear is wanted on its own, next to the means
and slopes E s(h_i), E s'(h_i): a student of linear features may miss very little of a linear teacher.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy import special

from teacherstudent.problems.random_features.instance import Function

PARALLEL = 1e-6
"""Of correlations this close to 1 the angle is measured by the rows' difference, which keeps its digits."""

STEP, LOWEST, HIGHEST = 0.125, -42.0, 3.75
"""Of log t in averages over a normal number t: e^-42 and all beyond e^3.75 = 42 weigh nothing."""


class Averages(NamedTuple):
    """mean E s(h_i), (N,). slope E s'(h_i), (N,). beyond: of E s(h_i) s(h_j) what is left without the product
    of the means and slope_i slope_j C_ij, (N, N)."""

    mean: np.ndarray
    slope: np.ndarray
    beyond: np.ndarray


def value(function: Function, u: np.ndarray) -> np.ndarray:
    """The function at u."""
    if isinstance(function, tuple):
        found: np.ndarray = np.polynomial.hermite_e.hermeval(u, _coefficients(function))
        return found
    return {
        "linear": np.asarray,
        "relu": lambda u: np.maximum(u, 0.0),
        "sign": np.sign,
        "erf": special.erf,
        "tanh": np.tanh,
    }[function](u)


def mean(function: Function) -> float:
    """E s(G)."""
    return float(smoothed(function, np.zeros(1), np.ones(1))[0])


def averages(function: Function, rows: np.ndarray) -> Averages:
    """Those of s(h), h = rows G for standard normal G, rows (N, d)."""
    covariance = rows @ rows.T
    r = np.diagonal(covariance)
    mean, slope = smoothed(function, np.zeros_like(r), r), _slope(function, r)
    if isinstance(function, tuple):
        beyond = np.zeros_like(covariance)
        for k, each in enumerate(_coefficients(function, r - 1).T):
            if k > 1:
                beyond += math.factorial(k) * np.multiply.outer(each, each) * covariance**k
        return Averages(mean, slope, beyond)
    if function == "linear":
        return Averages(mean, slope, np.zeros_like(covariance))
    linear = np.multiply.outer(slope, slope) * covariance
    if function == "relu":
        size = np.sqrt(np.multiply.outer(r, r))
        rho = np.clip(covariance / size, -1, 1)
        # sqrt(1 - rho^2) - 1 without its cancellation: rows that are nearly orthogonal are the most
        curved = rho * np.arcsin(rho) - rho**2 / (1 + np.sqrt(1 - rho**2))
        return Averages(mean, slope, size / (2 * math.pi) * curved)
    if function == "sign":
        return Averages(mean, slope, 2 / math.pi * _angles(rows, covariance) - linear)
    weights, rates = _mixture(function)
    beyond = -linear
    for weight, rate in zip(weights, rates, strict=True):
        own = 1 / np.sqrt(1 + 2 * rate**2 * r)
        for another, other in zip(weights, rates, strict=True):
            if other <= rate:
                mate = 1 / np.sqrt(1 + 2 * other**2 * r)
                angle = np.arcsin(2 * rate * other * covariance * np.multiply.outer(own, mate))
                beyond += (1 if other == rate else 2) * weight * another / math.pi * (angle + angle.T)
    return Averages(mean, slope, beyond)


def with_teacher(teacher: Function, function: Function, overlap: np.ndarray, r: np.ndarray) -> np.ndarray:
    """E g(t) s(h_i), (N,), of standard normal t and h_i of variances r and covariances overlap with t, (N,).

    The mean of s(h) given t is known. As functions of log |t| both are smooth within pi/4 of the real axis,
    wherever they have their edges, so that the error is some e^(-pi^2/(2 STEP)), below rounding.
    """
    t = np.exp(np.arange(LOWEST, HIGHEST, STEP))
    t = np.concatenate([-t, t])
    weight = STEP * np.abs(t) * np.exp(-(t**2) / 2) / math.sqrt(2 * math.pi)
    given = smoothed(function, np.multiply.outer(overlap, t), (r - overlap**2).clip(0)[:, None])
    found: np.ndarray = given @ (weight * value(teacher, t))
    return found


def smoothed(function: Function, center: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """E s(center + sqrt(variance) G), shapes as they broadcast."""
    if isinstance(function, tuple):
        terms = np.moveaxis(_coefficients(function, variance), -1, 0)
        found: np.ndarray = np.polynomial.hermite_e.hermeval(center, terms, tensor=False)
        return found
    if function == "linear":
        return center
    if function == "relu":
        width = np.sqrt(variance)
        x = center / np.where(width > 0, width, 1.0)
        bent = width * np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi) + center * special.ndtr(x)
        return np.where(width > 0, bent, np.maximum(center, 0.0))
    if function == "sign":
        width = np.sqrt(2 * variance)
        return np.where(width > 0, special.erf(center / np.where(width > 0, width, 1.0)), np.sign(center))
    weights, rates = _mixture(function)
    return sum(
        weight * special.erf(rate * center / np.sqrt(1 + 2 * rate**2 * variance))
        for weight, rate in zip(weights, rates, strict=True)
    )


def _slope(function: Function, r: np.ndarray) -> np.ndarray:
    """E s'(h) of h of variances r, (N,)."""
    if isinstance(function, tuple):
        return _coefficients((*function, 0.0, 0.0), r - 1)[:, 1]
    if function in ("linear", "relu"):
        return np.full(r.shape, 1.0 if function == "linear" else 0.5)
    if function == "sign":
        return np.sqrt(2 / (math.pi * r))
    weights, rates = _mixture(function)
    return 2 / math.sqrt(math.pi) * (1 / np.sqrt(1 + 2 * np.multiply.outer(r, rates**2))) @ (weights * rates)


def _coefficients(function: tuple[float, ...], variance: np.ndarray | float = 0.0) -> np.ndarray:
    """c_k with E s(u + sqrt(variance) G) = sum_k c_k He_k(u), (..., K): those of s where variance is 0.

    Each half of the variance is one application of the heat equation, He_k'' = k (k - 1) He_(k-2).
    """
    own = np.array([each / math.sqrt(math.factorial(k)) for k, each in enumerate(function)])
    variance = np.asarray(variance, dtype=float)
    found = np.zeros((*variance.shape, own.size))
    for k in range(own.size):
        for j in range((own.size - k + 1) // 2):
            share = math.factorial(k + 2 * j) / (math.factorial(k) * math.factorial(j))
            found[..., k] += own[k + 2 * j] * share * (variance / 2) ** j
    return found


@cache
def _mixture(function: str) -> tuple[np.ndarray, np.ndarray]:
    """Weights and rates, (M,), with s(u) = sum weight erf(rate u).

    The logistic distribution is a mixture of normal ones over their width 2 v, where v has the law of
    Kolmogorov's statistic (Andrews & Mallows 1974). In log v its density falls doubly exponentially, so that
    the trapezoidal rule gives tanh within 2e-15 everywhere; the tests hold it to that.
    """
    if function == "erf":
        return np.ones(1), np.ones(1)
    v = np.exp(np.arange(-14, 13) / 8)
    j = np.arange(1, 20)[:, None]
    late = 8 * v * np.sum((-1.0) ** (j + 1) * j**2 * np.exp(-2 * (j * v) ** 2), axis=0)
    decay = ((2 * j - 1) * math.pi / v) ** 2 / 8
    early = math.sqrt(2 * math.pi) / v**2 * np.sum(np.exp(-decay) * (2 * decay - 1), axis=0)
    return np.where(v < 0.7, early, late) * v / 8, 1 / (math.sqrt(2) * v)


def _angles(rows: np.ndarray, covariance: np.ndarray) -> np.ndarray:
    """asin of the correlations, (N, N)."""
    units = rows / np.sqrt(np.diagonal(covariance))[:, None]
    rho = np.clip(units @ units.T, -1, 1)
    found = np.arcsin(rho)
    for i, each in enumerate(rho):
        j = np.flatnonzero(np.abs(each) > 1 - PARALLEL)
        side = np.copysign(1.0, each[j])
        apart = np.linalg.norm(units[i] - side[:, None] * units[j], axis=1)
        found[i, j] = side * (math.pi / 2 - 2 * np.arcsin(np.minimum(apart / 2, 1.0)))
    return found
