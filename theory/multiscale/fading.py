r"""Gradient descent whose output penalty fades from step to step, in the limit n, d -> infinity.

Without a closed form, f and p are followed step by step: f -> f - eta (a f - 1), p -> p - eta a p
with a = (1 + a_k) c + ridge. They are polynomials of c. One closed contour around the spectrum, on
which no step grows them by more than e^{GROWTH/k}, therefore serves all times up to k; with
z = -c it has M <-> z psi G(z) and f <-> psi G(z) for psi = f + 1/z, and p <-> p G(z).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import special

from problems.multiscale import MultiScale
from theory.multiscale.terms import Terms, of_transforms

GROWTH = 4.0
"""log of the largest |p| on the outer boundary: its exponential multiplies rounding."""

ACCURACY = 1e-12
"""Truncation error of the contour's trapezoidal rule relative to that largest |p|."""


def followed(
    c: np.ndarray, steps: np.ndarray, eta: np.ndarray | float, ridge: float, penalties: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """f and p, of the shape of c, at each of `steps` or when the penalties (K,) are used up.

    Third, the number of steps that then remain, without a penalty.
    """
    f, p, done = np.zeros_like(c), np.ones_like(c), 0
    for stop in steps.astype(int):
        for penalty in penalties[done:stop]:
            kept = 1 - eta * ((1 + penalty) * c + ridge)
            f = kept * f + eta
            p = kept * p
        done = min(stop, penalties.size)
        yield f, p, stop - done


def descent(
    problem: MultiScale, steps: np.ndarray, learning_rate: float, penalties: np.ndarray, upper_edge: float
) -> Terms:
    """Terms after whole steps k >= 1, increasing, (T,), under the penalties (K,) of the first steps.

    The learning rate must be stable at the first, largest penalty.
    """
    c, weights = oval(problem.ridge, learning_rate, penalties[0], upper_edge, steps[-1])
    f, p = np.empty((2, steps.size, c.size), dtype=complex)
    a = c + problem.ridge
    for i, (early_f, early_p, rest) in enumerate(followed(c, steps, learning_rate, problem.ridge, penalties)):
        later = np.exp(rest * np.log1p(-learning_rate * a))
        f[i], p[i] = (1 - later) / a + later * early_f, later * early_p
    z = -c[None]
    return of_transforms(problem, z, weights * (f + 1 / z), weights * p / z)


def oval(
    ridge: float, learning_rate: float, penalty: float, upper_edge: float, steps: float
) -> tuple[np.ndarray, np.ndarray]:
    """Upper half of a contour around [0, upper edge], c and weights, (J,) each.

    zeta = 1 - eta ((1 + penalty) c + ridge) has to stay in the disc of radius r = e^{GROWTH/steps};
    all smaller penalties then keep |1 - eta a| <= r as well. y = (r - zeta)/(r + zeta), x = y^2 maps the
    disc on the plane cut along x < 0 and the spectrum on an interval of x > 0, around which runs
    the contour of Hale, Higham and Trefethen (2008, SIAM J. Numer. Anal. 46, 2505), Eq. 2.5.
    """
    r = GROWTH / steps
    slope = learning_rate * (1 + penalty)
    low, high = (_from_gap(learning_rate * ridge + slope * edge, r) ** 2 for edge in (0.0, upper_edge))
    x, dx = _around(low, high)
    y = np.sqrt(x)
    gap = (y * (1 + np.exp(r)) - np.expm1(r)) / (1 + y)  # 1 - zeta, without cancellation
    change = np.exp(r) / (1 + y) ** 2 / y * dx  # of the gap
    return (gap - learning_rate * ridge) / slope, change / slope / (2j * np.pi)


def _from_gap(gap: float, r: float) -> float:
    """y of zeta = 1 - gap."""
    return (np.expm1(r) + gap) / (1 + np.exp(r) - gap)


def _around(low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Points x and steps dx of the contour's upper half, left to right, (J,)."""
    ratio = np.sqrt(high / low)
    k = (ratio - 1) / (ratio + 1)
    whole, across = (
        special.ellipkm1(4 * ratio / (1 + ratio) ** 2),
        special.ellipk(4 * ratio / (1 + ratio) ** 2),
    )
    count = int(np.ceil((GROWTH - np.log(ACCURACY)) * 2 * whole / (np.pi * across)))
    sn, cn, dn, _ = special.ellipj(whole * (np.arange(1, 2 * count, 2) / count - 1), k**2)
    sn2, cn2, dn2, _ = special.ellipj(across / 2, 1 - k**2)
    below = cn2**2 + (k * sn * sn2) ** 2  # Jacobi's functions of a complex argument
    complex_sn = (sn * dn2 + 1j * cn * dn * sn2 * cn2) / below
    complex_cn = (cn * cn2 - 1j * sn * dn * sn2 * dn2) / below
    complex_dn = (dn * cn2 * dn2 - 1j * k**2 * sn * cn * sn2) / below
    middle = np.sqrt(low * high)
    x = middle * (1 + k * complex_sn) / (1 - k * complex_sn)
    dx = 2 * k * middle * complex_cn * complex_dn / (1 - k * complex_sn) ** 2
    return x, dx * 2 * whole / count
