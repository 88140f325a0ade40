"""Draws of the multi-scale model as a source of linear students. Axes: S draws, n samples, d features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.problems.multiscale.data import Draws
from teacherstudent.sims.linear_students.answers import Source, Train
from teacherstudent.sims.linear_students.forms import Form, TrainingSets
from teacherstudent.sims.multiscale.data import extras, labels, observables, training_set


@dataclass(frozen=True)
class Drawn(Source):
    """The students of these draws, one a draw."""

    problem: MultiScale
    draws: Draws
    seeds: Sequence[int]
    observable: Sequence[str] | None = None

    @property
    def ridge(self) -> float:  # type: ignore[override]
        return self.problem.ridge

    @property
    def penalty(self) -> float:  # type: ignore[override]
        return self.problem.output_penalty

    @cached_property
    def sets(self) -> TrainingSets:
        return sets_of(self.draws)

    @cached_property
    def form(self) -> Form:
        return form_of(self.draws)

    def measured(self, weights: np.ndarray, train: Train) -> dict[str, np.ndarray]:
        def again(draws: Draws) -> np.ndarray:
            return train(replace(self, draws=draws))[:, :, 0]

        weights = weights[:, :, 0]
        more = extras(self.problem, self.draws, again, weights, self.seeds, self.observable)
        return {**observables(self.draws, weights), **more}


def sets_of(draws: Draws) -> TrainingSets:
    """Inputs and labels, and where students begin."""
    inputs, labels = training_set(draws)
    return TrainingSets(inputs, labels[..., None], draws.initial[..., None], False)


def form_of(draws: Draws) -> Form:
    """The weights, by what the teacher's inputs share among students (`sims.linear_students.training`)."""
    with np.errstate(over="ignore", invalid="ignore"):
        pull = draws.strengths * (labels(draws)[:, None] @ draws.inputs)
    strengths = np.broadcast_to(draws.strengths, (len(pull), draws.strengths.size))
    return Form(draws.inputs, pull, draws.initial[:, None], None, strengths=strengths)
