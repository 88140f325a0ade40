"""Descent and ridge regression on the Gaussian features that are equivalent in the limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.sims.algorithms import Step, by_algorithm
from teacherstudent.sims.linear_students.answers import descended, solved
from teacherstudent.sims.random_features.sights import Equivalent
from teacherstudent.sims.random_features.training import Drawn


def stepped(
    problem: RandomFeatures,
    times: np.ndarray,
    *,
    seeds: Sequence[int],
    how: Step,
    observable: Sequence[str] | None = None,
    **options: Any,
) -> dict[str, np.ndarray]:
    """`sims.linear_students.answers.descended` on Gaussians of the same moments."""
    return descended(Drawn.of(Equivalent(problem), seeds, observable), times, how=how, **options)


def ridge(
    problem: RandomFeatures,
    times: np.ndarray,
    *,
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    """`sims.linear_students.answers.solved` on Gaussians of the same moments."""
    return solved(Drawn.of(Equivalent(problem), seeds, observable), times)


def __getattr__(name: str) -> Callable[..., dict[str, np.ndarray]]:
    """The route of the algorithm of that name."""
    return by_algorithm(stepped, name)
