"""Drawn rows as a source of linear students. Axes: S draws, T times, q features, m modes, c outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import Draws, draw
from teacherstudent.sims.linear_students.answers import Source, Train
from teacherstudent.sims.linear_students.forms import TrainingSets
from teacherstudent.sims.linear_students.sgd import BatchSampler
from teacherstudent.sims.measured_spectrum.data import Means, centred_sets
from teacherstudent.sims.measured_spectrum.fresh import population
from teacherstudent.sims.measured_spectrum.measures import observables


@dataclass(frozen=True)
class Drawn(Source):
    """The students of drawn rows, tested on those that were not drawn."""

    problem: MeasuredSpectrum
    draws: Draws

    @classmethod
    def of(cls, problem: MeasuredSpectrum, seeds: Sequence[int]) -> Drawn:
        return cls(problem, draw(problem, seeds))

    @property
    def ridge(self) -> float:  # type: ignore[override]
        return self.problem.ridge

    @cached_property
    def centred(self) -> tuple[TrainingSets, Means | None]:
        return centred_sets(self.problem, self.draws)

    @property
    def sets(self) -> TrainingSets:
        return self.centred[0]

    def measured(self, weights: np.ndarray, train: Train) -> dict[str, np.ndarray]:
        return observables(self.problem, self.draws, self.sets, weights, self.centred[1])


@dataclass(frozen=True)
class OnePass(Drawn):
    """The same where each row is seen once: there is no training error."""

    def measured(self, weights: np.ndarray, train: Train) -> dict[str, np.ndarray]:
        answer = super().measured(weights, train)
        del answer["training_error"]
        return answer


@dataclass(frozen=True)
class New(Source):
    """Students of newly drawn rows; the error is the exact mean over such rows."""

    problem: MeasuredSpectrum
    seeds: Sequence[int]

    @property
    def ridge(self) -> float:  # type: ignore[override]
        return self.problem.ridge

    @cached_property
    def sets(self) -> TrainingSets:
        """No rows: where students begin, in the coordinates of the population."""
        one, draws = population(self.problem), len(self.seeds)
        start = one.start(draw(replace(self.problem, n=1), self.seeds).initial, draws)
        return TrainingSets(np.empty((draws, 0, start.shape[1])), np.empty((draws, 0, 0)), start, False)

    @property
    def law(self) -> BatchSampler:
        """That of rows and labels."""
        one, problem = population(self.problem), self.problem
        noise = np.concatenate([one.rest, problem.noise * np.eye(problem.outputs)])
        return BatchSampler(
            one.strengths, np.broadcast_to(one.teacher, (len(self.seeds), *one.teacher.shape)), noise
        )

    def measured(self, weights: np.ndarray, train: Train) -> dict[str, np.ndarray]:
        strengths, teacher, noise = self.law
        with np.errstate(over="ignore", invalid="ignore"):  # a diverged student's weights may be anything
            missed = (teacher[:, None] - strengths[:, None] * weights.swapaxes(-1, -2)) ** 2
            return {"generalisation_error": np.sum(missed, axis=(2, 3)) + np.sum(noise**2)}
