r"""Test and training error over training: double sums over a contour.

A row that was trained on is fitted by the student that it helped to train: its error is that of a row
which was not, times g g', g = 1 - dof/n = q z u/alpha with the u of `kernels`. Errors are mean squares,
without the half, with the label noise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.house.certainty import not_negative
from teacherstudent.theory.resolvents import Resolvent, Spectrum, resolvent
from teacherstudent.theory.spectral.filters import Filter, Pieces, overwritten, twice
from teacherstudent.theory.spectral.kernels import Alone, Kernels, Modes
from teacherstudent.theory.spectral.tasks import Task

TRUNCATED = 1e-11
"""Of an error before training what a contour may leave in the place of nothing."""


@dataclass(frozen=True)
class Errors:
    """Of rows not trained on, and of those that were, at T times, (T,); and where roots are certified."""

    test: np.ndarray
    training: np.ndarray
    converged: np.ndarray


def untrained(task: Task, count: int) -> Errors:
    """Of the initial student, `count` times."""
    total = float(np.sum(task.power) + np.sum(task.start) + task.noise)
    total -= 0.0 if task.cross is None else 2 * float(np.sum(task.cross))
    return Errors(np.full(count, total), np.full(count, total), np.ones(count, dtype=bool))


def over_training(
    task: Task, count: int, pieces: Pieces, made: Callable[[Filter], Errors] | None = None
) -> Errors:
    """At `count` times: of the initial student where no filter has an answer.

    made: what a filter makes, if not all that `filtered` does.
    """
    return overwritten(untrained(task, count), pieces, made or partial(filtered, task))


def filtered(task: Task, by: Filter) -> Errors:
    """Of the student that a filter makes."""
    kernels = Kernels.of(task, by.at, Modes.of(task, by.at))
    own = own_share(task.spectrum, by.at)
    taught = kernels.missed + task.noise * kernels.noisy

    def summed(over_v: np.ndarray, over_z: np.ndarray) -> np.ndarray:
        total = twice(over_v, taught, over_v)
        if task.start.any():
            total = total + twice(over_z, kernels.moved, over_z)
        if task.cross is not None:
            total = total - 2 * twice(over_v, kernels.crossed, over_z)
        return total

    test = summed(by.over_v, by.over_z)
    converged = np.broadcast_to(np.all(by.at.converged, axis=-1), test.shape)
    training = summed(own * by.over_v, own * by.over_z)
    return Errors(test, not_negative(training, TRUNCATED * untrained(task, 1).training), converged)


def at_ridge(task: Task, ridge: np.ndarray) -> Errors:
    """Of ridge regression at effective ridges (T,), which forgets its start: one resolvent, taken twice."""
    return alone(task, resolvent(task.spectrum, ridge))


def alone(task: Task, at: Resolvent) -> Errors:
    """Of ridge regression at the ridges of a resolvent, (T,)."""
    kernels, missed = Alone.of(task, at), Modes.of(task, at).missed
    test = kernels.amplified * (missed**2 @ task.power) + task.noise * kernels.noisy
    return Errors(test, own_share(task.spectrum, at) ** 2 * test, at.converged)


def own_share(spectrum: Spectrum, at: Resolvent) -> np.ndarray:
    """g = 1 - dof/n at points z, (...): the share of the error in its label that a training row keeps."""
    return at.qz * at.unlearned / spectrum.alpha
