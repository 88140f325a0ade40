"""Descent and ridge regression on nonlinear features, tested on fresh examples seen through them too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.sims.random_features import training
from teacherstudent.sims.random_features.sights import Nonlinear


def descent(
    problem: RandomFeatures,
    times: np.ndarray,
    *,
    learning_rate: float | Literal["auto"],
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    """`training.descent` on the functions themselves."""
    return training.descent(Nonlinear(problem), times, learning_rate, seeds, observable)


def ridge(
    problem: RandomFeatures,
    times: np.ndarray,
    *,
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    """`training.ridge` on the functions themselves."""
    return training.ridge(Nonlinear(problem), times, seeds, observable)
