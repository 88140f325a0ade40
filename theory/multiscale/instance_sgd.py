"""Stochastic gradient descent given the drawn data: exact over batches, teacher, noise and start.

Their mean is that of `theory.multiscale.instance`, to which they add a covariance of the weights.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from teacherstudent.house.certainty import nan_where_not_finite
from teacherstudent.house.step_sizes import of_batches
from teacherstudent.problems.batches import demand_batches
from teacherstudent.problems.extras import demand_given
from teacherstudent.problems.multiscale import EXTRAS, GROUPS, TRAINED, MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.theory.multiscale.answers import Arrays
from teacherstudent.theory.multiscale.instance import averaged, descent_rule
from teacherstudent.theory.multiscale.penalised import unpenalised
from teacherstudent.theory.singular import decompose_rows
from teacherstudent.theory.spectral import batches, redrawn

GIVES = tuple(name for name in TRAINED if name not in EXTRAS["parts"])
"""All but the parts by scale, which would need a recursion for each cause."""


@dataclass(frozen=True)
class Averaged:
    """The `redrawn.Residuals` of draws, (S, ...), averaged over teacher, label noise and start.

    left: U, (S, n, R). inner: U^T M U, M the labels' second moment, (S, R, R). cross and beyond: of what of
    the labels lies off U, M U, (S, n, R), and the diagonal of M, (S, n). start: of initial outputs, (S, R).
    """

    left: np.ndarray
    inner: np.ndarray
    cross: np.ndarray
    beyond: np.ndarray
    start: np.ndarray

    @classmethod
    def of(cls, problem: MultiScale, inputs: np.ndarray, left: np.ndarray, c: np.ndarray) -> Averaged:
        """Of teacher's inputs (S, n, d); the problem has no output penalty."""
        along = np.swapaxes(left, -1, -2) @ inputs
        n, rank = left.shape[1:]
        outer = inputs - left @ along if n > rank else np.zeros_like(inputs)
        moment = problem.noise**2 * np.eye(rank) + along @ np.swapaxes(along, -1, -2)
        alone = problem.noise**2 * (1 - np.sum(left**2, axis=-1)) * (n > rank)
        cross = outer @ np.swapaxes(along, -1, -2)
        return cls(left, moment, cross, np.sum(outer**2, axis=-1) + alone, problem.init**2 * c)

    def moments(self, p: np.ndarray, missed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Squares of each row, (S, n), and products in the basis U, (S, R, R)."""
        products = missed[..., None] * missed[..., None, :] * self.inner
        modes = np.arange(p.shape[-1])
        products[..., modes, modes] += self.start * p**2
        along = self.left @ products + 2 * missed[..., None, :] * self.cross
        return np.einsum("sir,sir->si", along, self.left) + self.beyond, products


def sgd(
    problem: MultiScale,
    times: np.ndarray,
    *,
    learning_rate: float | str,
    batch: int,
    data: str,
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
) -> Arrays:
    """After whole steps k (T,) on the data drawn by each seed, (S, T).

    "auto" is that of each draw. Raises `InputError` for data of which no draw decides (fresh ones), for
    reshuffled data unless a batch has all of them, and for more steps than can be taken.
    """
    demand_batches(problem.n, batch, data, observable)
    demand_given(GROUPS, observable, GIVES)
    batches.demand_redrawn(problem.n, batch, data)
    redrawn.demand_affordable(times[-1] if batch < problem.n else 0, problem.n, min(problem.n, problem.d))
    draws = draw(problem, seeds)
    each = [decompose_rows(inputs * draws.strengths) for inputs in draws.inputs]
    rates = np.full(len(seeds), learning_rate)
    if isinstance(learning_rate, str):
        largest, trace = np.array([(max(s**2), sum(s**2)) for _, s, _ in each]).T
        rates = of_batches(largest, trace, batch, problem.ridge, problem.output_penalty)
    rates, added = rates.astype(float), np.zeros((2, len(seeds), len(times)))
    with np.errstate(over="ignore", invalid="ignore"):  # of a rate that diverges
        rule = descent_rule(problem.ridge, rates, problem.output_penalty)
        mean = averaged(problem, draws, times, rule, observable)
        for places in _together([s.size for _, s, _ in each], problem.n):
            rows = tuple(np.stack(part) for part in zip(*(each[i] for i in places), strict=True))
            added[:, places] = _added(problem, draws, draws.inputs[places], rows, times, rates[places], batch)
        weights, outputs = added
        noise = {"Q": weights, "excess_risk": weights / 2, "generalisation_error": weights}
        noise |= {"training_error": outputs, "training_output": outputs}
        found = {name: values + noise.get(name, 0.0) for name, values in mean.items()}
    return nan_where_not_finite(found, redrawn.DIVERGES)


NUMBERS = 2**15
"""Entries of U of the draws whose steps are taken together: as many as the processor's cache holds."""


def _together(ranks: Sequence[int], n: int) -> Iterator[list[int]]:
    """Places of draws of one rank, in groups whose steps are taken together."""
    for rank, alike in itertools.groupby(sorted(range(len(ranks)), key=ranks.__getitem__), ranks.__getitem__):
        places = list(alike)
        size = max(1, NUMBERS // (n * max(1, rank)))
        yield from (places[i : i + size] for i in range(0, len(places), size))


def _added(
    problem: MultiScale,
    draws: Draws,
    inputs: np.ndarray,
    rows: tuple[np.ndarray, ...],
    times: np.ndarray,
    rate: np.ndarray,
    batch: int,
) -> np.ndarray:
    """What batches add to the errors on rows of the population and on the draw's own, (2, S, T).

    rows: U (S, n, R), singular values (S, R) and V^T (S, R, d) of the draws of these inputs, (S, n, d).
    """
    speed, plain = 1 + problem.output_penalty, unpenalised(problem)
    left, singular, right = rows
    c, modulated = singular**2, right * draws.strengths
    residuals, overlap = Averaged.of(plain, inputs, left, c), modulated @ np.swapaxes(modulated, -1, -2)
    steps = redrawn.covariances(left, c, residuals, times, speed * rate, batch, plain.ridge)
    found = [
        (np.sum(overlap * V, axis=(-2, -1)) / problem.d, np.einsum("sr,srr->s", c, V) / problem.n)
        for V in steps
    ]
    return np.stack(found, axis=-1) / speed**2
