"""Gaussian averages of any function of one number: panels that end at its kinks, and its Hermite series."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.house.functions import FARTHEST

FIRST = 0.5
"""Width of the panels that are looked at first."""

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)
_LAST = (
    np.polynomial.legendre.legvander(_NODES, 15)[:, -2:] * _WEIGHTS[:, None] * (2 * np.arange(14, 16) + 1) / 2
)
"""From 16 values on a panel to the last two of their Legendre coefficients."""

RESOLVED = 1e-13
"""Of the function's size: below it the last coefficients of a panel are rounding."""

NARROW = 1e-14
"""Width of a panel that holds a kink or a jump, which then weighs nothing."""

MOST = 4000
"""Panels."""


@dataclass(frozen=True)
class Panels:
    """Nodes u and weights of integrals over u, and the function's values there, (J,) each."""

    nodes: np.ndarray
    weights: np.ndarray
    values: np.ndarray


def panels_of(function: Callable[[np.ndarray], np.ndarray], name: str) -> Panels:
    """Panels on each of which the function is a polynomial of degree 15 but for rounding.

    A panel is halved where its last Legendre coefficients are more than that, so that kinks and jumps lie in
    panels of no width. Raises `InputError`, for the parameter of that name, where panels become too many.
    """
    count = round(2 * FARTHEST / FIRST)
    low, width = np.linspace(-FARTHEST, FARTHEST, count + 1)[:-1], np.full(count, FIRST)
    normal = np.linspace(-8, 8, 1001)
    scale = math.sqrt(float(np.mean(function(normal) ** 2 * np.exp(-(normal**2) / 2))))
    done: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    held = 0
    while low.size:
        nodes = low[:, None] + width[:, None] * (_NODES + 1) / 2
        values = function(nodes)
        size = np.maximum(np.abs(values).max(axis=1), scale)
        fine = (np.abs(values @ _LAST).max(axis=1) <= RESOLVED * size) | (width <= NARROW)
        done.append((nodes[fine], width[fine, None] * _WEIGHTS / 2, values[fine]))
        held += int(fine.sum())
        low, width = low[~fine], width[~fine] / 2
        low, width = np.concatenate([low, low + width]), np.tile(width, 2)
        if held + low.size > MOST:
            domain = "smooth between a few kinks: what it does between close points cannot be averaged"
            raise InputError(name, function, domain)
    return Panels(*(np.concatenate(each).ravel() for each in zip(*done, strict=True)))


def coefficients(panels: Panels, variance: np.ndarray, count: int) -> Iterator[np.ndarray]:
    """E s(h) He_k(h/sqrt r)/sqrt(k!), (N,), of h ~ N(0, r), variances r (N,), for k = 0, 1, ..., count - 1."""
    size = np.sqrt(variance)
    x = panels.nodes / size[:, None]
    now = np.exp(-(x**2) / 2) / (math.sqrt(2 * math.pi) * size[:, None]) * (panels.weights * panels.values)
    before = np.zeros_like(now)
    for k in range(count):
        yield now.sum(axis=1)
        before, now = now, (x * now - math.sqrt(k) * before) / math.sqrt(k + 1)
