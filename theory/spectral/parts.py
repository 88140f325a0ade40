r"""The mean squared error in its parts, mode by mode: from the target, the label noise and the start.

Every number is a sum of parts that are not negative, each of which is as small as it is: neither
the little that is learned early, f C <-> 1 - h over v, nor the little that is missed late is a difference
of larger numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.theory.resolvents import resolvent
from teacherstudent.theory.spectral.filters import Filter, once, whole
from teacherstudent.theory.spectral.kernels import Alone, Kernels, Modes
from teacherstudent.theory.spectral.tasks import Task


@dataclass(frozen=True)
class Parts:
    """What errors are made of, at T times for K modes.

    alignment and unaligned: product of target and student in each mode, and the target's power minus that,
    (T, K). bias, variance, start: of the mean squared error on rows not trained on, (T, K); their sum is that
    error without the noise of the row's own label. start has the initial weights and their product with the
    target. signal: mean square of what the student makes of the target, (T, K). converged: (T,).
    """

    alignment: np.ndarray
    unaligned: np.ndarray
    bias: np.ndarray
    variance: np.ndarray
    start: np.ndarray
    signal: np.ndarray
    converged: np.ndarray


def untrained(task: Task, count: int) -> Parts:
    """The initial student, `count` times."""
    nothing = np.zeros(task.size)
    start = task.start if task.cross is None else task.start - 2 * task.cross
    rows = (nothing, task.power, task.power, nothing, start, nothing)
    tiled = (np.array(np.broadcast_to(row, (count, task.size))) for row in rows)
    alignment, unaligned, bias, variance, first, signal = tiled
    return Parts(alignment, unaligned, bias, variance, first, signal, np.ones(count, dtype=bool))


def at_ridge(task: Task, ridge: np.ndarray) -> Parts:
    """Ridge regression at effective ridges (T,): one resolvent, taken twice."""
    at = resolvent(task.spectrum, ridge)
    modes = Modes.of(task, at)
    amplified = Alone.of(task, at).amplified[:, None]
    shared = amplified * modes.coupling * modes.learned**2  # T/(1 - T), mode by mode
    mutual = np.sum(modes.missed**2 * task.power, axis=-1, keepdims=True) * shared
    return Parts(
        alignment=task.power * modes.learned,
        unaligned=task.power * modes.missed,
        bias=task.power * modes.missed**2 + mutual,
        variance=np.asarray(task.noise)[..., None] * modes.noisier * shared,
        start=np.zeros_like(mutual),
        signal=task.power * modes.learned**2 + mutual,
        converged=at.converged,
    )


def filtered(task: Task, by: Filter) -> Parts:
    """The parts of the error of a student that a filter makes."""
    at = by.at
    modes = Modes.of(task, at)
    kernels = Kernels.of(task, at, modes)
    error, learned = once(by.over_v, modes.missed), once(by.learning, modes.learned)  # M and f C in each mode
    outer = whole(modes.learned)

    def coupled(weights: np.ndarray, kernel: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Sum of weight weight' kernel t (1 - h) (1 - h'), mode by mode: (T, K)."""
        mine, other = weights[..., None] * modes.learned, whole(others)[..., None] * outer
        return modes.coupling * (2 * np.sum(mine * (kernel @ other), 1).real)

    mutual = coupled(by.learning, kernels.missed, by.learning)
    variance, start = np.zeros(error.shape), np.zeros(error.shape)
    if np.any(task.noise):
        noise = np.asarray(task.noise)[..., None] * modes.noisier
        variance = noise * coupled(by.learning, kernels.amplified, by.learning)
    if task.start.any():
        kept = once(by.over_z, modes.missed)  # p
        start = task.start * kept**2 + coupled(by.over_z, kernels.moved, by.over_z)
        if task.cross is not None:
            crossed = task.cross * error * kept + coupled(by.learning, kernels.crossed, by.over_z)
            start = start - 2 * crossed
    return Parts(
        alignment=task.power * learned,
        unaligned=task.power * error,
        bias=task.power * error**2 + mutual,
        variance=variance,
        start=start,
        signal=task.power * learned**2 + mutual,
        converged=np.broadcast_to(np.all(at.converged, axis=-1), error.shape[:1]),
    )
