r"""The test error of gradient flow and its derivatives by log time, from one set of resolvents.

With e^{us} the propagator and D = d/d log s, the derivatives of p = e^{us} are polynomials of us times p,
and the error is a quadratic form F of p: E = F(p, p), DE = 2 F(p, Dp), D^2 E = 2 F(Dp, Dp) + 2 F(p, D^2 p).
Only the weights differ, so that one matrix of kernels at each time gives all of them without any
difference. Dp vanishes at the pole of the end, so that a slope keeps its digits however close that is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

import numpy as np

from teacherstudent.theory import contours, turning
from teacherstudent.theory.resolvents import Resolvent
from teacherstudent.theory.spectral.filters import (
    Filter,
    FilterOf,
    Matrix,
    P,
    matrix_of,
    on_contour,
    once,
    whole,
)
from teacherstudent.theory.spectral.kernels import Kernels, Modes
from teacherstudent.theory.spectral.tasks import Task

CONTOUR = 5e-11
"""Relative error of a slope's parts on a contour: the truncation and the rounding of a filter."""

ROWS = 128
"""Number of questions that are solved for and summed at once: what fits a cache."""

MARGIN = 1e-3
"""Distance in log time from where the slope is no number any more: room for differences."""


class Moving(ABC, Generic[P]):
    """Gradient flow of students that filters make: what all its times share.

    matrix: what its contours know. speed: how many times as fast as their clock its own is.
    """

    matrix: Matrix[P]
    speed: Any

    @property
    def slowest(self) -> Any:
        """The smallest rate."""
        return self.matrix.lowest + self.matrix.ridge

    @property
    def last(self) -> Any:
        """The log time up to which slopes are numbers: beyond it the spectrum has no more to say.

        Infinite where the spectrum begins at 0 without a ridge, and where what no example sees ends last.
        """
        with np.errstate(divide="ignore"):
            last = np.log(contours.GONE / np.asarray(self.slowest) / self.speed) - MARGIN
        return np.where(self.alone, np.inf, last)[()]

    @property
    def alone(self) -> Any:
        """Whether initial weights that no example sees, which the ridge alone moves, end last: theirs is a
        square, e^{-2 ridge s}; what a contour drops is e^{-slowest s}."""
        return (len(self.matrix.poles) > 1) & (2 * self.matrix.ridge < self.slowest)

    def at(self, x: np.ndarray) -> turning.Motion:
        """The mean squared error on rows not trained on, without the noise in their labels, and its
        derivatives at log times x, (T,); NaN where no root was certified."""
        return self.moved(self.filter(x), x)

    def filter(self, x: np.ndarray) -> FilterOf[P]:
        """The filter at log times x, (T,)."""
        return on_contour(self.matrix, contours.flow(self.speed * np.exp(x), self.slowest))

    def moved(self, by: FilterOf[P], x: np.ndarray) -> turning.Motion:
        """What `at` says, from the filter at log times x."""
        us = (self.speed * np.exp(x))[:, None] * (by.at.z - np.asarray(self.matrix.ridge)[..., None])
        rows = np.stack([np.ones_like(us), us, us + us**2])  # D^n e^{us} / e^{us}
        form, size = self.form(by, rows)
        certain = np.where(np.all(by.at.converged, axis=-1), 1.0, np.nan)
        return turning.Motion(
            value=certain * form[0, 0],
            slope=certain * 2 * form[0, 1],
            bend=certain * 2 * (form[1, 1] + form[0, 2]),
            size=2 * size,
            error=2 * CONTOUR * size,
        )

    @abstractmethod
    def form(self, by: FilterOf[P], rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """F of every two derivatives, (N, N, T), whose weights are `rows` (N, T, J) times those of p; and of
        p and Dp the sum of its parts' magnitudes, (T,)."""


def squared(each: np.ndarray, power: np.ndarray) -> np.ndarray:
    """Products of every two derivatives of each mode, (N, T, K), weighted by its power, (K,) or (T, K):
    (N, N, T)."""
    return np.einsum("ntk,mtk->nmt", each * power, each)


def doubled(
    rows: np.ndarray, kernel: np.ndarray, mine: np.ndarray, others: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """A double sum's part of `Moving.form`: weights mine and others (T, J), kernel (T or 1, J, 2J)."""
    left, right = rows * mine, whole((rows * others).swapaxes(0, 1).swapaxes(1, 2)).swapaxes(1, 2)
    half = np.einsum("tij,tnj->tni", np.broadcast_to(kernel, (len(right), *kernel.shape[1:])), right)
    form = 2 * np.einsum("mti,tni->mnt", left, half).real
    return form, 2 * np.einsum("ti,ti->t", np.abs(left[0]), np.abs(half[:, 1]))


@dataclass(frozen=True)
class Flow(Moving[Resolvent]):
    """Gradient flow on one task.

    speed: a student of weights u/speed whose u learns so much faster: what a constant output penalty makes.
    """

    task: Task
    matrix: Matrix[Resolvent]
    speed: Any

    @classmethod
    def of(cls, task: Task, speed: Any = 1.0) -> Flow:
        """That on the task; of B questions each has its own speed, (B,)."""
        return cls(task, matrix_of(task), speed)

    def rows(self, which: np.ndarray) -> Flow:
        """Those of some of the questions, (R,), of which `at` takes one log time each."""
        return Flow(self.task.rows(which), self.matrix.rows(which), self.speed[which])

    @property
    def alone(self) -> Any:
        """Weights that know of the target are no square."""
        return super().alone | (len(self.matrix.poles) > 1 and self.task.cross is not None)

    def form(self, by: Filter, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """That of the kernels of the task."""
        task, share = self.task, np.asarray(1 / self.speed)
        modes = Modes.of(task, by.at)
        kernels = Kernels.of(task, by.at, modes)
        overlap = (modes.coupling[..., None, :] * modes.learned) @ np.swapaxes(whole(modes.learned), -1, -2)

        # D of the error operator M = 1 - f C is that of -f C; an output penalty leaves some of the target.
        moved = [-once(by.learning * row, modes.learned) for row in rows[1:]]
        errors = share[..., None] * np.stack([once(by.over_v, modes.missed), *moved])
        errors[0] += (1 - share)[..., None]
        form = squared(errors, task.power)
        size = np.sum(np.abs(errors[0] * errors[1]) * task.power, axis=-1)
        noise = np.asarray(task.noise)[..., None, None] * modes.noisier
        taught = overlap * (kernels.missed + noise * kernels.amplified)
        pairs = [(taught, by.learning, by.learning, 1.0)]
        if task.start.any():
            kept = np.stack([once(by.over_z * row, modes.missed) for row in rows])
            form += share**2 * squared(kept, task.start)
            pairs.append((overlap * kernels.moved, by.over_z, by.over_z, 1.0))
            if task.cross is not None:
                mixed = share * np.einsum("ntk,mtk,k->nmt", errors, kept, task.cross)
                form -= mixed + np.swapaxes(mixed, 0, 1)
                crossed = overlap * kernels.crossed
                pairs.append((crossed, by.learning, by.over_z, -1.0))
                pairs.append((crossed, by.over_z, by.learning, -1.0))
        for kernel, mine, others, sign in pairs:
            found, parts = doubled(rows, kernel, mine, others)
            form += sign * share**2 * found
            size += share**2 * parts
        return form, size


@dataclass(frozen=True)
class Curves:
    """Excess risks of B questions over log time, asked together: see `house.declarations.SmoothCurves`.

    groups: numbers of questions, (G,), and their flows; together all of them.
    """

    low: np.ndarray
    high: np.ndarray
    groups: Sequence[tuple[np.ndarray, Any]]

    @classmethod
    def of(cls, low: np.ndarray, high: np.ndarray, groups: Sequence[tuple[np.ndarray, Any]]) -> Curves:
        """Those that end where slopes are no numbers any more."""
        high = np.array(high)
        for some, flow in groups:
            high[some] = np.minimum(high[some], flow.last)
        return cls(low, high, groups)

    def at(self, which: np.ndarray, x: np.ndarray) -> turning.Motion:
        """Of questions `which` at log times x, (R,) each: the motions there."""
        found = turning.Motion(*np.empty((5, x.size)))
        for some, flow in self.groups:
            places = np.full(self.low.size, -1)
            places[some] = np.arange(some.size)
            mine = np.flatnonzero(places[which] >= 0)
            for first in range(0, mine.size, ROWS):
                rows = mine[first : first + ROWS]
                motion = flow.rows(places[which[rows]]).at(x[rows]).times(0.5)
                for name, values in vars(motion).items():
                    getattr(found, name)[rows] = values
        return found
