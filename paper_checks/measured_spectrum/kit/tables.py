"""Rows that several checks ask about: of few numbers, bundled, and made-up pools with rotated vectors.

The two curves of bundled data, by means of their own, and targets that are wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from teacherstudent.house.extras import importing_extra


def bundled(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Standardised features (P, p) that vary, and targets (P,), of a set that scikit-learn installs."""
    with importing_extra(f"the data set {name}"):
        from sklearn import datasets

    features, targets = getattr(datasets, f"load_{name}")(return_X_y=True)
    features = features[:, features.std(axis=0) > 0]
    return (features - features.mean(axis=0)) / features.std(axis=0), targets


def few_rows(count: int = 24, columns: int = 5) -> dict[str, Any]:
    """Features and targets of two outputs that no shift, scale or rotation leaves alone."""
    i = np.arange(1.0, count + 1)[:, None]
    features = np.sin(i * np.arange(1, columns + 1) * 1.3) * np.arange(1, columns + 1) ** -0.5 + 0.3
    targets = np.concatenate([features[:, :1] + np.cos(2.1 * i), np.sin(i**2)], axis=1) + 1.0
    return {"features": features, "targets": targets, "intercept": "pool"}


def spread_target(
    values: np.ndarray, powers: np.ndarray, residual: float, rows: int = 0, seed: int | None = None
) -> dict[str, Any]:
    """Features (P, d) of that covariance exactly, and d targets, one along each; P is 2 d + 1 or `rows`.

    Target k has power powers[k] along feature k; of their sum of squares no feature expresses `residual`.
    Errors that are summed over such targets fluctuate as little as spectra do. With a seed the left singular
    vectors are drawn uniformly among those that are centred.
    """
    d = values.size
    rows = rows or 2 * d + 1
    axes = np.eye(rows) if seed is None else np.random.default_rng(seed).standard_normal((rows, rows))
    basis = np.linalg.qr(np.column_stack([np.ones(rows), axes[:, : rows - 1]]))[0][:, 1:] * np.sqrt(rows)
    features, beyond = basis[:, :d] * np.sqrt(values), basis[:, d : 2 * d]
    targets = basis[:, :d] * np.sqrt(powers)
    targets[:, : beyond.shape[1]] += beyond * np.sqrt(residual / beyond.shape[1])
    return {"features": features, "targets": targets, "intercept": "pool"}


# The two curves of bundled data, and targets that are wrong ----------------------------------------------


@cache
def curves_of(name: str, centred: bool = True) -> tuple[np.ndarray, np.ndarray, float]:
    """Eigenvalues of a bundled set's covariance, power of its classes in each, what no feature expresses."""
    features, classes = bundled(name)
    targets = (classes[:, None] == np.unique(classes)).astype(float)
    if centred:
        targets -= targets.mean(axis=0)
    else:
        features = features + 1.0
    values, vectors = np.linalg.eigh(features.T @ features / len(features))
    along = (features @ vectors).T @ targets / len(features)
    powers = np.sum(along**2, axis=1) / values
    return values[::-1], powers[::-1], float(np.mean(np.sum(targets**2, axis=1)) - powers.sum())


Target = Callable[[np.ndarray, np.ndarray, float], tuple[np.ndarray, float]]
"""Eigenvalues, powers and residual -> powers and residual of a wrong claim."""


def as_it_is(values: np.ndarray, powers: np.ndarray, residual: float) -> tuple[np.ndarray, float]:
    """The measured target."""
    return powers, residual


def reversed_share(values: np.ndarray, powers: np.ndarray, residual: float) -> tuple[np.ndarray, float]:
    """Wrong: powers in reverse order of the eigenvalues."""
    return powers[::-1], residual


def no_direction(values: np.ndarray, powers: np.ndarray, residual: float) -> tuple[np.ndarray, float]:
    """Wrong: the same power in total, shared in proportion to the eigenvalues."""
    return values * powers.sum() / values.sum(), residual


def no_residual(values: np.ndarray, powers: np.ndarray, residual: float) -> tuple[np.ndarray, float]:
    """Wrong: a target that the features express."""
    return powers, 0.0


SHARE = "target power permuted among modes"
TARGETS: dict[str, Target] = {
    SHARE: reversed_share,
    "isotropic target": no_direction,
    "residual omitted": no_residual,
}
