"""The bottom of a minimum by a local polynomial: place, value and curvature, with their errors.

Values near a minimum differ by the square of the distance to it: the lowest of them gives its place to the
square root of a rounding only. The vertex of a polynomial through many values is known better; how well
follows from their distances to it, and for drawn values from how it moves without each draw.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

DESIGN = {1: (13, 4), 2: (5, 4), 3: (4, 3)}
"""By number of coordinates: places along each, and degree of the polynomial."""

SHRINK, WINDOWS, NEWTON = 2.5, 12, 20
"""Each window is so much narrower than the one before; so many at most; steps to a vertex."""

SAFETY = 10.0
"""Standard errors of a fit that are stated as its accuracy."""

SETTLED = 0.3
"""Standard errors of the draws below which the accuracy of a fit needs no better window."""

SMOOTH, ROUNDED, ROUNDING = 0.01, 1e-13, float(np.finfo(float).eps)
"""Misfit, of the range in a window, above which values are not smooth there, unless it is rounding."""


@dataclass(frozen=True)
class Vertex:
    """A minimum in shares: place (k,), value, Hessian (k, k), accuracies, standard errors of draws."""

    place: np.ndarray
    value: float
    hessian: np.ndarray
    error: np.ndarray
    value_error: float
    stderr: np.ndarray
    value_stderr: float

    @property
    def total(self) -> float:
        return float(np.linalg.norm(np.hypot(self.error, np.nan_to_num(self.stderr))))


Ask = Callable[[np.ndarray], np.ndarray]
"""Values (P,), or draws (P, S), at places (P, k)."""


def fit_minimum(ask: Ask, place: np.ndarray, width: np.ndarray) -> Vertex | None:
    """The vertex next to a place, by the window that gives it best; None where no window has one.

    width: half of the first window, (k,), in shares.
    """
    best: Vertex | None = None
    worse = 0
    for _ in range(WINDOWS):
        found = _vertex(ask, place, width)
        if found and (best is None or found.total < best.total):
            best, worse = found, 0
            if (found.error < SETTLED * found.stderr).all():
                break
        else:
            worse += best is not None
        if worse > 1:
            break
        place, width = found.place if found else place, width / SHRINK
    return best


def _vertex(ask: Ask, place: np.ndarray, width: np.ndarray) -> Vertex | None:
    """The vertex of the polynomial in one window within [0, 1]^k; None where it has none inside."""
    k = len(place)
    count, degree = DESIGN[k]
    half = np.minimum(width, 0.5)
    centre = np.clip(place, half, 1 - half)
    design = np.array(list(itertools.product(np.linspace(-1, 1, count), repeat=k)))
    values = ask(centre + design * half)
    draws = values if values.ndim == 2 else values[:, None]
    if not np.isfinite(draws).all():
        return None
    powers = np.array(
        [each for each in itertools.product(range(degree + 1), repeat=k) if sum(each) <= degree]
    )
    matrix = _monomials(design, powers)
    inverse = np.linalg.pinv(matrix)
    parts = inverse @ draws
    mean = parts.mean(axis=1)
    at = _descend(mean, powers)
    if at is None:
        return None
    residual = draws.mean(axis=1) - matrix @ mean
    misfit = math.sqrt(residual @ residual / max(len(design) - len(powers), 1))
    largest = float(np.abs(draws).max())
    if values.ndim == 1 and misfit > max(SMOOTH * np.ptp(values), ROUNDED * largest):
        return None
    noise = max(misfit, ROUNDING * largest)
    gradients, hessians = _derivatives(powers, at)
    hessian, here = hessians @ mean, _monomials(at[None], powers)[0]
    spread = np.linalg.norm(np.linalg.solve(hessian, gradients @ inverse), axis=1) * noise
    error = SAFETY * np.hypot(spread * half, ROUNDING)
    value_error = SAFETY * noise * float(np.linalg.norm(here @ inverse))
    stderr, value_stderr = np.full(k, np.nan), math.nan
    if values.ndim == 2:
        seeds = draws.shape[1]
        left = (parts.sum(axis=1, keepdims=True) - parts) / (seeds - 1)  # the means without each draw
        steps = [np.linalg.lstsq(hessians @ each, gradients @ each, rcond=None)[0] for each in left.T]
        stderr = (seeds - 1) / math.sqrt(seeds) * np.std(steps, axis=0, ddof=1) * half
        value_stderr = float(np.std(here @ parts, ddof=1)) / math.sqrt(seeds)
        if not (stderr < half).all():
            return None
    shape = hessian / np.outer(half, half)
    return Vertex(centre + at * half, float(here @ mean), shape, error, value_error, stderr, value_stderr)


def _descend(mean: np.ndarray, powers: np.ndarray) -> np.ndarray | None:
    """The minimum of a polynomial within [-1, 1]^k by Newton's steps; None where it has none."""
    at = np.zeros(powers.shape[1])
    for _ in range(NEWTON):
        gradients, hessians = _derivatives(powers, at)
        if not np.linalg.eigvalsh(hessians @ mean)[0] > 0:
            return None
        step = np.linalg.solve(hessians @ mean, gradients @ mean)
        at = at - step
        if np.abs(at).max() > 1:
            return None
        if np.abs(step).max() < ROUNDED:
            break
    return at


def _monomials(places: np.ndarray, powers: np.ndarray) -> np.ndarray:
    """Each monomial, (P, K), at places (P, k)."""
    return np.asarray(np.prod(places[:, None] ** powers, axis=2))


def _derivatives(powers: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """First derivatives, (k, K), and second, (k, k, K), of each monomial at a place, (k,)."""
    units = np.eye(len(at), dtype=int)

    def derived(*by: np.ndarray) -> np.ndarray:
        left, scale = powers, np.ones(len(powers))
        for unit in by:
            scale = scale * (left @ unit)
            left = np.maximum(left - unit, 0)
        return np.asarray(scale * _monomials(at[None], left)[0])

    first = np.array([derived(i) for i in units])
    return first, np.array([[derived(i, j) for j in units] for i in units])
