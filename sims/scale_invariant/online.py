"""Training on a stream of samples, on the clock t = k/d with steps of learning_rate/d."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.problems.scale_invariant import ScaleInvariant
from teacherstudent.sims.scale_invariant.training import Source, train


def online(
    problem: ScaleInvariant, times: np.ndarray, *, noise: float, seeds: Sequence[int]
) -> dict[str, np.ndarray]:
    """Angle, radius and effective learning rate of d steps, (S, T), each step on one new sample.

    `times` t are recorded at the step nearest to t d. Raises `InputError` for eta lambda >= d and
    for label noise where labels name classes.
    """
    problem.demand_certain_labels(noise)
    rate = problem.learning_rate / problem.d
    problem.demand_positive_shrinkage(rate)
    steps = np.rint(np.asarray(times) * problem.d)
    answer = train(problem, Source("stream", noise=noise), steps, rate, seeds)
    return {**answer, "effective_learning_rate": problem.d * answer["effective_learning_rate"]}
