"""What is measured of students: on their training rows, and on rows that they were not trained on.

Axes: S draws, T recorded times, P rows of the pool, q features (of a kernel, the training rows), c outputs.
Students are weights (S, T, c, q): outputs on rows X are X weights^T.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import Draws, Rows, law_of, rows_of, teacher_of
from teacherstudent.sims.linear_students.forms import TrainingSets
from teacherstudent.sims.linear_students.outputs import outputs_of
from teacherstudent.sims.measured_spectrum.data import Means


def observables(
    problem: MeasuredSpectrum,
    draws: Draws,
    sets: TrainingSets,
    weights: np.ndarray,
    means: Means | None = None,
) -> dict[str, np.ndarray]:
    """The observables, (S, T), of students `weights` (S, T, c, q).

    means: by which the training rows were centred, where they were: the students then have an intercept.
    Fresh label noise is averaged over: the generalisation error is that on clean targets plus its variance.
    The error rate is that on clean classes. Overflow gives infinities or NaN.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # a diverged student's weights may be anything
        of_draws = []
        for i, (inputs, labels, students) in enumerate(zip(sets.inputs, sets.labels, weights, strict=True)):
            missed = [_missed(outputs, labels) for outputs in outputs_of(inputs, students)]
            tested = _tested(problem, draws, i, students, means)
            of_draws.append({"training_error": np.concatenate(missed), **tested})
    answer = {name: np.stack([each[name] for each in of_draws]) for name in of_draws[0]}
    answer["generalisation_error"] += sets.labels.shape[-1] * problem.noise**2
    return answer


def _tested(
    problem: MeasuredSpectrum, draws: Draws, i: int, weights: np.ndarray, means: Means | None
) -> dict[str, np.ndarray]:
    """What draw i's students (T, c, q) do on clean targets that they were not trained on, (T,)."""
    if draws.inputs is not None:
        counts, values, _ = law_of(problem)
        missed = weights - teacher_of(problem).T
        variances = np.repeat(values, counts.astype(int))
        error = np.einsum("tcd,tcd,d->t", missed, missed, variances)
        if means is not None:  # the mean of fresh rows and labels is zero
            error = error + np.sum(means.intercepts(i, weights) ** 2, axis=(1, 2))
        return {"generalisation_error": error}
    rows = rows_of(problem)
    held = np.ones(problem.rows, dtype=bool)
    if draws.chosen is not None:
        held[draws.chosen[i]] = False
    targets, classes = rows.targets[held], None
    if rows.classes is not None and draws.chosen is not None:
        classes = rows.classes[held]
    constant, raw = np.zeros((len(weights), 1, problem.outputs)), rows.means
    if means is not None:
        if rows.gram is not None:  # sums of centred features: coefficients without their mean, of raw ones
            weights = weights - weights.mean(axis=-1, keepdims=True)
        constant = means.intercepts(i, weights)
    if means is not None and classes is not None:
        raw = _frequencies(problem, draws, i, rows) - means.labels[i, 0]
    missed, misnamed, first = [], [], 0
    for outputs in outputs_of(_inputs(rows, draws, i, held), weights):
        own = constant[first : first + len(outputs)]
        first += len(outputs)
        missed.append(_missed(outputs + own, targets))
        if classes is not None:
            misnamed.append(_misnamed(outputs + (own + raw), classes))
    named = {"error_rate": np.concatenate(misnamed)} if misnamed else {}
    return {"generalisation_error": np.concatenate(missed), **named}


def _frequencies(problem: MeasuredSpectrum, draws: Draws, i: int, rows: Rows) -> np.ndarray:
    """Mean labels of draw i's training rows before any centring, (c,): equal ones to the last digit."""
    assert rows.classes is not None
    assert draws.chosen is not None
    labels: np.ndarray = np.eye(problem.outputs)[rows.classes[draws.chosen[i]]].mean(axis=0)
    return labels + draws.noise[i].mean(axis=0)


def _inputs(rows: Rows, draws: Draws, i: int, held: np.ndarray) -> np.ndarray:
    """What draw i's students see of the rows `held` (P,): features, or the kernel with training rows."""
    if rows.features is not None:
        return rows.features[held]
    assert rows.gram is not None
    if draws.mixtures is not None:
        return rows.gram[held] @ draws.mixtures[i].T / np.sqrt(len(rows.gram))
    assert draws.chosen is not None
    return rows.gram[np.ix_(held, draws.chosen[i])]


def _missed(outputs: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Mean square over rows of targets (rows, c) minus outputs (t, rows, c), summed over outputs, (t,)."""
    return np.sum((outputs - targets) ** 2, axis=(1, 2)) / len(targets)


def _misnamed(outputs: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Share of rows, (t,), of which the largest of their outputs (t, rows, c) is not that of their class.

    Where m outputs are equally large one of them is named by chance, so that the order of the classes does
    not matter: 1 - 1/m of the row counts if its class is among them.
    """
    largest = outputs == outputs.max(axis=-1, keepdims=True)
    right = np.take_along_axis(largest, classes[None, :, None], axis=-1)[..., 0]
    return 1 - np.mean(right / np.maximum(largest.sum(axis=-1), 1), axis=1)
