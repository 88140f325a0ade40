"""Where curves cross: a straight way between two places, and one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from teacherstudent.maps.field import UNKNOWN, Boundary
from teacherstudent.maps.plane import Place

BEYOND = 1e-6
"""By how much a boundary that ends on the frame is taken to go on: a way along the frame crosses it."""


Crossing = tuple[float, Boundary, bool]
"""Share of a way, the boundary that it crosses there, and whether it comes from its left."""


@dataclass(frozen=True)
class Net:
    """All boundaries as segments, (S, 2) starts and ways, each with the number of its boundary, (S,)."""

    boundaries: tuple[Boundary, ...]
    starts: np.ndarray
    ways: np.ndarray
    owners: np.ndarray

    @classmethod
    def of(cls, boundaries: Sequence[Boundary]) -> Net:
        starts, ways, owners = [np.zeros((0, 2))], [np.zeros((0, 2))], [np.zeros(0, dtype=int)]
        for i, each in enumerate(boundaries):
            points = _prolonged(each.points)
            starts.append(points[:-1])
            ways.append(np.diff(points, axis=0))
            owners.append(np.full(len(points) - 1, i))
        return cls(tuple(boundaries), np.concatenate(starts), np.concatenate(ways), np.concatenate(owners))

    def crossed(self, one: Place, other: Place) -> list[Crossing]:
        """The crossings between two places, in order."""
        begin, way = np.asarray(one), np.subtract(other, one)
        turn = way[0] * self.ways[:, 1] - way[1] * self.ways[:, 0]
        apart = self.starts - begin
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (apart[:, 0] * self.ways[:, 1] - apart[:, 1] * self.ways[:, 0]) / turn
            along = (apart[:, 0] * way[1] - apart[:, 1] * way[0]) / turn
        met = np.flatnonzero((turn != 0) & (share > 0) & (share <= 1) & (along >= 0) & (along < 1))
        met = met[np.argsort(share[met])]
        return [(float(share[i]), self.boundaries[self.owners[i]], bool(turn[i] > 0)) for i in met]

    def parted(self, one: Place, others: np.ndarray) -> np.ndarray:
        """Places, (P, 2), beyond a boundary: the way from `one` crosses it an odd number of times."""
        ways = (others - np.asarray(one))[:, None]
        turn = ways[..., 0] * self.ways[:, 1] - ways[..., 1] * self.ways[:, 0]
        apart = self.starts - np.asarray(one)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (apart[:, 0] * self.ways[:, 1] - apart[:, 1] * self.ways[:, 0]) / turn
            along = (apart[:, 0] * ways[..., 1] - apart[:, 1] * ways[..., 0]) / turn
        met = (turn != 0) & (share > 0) & (share <= 1) & (along >= 0) & (along < 1)
        of = np.arange(len(self.boundaries))[:, None] == self.owners
        return np.any(met.astype(int) @ of.T.astype(int) % 2, axis=1)

    def distance(self, place: Place) -> float:
        """From a place to the nearest boundary; infinite where there is none."""
        if not len(self.starts):
            return np.inf
        apart = np.asarray(place) - self.starts
        squares = np.maximum((self.ways**2).sum(axis=1), 1e-300)
        share = np.clip((apart * self.ways).sum(axis=1) / squares, 0, 1)
        return float(np.linalg.norm(apart - share[:, None] * self.ways, axis=1).min())


def _prolonged(points: np.ndarray) -> np.ndarray:
    """With one more point beyond each end that lies on the frame."""
    whole = [points]
    for end, place in ((0, points[0]), (1, points[-1])):
        out = np.where(place == 0, -1.0, np.where(place == 1, 1.0, 0.0))
        if out.any() and not np.all(points[0] == points[-1]):
            more = (place + BEYOND * out)[None]
            whole = [more, *whole] if end == 0 else [*whole, more]
    return np.concatenate(whole)


def label_at_end(label: int, crossings: Sequence[Crossing]) -> int | None:
    """The label at the end of a way that begins in a region of that label; None where that contradicts."""
    for _, boundary, from_left in crossings:
        before, after = boundary.left, boundary.right
        if not from_left:
            before, after = after, before
        if label != before:
            return None
        label = after
    return label


def boundaries_explain_labels(one: int, other: int, crossings: Sequence[Crossing]) -> bool:
    """Whether the boundaries between two places explain their labels. Nothing is asked of the unknown."""
    return UNKNOWN in (one, other) or label_at_end(one, crossings) == other


def intersections(one: np.ndarray, other: np.ndarray) -> list[tuple[float, float]]:
    """Where two chains of points, (P, 2), cross: positions along both, in segments."""
    a, da = one[:-1], np.diff(one, axis=0)
    b, db = other[:-1], np.diff(other, axis=0)
    turn = da[:, None, 0] * db[None, :, 1] - da[:, None, 1] * db[None, :, 0]
    apart = b[None] - a[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        along = (apart[..., 0] * db[None, :, 1] - apart[..., 1] * db[None, :, 0]) / turn
        there = (apart[..., 0] * da[:, None, 1] - apart[..., 1] * da[:, None, 0]) / turn
    met = np.argwhere((turn != 0) & (along >= 0) & (along < 1) & (there >= 0) & (there < 1))
    return [(i + float(along[i, j]), j + float(there[i, j])) for i, j in met]
