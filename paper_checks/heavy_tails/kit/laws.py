"""Closed forms of SGD with a fixed step, written out a second time: claims of checks, and wrong ones.

Inputs of variance 1 unless strengths are given; c is the step size, k = c/b.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq


def second(c: float, b: int, d: int, factor: float = 1.0) -> float:
    """h(2) = E |M u|^2."""
    return 1 - 2 * c + factor * c**2 * (b + d + 1) / b


def fourth(c: float, b: int, d: int, cross: float = 2.0) -> float:
    """h(4) = E |M u|^4, by moments of chi2_b."""
    k = c / b
    m1, m2 = b, b * (b + 2)
    m3, m4 = m2 * (b + 4), m2 * (b + 4) * (b + 6)
    along = 1 - 4 * k * m1 + 6 * k**2 * m2 - 4 * k**3 * m3 + k**4 * m4
    mixed = cross * (d - 1) * (k**2 * m1 - 2 * k**3 * m2 + k**4 * m3)
    return along + mixed + (d**2 - 1) * k**4 * m2


def critical(b: int, d: int, slope: int = 1) -> float:
    """The step size at which h(2) = 1."""
    return 2 * b / (b + d + slope)


def critical_of(counts: tuple[int, ...], strengths: tuple[float, ...], b: int, noise: int = 1) -> float:
    """The same of any spectrum: sum_i eta lam_i/(2 b - eta (b + 1) lam_i) = 1."""
    m, lam = np.array(counts), np.array(strengths)
    highest = 2 * b / ((b + noise) * lam.max())

    def missing(share: float) -> float:
        eta = share * highest
        return float(np.sum(m * eta * lam / (2 * b - eta * (b + noise) * lam))) - 1

    return highest * float(brentq(missing, 1e-12, 1 - 1e-12, xtol=1e-15))


def second_of(
    counts: tuple[int, ...], strengths: tuple[float, ...], eta: float, b: int, own: int = 1
) -> float:
    """ln h(2) of any spectrum: the largest eigenvalue of what a step makes of second moments."""
    lam = np.repeat(strengths, counts)
    step = np.diag(1 - 2 * eta * lam + eta**2 * (b + own) * lam**2 / b) + eta**2 / b * np.outer(lam, lam)
    return float(np.log(np.linalg.eigvalsh(step).max()))


def risk(c: float, b: int, d: int, noise: float, factor: float = 1.0) -> float:
    """Stationary excess risk 1/2 E |v|^2 below the critical step size."""
    return factor * c * noise**2 * d / (2 * b - c * (b + d + 1)) / 2


def risk_of(
    counts: tuple[int, ...], strengths: tuple[float, ...], eta: float, b: int, noise: float, own: int = 1
) -> float:
    """The same of any spectrum, by the covariance's own linear equations."""
    lam = np.repeat(strengths, counts)
    step = np.diag(1 - 2 * eta * lam + eta**2 * (b + own) * lam**2 / b) + eta**2 / b * np.outer(lam, lam)
    x = np.linalg.solve(np.eye(lam.size) - step, eta**2 * noise**2 * lam / b)
    return float(lam @ x) / 2
