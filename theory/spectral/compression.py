r"""Many eigenvalues merged, so that every sum over them stays the same to about eleven digits.

A spectrum is used only in sums of 1/(1 + q v), and of products of two such factors, with nonnegative weights.
As functions of log v they are analytic up to a distance pi - |arg q|, so that over a short panel of log v
Gauss's rule for those weights converges geometrically. There is one rule for the features, one for the
target's power and one for the start's. A panel of few eigenvalues keeps them all, so isolated eigenvalues do
not move. How far each sum is off is measured on the whole spectrum, at every point used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy

from teacherstudent.theory.resolvents import Spectrum
from teacherstudent.theory.spectral import errors
from teacherstudent.theory.spectral.errors import Errors, own_share
from teacherstudent.theory.spectral.filters import Filter, Pieces
from teacherstudent.theory.spectral.motion import Flow
from teacherstudent.theory.spectral.tasks import Task
from teacherstudent.theory.turning import Motion

PANEL = 1.0
"""Width of a panel in log v."""

NODES = 10
"""Of each rule in a panel."""

FAITHFUL = 1e-11
"""Largest relative difference of sums, over the points of a contour as these weigh in it."""


MEASURED = 4_000_000
"""Points times eigenvalues of the whole spectrum whose sums are taken at once."""


@dataclass(frozen=True)
class Thinned(Spectrum):
    """Few strengths that stand for a whole spectrum, whose rank and edges are its own."""

    whole: Spectrum | None = None

    @cached_property
    def beyond(self) -> float:
        """(n - rank)/d."""
        return self._whole.beyond

    def upper_edge(self) -> float:
        """Largest eigenvalue of C."""
        return self._whole.upper_edge()

    def lower_edge(self) -> float:
        """Smallest eigenvalue of C other than zero."""
        return self._whole.lower_edge()

    @property
    def _whole(self) -> Spectrum:
        assert self.whole is not None
        return self.whole


def over_training(task: Task, times: np.ndarray, pieces: Callable[[Task, np.ndarray], Pieces]) -> Errors:
    """The errors at times (T,), from filters of few strengths, or of all where these are not faithful.

    pieces: of a task and some times their filters.
    """
    few = thinned(task)
    if few is task:
        return errors.over_training(task, times.size, pieces(task, times))

    def checked(by: Filter) -> Errors:
        found = errors.filtered(few, by)
        return replace(found, converged=found.converged & faithful(task, few, by))

    found = errors.over_training(few, times.size, pieces(few, times), checked)
    rest = np.flatnonzero(~found.converged)
    if rest.size:
        again = errors.over_training(task, rest.size, pieces(task, times[rest]))
        for name, values in vars(again).items():
            getattr(found, name)[rest] = values
    return found


@dataclass(frozen=True)
class Smooth:
    """The test error of flow over log time as in `motion`, from few strengths where these are faithful."""

    whole: Flow
    few: Flow

    @classmethod
    def of(cls, task: Task) -> Smooth:
        """That on the task."""
        whole, few = Flow.of(task), thinned(task)
        return cls(whole, whole if few is task else Flow.of(few))

    def at(self, x: np.ndarray) -> Motion:
        """The error and its derivatives at log times x, (T,)."""
        by = self.few.filter(x)
        found = self.few.moved(by, x)
        if self.few is self.whole:
            return found
        rest = np.flatnonzero(~faithful(self.whole.task, self.few.task, by))
        if rest.size:
            for name, values in vars(self.whole.at(x[rest])).items():
                getattr(found, name)[rest] = values
        return found


def thinned(task: Task) -> Task:
    """The task on few strengths; the task itself where products of target and start have signs, or where that
    would not leave half of them."""
    whole = task.spectrum
    if task.cross is not None:
        return task
    measures = np.stack([whole.features, task.power, task.start])
    measures = measures[: 3 if task.start.any() else 2]
    blocks = []
    for group in _panels(whole.strengths):
        if group.size <= NODES * len(measures) or whole.strengths[group[0]] == 0:
            blocks.append(np.stack([whole.strengths[group], *measures[:, group]]))
            continue
        points = np.log(whole.strengths[group])
        for row, weights in enumerate(measures[:, group]):
            nodes, share = _gauss(points, weights)
            block = np.zeros((1 + len(measures), nodes.size))
            block[0], block[1 + row] = np.exp(nodes), share
            blocks.append(block)
    table = np.concatenate(blocks, axis=1)
    if 2 * table.shape[1] > task.size:
        return task
    start = table[3] if len(table) > 3 else np.zeros(table.shape[1])
    few = Thinned(whole.samples, table[1], table[0], whole.pool, whole)
    return replace(task, spectrum=few, power=table[2], start=start)


def _panels(strengths: np.ndarray) -> list[np.ndarray]:
    """Places of the strengths, panel by panel from the strongest; strength 0 has one of its own."""
    with np.errstate(divide="ignore"):
        depth = (np.log(strengths.max()) - np.log(strengths)) / PANEL
    panel = np.floor(depth)
    order = np.argsort(panel, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(panel[order], append=np.nan) != 0)[:-1] + 1)


def _gauss(points: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gauss's rule for weights at points: Lanczos's process on the points, from the roots of the weights."""
    total = weights.sum()
    if not total:
        return np.zeros(0), np.zeros(0)
    basis, diagonal, beside = [np.sqrt(weights / total)], [], []
    while True:
        moved = points * basis[-1]
        diagonal.append(basis[-1] @ moved)
        for each in (*basis, *basis):  # twice: orthogonal to rounding
            moved = moved - (each @ moved) * each
        norm = np.linalg.norm(moved)
        if len(basis) == NODES or norm <= np.finfo(float).eps * PANEL * points.size:
            break
        beside.append(norm)
        basis.append(moved / norm)
    nodes, vectors = scipy.linalg.eigh_tridiagonal(diagonal, beside)
    return nodes, total * vectors[0] ** 2


def faithful(whole: Task, few: Task, by: Filter) -> np.ndarray:
    """Where a filter of the few strengths sums up what one of the whole spectrum would, (T,)."""
    at, strongest = by.at, few.spectrum.strengths.argmax()
    missed = at.h[..., strongest]
    ended = missed == 0  # q is infinite, and nothing is left of any sum
    q = np.where(ended, 0.0, at.learned[..., strongest] / np.where(ended, 1.0, missed))
    q = q / few.spectrum.strengths[strongest]
    parts = -(-whole.size * q.shape[1] // MEASURED)
    off = np.empty(q.shape)
    for row, points in zip(off, q, strict=True):
        row[:] = _differences(few, whole, np.array_split(points, parts))
    weighed = (by.over_v, by.over_v * own_share(few.spectrum, at), by.over_z)
    sizes = [np.abs(each) for each in weighed]
    return np.all([np.sum(off * each, axis=-1) <= FAITHFUL * np.sum(each, axis=-1) for each in sizes], axis=0)


def _differences(few: Task, whole: Task, points: list[np.ndarray]) -> np.ndarray:
    """The largest relative difference of some sums at points that are given in pieces, (J,)."""
    mine, others = (np.concatenate([_sums(task, q) for q in points], axis=1) for task in (few, whole))
    size = np.abs(others)
    return np.max(np.abs(mine - others) / np.where(size > 0, size, 1.0), axis=0)


def _sums(task: Task, q: np.ndarray) -> np.ndarray:
    """Sums of mu h, mu v h, power h and start h at points q, (J,), and of mu |h|^2, mu |v h|^2, power |h|^2
    and start |h|^2, products of two points: (8, J).

    With h = (1 + v q*)/|1 + q v|^2 all of them are sums over real numbers.
    """
    v, mu = task.spectrum.strengths, task.spectrum.weights
    weights = np.stack(
        [mu, mu * v, mu * v**2, task.power, task.power * v, task.start, task.start * v], axis=1
    )
    damped = 1 / ((1 + np.multiply.outer(q.real, v)) ** 2 + np.multiply.outer(q.imag, v) ** 2)
    found = (damped @ weights).T
    alone = found[[0, 1, 3, 5]] + np.conj(q) * found[[1, 2, 4, 6]]
    return np.concatenate([alone, found[[0, 2, 3, 5]]])
