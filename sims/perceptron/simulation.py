"""Students of drawn examples by every rule, along a learning curve: those of more examples know the earlier.

Axes: S draws, T numbers of examples, n the largest, d inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import jax
import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.functions import UserFunction
from teacherstudent.problems.perceptron import Perceptron
from teacherstudent.problems.perceptron.data import Draws, draw, numbers
from teacherstudent.problems.perceptron.instance import has_loss
from teacherstudent.problems.perceptron.parameters import VERSION_SPACE
from teacherstudent.sims.arrays import side_by_side
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.perceptron import enumeration, losses, margins, measures, needs, version_space

CONDITION = 1e10
"""Largest condition number of examples whose pseudo-inverse is an answer: rounding moves it by 1e-6 then."""

SURE, NOT_SEPARABLE, SEPARABLE, UNSURE = range(4)
"""What became of a student: found, or why there is none."""

REASONS = {
    NOT_SEPARABLE: "the examples are not separable, so no student has a margin",
    SEPARABLE: "the examples are separable, so without ridge no student minimises the loss",
    UNSURE: "the solver did not converge, or rounding hides the solution",
}


def examples(problem: Perceptron, times: np.ndarray, *, seeds: Sequence[int]) -> dict[str, np.ndarray]:
    """The observables, (S, T), of students of the first round(alpha d) examples, at least one.

    What has no answer, or none that is certain, is NaN, with an `UnconvergedWarning` that says why. Raises
    `InputError` for sizes that a chain or an enumeration does not reach.
    """
    needs.demand(problem, times)
    if isinstance(problem.rule, UserFunction):
        losses.demand_smooth(problem.rule)
    counts = numbers(problem, times)
    draws = draw(problem, seeds, int(counts[-1]))
    if isinstance(problem.rule, str) and problem.rule in VERSION_SPACE:
        of_seed = enumeration.observed if problem.weights == "binary" else version_space.observed
        seen = [of_seed(problem.rule, draws, s, seed, counts) for s, seed in enumerate(seeds)]
        values = {name: np.stack([each[name] for each in seen]) for name in seen[0]}
        return nan_where(np.isnan(values["R"]), "the sampler lost all members of the version space", values)

    parts = needs.side_by_side(len(seeds), counts[-1], problem.d)
    students = partial(_students, problem, draws, counts)
    # XLA has come to a standstill in two threads that each solved for several draws
    alone = len(parts[0]) == 1
    found = side_by_side(students, parts) if alone else [students(part) for part in parts]
    solved = np.concatenate(found)[: len(seeds)]
    weights, became = solved[..., :-1], solved[..., -1]
    values = _observed(problem, draws, counts, weights)
    for reason, text in REASONS.items():
        values = nan_where(became == reason, text, values)
    return values


def _students(problem: Perceptron, draws: Draws, counts: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Weights of these draws, and what became of each student, (S, T, d + 1)."""
    signed = draws.labels[part][..., None] * draws.inputs[part]
    became = np.full((len(part), len(counts)), SURE)
    match problem.rule:
        case "hebb":
            weights = np.cumsum(signed, axis=1)[:, counts - 1]
        case "pseudo-inverse":
            weights = np.array([[_least_squares(each[:count]) for count in counts] for each in signed])
        case "max-stability":
            weights, verdict = map(np.asarray, _of_draws(margins.largest)(signed, counts))
            became = np.where(verdict < 0, NOT_SEPARABLE, became)
        case UserFunction() as loss:
            weights = np.asarray(_of_draws(losses.given, loss)(signed, counts, problem.ridge))
        case _:
            weights = np.asarray(_of_draws(getattr(losses, problem.rule))(signed, counts, problem.ridge))
            if problem.rule == "logistic" and problem.ridge == 0:
                verdict = np.asarray(_of_draws(margins.largest)(signed, counts).verdict)
                weights = np.where(verdict[..., None] < 0, weights, np.nan)
                became = np.where(verdict > 0, SEPARABLE, became)
    became = np.where((became == SURE) & ~np.isfinite(weights).all(axis=-1), UNSURE, became)
    return np.concatenate([weights, became[..., None]], axis=-1)


@lru_cache(maxsize=32)
def _of_draws(solver: compiled, *settings: UserFunction) -> compiled:
    """A solver for the signed examples of one draw, made one for those of several, (S, n, d)."""
    of_one = partial(solver.function, *settings)

    def of_several(signed: jax.Array, *numbers: jax.Array) -> Any:
        return jax.vmap(lambda each: of_one(each, *numbers))(signed)

    return compiled(of_several)


def _least_squares(signed: np.ndarray) -> np.ndarray:
    """The shortest student of least squares on the labels, (d,)."""
    weights, _, _, singular = np.linalg.lstsq(signed, np.ones(len(signed)), rcond=None)
    return weights if singular[0] <= CONDITION * singular[-1] else np.full_like(weights, np.nan)


def _observed(
    problem: Perceptron, draws: Draws, counts: np.ndarray, weights: np.ndarray
) -> dict[str, np.ndarray]:
    """The observables, (S, T), of weights (S, T, d)."""
    values = measures.overlaps(weights, draws.teacher[:, None], draws.strengths)
    outputs = weights @ draws.inputs.swapaxes(-1, -2) * draws.labels[:, None]

    def over(measure: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        return np.stack([measure(outputs[:, t, :count]) for t, count in enumerate(counts)], axis=-1)

    values["training_error"] = over(lambda own: np.mean(own <= 0, axis=-1))
    if has_loss(problem.rule):
        values["training_loss"] = over(partial(measures.loss, problem.rule))
    if problem.rule == "max-stability":
        values["margin"] = over(lambda own: np.min(own, axis=-1)) / np.sqrt(values["Q"])
    return values
