"""How examples look to the teacher and through the features: as the problem states it, or as Gaussians would.

Axes: b examples, d inputs, N features.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.sims.random_features.functions import Moments, moments, value

TRAINING_LABELS, TRAINING_FEATURES, TEST_LABELS, TEST_FEATURES = range(6, 10)
"""Streams of random numbers of a seed, beside those that its problem draws from, 0 to 5."""


def own(seed: int, stream: int, *place: int) -> np.random.Generator:
    """What a sight draws from: of a seed, for that use of it, at that place among its copies and blocks."""
    return np.random.default_rng([seed, 0, stream, *place])


class Sight(Protocol):
    """What teacher and student see of inputs z (b, d). What chance adds to that is drawn from `own`."""

    problem: RandomFeatures

    @abstractmethod
    def labels(self, z: np.ndarray, teacher: np.ndarray, own: np.random.Generator) -> np.ndarray:
        """Clean centred labels g(z.w) - E g, (b,), of the teacher w (d,)."""

    @abstractmethod
    def features(self, x: np.ndarray, rows: np.ndarray, own: np.random.Generator) -> np.ndarray:
        """Centred features (s(F x) - E s)/sqrt(N), (b, N), of x = diag(sigma) z (b, d) and F (N, d)."""


@dataclass(frozen=True)
class Nonlinear(Sight):
    """The functions themselves. Nothing is drawn."""

    problem: RandomFeatures

    def labels(self, z: np.ndarray, teacher: np.ndarray, own: np.random.Generator) -> np.ndarray:
        return value(self.problem.teacher, z @ teacher) - self._taught.mean

    def features(self, x: np.ndarray, rows: np.ndarray, own: np.random.Generator) -> np.ndarray:
        seen = value(self.problem.activation, x @ rows.T)
        return (seen - self._seen.mean) / np.sqrt(self.problem.width)

    @cached_property
    def _taught(self) -> Moments:
        return moments(self.problem.teacher)

    @cached_property
    def _seen(self) -> Moments:
        return moments(self.problem.activation)


class Equivalent(Nonlinear):
    """Gaussians of the same moments: the part nonlinear in the input becomes independent noise per example.

    Features are (mu_1 F x + mu_* xi)/sqrt(N), labels c_1 z.w + c_* xi', where mu_1 and c_1 are the slopes of
    the two functions, mu_* and c_* the standard deviations of the rest, and xi, xi' ~ N(0, 1) are drawn for
    each example, and xi for each of its features.
    """

    def labels(self, z: np.ndarray, teacher: np.ndarray, own: np.random.Generator) -> np.ndarray:
        taught = z @ teacher
        return self._taught.slope * taught + self._taught.rest * own.standard_normal(taught.shape)

    def features(self, x: np.ndarray, rows: np.ndarray, own: np.random.Generator) -> np.ndarray:
        seen = x @ rows.T
        seen = self._seen.slope * seen + self._seen.rest * own.standard_normal(seen.shape)
        return seen / np.sqrt(self.problem.width)
