"""Students of drawn examples by every rule, along a learning curve: those of more examples know the earlier.

Axes: S draws, T numbers of examples, n the largest, d inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.functions import UserFunction
from teacherstudent.problems.perceptron import Perceptron
from teacherstudent.problems.perceptron.data import Draws, draw, numbers
from teacherstudent.problems.perceptron.instance import has_loss
from teacherstudent.problems.perceptron.parameters import VERSION_SPACE
from teacherstudent.sims.arrays import side_by_side
from teacherstudent.sims.perceptron import enumeration, losses, margins, measures, version_space
from teacherstudent.sims.perceptron.needs import demand

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
    demand(problem, times)
    if isinstance(problem.rule, UserFunction):
        losses.demand_smooth(problem.rule)
    counts = numbers(problem, times)
    draws = draw(problem, seeds, int(counts[-1]))
    if isinstance(problem.rule, str) and problem.rule in VERSION_SPACE:
        of_seed = enumeration.observed if problem.weights == "binary" else version_space.observed
        found = [of_seed(problem.rule, draws, s, seed, counts) for s, seed in enumerate(seeds)]
        values = {name: np.stack([each[name] for each in found]) for name in found[0]}
        return nan_where(np.isnan(values["R"]), "the sampler lost all members of the version space", values)

    def students(part: np.ndarray) -> np.ndarray:
        return np.stack([_students(problem, draws, s, counts) for s in part])

    solved = np.concatenate(side_by_side(students, np.split(np.arange(len(seeds)), len(seeds))))
    weights, became = solved[..., :-1], solved[..., -1]
    values = _observed(problem, draws, counts, weights)
    for reason, text in REASONS.items():
        values = nan_where(became == reason, text, values)
    return values


def _students(problem: Perceptron, draws: Draws, s: int, counts: np.ndarray) -> np.ndarray:
    """Weights of one draw, and what became of each student, (T, d + 1)."""
    signed = draws.labels[s][:, None] * draws.inputs[s]
    became = np.full(len(counts), SURE)
    match problem.rule:
        case "hebb":
            weights = np.cumsum(signed, axis=0)[counts - 1]
        case "pseudo-inverse":
            weights = np.stack([_least_squares(signed[:count]) for count in counts])
        case "max-stability":
            weights, verdict = map(np.asarray, margins.largest(signed, counts))
            became = np.where(verdict < 0, NOT_SEPARABLE, became)
        case UserFunction() as loss:
            weights = np.asarray(losses.given(loss, signed, counts, problem.ridge))
        case _:
            weights = np.asarray(getattr(losses, problem.rule)(signed, counts, problem.ridge))
            if problem.rule == "logistic" and problem.ridge == 0:
                verdict = np.asarray(margins.largest(signed, counts).verdict)
                weights = np.where(verdict[:, None] < 0, weights, np.nan)
                became = np.where(verdict > 0, SEPARABLE, became)
    became = np.where((became == SURE) & ~np.isfinite(weights).all(axis=1), UNSURE, became)
    return np.column_stack([weights, became])


def _least_squares(signed: np.ndarray) -> np.ndarray:
    """The shortest student of least squares on the labels, (d,)."""
    weights, _, _, singular = np.linalg.lstsq(signed, np.ones(len(signed)), rcond=None)
    return weights if singular[0] <= CONDITION * singular[-1] else np.full_like(weights, np.nan)


def _observed(
    problem: Perceptron, draws: Draws, counts: np.ndarray, weights: np.ndarray
) -> dict[str, np.ndarray]:
    """The observables, (S, T), of weights (S, T, d)."""
    each = [
        measures.overlaps(own, teacher, draws.strengths)
        for own, teacher in zip(weights, draws.teacher, strict=True)
    ]
    values = {name: np.stack([one[name] for one in each]) for name in each[0]}
    outputs = np.einsum("snd,std->stn", draws.inputs, weights) * draws.labels[:, None]
    seen = [[own[:count] for own, count in zip(one, counts, strict=True)] for one in outputs]

    def over(measure: Callable[[np.ndarray], float]) -> np.ndarray:
        return np.array([[measure(own) for own in one] for one in seen])

    values["training_error"] = over(lambda own: float(np.mean(own <= 0)))
    if has_loss(problem.rule):
        values["training_loss"] = over(partial(measures.loss, problem.rule))
    if problem.rule == "max-stability":
        values["margin"] = over(lambda own: float(np.min(own))) / np.sqrt(values["Q"])
    return values
