r"""Gradient descent whose output penalty fades from step to step, in the limit n, d -> infinity.

Without a closed form, f and p are followed step by step: f -> f - eta (a f - 1), p -> p - eta a p
with a = (1 + a_k) c + ridge. They are polynomials of c. One closed contour around the spectrum, on
which no step grows them by more than e^{GROWTH/k}, therefore serves all times up to k; with
z = -c it has p <-> p G(z), M <-> M G(z) and f <-> M G(z)/z.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy

from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory.multiscale.spectral_task import spectrum_of
from teacherstudent.theory.resolvents import resolvent
from teacherstudent.theory.spectral.filters import Filter

GROWTH = 4.0
"""log of the largest |p| on the outer boundary: its exponential multiplies rounding."""

ACCURACY = 1e-12
"""Truncation error of the contour's trapezoidal rule relative to that largest |p|."""

RESOLVED = 1e-9
"""What the contour, which lies around the disc of all stable modes, leaves of a number's first value."""


def iterate_penalties(
    c: np.ndarray, steps: np.ndarray, eta: np.ndarray | float, ridge: float, penalties: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, int]]:
    """f, p and 1 - f c, of the shape of c, at each of `steps` or when the penalties (K,) are used up.

    Fourth, the number of steps that then remain, without a penalty.
    """
    f, p, missed, done = np.zeros_like(c), np.ones_like(c), np.ones_like(c), 0
    for stop in steps.astype(int):
        for penalty in penalties[done:stop]:
            kept = 1 - eta * ((1 + penalty) * c + ridge)
            f = kept * f + eta
            p = kept * p
            missed = kept * missed + eta * (penalty * c + ridge)
        done = min(stop, penalties.size)
        yield f, p, missed, stop - done


def descent(
    problem: MultiScale, steps: np.ndarray, learning_rate: float, penalties: np.ndarray, upper_edge: float
) -> Filter:
    """The filter after whole steps k >= 1, increasing, (T,), under the penalties (K,) of the first steps.

    The learning rate must be stable at the first, largest penalty.
    """
    c, weights = oval(problem.ridge, learning_rate, penalties[0], upper_edge, steps[-1])
    missed, p, f = np.empty((3, steps.size, c.size), dtype=complex)
    a = c + problem.ridge
    path = iterate_penalties(c, steps, learning_rate, problem.ridge, penalties)
    for i, (early_f, early_p, early_missed, rest) in enumerate(path):
        later = np.exp(rest * _log1p(-learning_rate * a))
        f[i] = (1 - later) / a + later * early_f
        missed[i], p[i] = problem.ridge * (1 - later) / a + later * early_missed, later * early_p
    z = -c[None]
    at = resolvent(spectrum_of(problem), z)
    over_v = weights * missed / z
    early = learning_rate * (1 + penalties[0]) * upper_edge * steps < 0.5  # f c is about that
    learning = np.where(early[:, None], weights * f, over_v)
    return Filter(at, over_v, weights * p / z, learning)


def _log1p(z: np.ndarray) -> np.ndarray:
    """log(1 + z) of complex z; numpy's own loses the digits of small z."""
    return np.log1p(z.real * (2 + z.real) + z.imag**2) / 2 + 1j * np.arctan2(z.imag, 1 + z.real)


def oval(
    ridge: float, learning_rate: float, penalty: float, upper_edge: float, steps: float
) -> tuple[np.ndarray, np.ndarray]:
    """Upper half of a contour around [0, upper edge], c and weights, (J,) each.

    zeta = 1 - eta ((1 + penalty) c + ridge) has to stay in the disc of radius r = e^{GROWTH/steps};
    all smaller penalties then keep |1 - eta a| <= r as well. y = (r - zeta)/(r + zeta), x = y^2 maps the
    disc on the plane cut along x < 0 and the spectrum on an interval of x > 0, around which runs
    a contour as in Hale, Higham and Trefethen (2008, SIAM J. Numer. Anal. 46, 2505), method 1.
    """
    r = GROWTH / steps
    slope = learning_rate * (1 + penalty)
    widest = max(upper_edge, 0.1 * min(r, 1.0) / slope)  # a short interval would drown in rounding of gaps
    low, high = (_from_gap(learning_rate * ridge + slope * edge, r) ** 2 for edge in (0.0, widest))
    x, dx = _around(low, high)
    y = np.sqrt(x)
    gap = (y * (1 + np.exp(r)) - np.expm1(r)) / (1 + y)  # 1 - zeta, without cancellation
    change = np.exp(r) / (1 + y) ** 2 / y * dx  # of the gap
    return (gap - learning_rate * ridge) / slope, change / slope / (2j * np.pi)


def _from_gap(gap: float, r: float) -> float:
    """y of zeta = 1 - gap."""
    return (np.expm1(r) + gap) / (1 + np.exp(r) - gap)


def _around(low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    """Points x and steps dx of the contour's upper half around [low, high], left to right, (J,).

    x = high dn^2(w) at parameter 1 - low/high maps a strip 0 < Im w < K' on the cut plane without
    the interval: the contour lies in its middle. dn is summed over its poles, all of one sign:
    dn(w) = h sum_n sech(h (w - 2nK)), h = pi/(2K'), which keeps its digits where dn is small.
    """
    across, whole = scipy.special.ellipk(low / high), scipy.special.ellipkm1(low / high)  # K', K
    count = int(np.ceil((GROWTH - np.log(ACCURACY)) * whole / (np.pi * across)))
    w = whole * (np.arange(2 * count - 1, 0, -2) / (2 * count)) - 0.5j * across
    poles = int(np.ceil(40 * across / (np.pi * whole)))  # beyond them e^-40
    h = np.pi / (2 * across)
    at = h * (w[:, None] - 2 * whole * np.arange(-poles, poles + 1))
    sech = 2 / (np.exp(at) + np.exp(-at))
    dn, slope = h * sech.sum(axis=1), -(h**2) * (sech * np.tanh(at)).sum(axis=1)
    return high * dn**2, 2 * high * dn * slope * (-whole / count)
