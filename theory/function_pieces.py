"""A function that is given by its values, as polynomials between its kinks; and Gaussian averages of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.polynomial import legendre

from teacherstudent.house.errors import InputError
from teacherstudent.house.functions import FARTHEST

Function = Callable[[np.ndarray], np.ndarray]

NODES, WEIGHTS = legendre.leggauss(16)
_EXPAND = legendre.legvander(NODES, 15) * WEIGHTS[:, None] * (2 * np.arange(16) + 1) / 2

RESOLVED, NARROW = 1e-13, 0.05
"""Share of the last coefficients below which they are rounding; a width at which a piece that has more holds
a kink, beyond 10 in proportion to the distance."""

ABRUPT, HALVINGS = 1e-3, 48
"""Share of the function's scale that is certainly a jump; halvings to find where."""


@dataclass(frozen=True)
class Piece:
    """From low to high: the values at 16 nodes of Gauss and Legendre, and coefficients; NaN if these fail."""

    low: float
    high: float
    values: np.ndarray
    series: np.ndarray


def pieces_of(function: Function, ends: Sequence[float]) -> list[Piece]:
    """Pieces between these ends, halved until they are polynomials of degree 15, and cut at each kink."""
    scale = float(np.max(np.abs(function(np.linspace(-1, 1, 21)))))

    def fitted(low: float, high: float) -> Piece:
        values = function((low + high) / 2 + (high - low) / 2 * NODES)
        series = values @ _EXPAND
        good = np.max(np.abs(series[-2:])) <= RESOLVED * max(float(np.max(np.abs(values))), scale)
        return Piece(low, high, values, series if good else np.full(16, np.nan))

    def halved(low: float, high: float) -> list[Piece]:
        found = fitted(low, high)
        if np.isfinite(found.series).all():
            return [found]
        if high - low > NARROW * max(1, abs(low) / 10):
            middle = (low + high) / 2
            return halved(low, middle) + halved(middle, high)
        left, right = low, high
        for _ in range(HALVINGS):
            middle = (left + right) / 2
            left, right = (
                (middle, right) if np.isfinite(fitted(left, middle).series).all() else (left, middle)
            )
        for _ in range(3):
            if not low < left < high:
                return [found]
            one, other = fitted(low, left), fitted(left, high)
            left -= _off(one, other, ABRUPT * scale)
        return [one, other]

    return [piece for low, high in pairwise(ends) for piece in halved(float(low), float(high))]


def derived(series: np.ndarray, widths: np.ndarray | float, order: int) -> np.ndarray:
    """Coefficients of a derivative, shapes (16, ...) and (...), with zeros at the end."""
    found = np.zeros_like(series)
    found[: 16 - order] = legendre.legder(series, order) * (2 / widths) ** order
    return found


def _off(one: Piece, other: Piece, jump: float) -> float:
    """How far beyond the kink between them two pieces end: there they meet, or if smooth their slopes."""
    apart = [
        legendre.legval(1, derived(one.series, one.high - one.low, k))
        - legendre.legval(-1, derived(other.series, other.high - other.low, k))
        for k in range(3)
    ]
    if not abs(apart[0]) < jump:
        return 0.0
    order = 1 if abs(apart[1]) > jump else 2
    return float(apart[order - 1] / apart[order]) if abs(apart[order]) > jump else 0.0


@dataclass(frozen=True)
class Panels:
    """Nodes u and weights of integrals over u, and the function's values there, (J,) each."""

    nodes: np.ndarray
    weights: np.ndarray
    values: np.ndarray


def panels_of(function: Function, name: str) -> Panels:
    """Panels in which averages over a normal number are exact but for rounding.

    Raises `InputError`, for the parameter of that name, for what is not smooth between a few kinks.
    """
    pieces = pieces_of(function, np.linspace(-FARTHEST, FARTHEST, 153).tolist())
    if not all(np.isfinite(each.series).all() for each in pieces if -10 < each.low < 10):
        raise InputError(name, function, "smooth except for a few kinks, for a theory route")
    low, high = np.array([(each.low, each.high) for each in pieces]).T[:, :, None]
    nodes, weights = (low + high) / 2 + (high - low) / 2 * NODES, (high - low) / 2 * WEIGHTS
    return Panels(nodes.ravel(), weights.ravel(), np.concatenate([each.values for each in pieces]))


def coefficients(panels: Panels, variance: np.ndarray, count: int) -> Iterator[np.ndarray]:
    """E s(h) He_k(h/sqrt r)/sqrt(k!), (N,), of h ~ N(0, r), variances r (N,), for k = 0 ... count - 1."""
    size = np.sqrt(variance)
    x = panels.nodes / size[:, None]
    now = np.exp(-(x**2) / 2) / (math.sqrt(2 * math.pi) * size[:, None]) * (panels.weights * panels.values)
    before = np.zeros_like(now)
    for k in range(count):
        yield now.sum(axis=1)
        before, now = now, (x * now - math.sqrt(k) * before) / math.sqrt(k + 1)
