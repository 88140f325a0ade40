"""What algorithms make of a matrix in the limit of infinite size: filters over training, or ridges.

A source says by `Limit` what its matrix is, and by measures what students of a filter are worth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Generic, NamedTuple, Protocol, cast

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.declarations import Algorithm, load
from teacherstudent.house.step_sizes import in_the_limit
from teacherstudent.theory.contours import MOST_POINTS
from teacherstudent.theory.resolvents import Resolvent
from teacherstudent.theory.spectral import filters
from teacherstudent.theory.spectral.filters import Matrix, P, Pieces
from teacherstudent.theory.spectral.tasks import Task

UNCERTAIN = "asymptotic route: no certified root"
TOO_LONG = (
    f"asymptotic route: the contour for this many steps needs more than {2 * MOST_POINTS} points; --route "
    "instance works, for drawn data"
)


@dataclass(frozen=True)
class Limit(Generic[P]):
    """A matrix of infinite size, its equivalents and its upper edge computed when they are asked for.

    speed: how many times as fast as their clock these students learn, 1 + the penalty of their outputs; the
    ridge is over it. Of B questions all numbers are (B,).
    """

    ridge: Any
    equivalent: Callable[[], Matrix[P]]
    upper: Callable[[], Any]
    speed: Any = 1.0

    @cached_property
    def matrix(self) -> Matrix[P]:
        return self.equivalent()

    @cached_property
    def edge(self) -> Any:
        return self.upper()

    def rows(self, which: np.ndarray) -> Limit[P]:
        """Those of some of the questions, (R,), which may come several times."""
        ridge, speed = self.ridge[which], self.speed[which]
        return Limit(ridge, lambda: self.matrix.rows(which), lambda: self.edge[which], speed)

    def rate(self, learning_rate: float | str, stable: float = 2.0) -> float:
        """The learning rate on the students' own clock. Raises `InputError` where weights grow."""
        whole = self.speed * self.ridge
        return self.speed * in_the_limit(learning_rate, self.edge, whole, self.speed - 1, stable)

    def rate_of(self, algorithm: Algorithm, options: Mapping[str, Any]) -> float:
        """The same of an algorithm with these options, by its own edge of stability."""
        asked, rest = _parted(options)
        return self.rate(asked, algorithm.recursion.edge(**rest) if algorithm.recursion else 2.0)

    def pace(self, algorithm: Algorithm, options: Mapping[str, Any]) -> float:
        """The flow time of one step, once training is under way."""
        _, rest = _parted(options)
        slowed = 1 + algorithm.recursion.step(0.0, **rest)[1] if algorithm.recursion else 1.0
        return self.rate_of(algorithm, options) / slowed


def _parted(options: Mapping[str, Any]) -> tuple[float | str, dict[str, Any]]:
    """The learning rate, and the other options."""
    rest = dict(options)
    return rest.pop("learning_rate", "auto"), rest


def of_task(task: Task, speed: Any = 1.0) -> Limit[Resolvent]:
    """X^T X of a task."""
    return Limit(task.ridge, partial(filters.matrix_of, task), task.spectrum.upper_edge, speed)


class Ridges(NamedTuple):
    """Students of ridge regression, at these effective ridges, (T,)."""

    values: np.ndarray


class Measure(Protocol):
    """A module that says what students are worth: dataclasses of arrays over times."""

    def untrained(self, of: Any, count: int, /) -> Any: ...
    def filtered(self, of: Any, by: Any, /) -> Any: ...
    def at_ridge(self, of: Any, ridge: np.ndarray, /) -> Any: ...


def flow(limit: Limit[P], times: np.ndarray) -> Pieces[P]:
    """Gradient flow at flow times, (T,)."""
    return filters.flow_of(limit.matrix, limit.speed * times)


def descent(limit: Limit[P], times: np.ndarray, *, learning_rate: float | str) -> Pieces[P]:
    """Gradient descent after whole steps, (T,). Raises `InputError` where it diverges."""
    return filters.descent_of(limit.matrix, times, limit.rate(learning_rate), limit.edge)


def ridge(limit: Limit[P], times: np.ndarray) -> Ridges:
    """Ridge regression at an added ridge of 1/time, times > 0, (T,)."""
    return Ridges(limit.ridge + 1 / times / limit.speed)


def made(
    algorithm: Algorithm, limit: Limit[P], times: np.ndarray, options: dict[str, Any]
) -> Pieces[P] | Ridges:
    """What an algorithm with these options makes of a matrix. Raises `InputError` where weights grow."""
    recursion = algorithm.recursion
    if recursion is None:
        found: Pieces[P] | Ridges = load(algorithm.limit)(limit, times, **options)
        return found
    _, rest = _parted(options)
    eta = limit.rate_of(algorithm, options)
    return filters.two_step_of(limit.matrix, times, eta, limit.edge, partial(recursion.step, **rest))


def certain(answer: dict[str, np.ndarray], converged: np.ndarray) -> dict[str, np.ndarray]:
    """The answer, (T, ...) each, with NaN and the reason where a root is not certified or a contour too long.

    converged: where all roots are certified, (T,).
    """
    known = nan_where(~converged, UNCERTAIN, answer)
    unfollowed = np.zeros(converged.shape, dtype=bool)
    for each in answer.values():
        unfollowed |= np.isnan(each).reshape(len(converged), -1).any(axis=1)
    return nan_where(unfollowed & converged, TOO_LONG, known)


def measured(of: Any, trained: Iterable[Any] | Ridges, count: int, measures: Sequence[Measure]) -> list[Any]:
    """Each measure of the students of `made`, at `count` times."""
    if isinstance(trained, Ridges):
        return [each.at_ridge(of, trained.values) for each in measures]
    found = [each.untrained(of, count) for each in measures]
    for piece in cast("Iterable[Any]", trained):
        for each, whole in zip(measures, found, strict=True):
            filters.overwritten(whole, [piece], partial(each.filtered, of))
    return found


def measured_rows(task: Task, trained: Pieces[Resolvent] | Ridges, measure: Measure) -> Any:
    """A measure of the students of B questions, each at one time."""
    if isinstance(trained, Ridges):
        return measure.at_ridge(task, trained.values)
    whole = measure.untrained(task, task.power.shape[0])
    for where, by in trained:
        for name, values in vars(measure.filtered(task.rows(where), by)).items():
            getattr(whole, name)[where] = values
    return whole
