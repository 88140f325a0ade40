r"""The limiting spectrum of X^T X for features of any strengths: bands, density, share below.

In the notation of `theory.resolvents` and with x = 1/q, its equation at z = -lambda reads

    lambda = x (sum_k mu_k v_k/(x + v_k) - alpha).

Bands end where lambda is stationary over real x. Inside a band q is complex and the density is
|Im q|/pi. For one strength this is the Marchenko-Pastur law, pezeshki2022 Eq. 2.3.30. A share
1 - alpha of the eigenvalues, where that is positive, is zero and belongs to no band.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from teacherstudent.house.errors import InputError
from teacherstudent.theory.resolvents import Spectrum, resolvent

WIDER = 1e-9
"""How much wider than necessary, relatively, an edge is bracketed: far above rounding."""

FROM_ZERO = 1e-6
"""A band that starts at zero, where its density diverges, is drawn from here, relative to its end."""

MANY = 60
"""Strengths beyond which roots are followed to the axis: eigenvalues of as large matrices are slow."""

NEAR = 1e-3
"""Angle to the axis up to which they are followed."""

CLOSING = 24
"""Newton steps from there: at the ends of bands two roots meet, and the steps only halve the distance."""

POLISH = 4
"""Newton steps after an eigenvalue solver whose relative error is below 1e-4: two reach rounding, and
the pair of roots that meet at the end of a band needs some more."""


PER_BAND, MOST_POINTS = 200, 3000
"""Eigenvalues in each band, where none are given: enough for a smooth line; and in all bands together."""


@dataclass(frozen=True)
class Bands:
    """edges: ends of each band, (B, 2), increasing; below: the share of eigenvalues below the first
    band, in each gap and above the last band, (B + 1,)."""

    edges: np.ndarray
    below: np.ndarray


def bands(spectrum: Spectrum) -> Bands:
    """Where the eigenvalues other than zero lie.

    The x of the edges solve sum mu v^2/(x + v)^2 = alpha: one beyond the poles -v on either side,
    and two between neighbouring poles where there is a gap. The weaker scales are then below it.
    """
    mu, v = _merged(spectrum)
    alpha = spectrum.alpha
    apart = (1 - WIDER) * v * np.sqrt(mu / alpha)  # a term alone keeps x that far from its pole
    far = (1 + WIDER) * v[0] / np.sqrt(alpha)
    x = [_root(mu, v, alpha, -v[0] - far, -v[0] - apart[0])]
    below = [1.0]
    for k in range(v.size - 1):
        around = _around_gap(mu, v, alpha, apart[k] - v[k], -v[k + 1] - apart[k + 1])
        if around:
            x += around
            below.append(mu[k + 1 :].sum())
    # Where n is the rank the spectrum reaches zero, and exactly so: a root would leave rounding there.
    last = (apart[-1] - v[-1], max(0.0, far - v[0]))
    x.append(_root(mu, v, alpha, *last) if spectrum.beyond else 0.0)
    below.append(max(1 - alpha, 0.0))
    at = np.array(x)
    levels = at * (np.sum(mu * v / (at[:, None] + v), axis=-1) - alpha) + 0.0  # no zero has a sign
    return Bands(levels[::-1].reshape(-1, 2), np.array(below[::-1]))


def _merged(spectrum: Spectrum) -> tuple[np.ndarray, np.ndarray]:
    """Weights and strengths, the strongest first, equal ones taken together."""
    v, index = np.unique(-spectrum.strengths, return_inverse=True)
    return np.bincount(index, spectrum.weights), -v


def _root(mu: np.ndarray, v: np.ndarray, alpha: float, low: float, high: float) -> float:
    """x between `low` and `high` with sum mu v^2/(x + v)^2 = alpha."""

    def excess(x: float) -> float:
        return float(np.sum(mu * (v / (x + v)) ** 2)) - alpha

    return float(scipy.optimize.brentq(excess, low, high, xtol=1e-300, rtol=1e-15, maxiter=500))


def _around_gap(mu: np.ndarray, v: np.ndarray, alpha: float, low: float, high: float) -> list[float]:
    """Both such x between two neighbouring poles, or none: the sum is convex there."""

    def falling(x: float) -> float:
        return float(np.sum(mu * v**2 / (x + v) ** 3))

    if low >= high or falling(low) <= 0 or falling(high) >= 0:
        return []
    lowest = float(scipy.optimize.brentq(falling, low, high, xtol=1e-300, rtol=1e-15, maxiter=500))
    if np.sum(mu * (v / (lowest + v)) ** 2) >= alpha:
        return []
    return [_root(mu, v, alpha, low, lowest), _root(mu, v, alpha, lowest, high)]


def density(spectrum: Spectrum, eigenvalues: np.ndarray) -> np.ndarray:
    """The density at eigenvalues > 0, (J,), of mass min(1, alpha); 0 off the bands."""
    return _at(spectrum, bands(spectrum), eigenvalues)[0]


def share_below(spectrum: Spectrum, eigenvalues: np.ndarray) -> np.ndarray:
    """The share of eigenvalues, zeros included, that are smaller than each eigenvalue > 0, (J,)."""
    return _at(spectrum, bands(spectrum), eigenvalues)[1]


def _at(spectrum: Spectrum, where: Bands, eigenvalues: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    r"""Density and share below at eigenvalues > 0, (J,).

    The share is Im/pi of the limit of log det(C - lambda)/d, which with z = -lambda is stationary in q:
    (1 - alpha) log z + q z + sum mu log(1 + q v) - alpha log q.
    """
    inside, ended = locate_in_bands(where, eigenvalues)
    lam = eigenvalues[inside]
    q = _within(spectrum, lam)
    found, share = np.zeros(eigenvalues.shape), where.below[ended]
    found[inside] = -q.imag / np.pi
    damped = np.angle(1 + q[:, None] * spectrum.strengths) @ spectrum.weights
    share[inside] = (1 - spectrum.alpha) + (damped - lam * q.imag - spectrum.alpha * np.angle(q)) / np.pi
    return found, share


def along(edges: np.ndarray, per_band: int) -> np.ndarray:
    """Eigenvalues in each band of such edges, (B, 2), from end to end, denser towards its ends."""
    share = np.sin(np.linspace(0, np.pi / 2, per_band)) ** 2
    starts = np.where(edges[:, 0] > 0, edges[:, 0], FROM_ZERO * edges[:, 1])
    rows = starts[:, None] * (edges[:, 1:] / starts[:, None]) ** share
    rows[:, -1] = edges[:, 1]  # not beyond it by rounding
    return rows.ravel()


def describe_density(spectrum: Spectrum, eigenvalues: np.ndarray | None) -> dict[str, np.ndarray | float]:
    """Density and share below at eigenvalues > 0, (J,), or on a grid in each band, the bands, and the share
    of zeros, by the names that `house.declarations.Spectrum` asks for. Where there are many bands, the grid
    has fewer points in each; raises `InputError` where there are too many for their ends and middle."""
    where = bands(spectrum)
    each = min(PER_BAND, MOST_POINTS // len(where.edges))
    if eigenvalues is None and each < 3:
        domain = f"given if there are more than {MOST_POINTS // 3} bands (here {len(where.edges)})"
        raise InputError("eigenvalues", None, domain)
    at = along(where.edges, each) if eigenvalues is None else eigenvalues
    dense, share = _at(spectrum, where, at)
    return {
        "eigenvalue": at,
        "density": dense,
        "share_below": share,
        "band_edge": where.edges,
        "zeros": where.below[0],
        "alpha": spectrum.alpha,
    }


def locate_in_bands(where: Bands, eigenvalues: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Whether each eigenvalue lies inside a band, (J,), and how many bands end below it, (J,)."""
    low, high = where.edges.T
    ended = np.searchsorted(high, eigenvalues, side="right")
    return eigenvalues > np.append(low, np.inf)[ended], ended


def _within(spectrum: Spectrum, lam: np.ndarray) -> np.ndarray:
    """q at z = -lambda inside the bands, (J,), below the real axis.

    q and x = 1/q are eigenvalues of matrices of K + 1 rows. That of x keeps its digits where lambda is
    large against the strengths, that of q where it is small. All but two of the roots are real.
    """
    mu, v = _merged(spectrum)
    if v.size > MANY:
        return _polished(spectrum, lam, _near_the_axis(spectrum, lam), CLOSING)
    size = v.size + 1
    of_q = lam**2 < v[0] * v[-1]
    matrix = np.zeros((lam.size, size, size))
    matrix[of_q, 0, 0] = (1 - spectrum.alpha) / lam[of_q]
    matrix[~of_q, 0, 0] = (mu @ v - lam[~of_q]) / spectrum.alpha
    side = np.where(of_q[:, None], np.sqrt(mu / (v * lam[:, None])), np.sqrt(mu / spectrum.alpha) * v)
    matrix[:, 0, 1:], matrix[:, 1:, 0] = side, -side
    k = np.arange(1, size)
    matrix[:, k, k] = np.where(of_q[:, None], -1 / v, -v)
    roots = np.linalg.eigvals(matrix).astype(complex)
    tilt = np.abs(np.angle(roots))
    root = roots[np.arange(lam.size), np.argmax(np.minimum(tilt, np.pi - tilt), axis=-1)]
    return _polished(spectrum, lam, np.where(of_q, root, 1 / root), POLISH)


def _near_the_axis(spectrum: Spectrum, lam: np.ndarray) -> np.ndarray:
    """q just above z = -lambda, (J,), where it is followed and certified; NaN where it is not."""
    z = lam * np.exp(1j * (np.pi - NEAR))
    found = resolvent(spectrum, z)
    return np.where(found.converged, found.qz / z, np.nan)


def _polished(spectrum: Spectrum, lam: np.ndarray, q: np.ndarray, steps: int) -> np.ndarray:
    """q at z = -lambda, (J,), below the real axis, by Newton's method from close by."""
    mu, v = _merged(spectrum)
    for _ in range(steps):
        h = 1 / (1 + q[:, None] * v)
        off = spectrum.alpha + lam * q - q * (h @ (mu * v))
        q = q - off / (lam - (h * h) @ (mu * v))
    return q.real - 1j * np.abs(q.imag)
