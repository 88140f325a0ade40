"""Training on the population loss, on batches of a data set, or on a stream of samples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.scale_invariant import ScaleInvariant
from teacherstudent.sims.scale_invariant.training import Source, train


def descent(
    problem: ScaleInvariant,
    times: np.ndarray,
    *,
    data: str,
    n: int,
    batch: int,
    noise: float,
    seeds: Sequence[int],
) -> dict[str, np.ndarray]:
    """Angle, radius and effective learning rate, (S, T), along training by the problem's scheme.

    `times` are whole steps, increasing; step 0 is the start. `data`, `n`, `batch` and `noise` as
    the problem declares them; the effective learning rate at step k is that of the step from x_k
    (roburin2020 Eq. 11), on the sample of that step. Raises `InputError` for a batch beyond n, for
    eta lambda >= 1 and for label noise where labels name classes.
    """
    problem.demand_positive_shrinkage(problem.learning_rate)
    problem.demand_certain_labels(noise)
    if data == "minibatch" and batch > n:
        raise InputError("batch", batch, f"at most n = {n}, the number of samples")
    fixed = n if data == "minibatch" else 1
    return train(problem, Source(data, fixed, batch, noise), times, problem.learning_rate, seeds)
