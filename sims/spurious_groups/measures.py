"""What is measured of trained weights: accuracies on drawn tests, margins, and where the weights point.

Axes: S seeds, T recorded times, n examples, d weights, 4 groups.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.problems.spurious_groups import GROUPS, SpuriousGroups
from teacherstudent.problems.spurious_groups.data import Draws, fresh

AT_ONCE = 2**17
"""Numbers of the tests that are drawn at once, 1 MB, unless those of one seed are more."""


def observables(
    problem: SpuriousGroups,
    draws: Draws,
    kept: np.ndarray,
    weights: np.ndarray,
    test_examples: int,
    seeds: Sequence[int],
) -> dict[str, np.ndarray]:
    """Observables of `weights` (S, T, d) of students that saw the examples `kept` (S, n) of `draws`.

    Each is (S, T), but for group_accuracy, (S, T, 4). Tests are `test_examples` of each group, drawn for each
    seed; the smallest of four such shares is too small by about one of their standard errors where the groups
    are equally hard. Training accuracies and margins are of the kept examples. All but the norm depends on
    the direction of the weights alone, and is NaN where they vanish or overflow.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        norm = np.linalg.vector_norm(weights, axis=-1)
        direction = weights / norm[..., None]
    margins = y_logits(problem, draws, direction)
    many = max(1, AT_ONCE // (4 * test_examples * problem.dimension))
    tests = [
        group_accuracies(y_logits(problem, test, direction[first : first + many]), test.groups)
        for first in range(0, len(seeds), many)
        for test in [fresh(problem, seeds[first : first + many], test_examples)]
    ]
    accuracy = np.concatenate(tests)
    shares = np.stack([np.bincount(groups, minlength=len(GROUPS)) for groups in draws.groups]) / problem.n
    noise = direction[..., 2:] * problem.scales[2:]
    return {
        "worst_group_accuracy": accuracy.min(axis=-1),
        "average_accuracy": np.einsum("stg,sg->st", accuracy, shares),
        "group_accuracy": accuracy,
        "training_worst_group_accuracy": np.fmin.reduce(  # of the groups that have any
            group_accuracies(margins, np.where(kept, draws.groups, -1)), axis=-1
        ),
        "spurious_weight": problem.gamma_spurious * direction[..., 0],
        "core_weight": problem.gamma_core * direction[..., 1],
        "noise_weight": problem.noise_std * np.linalg.vector_norm(noise, axis=-1),
        "margin": np.where(kept[:, None], margins, np.inf).min(axis=-1),
        "norm": norm,
    }


def y_logits(problem: SpuriousGroups, examples: Draws, weights: np.ndarray) -> np.ndarray:
    """y w.(gamma x) of each example, (S, T, n): positive where the class is right.

    Inputs that `examples` leave out, at the end, are zero.
    """
    columns = examples.inputs.shape[-1]
    logits = (weights * problem.scales)[..., :columns] @ examples.inputs.swapaxes(-1, -2)
    return examples.labels[:, None] * logits


def group_accuracies(y_logits: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Share of each group's examples whose `y_logits` (S, T, n) are positive, (S, T, 4).

    `groups` (S, n) are places in `GROUPS`, or -1 for examples left out. NaN where a group is empty
    or a logit is not a number.
    """
    right = np.where(np.isnan(y_logits), np.nan, y_logits > 0)
    members = groups[..., None] == np.arange(len(GROUPS))
    with np.errstate(invalid="ignore"):
        return np.einsum("stn,sng->stg", right, members) / members.sum(axis=1)[:, None]
