r"""First exit from a well: the integral equation of the mean time, in Jacobi polynomials.

On (-1, 1), x in units of r, the mean time T from x solves -a x T' - (sigma/r)^alpha (-Delta)^{alpha/2} T = -1
with T = 0 outside. Polynomials P_n orthogonal under w = (1 - x^2)^{alpha/2} make its nonlocal part diagonal,

    (-Delta)^{alpha/2} (w P_n) = Gamma(alpha + n + 1)/n! P_n,

so T = w sum_n c_n P_n, tested with every w P_m, is a linear system: a diagonal and x d/dx. Only even n count.
Without drift the first term is all, and Getoor's time. The drift adds powers of 1 - x that no polynomial has;
next to x = 1 it rules within (r/sigma)^{-alpha/(alpha - 1)}, and for alpha <= 1 up to the boundary, where T
has another form.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import gammaln, roots_jacobi

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.stable_noise import StableNoise

SIZES = (50, 100, 200, 400, 800, 1600)
"""Even polynomials, one number of them after the other."""

SETTLED = 1e-5
"""Relative change from one number to the next below which the last is given, if changes shrink."""

SHRINKING = 0.5
"""The most that a change may be of the one before: the changes to come add up to no more than it."""

STILL = 1e-6
"""Two relative changes that need not shrink so, for rounding or a singular point of T that is near."""

CUT = 36.0, 8
"""Coefficient n of N counts by e^(-36 (n/N)^8). A sum that ends at once is off by its next terms, which go up
and down with N at a point of the well; one that ends smoothly converges evenly, and much faster."""


def spectral(problem: StableNoise, times: np.ndarray, *, step: float, start: float) -> dict[str, np.ndarray]:
    """exit_time, (T,), at any drift and noise: dyda2017 for the eigenvalues, a Galerkin system for the drift.

    Exact for the motion, which has no step, to 1e-5; NaN with a reason where `SIZES` do not settle it. Raises
    `InputError` for drift at stability 1 or below.
    """
    if problem.drift and problem.stability <= 1:
        domain = "above 1 for route spectral with drift"
        hint = "use small-noise where a (r/sigma)^alpha is large, or simulation"
        raise InputError("stability", problem.stability, domain, hint)
    alpha = problem.stability
    units = (times / problem.noise) ** alpha
    answer, before = np.full((2, times.size), np.nan)
    told = np.zeros(times.size, dtype=bool)
    for size in SIZES:
        for t in np.flatnonzero(~told):
            last = units[t] * _time(alpha, problem.drift * units[t], start, size)
            change = abs(last - answer[t])
            shrunk = change <= SHRINKING * before[t] or np.maximum(change, before[t]) <= STILL * last
            told[t] = change <= SETTLED * last and shrunk
            answer[t], before[t] = last, change
    worst = np.min(problem.drift * units[~told], initial=np.inf)
    reason = f"{SIZES[-1]} polynomials do not determine the time from start {start:g}: a (r/sigma)^alpha = "
    reason += f"{worst:.3g} is too large at stability {alpha:g}"
    return nan_where(~told, reason, {"exit_time": answer})


def _time(alpha: float, drift: float, start: float, size: int) -> float:
    """The mean time in units of (r/sigma)^alpha; drift in the inverse of these."""
    eigenvalues, moved = _system(alpha, size)
    forced = np.zeros(size)
    forced[0] = np.exp(_log_mass(alpha) / 2)  # 1 has no part beside P_0
    coefficients = np.linalg.solve(np.diag(eigenvalues) + drift * moved, forced)
    coefficients *= np.exp(-CUT[0] * (np.arange(size) / size) ** CUT[1])
    values, _ = _polynomials(alpha, size, np.array([start]))
    return float(((1 - start) * (1 + start)) ** (alpha / 2) * (coefficients @ values)[0])


@lru_cache(maxsize=16)
def _system(alpha: float, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues (N,), and the integrals of w P_m x (w P_n)', (N, N), by a Gauss rule that is exact."""
    n = 2 * np.arange(size)
    eigenvalues = np.exp(gammaln(alpha + n + 1) - gammaln(n + 1))
    x, mass = roots_jacobi(2 * size + 2, alpha - 1, alpha - 1)
    values, slopes = _polynomials(alpha, size, x)
    # (w P)' = (1 - x^2)^(alpha/2 - 1) ((1 - x^2) P' - alpha x P)
    return eigenvalues, (values * (mass * x)) @ ((1 - x**2) * slopes - alpha * x * values).T


def _polynomials(alpha: float, size: int, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The even ones of norm 1, and their slopes, at points (X,): (N, X) each, by their recursion."""
    n = np.arange(1, 2 * size)
    next_to = np.sqrt(n * (n + alpha) / ((2 * n + alpha + 1) * (2 * n + alpha - 1)))
    values, slopes = np.zeros((2 * size, x.size)), np.zeros((2 * size, x.size))
    values[0] = np.exp(-_log_mass(alpha) / 2)
    for k, b in enumerate(next_to):
        values[k + 1], slopes[k + 1] = x * values[k], values[k] + x * slopes[k]
        if k:
            values[k + 1] -= next_to[k - 1] * values[k - 1]
            slopes[k + 1] -= next_to[k - 1] * slopes[k - 1]
        values[k + 1] /= b
        slopes[k + 1] /= b
    return values[::2], slopes[::2]


def _log_mass(alpha: float) -> float:
    """ln of the integral of w: B(1/2, alpha/2 + 1)."""
    return float((alpha + 1) * np.log(2) + 2 * gammaln(alpha / 2 + 1) - gammaln(alpha + 2))
