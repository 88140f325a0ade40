"""Descent and ridge regression on the Gaussian features that are equivalent in the limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.sims.random_features import training
from teacherstudent.sims.random_features.sights import Equivalent


def descent(
    problem: RandomFeatures,
    times: np.ndarray,
    *,
    learning_rate: float | Literal["auto"],
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    """`training.descent` on Gaussians of the same moments."""
    return training.descent(Equivalent(problem), times, learning_rate, seeds, observable)


def ridge(
    problem: RandomFeatures,
    times: np.ndarray,
    *,
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    """`training.ridge` on Gaussians of the same moments."""
    return training.ridge(Equivalent(problem), times, seeds, observable)
