"""Where spots lie: on both sides of boundaries or, where there are none, all over the plane."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from scipy.stats import qmc

from teacherstudent.maps.field import Boundary
from teacherstudent.maps.plane import Place

AWAY = 0.04
"""Distance of a spot from its boundary, in units of the axes."""

PARTS = (2, 4, 8, 16, 32)
"""Curves are visited in the middle, then at odd quarters, eighths and so on: nowhere twice."""

TRIED = 4
"""Places that are tried for each spot: where theory is not certain nothing is claimed."""


def pairs(
    boundaries: Sequence[Boundary], lines: Sequence[Boundary], count: int
) -> Iterator[tuple[Place, Place]]:
    """Enough pairs of places for `count` spots, one in each place, none twice.

    Both places of a pair lie across a boundary: in the middle of each boundary, longest first, then at its
    quarters, and so on. Where there is no boundary every other place lies on a level line, as long as there
    are any, and the rest is spread evenly over the plane.
    """
    if boundaries:
        for points, share in _visited(boundaries):
            yield from _across(points, share)
        return
    on_lines = (_along(points, share)[0] for points, share in _visited(lines))
    rest = iter(_spread(TRIED * count + 1))
    for one in rest:
        other = next(on_lines, None) or next(rest, None)
        if other:
            yield one, other


def _visited(curves: Sequence[Boundary]) -> Iterator[tuple[np.ndarray, float]]:
    """Points of a curve and a share of its length, curve after curve, longest first."""
    longest = sorted((each.points for each in curves), key=_length, reverse=True)
    for parts in PARTS:
        for k, points in itertools.product(range(1, parts, 2), longest):
            yield points, k / parts


def _length(points: np.ndarray) -> float:
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def _along(points: np.ndarray, share: float) -> tuple[Place, np.ndarray]:
    """The place at that share of a curve's length, and the unit vector along it there."""
    ways = np.diff(points, axis=0)
    lengths = np.linalg.norm(ways, axis=1)
    reached = np.cumsum(lengths)
    i = min(int(np.searchsorted(reached, share * reached[-1])), len(lengths) - 1)
    along = ways[i] / max(lengths[i], 1e-300)
    x, y = points[i + 1] - (reached[i] - share * reached[-1]) * along
    return (float(x), float(y)), along


def _across(points: np.ndarray, share: float) -> Iterator[tuple[Place, Place]]:
    """A place on each side of a curve there, if both lie on the map."""
    (x, y), along = _along(points, share)
    right, up = -AWAY * float(along[1]), AWAY * float(along[0])
    pair = (x + right, y + up), (x - right, y - up)
    if all(0 <= each <= 1 for place in pair for each in place):
        yield pair


def _spread(count: int) -> list[Place]:
    """Halton's sequence (1960) from its second point on: evenly spread however many there are."""
    sequence = qmc.Halton(2, scramble=False)
    return [(float(x), float(y)) for x, y in sequence.fast_forward(1).random(count)]
