"""Random features, drawn and trained on: one student a draw, or four that share only some of the draws.

Where parts are asked, two sets of features F meet two sets of samples X on the teacher of the draw. Students
are linear in their labels and first weights, so each of these four is trained in three columns that add up
to it: by clean labels, by label noise (which belongs to the samples), and from first weights (which belong to
the features).

Axes: S draws, I sets of features and as many J of samples (1, or 2 for parts), n samples, N features, C
columns (1, or 3 for parts).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from teacherstudent.problems.random_features.data import Draws, draw
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.linear_students.descent import descended
from teacherstudent.sims.linear_students.forms import TrainingSets
from teacherstudent.sims.linear_students.ridge import minimisers
from teacherstudent.sims.random_features.measures import observables
from teacherstudent.sims.random_features.sights import TRAINING_FEATURES, TRAINING_LABELS, Sight, own


def descent(
    sight: Sight,
    times: np.ndarray,
    learning_rate: float | Literal["auto"],
    seeds: Sequence[int],
    observable: Sequence[str] | None,
) -> dict[str, np.ndarray]:
    """The observables, (S, T), along gradient descent of the summed loss.

    `times` are whole steps, increasing; step 0 is the initial student. `learning_rate` is in units of
    1/curvature; "auto" is 1/largest eigenvalue of Phi^T Phi of each training set, Phi its features, (n, N).
    Where descent leaves its range (it diverges, or outlasts what `sims.linear_students` answers for) the
    observables are NaN, with an `UnconvergedWarning`.
    """
    return _trained(
        sight,
        seeds,
        observable,
        lambda sets: descended(sets, times, learning_rate, sight.problem.ridge),
    )


def ridge(
    sight: Sight, times: np.ndarray, seeds: Sequence[int], observable: Sequence[str] | None
) -> dict[str, np.ndarray]:
    """The observables, (S, T), of the minimiser of the summed loss, which forgets its first weights.

    The effective ridge is problem.ridge + 1/time; times are positive. Where the normal equations are too
    close to singular (`sims.normal_equations`) the observables are NaN, with an `UnconvergedWarning`.
    """
    return _trained(
        sight,
        seeds,
        observable,
        lambda sets: (
            minimisers(sets, sight.problem.ridge + 1 / np.asarray(times)),
            f"times up to {np.max(times):g}: the normal equations are singular",
        ),
    )


def _trained(
    sight: Sight,
    seeds: Sequence[int],
    observable: Sequence[str] | None,
    train: Callable[[TrainingSets], tuple[np.ndarray, str]],
) -> dict[str, np.ndarray]:
    """The observables, (S, T), of the weights (S I J, T, C, N) that `train` makes of all training sets.

    With them it gives the reason for those that are not finite.
    """
    draws = [draw(sight.problem, seeds, copy) for copy in range(2 if observable else 1)]
    sets = training_sets(sight, seeds, draws)
    weights, reason = train(sets)
    return nan_where_not_finite(observables(sight, seeds, draws, sets, weights), reason)


def training_sets(sight: Sight, seeds: Sequence[int], draws: Sequence[Draws]) -> TrainingSets:
    """Every set of features on every set of samples, (S I J, ...), from the draws of each copy."""
    problem, copies = sight.problem, range(len(draws))
    clean, noisy, begun = (0, 1, 2) if len(draws) == 2 else (0, 0, 0)
    shape = (len(seeds), len(draws), len(draws))
    inputs = np.empty((*shape, problem.n, problem.width))
    labels = np.zeros((*shape, problem.n, begun + 1))
    initial = np.zeros((*shape, problem.width, begun + 1))
    for s, seed in enumerate(seeds):
        for j, samples in enumerate(draws):
            z = samples.inputs[s]
            labels[s, :, j, :, clean] = sight.labels(z, samples.teacher[s], own(seed, TRAINING_LABELS, j))
            labels[s, :, j, :, noisy] += samples.noise[s]
            for i in copies:
                chance = own(seed, TRAINING_FEATURES, i, j)
                inputs[s, i, j] = sight.features(z * samples.strengths, draws[i].features[s], chance)
    for i, featured in enumerate(draws):
        initial[:, i, :, :, begun] = featured.initial[:, None]
    started = initial.reshape(-1, *initial.shape[3:]) if problem.init else None
    return TrainingSets(
        inputs.reshape(-1, *inputs.shape[3:]), labels.reshape(-1, *labels.shape[3:]), started, False
    )
