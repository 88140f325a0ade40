"""Stochastic gradient descent given the drawn data: exact over batches, teacher, noise and start.

Their mean is that of `theory.multiscale.instance`, to which they add a covariance of the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from teacherstudent.theory.singular import decompose_rows, off
from teacherstudent.theory.spectral import batches, redrawn

GIVES = tuple(name for name in TRAINED if name not in EXTRAS["parts"])
"""All but the parts by scale, which would need a recursion for each cause."""


@dataclass(frozen=True)
class Averaged:
    """The `redrawn.Residuals` of one draw, averaged over teacher, label noise and start.

    left: U, (n, R). inner: U^T S U, S the labels' second moment, (R, R). cross and beyond: of what of the
    labels lies off U, S U, (n, R), and the diagonal of S, (n,). start: of initial outputs, (R,).
    """

    left: np.ndarray
    inner: np.ndarray
    cross: np.ndarray
    beyond: np.ndarray
    start: np.ndarray

    @classmethod
    def of(cls, problem: MultiScale, inputs: np.ndarray, left: np.ndarray, c: np.ndarray) -> Averaged:
        """Of teacher's inputs (n, d); the problem has no output penalty."""
        outer = off(left, inputs)
        moment = problem.noise**2 * np.eye(c.size) + (left.T @ inputs) @ (inputs.T @ left)
        alone = problem.noise**2 * (1 - np.sum(left**2, axis=1)) * (len(left) > c.size)
        cross = outer @ (inputs.T @ left)
        return cls(left, moment, cross, np.sum(outer**2, axis=1) + alone, problem.init**2 * c)

    def moments(self, p: np.ndarray, missed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Squares of each row, (n,), and products in the basis U, (R, R)."""
        along, start = self.left * missed, self.start * p**2
        squares = ((along @ self.inner + 2 * self.cross) * along).sum(axis=1) + self.beyond
        products = missed[:, None] * missed * self.inner
        products[np.diag_indices(start.size)] += start
        return squares + self.left**2 @ start, products


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
    with np.errstate(over="ignore", invalid="ignore"):  # of a rate that diverges
        rule = descent_rule(problem.ridge, rates.astype(float), problem.output_penalty)
        mean = averaged(problem, draws, times, rule, observable)
        added = [_added(problem, draws, i, each[i], times, rates[i], batch) for i in range(len(seeds))]
        weights, outputs = np.stack(added, axis=1)
        noise = {"Q": weights, "excess_risk": weights / 2, "generalisation_error": weights}
        noise |= {"training_error": outputs, "training_output": outputs}
        found = {name: values + noise.get(name, 0.0) for name, values in mean.items()}
    return nan_where_not_finite(found, redrawn.DIVERGES)


Decomposed = tuple[np.ndarray, np.ndarray, np.ndarray]
"""U (n, R), singular values (R,) and V^T (R, d)."""


def _added(
    problem: MultiScale, draws: Draws, i: int, rows: Decomposed, times: np.ndarray, rate: float, batch: int
) -> np.ndarray:
    """What batches add to the errors on rows of the population and on the draw's own, (2, T)."""
    speed, plain = 1 + problem.output_penalty, unpenalised(problem)
    left, singular, right = rows
    c, modulated = singular**2, right * draws.strengths
    residuals, overlap = Averaged.of(plain, draws.inputs[i], left, c), modulated @ modulated.T
    steps = redrawn.covariances(left, c, residuals, times, speed * rate, batch, plain.ridge)
    found = [(np.sum(overlap * V) / problem.d, c @ np.diagonal(V) / problem.n) for V in steps]
    return np.transpose(found) / speed**2
