"""A convex loss given by its values: polynomials between its kinks, with their first two derivatives.

Where its slope jumps, at k, examples are held: those with k + V l'(k-) < t < k + V l'(k+) move to h = k. All
others are parametrised by h, t = h + V l'(h), as for the logistic loss.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.polynomial import legendre

from teacherstudent.house.errors import InputError
from teacherstudent.house.functions import FARTHEST, UserFunction
from teacherstudent.theory.function_pieces import derived, pieces_of
from teacherstudent.theory.perceptron.losses import Pulled
from teacherstudent.theory.perceptron.panels import panels

ENDS = (-1e4, -1e3, -200, -40, -10, 0, 10, 40, 200, 1e3, 1e4)
"""Of the pieces that are looked at first."""

JUMP = 1e-8
"""Of slopes at an end of two pieces: a kink. Below it lies rounding."""

HALVINGS = 48


@dataclass(frozen=True)
class Given:
    """edges: ends of pieces, (E + 1,). series: Legendre coefficients of l, l' and l'', (16, E) each."""

    edges: np.ndarray
    series: tuple[np.ndarray, ...]

    @property
    def push(self) -> float:
        """-l'(0)."""
        return -float(self.at(1, np.zeros(1))[0])

    def at(self, order: int, h: np.ndarray, left: bool = False) -> np.ndarray:
        """l, l' or l'' at h; left: at an end of two pieces that of the left one."""
        place = np.searchsorted(self.edges, h, side="left" if left else "right") - 1
        place = np.clip(place, 0, len(self.edges) - 2)
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
        ends = np.concatenate([h_edges, np.broadcast_to(kinks, (len(V), kinks.size))], axis=1)
        h, weight = panels(ends, h_edges[:, :1], h_edges[:, -1:])
        force, bend = -self.at(1, h), np.maximum(self.at(2, h), 0)
        slope = 1 + V * bend
        parts = [(h - V * force, weight * slope, force, bend / slope, self.at(0, h))]
        for k, low, high in zip(kinks[held], below[held], above[held], strict=True):
            between = (np.clip(k + V * each, edges[:, :1], edges[:, -1:]) for each in (low, high))
            t, weight = panels(edges, *between)
            parts.append((t, weight, (k - t) / V, 1 / V + 0 * t, 0 * t + self.at(0, np.array([k]))))
        return Pulled(*(np.concatenate(each, axis=1) for each in zip(*parts, strict=True)))

    def prox(self, t: np.ndarray, V: np.ndarray) -> np.ndarray:
        """h with t = h + V l'(h), or the kink that holds it, (T, B), by halving."""
        low, high = np.full(t.shape, self.edges[0]), np.full(t.shape, self.edges[-1])
        for _ in range(HALVINGS):
            h = (low + high) / 2
            right = h + V * self.at(1, h) < t
            low, high = np.where(right, h, low), np.where(right, high, h)
        near = self.edges[np.argmin(np.abs(low[..., None] - self.edges), axis=-1)]
        return np.where(np.abs(low - near) <= 1e-9, near, low)


@lru_cache(maxsize=8)
def given(function: UserFunction) -> Given:
    """The pieces of a loss. Raises `InputError` where it is not smooth between a few kinks."""
    pieces = pieces_of(function, ENDS)
    unknown = [(each.low, each.high) for each in pieces if not np.isfinite(each.series).all()]
    first = max((high for _, high in unknown if high <= 0), default=ENDS[0])
    last = min((low for low, _ in unknown if low >= 0), default=ENDS[-1])
    if first > -FARTHEST or last < FARTHEST or any(low < 0 < high for low, high in unknown):
        raise InputError("rule", function, "smooth except for a few kinks, for a theory route")
    pieces = [each for each in pieces if first <= each.low < last]
    edges = np.array([each.low for each in pieces] + [last])
    value = np.stack([each.series for each in pieces], axis=1)
    return Given(edges, tuple(derived(value, np.diff(edges), order) for order in range(3)))
