"""The mean of the version space of binary weights by approximate message passing, on drawn examples.

A weight's message is its mean m_i given the examples; an example's message constrains its output w.x, which
is about normal around the weights' means with the remaining variance V:

    V = sum_i x_i^2 (1 - m_i^2),  o = x.m - V g,  g = y phi(z)/(sqrt(V) Phi(z)),  z = y o/sqrt(V),
    m_i = tanh(sum_mu x_i g + m_i sum_mu x_i^2 g (g + o/V)).

This begins from nothing known, m = 0. It is exact where many inputs, none of them large, make outputs normal.

Axes: T numbers of examples, n examples, d inputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import log_ndtr

import teacherstudent.sims.arrays  # noqa: F401  (double precision)
from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.perceptron import Perceptron
from teacherstudent.problems.perceptron.data import draw, numbers
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.perceptron.measures import overlaps

ROUNDS = ({0.2: 500, 0.5: 2000, 0.8: 2000, 0.95: 4000}, {0.99: 20_000})
"""By the share of the means that a round keeps: where draws go round in circles, later rounds keep more.

A few draws of small d go on in circles, and settle if they begin anew with small steps.
"""

SETTLED = 1e-9
"""Root of the mean square by which the means may still want to move when they are told."""

DECIDED = 1.0
"""Sum of the weights' variances: below, less than one weight is left open, and outputs are not normal."""

LOST = "messages did not converge, or converged to weights that give a wrong label"


def messages(problem: Perceptron, times: np.ndarray, *, seeds: Sequence[int]) -> dict[str, np.ndarray]:
    """The observables, (S, T), of w = m from the first round(alpha d) examples; each alpha is a separate run.

    Where less than one weight is left open the student is sign(m), if it gives every label. Runs that do not
    converge are NaN, with an `UnconvergedWarning`. Raises `InputError` for other rules and weights.
    """
    demand(problem)
    counts = numbers(problem, times)
    found = [_of_draw(problem, seed, counts) for seed in seeds]
    values = {name: np.stack([each[name] for each in found]) for name in found[0]}
    return nan_where(np.isnan(values["R"]), LOST, values)


def demand(problem: Perceptron) -> None:
    """Raise `InputError` for what has no such messages."""
    if problem.weights != "binary":
        raise InputError("weights", problem.weights, "binary for route message-passing")
    if problem.rule != "bayes":
        raise InputError("rule", problem.rule, "bayes for route message-passing, which finds the mean")


def _of_draw(problem: Perceptron, seed: int, counts: np.ndarray) -> dict[str, np.ndarray]:
    """The observables, (T,)."""
    draws = draw(problem, [seed], int(counts[-1]))
    inputs, labels = draws.inputs[0], draws.labels[0]
    means = np.stack([settled(inputs, labels, count) for count in counts])
    seen = overlaps(means, draws.teacher[0], draws.strengths)
    outputs = labels * (means @ inputs.T)
    wrong = [float(np.mean(own[:count] <= 0)) for own, count in zip(outputs, counts, strict=True)]
    return {**seen, "training_error": np.where(np.isnan(seen["R"]), np.nan, wrong)}


def settled(every: np.ndarray, all_labels: np.ndarray, count: int) -> np.ndarray:
    """Means of the weights, (d,), from the first inputs (n, d) and labels (n,); NaN if they do not settle."""
    for rounds in ROUNDS:
        found = _followed(every, all_labels, count, rounds)
        if np.isfinite(found).all():
            break
    return found


def _followed(every: np.ndarray, all_labels: np.ndarray, count: int, by: Mapping[float, int]) -> np.ndarray:
    """The same from the start at which nothing is known, with that number of rounds of each kind."""
    inputs, labels = every[:count], all_labels[:count]
    squares, z = inputs**2, np.zeros(len(every))  # as long for all counts: one program is compiled
    means, pulls = np.zeros(inputs.shape[1]), np.zeros(len(labels))
    for kept in (share for share, rounds in by.items() for _ in range(rounds)):
        left = 1 - means**2
        if left.sum() < DECIDED:
            weights = np.sign(means)
            return weights if np.all(labels * (inputs @ weights) > 0) else np.full_like(means, np.nan)
        variances = squares @ left
        outputs = inputs @ means - variances * pulls
        spread = np.sqrt(variances)
        z[:count] = labels * outputs / spread
        pulls = labels / spread * np.asarray(_hazard(z))[:count]
        bends = pulls * (pulls + outputs / variances)
        change = np.tanh(inputs.T @ pulls + means * (squares.T @ bends)) - means
        means = means + (1 - kept) * change
        if np.sqrt(np.mean(change**2)) < SETTLED:
            return means
    return np.full_like(means, np.nan)


@compiled
def _hazard(z: jax.Array) -> jax.Array:
    """phi(z)/Phi(z)."""
    return jnp.exp(-(z**2) / 2 - log_ndtr(z)) / np.sqrt(2 * np.pi)
