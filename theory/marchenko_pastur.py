r"""The Marchenko-Pastur law: the spectrum of one scale of features, and averages over it.

C = Z^T Z with an n x d matrix Z of independent entries of variance 1/d; alpha = n/d > 0
(random-matrix texts often use the inverse). For n, d -> infinity the eigenvalues of C have the
density of pezeshki2022 Eq. 2.3.30 between (1 - sqrt alpha)^2 and (1 + sqrt alpha)^2, and a share
1 - alpha of them, where that is positive, is zero. All functions raise `InputError` for alpha <= 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from teacherstudent.house.domains import Number
from teacherstudent.house.errors import InputError

RATIO = Number(0, low_open=True)

GAUSS_POINTS = 32
FINEST = 0.1
"""Width of the first panel relative to the narrowest structure it has to resolve."""


@dataclass(frozen=True)
class Quadrature:
    """Positive eigenvalues (J,), increasing, and weights (J,): averages over the continuous part.

    The weights sum to min(1, alpha); `zeros` is the share of zero eigenvalues.
    """

    eigenvalues: np.ndarray
    weights: np.ndarray
    zeros: float


def edges(alpha: float) -> tuple[float, float]:
    """Lower and upper edge of the continuous part, (1 -+ sqrt alpha)^2."""
    try:
        root = np.sqrt(RATIO.check(alpha))
    except ValueError:
        raise InputError("alpha", alpha, RATIO.describe()) from None
    return float(((1 - alpha) / (1 + root)) ** 2), float((1 + root) ** 2)  # 1 - sqrt alpha, no cancellation


def density(alpha: float, eigenvalues: np.ndarray) -> np.ndarray:
    """The continuous part at eigenvalues of any shape, mass min(1, alpha); 0 off its support."""
    low, high = edges(alpha)
    inside = (eigenvalues > low) & (eigenvalues < high)
    at = np.where(inside, eigenvalues, high)
    return np.sqrt((high - at) * (at - low)) / (2 * np.pi * at)  # Eq. 2.3.30, first term


def quadrature(alpha: float, steepest: float, beyond: float | None = None) -> Quadrature:
    """Gauss rule for smooth functions of steepest * lambda; relative error a few roundings.

    `steepest` > 0 is the largest rate at which the function changes with lambda (a time, for e^{-lambda t}).
    In the angle psi of lambda = (1 - sqrt alpha)^2 + 4 sqrt(alpha) sin^2(psi/2) the density is smooth on the
    scale of the gap, the function on that of 1/sqrt(steepest): panels in psi double in width from `FINEST`
    times the narrower of the two. `beyond` is alpha - 1, for a caller who knows it more precisely than alpha
    gives it.
    """
    edges(alpha)
    if beyond is None:
        beyond = alpha - 1
    low = float((beyond / (1 + np.sqrt(alpha))) ** 2)
    widths = [1.0, steepest**-0.5, *([low**0.5] if low else [])]
    first = FINEST * min(widths)
    ends = np.append(first * 2.0 ** np.arange(np.ceil(np.log2(np.pi / first))), np.pi)
    starts = np.append(0.0, ends[:-1])
    node, share = scipy.special.roots_legendre(GAUSS_POINTS)
    half = (ends - starts)[:, None] / 2
    psi = (starts[:, None] + half * (1 + node)).ravel()
    eigenvalues = low + 4 * np.sqrt(alpha) * np.sin(psi / 2) ** 2
    weights = (half * share).ravel() * (2 * alpha / np.pi) * np.sin(psi) ** 2 / eigenvalues
    return Quadrature(eigenvalues, weights, max(-beyond, 0.0))  # Eq. 2.3.30
