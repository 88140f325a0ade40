"""Descent and ridge regression on the Gaussian features that are equivalent in the limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.sims.linear_students import answers
from teacherstudent.sims.linear_students.answers import descended, solved
from teacherstudent.sims.random_features.sights import Equivalent
from teacherstudent.sims.random_features.training import Drawn


def descent(
    problem: RandomFeatures,
    times: np.ndarray,
    *,
    learning_rate: float | Literal["auto"],
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    """`sims.linear_students.answers.descended` on Gaussians of the same moments."""
    return descended(Drawn.of(Equivalent(problem), seeds, observable), times, learning_rate=learning_rate)


def ridge(
    problem: RandomFeatures,
    times: np.ndarray,
    *,
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    """`sims.linear_students.answers.solved` on Gaussians of the same moments."""
    return solved(Drawn.of(Equivalent(problem), seeds, observable), times)


def stepped(
    algorithm: str,
    problem: RandomFeatures,
    times: np.ndarray,
    *,
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
    **options: Any,
) -> dict[str, np.ndarray]:
    """The same along steps of that algorithm (`sims.algorithms`)."""
    return answers.stepped(algorithm, Drawn.of(Equivalent(problem), seeds, observable), times, **options)
