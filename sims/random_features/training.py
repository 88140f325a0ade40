"""Random features, drawn and trained on: one student a draw, or four that share only some of the draws.

Where parts are asked, two sets of features F meet two sets of samples X on the teacher of the draw. Students
are linear in their labels and first weights, so each of these four is trained in three columns that add up
to it: by clean labels, by label noise (which belongs to the samples), and from first weights (which belong to
the features).

Axes: S draws, I sets of features and as many J of samples (1, or 2 for parts), n samples, N features, C
columns (1, or 3 for parts).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from teacherstudent.problems.random_features.data import Draws, draw
from teacherstudent.sims.linear_students.answers import Source, Train
from teacherstudent.sims.linear_students.forms import TrainingSets
from teacherstudent.sims.random_features.measures import observables
from teacherstudent.sims.random_features.sights import TRAINING_FEATURES, TRAINING_LABELS, Sight, own


@dataclass(frozen=True)
class Drawn(Source):
    """The students of drawn features on drawn samples; for parts, of all four sets."""

    sight: Sight
    seeds: Sequence[int]
    draws: Sequence[Draws]

    @classmethod
    def of(cls, sight: Sight, seeds: Sequence[int], observable: Sequence[str] | None) -> Drawn:
        return cls(sight, seeds, [draw(sight.problem, seeds, copy) for copy in range(2 if observable else 1)])

    @property
    def ridge(self) -> float:  # type: ignore[override]
        return self.sight.problem.ridge

    @cached_property
    def sets(self) -> TrainingSets:
        return training_sets(self.sight, self.seeds, self.draws)

    def measured(self, weights: np.ndarray, train: Train) -> dict[str, np.ndarray]:
        return observables(self.sight, self.seeds, self.draws, self.sets, weights)


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
