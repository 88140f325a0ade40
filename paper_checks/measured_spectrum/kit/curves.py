"""The two curves of bundled data, by means of their own, and targets that are wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from teacherstudent.paper_checks.measured_spectrum.kit.tables import bundled


@cache
def curves_of(name: str, centred: bool = True) -> tuple[np.ndarray, np.ndarray, float]:
    """Eigenvalues of a bundled set's covariance, power of its classes in each, and what no feature expresses.

    By the covariance's own eigenvectors, not by a decomposition of the rows. Wrong where not centred.
    """
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


SHARE = "target's share permuted"
TARGETS: dict[str, Target] = {
    SHARE: reversed_share,
    "isotropic target": no_direction,
    "residual dropped": no_residual,
}
