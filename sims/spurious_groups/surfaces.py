"""Students at their best epoch, and what they say over core and spurious feature (pezeshki2022 ch. 8 Fig. 1).

Axes: S seeds, T recorded epochs, n examples, d weights, G grid points a side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from teacherstudent.problems.spurious_groups import SpuriousGroups
from teacherstudent.problems.spurious_groups.data import Draws, draw, kept
from teacherstudent.sims.group_descent import Rule
from teacherstudent.sims.spurious_groups.descent import student_trajectory
from teacherstudent.sims.spurious_groups.measures import observables

GRID = np.linspace(-2.0, 2.0, 200)
"""Both axes, features before scaling: the published square."""

NEIGHBOURHOOD = 1e-3
"""Squared distance, in the plane, within which a point has the noise of its nearest training example."""


class Outcome(NamedTuple):
    """What became of the students of one method: smallest accuracies of the groups, and surfaces."""

    training: np.ndarray
    """on the examples seen in training, (S, T)"""
    zero: np.ndarray
    """on tests without noise features, (S, T)"""
    fresh: np.ndarray
    """on tests with fresh noise features, (S, T)"""
    best: np.ndarray
    """place in `epochs` of the last of the best on validation data without noise features, (S,)"""
    surfaces: np.ndarray
    """logits at that epoch over core (rows) and spurious feature (columns) on `GRID`, (S, G, G)"""


def outcome(
    problem: SpuriousGroups,
    epochs: np.ndarray,
    rule: Rule,
    batch: int,
    *,
    test_examples: int,
    seeds: Sequence[int],
    validation: Sequence[int],
) -> Outcome:
    """Train one student a seed, measure it after each of `epochs` (T,), and choose one epoch for each.

    `validation` are as many seeds, of the data on which the choice is made; each set has
    `test_examples` of each group.
    """
    draws = draw(problem, seeds)
    used = kept(problem, draws, seeds)
    weights = student_trajectory(problem, draws, epochs, rule, batch, seeds)

    def measured(noise: str, seeds: Sequence[int]) -> dict[str, np.ndarray]:
        tests = replace(problem, test_noise=noise)
        return observables(tests, draws, used, weights, test_examples, seeds)

    zero = measured("zero", seeds)
    chosen = measured("zero", validation)["worst_group_accuracy"]
    best = len(epochs) - 1 - np.argmax(chosen[:, ::-1], axis=1)
    return Outcome(
        zero["training_worst_group_accuracy"],
        zero["worst_group_accuracy"],
        measured("fresh", seeds)["worst_group_accuracy"],
        best,
        surfaces(problem, draws, used, weights[np.arange(len(best)), best]),
    )


def surfaces(problem: SpuriousGroups, draws: Draws, used: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Logits of each seed's `weights` (S, d) over core (rows) and spurious feature (columns), (S, G, G).

    A point in the `NEIGHBOURHOOD` of one of the training examples `used` (S, n) borrows the noise
    features of the nearest, as published, so that what was memorised shows; all others have none.
    """
    return np.stack(
        [
            _surface(inputs[seen], weight)
            for inputs, seen, weight in zip(draws.inputs, used, weights * problem.scales, strict=True)
        ]
    )


def _surface(inputs: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """One seed's logits (G, G) of `weights` on unscaled `inputs`, row by row, for each fits the cache."""
    memorised = inputs[:, 2:] @ weights[2:]
    across = (GRID[:, None] - inputs[:, 0]) ** 2

    def row(core: float) -> np.ndarray:
        apart = across + (core - inputs[:, 1]) ** 2
        nearest = np.argmin(apart, axis=1)
        near = apart[np.arange(GRID.size), nearest] < NEIGHBOURHOOD
        return weights[0] * GRID + weights[1] * core + np.where(near, memorised[nearest], 0.0)

    return np.stack([row(core) for core in GRID])
