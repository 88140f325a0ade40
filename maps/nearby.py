"""Values and states between known places, from those that no boundary separates."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import RBFInterpolator
from scipy.spatial import KDTree

from teacherstudent.maps.crossing import Net
from teacherstudent.maps.plane import Place

AROUND = 32
"""Known places from which a value is interpolated."""

FEWEST = 12
"""Known places on one side of all boundaries below which nothing is interpolated."""


@dataclass(frozen=True)
class Cloud:
    """All known places with their numbers, for finding those around another."""

    net: Net
    places: np.ndarray
    numbers: np.ndarray
    tree: KDTree

    @classmethod
    def of(cls, net: Net, known: Mapping[Place, tuple[float, float]]) -> Cloud:
        """net: all boundaries. known: value and state by place; those without a value are left out."""
        finite = [(place, both) for place, both in known.items() if math.isfinite(both[0])]
        places = np.array([place for place, _ in finite])
        return cls(net, places, np.array([both for _, both in finite]), KDTree(places))

    def near(self, place: Place, width: float) -> Nearby:
        """What is known around a place on its side of all boundaries, in units of `width`."""
        count = min(2 * AROUND, len(self.places))
        far, found = (np.atleast_1d(each) for each in self.tree.query(place, count))
        if self.net.distance(place) < far[-1]:
            found = found[~self.net.parted(place, self.places[found])]
        return Nearby(np.array(place), width, self.places[found[:AROUND]], self.numbers[found[:AROUND]])


@dataclass(frozen=True)
class Nearby:
    """Known places and numbers around one."""

    centre: np.ndarray
    width: float
    places: np.ndarray
    numbers: np.ndarray

    @property
    def state(self) -> float:
        """That of the nearest known place; NaN where there is none."""
        return float(self.numbers[0, 1]) if len(self.numbers) else math.nan

    def interpolated(self, places: np.ndarray) -> np.ndarray | None:
        """Values and states at places, (P, 2); None where too little is known."""
        if len(self.places) < FEWEST:
            return None
        whole = np.isfinite(self.numbers).all(axis=0)
        try:
            smooth = RBFInterpolator(
                (self.places - self.centre) / self.width, self.numbers[:, whole], kernel="quintic", degree=2
            )
            found = np.full((len(places), 2), np.nan)
            found[:, whole] = smooth((places - self.centre) / self.width)
        except np.linalg.LinAlgError:  # the known places lie on a line, or on a conic
            return None
        return found
