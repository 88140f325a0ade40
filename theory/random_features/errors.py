r"""Test and training error over training, from sums over one and two contours.

With M the error operator of the average student and f its filter, two students of the same draws make

    2 excess = c1^2 sum m <M>^2 + cstar^2 + double sum of V with the weights of f + start,
    V = {c1^2 psi2 y y' A <u eta eta'> + (c1^2 <eta eta'> + cstar^2 + noise^2) [y y' A^2 + P (psi1 - P)]}/D

in the kernels of `pairs`. Neither the little that is learned early nor the little that is missed late is a
difference of larger numbers. A sample that was trained on is fitted by the student that it helped to train:
its error is that of one which was not, times g g', g = 1 - E/psi2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.house.certainty import not_negative
from teacherstudent.theory.random_features.equation import solve
from teacherstudent.theory.random_features.filters import Filter
from teacherstudent.theory.random_features.model import Model, over
from teacherstudent.theory.random_features.pairs import Pairs
from teacherstudent.theory.spectral.errors import TRUNCATED
from teacherstudent.theory.spectral.filters import once, twice


@dataclass(frozen=True)
class Errors:
    """At T times, (T,): the student's overlap and mean square, excess risk with the half, mean squared error
    on the training samples without it; and where roots are certified."""

    R: np.ndarray
    Q: np.ndarray
    excess: np.ndarray
    training: np.ndarray
    converged: np.ndarray

    @classmethod
    def of(
        cls,
        model: Model,
        learned: np.ndarray,
        missed: np.ndarray,
        varied: np.ndarray,
        training: np.ndarray,
        converged: np.ndarray,
    ) -> Errors:
        """From what the average student has learned and missed of each scale, (T, K), and the mean square of
        what else students make, `varied`, (T,)."""
        return cls(
            R=model.c1**2 * (learned @ model.m),
            Q=model.c1**2 * (learned**2 @ model.m) + varied,
            excess=(model.c1**2 * (missed**2 @ model.m) + model.hidden + varied) / 2,
            training=training,
            converged=converged,
        )


def untrained(model: Model, count: int) -> Errors:
    """Of the initial student, `count` times."""
    nothing, start = np.zeros((count, model.u.size)), model.init * (model.rest + float(model.m @ model.u))
    return Errors.of(
        model,
        learned=nothing,
        missed=nothing + 1,
        varied=np.full(count, start),
        training=np.full(count, model.c1**2 + model.hidden + model.noise + start),
        converged=np.ones(count, dtype=bool),
    )


def at_ridge(model: Model, ridges: np.ndarray) -> Errors:
    """Of ridge regression at effective ridges, (T,), which forgets its start."""
    at = solve(model, ridges)
    target, varied = taught(model, Pairs.alone(model, at))
    own = at.samples / model.psi2
    return Errors.of(
        model,
        learned=at.learned,
        missed=at.eta,
        varied=varied,
        training=own**2 * (target + varied),
        converged=at.converged,
    )


def filtered(model: Model, by: Filter) -> Errors:
    """Of the student that a filter makes."""
    pairs, own = Pairs.of(model, by.at), by.at.samples / model.psi2
    target, mutual = taught(model, pairs)
    varied = twice(by.learning, mutual, by.learning)
    training = twice(own * by.over_v, target + mutual, own * by.over_v)
    if model.init:
        kept = moved(model, pairs)
        varied = varied + twice(by.over_z, kept, by.over_z)
        training = training + twice(own * by.over_z, kept, own * by.over_z)
    return Errors.of(
        model,
        learned=once(by.learning, by.at.learned),
        missed=once(by.over_v, by.at.eta),
        varied=varied,
        training=not_negative(training, TRUNCATED * untrained(model, 1).training),
        converged=np.broadcast_to(np.all(by.at.converged, axis=-1), varied.shape),
    )


def taught(model: Model, pairs: Pairs) -> tuple[np.ndarray, np.ndarray]:
    """What a label keeps for itself, c1^2 <eta eta'> + cstar^2 + noise^2, and V."""
    linear, own = over(model.c1**2, pairs.both), over(model.hidden + model.noise, pairs.both)
    target = linear * pairs.missed + own
    spread = pairs.spread + pairs.learned * pairs.features
    return target, (linear * over(model.psi2, pairs.both) * pairs.aligned + target * spread) / pairs.both


def moved(model: Model, pairs: Pairs) -> np.ndarray:
    """What is left of the initial weights, init^2 times the output of such weights."""
    share = over(model.init * model.psi2 / model.psi1, pairs.both)
    return np.asarray(share * pairs.untouched * pairs.strength / pairs.both)
