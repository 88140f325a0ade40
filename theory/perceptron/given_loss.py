"""A convex loss that a user gives by its values: polynomials between its kinks, with their two derivatives.

Where its slope jumps, at k, examples are held: those with k + V l'(k-) < t < k + V l'(k+) come to h = k. All
others are parametrised by h, t = h + V l'(h), as for the logistic loss.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.polynomial import legendre

from teacherstudent.house.errors import InputError
from teacherstudent.house.functions import FARTHEST, UserFunction
from teacherstudent.theory.perceptron.losses import Pulled
from teacherstudent.theory.perceptron.panels import panels

_COUNT = 16
_NODES, _WEIGHTS = legendre.leggauss(_COUNT)
_EXPAND = (legendre.legvander(_NODES, _COUNT - 1) * _WEIGHTS[:, None]) * (2 * np.arange(_COUNT) + 1) / 2

FIRST = np.array([-1e4, -1e3, -200, -40, -10, 0, 10, 40, 200, 1e3, 1e4])
"""Ends of the pieces that are looked at first."""

RESOLVED, NARROW = 1e-13, 0.05
"""Size of the last coefficients of a piece, as a share; a width at which a piece that has more has a kink."""

JUMP = 1e-8
"""Of slopes at an end of two pieces: a kink. Below it lies rounding."""

ABRUPT = 1e-3
"""Of slopes, or of second derivatives, on both sides of a point: what is certainly a jump."""

HALVINGS = 48


@dataclass(frozen=True)
class Given:
    """edges: ends of pieces, (E + 1,). series: Legendre coefficients of l, l' and l'', (16, E) each."""

    edges: np.ndarray
    series: tuple[np.ndarray, np.ndarray, np.ndarray]

    @property
    def push(self) -> float:
        """-l'(0)."""
        return -float(self.at(1, np.zeros(1))[0])

    def at(self, order: int, h: np.ndarray, left: bool = False) -> np.ndarray:
        """l, l' or l'' at h; left: at an end of two pieces that of the left one."""
        side = "left" if left else "right"
        place = np.clip(np.searchsorted(self.edges, h, side=side) - 1, 0, len(self.edges) - 2)
        low, high = self.edges[place], self.edges[place + 1]
        x = np.clip((2 * h - low - high) / (high - low), -1, 1)
        found: np.ndarray = legendre.legval(x, self.series[order][:, place], tensor=False)
        return found

    def covers(self, size: np.ndarray, V: np.ndarray) -> np.ndarray:
        """Whether examples of outputs of that size, (T,), stay where the loss is known."""
        ends = self.edges[[0, -1]]
        low, high = (ends + np.multiply.outer(V, self.at(1, ends))).T
        return (low < -9 * size) & (9 * size < high)

    def pulled(self, edges: np.ndarray, V: np.ndarray) -> Pulled:
        """Nodes in h where examples move, in t where they are held."""
        kinks = self.edges[1:-1]
        below, above = self.at(1, kinks, left=True), self.at(1, kinks)
        held = above - below > JUMP * np.maximum(1, np.abs(below))
        h_edges = self.prox(edges, V)
        ends = np.broadcast_to(kinks, (len(V), kinks.size))
        h, weight = panels(np.concatenate([h_edges, ends], axis=1), h_edges[:, :1], h_edges[:, -1:])
        force, bend = -self.at(1, h), np.maximum(self.at(2, h), 0)
        slope = 1 + V * bend
        parts = [(h - V * force, weight * slope, force, bend / slope, self.at(0, h))]
        for k, low, high in zip(kinks[held], below[held], above[held], strict=True):
            ends = (np.clip(k + V * each, edges[:, :1], edges[:, -1:]) for each in (low, high))
            t, weight = panels(edges, *ends)
            parts.append((t, weight, (k - t) / V, 1 / V + 0 * t, 0 * t + self.at(0, np.array([k]))))
        return Pulled(*(np.concatenate(each, axis=1) for each in zip(*parts, strict=True)))

    def prox(self, t: np.ndarray, V: np.ndarray) -> np.ndarray:
        """h with t = h + V l'(h), or the kink that holds it, (T, B), by halving."""
        low, high = np.full(t.shape, self.edges[0]), np.full(t.shape, self.edges[-1])
        for _ in range(HALVINGS):
            h = (low + high) / 2
            right = h + V * self.at(1, h) < t
            low, high = np.where(right, h, low), np.where(right, high, h)
        h = (low + high) / 2
        near = self.edges[np.argmin(np.abs(h[..., None] - self.edges), axis=-1)]
        return np.where(np.abs(h - near) <= 1e-9, near, h)


@lru_cache(maxsize=8)
def given(function: UserFunction) -> Given:
    """The pieces of a loss. Raises `InputError` where it is not smooth between a few kinks."""
    scale = float(np.max(np.abs(function(np.linspace(-1, 1, 21)))))
    pieces = [
        piece
        for low, high in zip(FIRST[:-1], FIRST[1:], strict=True)
        for piece in _pieces(function, float(low), float(high), scale)
    ]
    unknown = [(low, high) for low, high, each in pieces if not np.isfinite(each).all()]
    first = max((high for _, high in unknown if high <= 0), default=FIRST[0])
    last = min((low for low, _ in unknown if low >= 0), default=FIRST[-1])
    if first > -FARTHEST or last < FARTHEST or any(low < 0 < high for low, high in unknown):
        domain = "smooth between a few kinks: theory finds no pieces on which it is a polynomial"
        raise InputError("rule", function, domain)
    pieces = [each for each in pieces if first <= each[0] < last]
    edges = np.array([each[0] for each in pieces] + [last])
    value = np.stack([each for _, _, each in pieces], axis=1)
    slope, bend = (_derived(value, edges, order) for order in (1, 2))
    return Given(edges, (value, slope, bend))


def _derived(value: np.ndarray, edges: np.ndarray, order: int) -> np.ndarray:
    found = np.zeros_like(value)
    found[: _COUNT - order] = legendre.legder(value, order) * (2 / np.diff(edges)) ** order
    return found


Piece = tuple[float, float, np.ndarray]
"""Its ends, and Legendre coefficients; of one that is no polynomial NaN."""


def _pieces(
    function: Callable[[np.ndarray], np.ndarray], low: float, high: float, scale: float
) -> list[Piece]:
    found, good = _fitted(function, low, high, scale)
    if good:
        return [(low, high, found)]
    if high - low > NARROW * max(1, abs(low) / 10):
        middle = (low + high) / 2
        return _pieces(function, low, middle, scale) + _pieces(function, middle, high, scale)
    left, right = low, high
    for _ in range(HALVINGS):  # to where it is no polynomial
        middle = (left + right) / 2
        if _fitted(function, left, middle, scale)[1]:
            left = middle
        else:
            right = middle
    kink = _met(function, low, left, high, scale) if low < left < high else low
    ends = [(low, kink), (kink, high)] if low < kink < high else [(low, high)]
    return [
        (one, other, each if good else np.full(_COUNT, np.nan))
        for one, other in ends
        for each, good in [_fitted(function, one, other, scale)]
    ]


def _met(
    function: Callable[[np.ndarray], np.ndarray], low: float, kink: float, high: float, scale: float
) -> float:
    """The kink to more digits: there the polynomials of both sides meet, or where slopes do not jump these."""
    for _ in range(3):
        if not low < kink < high:
            break
        apart = np.zeros(3)  # of both sides there, l, l' and l''
        for one, other, sign in ((low, kink, 1), (kink, high, -1)):
            found, _ = _fitted(function, one, other, scale)
            apart += [
                sign * legendre.legval(sign, legendre.legder(found, k)) * (2 / (other - one)) ** k
                for k in range(3)
            ]
        order = 1 if abs(apart[1]) > ABRUPT * scale else 2
        if not abs(apart[order]) > ABRUPT * scale:
            break
        kink -= float(apart[order - 1] / apart[order])
    return kink


def _fitted(
    function: Callable[[np.ndarray], np.ndarray], low: float, high: float, scale: float
) -> tuple[np.ndarray, bool]:
    """Legendre coefficients, and whether the last of them are rounding."""
    values = function((low + high) / 2 + (high - low) / 2 * _NODES)
    found: np.ndarray = values @ _EXPAND
    size = max(float(np.max(np.abs(values))), scale)
    return found, bool(np.max(np.abs(found[-2:])) <= RESOLVED * size)
