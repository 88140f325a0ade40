r"""Exact averages of nonlinear features over Gaussian inputs, given the drawn rows.

h_i = F_i x are jointly Gaussian, of covariance C, r_i = C_ii. The mean of s(h_i) s(h_j) is

    linear  C_ij
    relu    (sqrt(r_i r_j - C_ij^2) + C_ij (pi/2 + asin rho_ij))/(2 pi)
    sign    (2/pi) asin rho_ij
    erf     (2/pi) asin 2 C_ij/sqrt((1 + 2 r_i)(1 + 2 r_j))
    sum_k c_k He_k(h)  sum_k k! c_k(i) c_k(j) C_ij^k, c_k(i) the coefficients of He_k for variance r_i

tanh is a mixture of erfs (`_mixture`), and any other function is its Hermite series (`_of_any`). What of it
is not linear is wanted on its own, next to the means and slopes E s(h_i), E s'(h_i): a student of linear
features may miss very little of a linear teacher.
"""

from __future__ import annotations

import math
from functools import cache, lru_cache, partial
from typing import NamedTuple

import numpy as np
from scipy import special

from teacherstudent.house.errors import InputError
from teacherstudent.house.functions import UserFunction
from teacherstudent.problems.random_features.instance import Function
from teacherstudent.theory.function_pieces import Panels, coefficients, panels_of

PARALLEL = 1e-6
"""Of correlations this close to 1 the angle is measured by the rows' difference, which keeps its digits."""

STEP, LOWEST, HIGHEST = 0.125, -42.0, 3.75
"""Of log t in averages over a normal number t: e^-42 and all beyond e^3.75 = 42 weigh nothing."""


SERIES, SMALL, CERTAIN = 400, 1e-15, 1e-10
"""Terms of a user's function, the share of its variance where they end, and that which is refused."""


class Averages(NamedTuple):
    """mean E s(h_i), (N,). slope E s'(h_i), (N,). beyond: of E s(h_i) s(h_j) what is left without the product
    of the means and slope_i slope_j C_ij, (N, N)."""

    mean: np.ndarray
    slope: np.ndarray
    beyond: np.ndarray


def value(function: Function, u: np.ndarray) -> np.ndarray:
    """The function at u."""
    if isinstance(function, UserFunction):
        return function(u)
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
    if isinstance(function, UserFunction):
        return float(next(coefficients(_panels(function), np.ones(1), 1))[0])
    return (
        function[0] if isinstance(function, tuple) else float(smoothed(function, np.zeros(1), np.ones(1))[0])
    )


def averages(function: Function, rows: np.ndarray) -> Averages:
    """Those of s(h), h = rows G for standard normal G, rows (N, d)."""
    covariance = rows @ rows.T
    r = np.diagonal(covariance)
    if isinstance(function, UserFunction):
        return _of_any(function, covariance, r)
    if isinstance(function, tuple):
        own = _coefficients((*function, 0.0, 0.0), r - 1).T
        beyond = np.zeros_like(covariance)
        for k, each in enumerate(own[2:], 2):
            beyond += math.factorial(k) * np.multiply.outer(each, each) * covariance**k
        return Averages(own[0], own[1], beyond)
    mean, slope = smoothed(function, np.zeros_like(r), r), _slope(function, r)
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

    Of Hermite polynomials only equal degrees share anything. Of any other function the mean given t is known.
    As functions of log |t| all are smooth within pi/4 of the real axis, wherever they have their edges, so
    that the error is some e^(-pi^2/(2 STEP)), below rounding.
    """
    if isinstance(function, UserFunction) or isinstance(teacher, UserFunction):
        return _series_with_teacher(teacher, function, overlap, r)
    t = np.exp(np.arange(LOWEST, HIGHEST, STEP))
    t = np.concatenate([-t, t])
    weight = STEP * np.abs(t) * np.exp(-(t**2) / 2) / math.sqrt(2 * math.pi) * value(teacher, t)
    if isinstance(function, tuple):
        own = _coefficients(function, r - 1)
        shared = weight @ np.polynomial.hermite_e.hermevander(t, len(function) - 1)
        found: np.ndarray = (own * overlap[:, None] ** np.arange(len(function))) @ shared
        return found
    given = smoothed(function, np.multiply.outer(overlap, t), (r - overlap**2).clip(0)[:, None])
    found = given @ weight
    return found


@lru_cache(maxsize=8)
def _panels(function: Function) -> Panels:
    return panels_of(partial(value, function), "activation")


def _of_any(function: UserFunction, covariance: np.ndarray, r: np.ndarray) -> Averages:
    """Those of a user's function, by its Hermite series for each variance (Mehler's formula).

    The series ends where what is left of the variances, times the powers of correlations, is rounding.
    """
    panels, size = _panels(function), np.sqrt(r)
    mean, slope, *_ = found = list(coefficients(panels, r, 2))
    density = np.exp(-((panels.nodes / size[:, None]) ** 2) / 2) / (math.sqrt(2 * math.pi) * size[:, None])
    centred = panels.values - mean[:, None] - slope[:, None] * panels.nodes / size[:, None]
    whole = (density * panels.weights * centred**2).sum(axis=1)
    rho = np.clip(covariance / np.multiply.outer(size, size), -1, 1)
    np.fill_diagonal(rho, 0)
    largest, beyond, left = float(np.max(np.abs(rho))), np.diag(whole), whole.copy()
    for k, own in enumerate(coefficients(panels, r, SERIES)):
        if k >= 2:
            beyond += np.multiply.outer(own, own) * rho**k
            left -= own**2
            if np.max(left) * largest ** (k + 1) <= SMALL * np.max(whole):
                break
    _demand_converged(function, np.max(left) * largest**SERIES, np.max(whole))
    return Averages(mean, found[1] / size, beyond)


def _series_with_teacher(
    teacher: Function, function: Function, overlap: np.ndarray, r: np.ndarray
) -> np.ndarray:
    """E g(t) s(h_i), (N,), by the Hermite series of both."""
    rho, total = np.clip(overlap / np.sqrt(r), -1, 1), np.zeros(len(r))
    own, taught = (
        coefficients(_panels(each), variance, SERIES)
        for each, variance in ((function, r), (teacher, np.ones(1)))
    )
    last = np.zeros(len(r))
    for k, (one, other) in enumerate(zip(own, taught, strict=True)):
        last = one * other * rho**k
        total += last
        if k > 8 and np.max(np.abs(rho)) ** k <= SMALL:
            break
    _demand_converged(function, SERIES * float(np.max(np.abs(last))), float(np.max(np.abs(total))))
    return total


def _demand_converged(function: Function, left: float, size: float) -> None:
    if left > CERTAIN * size:
        domain = "smooth, or d must be larger: for nearly parallel features the kinks cause an error"
        raise InputError("activation", function, f"{domain} of {left / size:.1g}")


def smoothed(function: str, center: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """E s(center + sqrt(variance) G) of a function by name, shapes as they broadcast."""
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


def _slope(function: str, r: np.ndarray) -> np.ndarray:
    """E s'(h) of h of variances r, (N,), and a function by name."""
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
