"""The bottom of a minimum by a local polynomial: its place, value and curvature, each with its error.

Values near a minimum differ by the square of the distance to it, so that the least of them gives its place to
the square root of a rounding only. The vertex of a polynomial through many of them is known better, and how
well follows from how far the values lie from it; of drawn values also from how it moves without each draw.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from teacherstudent.house.averages import mean_and_stderr

DESIGN = {1: (np.linspace(-1, 1, 9), 4), 2: (np.linspace(-1, 1, 5), 4), 3: (np.linspace(-1, 1, 4), 3)}
"""By number of coordinates: places of the design along each, and degree of the polynomial."""

SHRINK, LADDER = 2.5, 12
"""Windows: each is so much narrower than the one before, and so many."""

SAFETY = 3.0
"""Standard errors of a fit that are stated as its accuracy."""

SMOOTH, ROUNDED = 0.01, 1e-13
"""Misfit, of the range in the window, above which values are not smooth there, unless it is a rounding."""

SETTLED = 0.3
"""Standard errors below which the accuracy of a fit to draws needs no better window."""

NEWTON = 20
ROUNDING = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Vertex:
    """A minimum in shares: place (k,), value, Hessian (k, k), and accuracies; stderr where values are drawn."""

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


def fit_minimum(
    ask: Callable[[np.ndarray], np.ndarray], place: np.ndarray, width: np.ndarray
) -> Vertex | None:
    """The vertex next to a place, by the window that gives it best; None where no window has one.

    ask: values (P,), or draws (P, S), at shares (P, k). width: of the first window, a share of each axis.
    """
    best: Vertex | None = None
    worse = 0
    for _ in range(LADDER):
        found = _vertex(ask, place, width)
        if found is not None and (best is None or found.total < best.total):
            best, worse = found, 0
            if (found.error < SETTLED * found.stderr).all():
                break
        elif best is not None:
            worse += 1
        if worse > 1:
            break
        if found is not None:
            place = found.place
        width = width / SHRINK
    return best


def _vertex(ask: Callable[[np.ndarray], np.ndarray], place: np.ndarray, width: np.ndarray) -> Vertex | None:
    """The vertex of the polynomial in one window, moved into the box; None where it has none inside."""
    steps, degree = DESIGN[len(place)]
    half = np.minimum(width, 0.5)
    centre = np.clip(place, half, 1 - half)
    design = np.array(list(itertools.product(steps, repeat=len(place))))
    values = ask(centre + design * half)
    drawn = values.ndim == 2
    table = values if drawn else values[:, None]
    if not np.isfinite(table).all():
        return None
    powers = [
        each for each in itertools.product(range(degree + 1), repeat=len(place)) if sum(each) <= degree
    ]
    matrix = _monomials(design, powers)
    inverse = np.linalg.pinv(matrix)
    parts = inverse @ table
    mean = parts.mean(axis=1)
    at = _descend(mean, powers, len(place))
    if at is None:
        return None
    value, gradient, hessian = _jet(mean, powers, at)
    residual = table.mean(axis=1) - matrix @ mean
    free = max(len(design) - len(powers), 1)
    rms = math.sqrt(residual @ residual / free)
    if not drawn and rms > SMOOTH * np.ptp(table) and rms > ROUNDED * np.abs(table).max():
        return None
    noise = max(rms, ROUNDING * float(np.abs(table).max()))
    slopes = _slopes(powers, at)  # (k, K): gradient of each monomial
    spread = np.linalg.solve(hessian, slopes @ inverse) * noise
    error = SAFETY * np.hypot(np.linalg.norm(spread, axis=1) * half, ROUNDING)
    value_error = SAFETY * noise * float(np.linalg.norm(_monomials(at[None], powers)[0] @ inverse))
    stderr, value_stderr = np.full(len(place), np.nan), np.nan
    if drawn:
        moved = _without_each(parts, powers, at)
        count = moved.shape[0]
        stderr = np.sqrt((count - 1) / count * ((moved - moved.mean(axis=0)) ** 2).sum(axis=0)) * half
        value_stderr = float(mean_and_stderr((_monomials(at[None], powers)[0] @ parts))[1])
        if not (stderr < half).all():
            return None
    shape = hessian / np.outer(half, half)
    return Vertex(centre + at * half, float(value), shape, error, value_error, stderr, value_stderr)


def _descend(parts: np.ndarray, powers: list[tuple[int, ...]], k: int) -> np.ndarray | None:
    """The minimum of a polynomial within [-1, 1]^k by Newton's steps from its middle; None where there is none."""
    at = np.zeros(k)
    for _ in range(NEWTON):
        _, gradient, hessian = _jet(parts, powers, at)
        if not np.linalg.eigvalsh(hessian)[0] > 0:
            return None
        step = np.linalg.solve(hessian, gradient)
        at = at - step
        if np.abs(at).max() > 1:
            return None
        if np.abs(step).max() < 1e-12:
            break
    return at


def _without_each(parts: np.ndarray, powers: list[tuple[int, ...]], at: np.ndarray) -> np.ndarray:
    """Vertices without each draw, (S, k), by one Newton step from that of all."""
    count = parts.shape[1]
    total = parts.sum(axis=1)
    found = []
    for i in range(count):
        _, gradient, hessian = _jet((total - parts[:, i]) / (count - 1), powers, at)
        found.append(at - np.linalg.lstsq(hessian, gradient, rcond=None)[0])
    return np.array(found)


def _monomials(places: np.ndarray, powers: list[tuple[int, ...]]) -> np.ndarray:
    return np.stack([np.prod(places ** np.array(each), axis=1) for each in powers], axis=1)


def _slopes(powers: list[tuple[int, ...]], at: np.ndarray) -> np.ndarray:
    """First derivatives of each monomial, (k, K)."""
    return np.array([[_derived(each, at, (i,)) for each in powers] for i in range(len(at))])


def _jet(
    parts: np.ndarray, powers: list[tuple[int, ...]], at: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """Value, gradient and Hessian of a polynomial."""
    k = range(len(at))
    hessian = np.array([[parts @ [_derived(each, at, (i, j)) for each in powers] for j in k] for i in k])
    return float(_monomials(at[None], powers)[0] @ parts), _slopes(powers, at) @ parts, hessian


def _derived(power: tuple[int, ...], at: np.ndarray, by: tuple[int, ...]) -> float:
    """A monomial's derivative by these coordinates."""
    left, scale = list(power), 1.0
    for i in by:
        scale *= left[i]
        left[i] = max(left[i] - 1, 0)
    return scale * float(np.prod(at ** np.array(left)))
