r"""One pass: stochastic gradient descent on Gaussian rows that nobody has seen, exactly at any size.

With c_k = n lambda_k, a step on b fresh rows multiplies the mean of the error along mode k by 1 - x_k,
x_k = eta (c_k + ridge), as descent on the population does. What batches add are fluctuations about that
mean. By Isserlis' theorem their power V_k, lambda_k times a variance summed over the m_k modes, obeys

    V_k' = (1 - delta_k) V_k + o_k (B_k + m_k (sum_j B_j + V_j + noise)),
    o_k = eta^2 c_k^2/b,    delta_k = x_k (2 - x_k) - o_k,

B_k the power of the mean error. It is a diagonal plus a matrix of rank one, so its resolvent is
closed, and any number of steps is a sum over few points of a contour. What no feature expresses is noise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy

from teacherstudent.house.certainty import not_negative
from teacherstudent.theory import contours, rules
from teacherstudent.theory.contours import Contour
from teacherstudent.theory.spectral.parts import Parts
from teacherstudent.theory.spectral.tasks import Task

SOLVED = 400_000
"""Times, points and eigenvalues that are held at once: some 50 MB."""

TRUNCATED = 1e-9
"""How far below zero a contour's truncation may bring a variance, as a share of the largest."""

BELOW = 1 - 1e-15
"""As close as numbers come to an end of an interval that is not part of it."""


@dataclass(frozen=True)
class Steps:
    """What a step of learning rate eta on b rows does to modes of strength c, (K,), above 0.

    counts: m_k; rates: x_k; own: o_k; slopes: delta_k; kept: the share of the target that training with a
    ridge never learns; each (K,).
    """

    counts: np.ndarray
    rates: np.ndarray
    own: np.ndarray
    slopes: np.ndarray
    kept: np.ndarray

    @classmethod
    def of(cls, task: Task, learning_rate: float, batch: float) -> Steps:
        """Those of the task's modes that rows can see."""
        c = strengths_of(task)
        x, own = learning_rate * (c + task.ridge), (learning_rate * c) ** 2 / batch
        counts = task.spectrum.features[task.spectrum.strengths > 0]
        return cls(counts, x, own, x * (2 - x) - own, task.ridge / (c + task.ridge))

    def slowest(self) -> float:
        """1 minus the largest eigenvalue of the recursion: it lies below all delta_k."""
        least = float(self.slopes.min())

        def beyond(share: float) -> float:
            return 1 - float(np.sum(self.counts * self.own / (self.slopes - share * least)))

        return least * (BELOW if beyond(BELOW) > 0 else scipy.optimize.brentq(beyond, 0.0, BELOW, xtol=1e-15))

    def answered(self, resolvent: np.ndarray, means: np.ndarray, outside: np.ndarray) -> np.ndarray:
        """The transform of V, (..., K), from those of B, (..., K), and of the noise, (...).

        resolvent: 1/(v + delta_k), (..., K). Also their residues at v = 0, from residues.
        """
        shared = np.sum(means * (1 + self.own * resolvent), axis=-1) + outside
        total = shared / (1 - resolvent @ (self.counts * self.own))
        answer: np.ndarray = resolvent * self.own * (means + self.counts * total[..., None])
        return answer


def strengths_of(task: Task) -> np.ndarray:
    """c_k = n lambda_k of the modes that rows can see, (K,)."""
    v = task.spectrum.strengths
    return task.spectrum.alpha * v[v > 0]


def critical_rate(task: Task, batch: int) -> float:
    """The learning rate from which the mean square error of one pass diverges.

    There the largest eigenvalue of the recursion is 1: sum_k m_k o_k/delta_k = 1.
    """
    c = strengths_of(task)
    a, each = c + task.ridge, c**2 / batch
    counts = task.spectrum.features[task.spectrum.strengths > 0]
    most = float(np.min(2 * a / (a**2 + each)))  # a delta_k vanishes

    def beyond(share: float) -> float:
        eta = share * most
        return 1 - float(np.sum(counts * eta * each / (a * (2 - eta * a) - eta * each)))

    return most * (1.0 if beyond(BELOW) > 0 else scipy.optimize.brentq(beyond, 0.0, BELOW, xtol=1e-15))


def over_training(task: Task, steps: np.ndarray, learning_rate: float, batch: int) -> Parts:
    """The errors' parts after whole steps k >= 0, (T,), on `batch` fresh rows each.

    The learning rate must be below `critical_rate`. Rows of a pool are not Gaussian: `task` has none.
    """
    c = task.spectrum.alpha * task.spectrum.strengths
    f, p, missed = rules.descent(c, steps, task.ridge, learning_rate=learning_rate)
    learned, missed = f * c, np.where(c > 0, missed, 1.0)
    cross = 0.0 if task.cross is None else task.cross
    bias, variance, start = _fluctuations(task, Steps.of(task, learning_rate, batch), steps)
    return Parts(
        alignment=task.power * learned,
        unaligned=task.power * missed,
        bias=task.power * missed**2 + bias,
        variance=variance,
        start=task.start * p**2 - 2 * cross * missed * p + start,
        signal=task.power * learned**2 + bias,
        converged=np.isfinite(bias + variance + start).all(axis=-1),
    )


@dataclass(frozen=True)
class Cause:
    """What makes batches fluctuate: numbers times 1, p^t and p^2t in modes that rows can see, (K,), and
    what is beyond these."""

    ever: np.ndarray
    once: np.ndarray
    squared: np.ndarray
    outside: float = 0.0

    def means(self, by: Steps, v: np.ndarray) -> np.ndarray:
        """The transform of the mean error's power at points v, (...): (..., K)."""
        v = v[..., None]
        twice = by.rates * (2 - by.rates)  # 1 - p^2
        found: np.ndarray = self.ever / v + self.once / (v + by.rates) + self.squared / (v + twice)
        return found


def causes(task: Task, kept: np.ndarray) -> tuple[Cause, Cause, Cause]:
    """Target, label noise and start. The mean error misses kept + (1 - kept) p^t of the target."""
    seen = task.spectrum.strengths > 0
    power, nothing = task.power[seen], np.zeros(kept.size)
    start, mixed = task.start[seen], nothing
    if task.cross is not None:
        start, mixed = (start - 2 * task.cross[seen] * (1 - kept)), -2 * task.cross[seen] * kept
    target = Cause(
        power * kept**2,
        power * 2 * kept * (1 - kept),
        power * (1 - kept) ** 2,
        float(np.sum(task.power[~seen])),
    )
    return target, Cause(nothing, nothing, nothing, task.noise), Cause(nothing, mixed, start)


def _fluctuations(task: Task, by: Steps, steps: np.ndarray) -> np.ndarray:
    """V due to target, label noise and start, (3, T, K)."""
    seen = task.spectrum.strengths > 0
    found = np.zeros((3, steps.size, task.size))
    for each, cause in zip(found, causes(task, by.kept), strict=True):
        for where, contour in _contours(by, bool(cause.once.any()), steps):
            each[np.ix_(where, seen)] = _summed(by, cause, contour)
    return found if task.cross is not None else not_negative(found, TRUNCATED * np.max(found, initial=0))


def _contours(by: Steps, once: bool, steps: np.ndarray) -> Iterator[tuple[np.ndarray, Contour]]:
    """Contours about the recursion's eigenvalues, all above 0, and if `once` the mean error's."""
    gap, smallest = by.slowest(), 0.0
    if once:
        gap, smallest = min(gap, float(by.rates.min())), min(0.0, 1 - float(by.rates.max()))
    moving = np.flatnonzero(steps > 0)
    together = max(1, SOLVED // (2 * contours.NODES * by.rates.size))
    for first in range(0, moving.size, together):
        some = moving[first : first + together]
        for where, contour in contours.descent(steps[some], 1.0, smallest, gap):
            yield some[where], contour


def _summed(by: Steps, cause: Cause, contour: Contour) -> np.ndarray:
    """V of one cause, (T, K)."""
    v = contour.nodes
    found = by.answered(1 / (v[..., None] + by.slopes), cause.means(by, v), cause.outside / v)
    ended = by.answered(1 / by.slopes, cause.ever, np.array(cause.outside))
    moving = 2 * (contour.weights[:, None, :] @ found)[:, 0, :].real
    answer: np.ndarray = moving + contour.outside(0.0)[:, None] * ended
    return answer
