"""Training of the linearised network: one decomposition a draw, then any step.

With the tangent kernel K of the n training images, K/n = V diag(c) V^T, and K_* of the test images with them,
outputs after k steps of descent are

    f_* = K_* V diag((1 - (1 - eta (c + lambda))^k)/(c + lambda)) V^T y/n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.house.certainty import nan_where_not_finite
from teacherstudent.house.declarations import Algorithm
from teacherstudent.problems.residual_digits import ResidualDigits
from teacherstudent.problems.residual_digits.data import draw, images_of, targets
from teacherstudent.theory.algorithms.descent import ALGORITHM as DESCENT
from teacherstudent.theory.composing import by_algorithm
from teacherstudent.theory.residual_digits.kernel import tangent
from teacherstudent.theory.rules import Trained


class Outputs(NamedTuple):
    """Of one draw: outputs on its training and test images at times, (T, n, c) and (T, M, c)."""

    training: np.ndarray
    tested: np.ndarray


def trained(
    problem: ResidualDigits, times: np.ndarray, *, algorithm: Algorithm, seeds: Sequence[int], **options: Any
) -> dict[str, np.ndarray]:
    """Errors and losses at times, (T,), on the clock of the algorithm: each (S, T).

    Before the first step all outputs are 0, and the class told is the first. NaN, with an
    `UnconvergedWarning`, of draws with which the learning rate diverges.
    """
    images, draws = images_of(problem), draw(problem, seeds)
    rows = []
    how = Trained(algorithm, problem.weight_decay, **options)
    for k, found in enumerate(_outputs(problem, times, how, seeds)):
        true = images.classes[draws.tested[k]]
        rows.append(
            (
                *_measured(found.tested, true, images.count),
                *_measured(found.training, draws.labels[k], images.count),
            )
        )
    names = ("test_error", "test_loss", "training_error", "training_loss")
    answer = dict(zip(names, (np.stack(each) for each in zip(*rows, strict=True)), strict=True))
    return nan_where_not_finite(answer, how.reason)


def outputs(
    problem: ResidualDigits, times: np.ndarray, *, learning_rate: float, seeds: Sequence[int]
) -> Iterator[Outputs]:
    """Outputs of each draw in turn; NaN where descent diverges."""
    return _outputs(
        problem, times, Trained(DESCENT, problem.weight_decay, learning_rate=learning_rate), seeds
    )


def _outputs(
    problem: ResidualDigits, times: np.ndarray, how: Trained, seeds: Sequence[int]
) -> Iterator[Outputs]:
    images, draws = images_of(problem), draw(problem, seeds)
    for training, tested, labels in zip(draws.training, draws.tested, draws.labels, strict=True):
        x, z = images.pixels[training], images.components[training]
        values, vectors = np.linalg.eigh(tangent(problem, x, z, x, z) / problem.n)
        values = np.maximum(values, 0.0)  # of rank n at most: rounding
        taught = vectors.T @ targets(labels, images.count) / problem.n
        with np.errstate(over="ignore", invalid="ignore"):
            learned = vectors @ (how(values, times).filter[..., None] * taught)  # (T, n, c)
            found = Outputs(
                tangent(problem, x, z, x, z) @ learned,
                tangent(problem, images.pixels[tested], images.components[tested], x, z) @ learned,
            )
        yield found


def _measured(found: np.ndarray, classes: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Error and loss, (T,), of outputs (T, N, c) for images of those classes, (N,)."""
    with np.errstate(over="ignore", invalid="ignore"):
        loss = np.mean(np.sum((found - targets(classes, count)) ** 2, axis=-1), axis=-1) / 2
    error = np.mean(found.argmax(axis=-1) != classes, axis=-1)
    return np.where(np.isfinite(loss), error, np.nan), loss


def __getattr__(name: str) -> Callable[..., dict[str, np.ndarray]]:
    """The route of the algorithm of that name."""
    return by_algorithm(trained, name)
