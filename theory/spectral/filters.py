r"""Filters of C = X^T X as sums of its resolvents: students of gradient flow and descent over training.

With p(C) the propagator of the dynamics (e^{-sA}, (1 - eta A)^k; A = C + ridge), the student is
w_hat = f X^T y + p w_hat_0, f = (1 - p)/A, and the error operator M = I - f C. On a contour
(theory.contours), p <-> G(z), f <-> G(z)/v and M <-> (z/v) G(z), z = v + ridge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from teacherstudent.theory import contours
from teacherstudent.theory.contours import Contour
from teacherstudent.theory.resolvents import Resolvent, at_zero, resolvent
from teacherstudent.theory.spectral.tasks import Task

TOGETHER = 40
"""Times whose sums over two variables are taken at once: what fits a cache is twice as fast."""

CACHED = 2000
"""Of many eigenvalues fewer times at once: at most so many products of both."""

SOLVED = 400_000
"""Times, points and eigenvalues whose resolvents are solved for and held at once: some 100 MB."""

FAR = 1e20
"""Points so many times the largest eigenvalue count as infinity: a resolvent there is the identity over z."""

V = TypeVar("V")


class Points(Protocol):
    """Equivalents of a resolvent at points z, (T, J): a dataclass of arrays that begin with these axes."""

    @property
    def z(self) -> np.ndarray:
        """The points."""

    @property
    def converged(self) -> np.ndarray:
        """Where they are certified."""

    @property
    def scales(self) -> int:
        """K, how many numbers there are for one point."""


P = TypeVar("P", bound=Points)


@dataclass(frozen=True)
class Matrix(Generic[P]):
    """What contours have to know of C and of its ridge.

    lowest: the smallest eigenvalue of C other than 0, or 0. solve: equivalents at points z of any shape.
    poles: those v of the integrands that a contour may leave out, each with the equivalent there, (1,).

    Of B questions numbers are (B,), equivalents (B, 1), and points z begin with an axis of questions. All
    have the same poles. solve_rows: `solve` for some of the questions.
    """

    lowest: Any
    ridge: Any
    scales: int
    solve: Callable[[np.ndarray], P]
    poles: Sequence[tuple[Any, P]]
    solve_rows: Callable[[np.ndarray], Callable[[np.ndarray], P]] | None = None

    def rows(self, which: np.ndarray) -> Matrix[P]:
        """Those of some of the questions, (R,), which may come several times; itself of one question."""
        if self.solve_rows is None:
            return self
        rows = self.solve_rows
        return Matrix(
            self.lowest[which],
            self.ridge[which],
            self.scales,
            rows(which),
            [(pole[which], each_of(at, which)) for pole, at in self.poles],
            lambda some: rows(which[some]),
        )


@dataclass(frozen=True)
class FilterOf(Generic[P]):
    """A filter of C for each of T times: sums over points z of weights times resolvents.

    at: their equivalents, (T or 1, J); over_v: weights of M, and of f over z, (T, J); over_z: weights
    of p, (T, J). The points are the upper half of a set that is symmetric about the real axis.
    learning: weights of f over z, (T, J), in which f is small where little is learned; on a contour around
    0 they differ by those of 1/z, whose sum with anything learned vanishes.
    """

    at: P
    over_v: np.ndarray
    over_z: np.ndarray
    learning: np.ndarray

    def at_times(self, rows: slice) -> FilterOf[P]:
        """The same for some of the times."""
        at = each_of(self.at, rows) if len(self.at.z) > 1 else self.at
        return FilterOf(at, self.over_v[rows], self.over_z[rows], self.learning[rows])


def each_of(at: P, which: Any) -> P:
    """Equivalents at some of the points, along their first axis."""
    return type(at)(*(each[which] for each in vars(at).values()))


Filter = FilterOf[Resolvent]

Pieces = Iterable[tuple[np.ndarray, FilterOf[P]]]
"""Filters for some of the times, each with the indices of these."""


def matrix_of(task: Task) -> Matrix[Resolvent]:
    """X^T X of a task."""
    spectrum, lowest = task.spectrum, task.spectrum.lower_edge()
    solve = partial(resolvent, spectrum)
    rows = (lambda which: partial(resolvent, spectrum.rows(which))) if spectrum.many else None
    return Matrix(lowest, task.ridge, task.size, solve, _poles_of(task, lowest), rows)


def flow(task: Task, times: np.ndarray) -> Iterator[tuple[np.ndarray, Filter]]:
    """Filters of gradient flow at those of the flow times, (T,), that are above 0."""
    return flow_of(matrix_of(task), times)


def descent(
    task: Task, steps: np.ndarray, learning_rate: float, upper_edge: float
) -> Iterator[tuple[np.ndarray, Filter]]:
    """Filters of gradient descent after those of the whole steps, (T,), that are above 0.

    The largest eigenvalue, upper_edge + ridge, must be below 2/learning_rate.
    """
    return descent_of(matrix_of(task), steps, learning_rate, upper_edge)


def flow_of(matrix: Matrix[P], times: np.ndarray) -> Iterator[tuple[np.ndarray, FilterOf[P]]]:
    """`flow` of any matrix."""
    for some in _blocks(matrix, np.flatnonzero(times > 0), contours.NODES):
        own = matrix.rows(some)
        yield some, on_contour(own, contours.flow(times[some], own.lowest + own.ridge))


def descent_of(
    matrix: Matrix[P], steps: np.ndarray, learning_rate: Any, upper_edge: Any
) -> Iterator[tuple[np.ndarray, FilterOf[P]]]:
    """`descent` of any matrix."""
    smallest = np.asarray(1 - learning_rate * (upper_edge + matrix.ridge))
    gap = np.asarray(learning_rate * (matrix.lowest + matrix.ridge))
    for some in _blocks(matrix, np.flatnonzero(steps > 0), 2 * contours.NODES):
        of = (np.asarray(learning_rate), smallest, gap)
        own = [each[some] for each in of] if smallest.ndim else of
        for where, contour in contours.descent(steps[some], *own):
            yield some[where], on_contour(matrix.rows(some[where]), contour)


def two_step_of(
    matrix: Matrix[P],
    steps: np.ndarray,
    learning_rate: float,
    upper_edge: float,
    step: Callable[[Any], tuple[Any, Any]],
) -> Iterator[tuple[np.ndarray, FilterOf[P]]]:
    """Filters of a recursion p' = a p + b p_previous, (a, b) = step(learning rate times curvature).

    Weights are NaN where the contour would need too many points.
    """
    ends = learning_rate * (np.array([matrix.lowest, upper_edge]) + matrix.ridge)
    for where, contour in contours.two_step(steps, learning_rate, step, *ends):
        if contour is None:
            at = matrix.solve(np.ones((1, 1)))
            lost = np.full((where.size, 1), np.nan)
            yield where, FilterOf(at, lost, lost, lost)
            continue
        found = on_contour(matrix, contour)
        if contour.identity is not None:  # a part of p and M that no resolvent has: a point at infinity
            far = matrix.solve(np.array([FAR * (upper_edge + matrix.ridge)]))
            share = contour.identity[:, None] / 2
            at = _joined(found.at, far)
            over_v, over_z = (np.concatenate([each, share], axis=1) for each in (found.over_v, found.over_z))
            found = FilterOf(at, over_v, over_z, over_v)
        yield where, found


def _blocks(matrix: Matrix[P], places: np.ndarray, points: int) -> list[np.ndarray]:
    size = max(1, SOLVED // (points * matrix.scales))
    return [places[first : first + size] for first in range(0, places.size, size)]


def _poles_of(task: Task, lowest: Any) -> Sequence[tuple[Any, Resolvent]]:
    """That of 1/v, and that of G(z)/z where n < d.

    Without ridge they are one. Where the spectrum then begins at 0, as at n = d, it is enclosed.
    """
    spectrum, ridge = task.spectrum, task.ridge
    if not np.any(ridge):
        return [(0.0 * ridge, at_zero(spectrum))] if np.any(lowest) else []
    first = (0.0 * ridge, resolvent(spectrum, np.asarray(ridge)[..., None]))
    unseen = np.any(task.start) and np.any(spectrum.beyond < 0)
    return [first, (-ridge, at_zero(spectrum))] if unseen else [first]


def on_contour(matrix: Matrix[P], contour: Contour) -> FilterOf[P]:
    """The filter of any linear dynamics from its contour with J upper-half nodes at each of T times."""
    v, ridge = contour.nodes, np.asarray(matrix.ridge)
    at = matrix.solve(v + ridge[..., None])
    over_v, over_z = contour.weights / v, contour.weights / at.z
    for pole, equivalent in matrix.poles:
        rest = contour.outside(pole)[:, None] / 2  # it is real: half for itself, half for its mirror image
        at = _joined(at, equivalent)
        over_v = np.concatenate([over_v, rest if np.all(pole == 0) else 0 * rest], axis=1)
        over_z = np.concatenate([over_z, rest if np.all(pole == -ridge) else 0 * rest], axis=1)
    return FilterOf(at, over_v, over_z, over_v)


def _joined(at: P, point: P) -> P:
    """The equivalents at z (T, J), and at one more point, (1,), that serves all times: (T, J + 1).

    The point may be another at each time, (T, 1).
    """

    def both(mine: np.ndarray, other: np.ndarray) -> np.ndarray:
        own = other.shape[1:] if other.ndim == mine.ndim else other.shape
        return np.concatenate([mine, np.broadcast_to(other, (len(mine), *own))], axis=1)

    return type(at)(*(both(getattr(at, name), values) for name, values in vars(point).items()))


def overwritten(whole: V, pieces: Pieces[P], made: Callable[[FilterOf[P]], Any]) -> V:
    """The arrays of `whole`, (T, ...) each, with those that the filters make in the place of some times."""
    for where, each in pieces:
        shared = len(each.at.z) == 1  # points of all times, whose kernels are taken once
        together = TOGETHER if shared else max(1, min(TOGETHER, CACHED // each.at.scales))
        for first in range(0, where.size, together):
            rows = slice(first, first + together)
            for name, values in vars(made(each.at_times(rows))).items():
                getattr(whole, name)[where[rows]] = values
    return whole


def once(weights: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Sum over all of a contour of weights (T, J) and values (T or 1, J, K): (T, K)."""
    return 2 * (weights[:, None, :] @ values)[:, 0, :].real


def twice(weights: np.ndarray, kernel: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Sum over all of a contour, twice, of weights (T, J), kernel (T or 1, J, 2J) and others (T, J): (T,)."""
    mates = whole(others)
    summed = mates @ kernel[0].T if len(kernel) == 1 else (kernel @ mates[..., None])[..., 0]
    return 2 * np.sum(weights * summed, axis=-1).real


def whole(half: np.ndarray) -> np.ndarray:
    """Values on the upper half of a contour, (T, J, ...), and on its mirror image: (T, 2J, ...)."""
    return np.concatenate([half, np.conj(half)], axis=1)
