"""Rows that several checks ask about: of few numbers, bundled, and made-up pools with rotated vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from teacherstudent.house.extras import needed


def bundled(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Standardised features (P, p) that vary, and targets (P,), of a set that scikit-learn installs."""
    with needed(f"the data set {name}"):
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
