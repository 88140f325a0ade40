"""Exact dynamics given the drawn rows, label noise and start: one eigendecomposition, then any time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy import linalg

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import Draws, draw, law_of, rows_of, teacher_of

Rule = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Eigenvalues c, (R,) -> filter f and propagator p, (T, R)."""


def flow(problem: MeasuredSpectrum, times: np.ndarray, *, seeds: Sequence[int]) -> dict[str, np.ndarray]:
    """Gradient flow at times s (T,)."""

    def rule(c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        a = c + problem.ridge
        gained = -np.expm1(-np.multiply.outer(times, a))
        return np.where(a > 0, gained / np.where(a > 0, a, 1), times[:, None]), 1 - gained

    return _answered(problem, times, seeds, rule)


def descent(
    problem: MeasuredSpectrum, times: np.ndarray, *, learning_rate: float | str, seeds: Sequence[int]
) -> dict[str, np.ndarray]:
    """Gradient descent after whole steps k (T,)."""

    def rule(c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        a = c + problem.ridge
        eta = 1 / c.max() if learning_rate == "auto" else float(learning_rate)
        kept = (1 - eta * a) ** times[:, None]
        return np.where(a > 0, (1 - kept) / np.where(a > 0, a, 1), eta * times[:, None]), kept

    return _answered(problem, times, seeds, rule)


def ridge(problem: MeasuredSpectrum, times: np.ndarray, *, seeds: Sequence[int]) -> dict[str, np.ndarray]:
    """Ridge regression at 1/added ridge = times (T,)."""

    def rule(c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        f = 1 / (c + problem.ridge + 1 / times[:, None])
        return f, np.zeros_like(f)

    return _answered(problem, times, seeds, rule)


def _answered(
    problem: MeasuredSpectrum, times: np.ndarray, seeds: Sequence[int], rule: Rule
) -> dict[str, np.ndarray]:
    draws = draw(problem, seeds)
    each = [_one(problem, draws, i, rule) for i in range(len(seeds))]
    return {name: np.stack([one[name] for one in each]) for name in each[0]}


def _one(problem: MeasuredSpectrum, draws: Draws, i: int, rule: Rule) -> dict[str, np.ndarray]:
    """One draw. In function space: outputs on training rows, and on all rows of the pool, are K-weighted."""
    noise = draws.noise[i]
    if not problem.measured:
        inputs, teacher = draws.inputs[i], teacher_of(problem)
        counts, values, _ = law_of(problem)
        strengths = np.repeat(values, counts.astype(int))[:, None]
        labels = inputs @ teacher + noise
        weights = _weights(inputs, labels, draws.initial[i], rule)
        test = np.sum(strengths * (weights - teacher) ** 2, axis=(1, 2)) + problem.noise**2
        seen = np.sum((labels - inputs @ weights) ** 2, axis=(1, 2)) / problem.n
        return {"generalisation_error": test, "training_error": seen}
    rows = rows_of(problem)
    mixture = None if draws.mixtures is None else draws.mixtures[i] / np.sqrt(problem.rows)
    chosen = None if draws.chosen is None else draws.chosen[i]

    def drawn(matrix: np.ndarray) -> np.ndarray:
        return matrix[chosen] if mixture is None else mixture @ matrix

    labels = drawn(rows.targets) + noise
    if rows.features is not None:
        weights = _weights(drawn(rows.features), labels, draws.initial[i], rule)
        outputs = rows.features @ weights
    else:
        cross = drawn(rows.gram)
        c, vectors = linalg.eigh(drawn(cross.T))
        f, _ = rule(np.maximum(c, 0.0))
        outputs = cross.T @ (vectors @ (f[..., None] * (vectors.T @ labels)))
    fitted = np.stack([drawn(each) for each in outputs])
    errors = np.sum((rows.targets - outputs) ** 2, axis=-1)  # (T, P)
    held = np.ones(problem.rows, dtype=bool)
    if chosen is not None:
        held[chosen] = False
    found = {
        "generalisation_error": errors[:, held].mean(axis=1) + noise.shape[1] * problem.noise**2,
        "training_error": np.sum((labels - fitted) ** 2, axis=(1, 2)) / problem.n,
    }
    if rows.classes is not None and chosen is not None:
        named = np.argmax(outputs + rows.means, axis=-1)
        found["error_rate"] = np.mean(named[:, held] != rows.classes[held], axis=1)
    return found


def _weights(inputs: np.ndarray, labels: np.ndarray, initial: np.ndarray, rule: Rule) -> np.ndarray:
    """The student at every time, (T, p, c)."""
    left, singular, right = linalg.svd(inputs, full_matrices=True)
    c = np.zeros(inputs.shape[1])
    c[: singular.size] = singular**2
    f, p = rule(c)
    taught = np.zeros((c.size, labels.shape[1]))
    taught[: singular.size] = singular[:, None] * (left.T[: singular.size] @ labels)
    return right.T @ (f[..., None] * taught + p[..., None] * (right @ initial))
