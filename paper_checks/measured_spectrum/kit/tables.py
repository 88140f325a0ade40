"""Rows that several checks ask about: of few numbers, bundled, and made-up pools with rotated vectors."""

from __future__ import annotations

from typing import Any

import numpy as np


def bundled(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Standardised features (P, p), and targets (P,), of a set that scikit-learn installs."""
    from sklearn import datasets

    features, targets = getattr(datasets, f"load_{name}")(return_X_y=True)
    return (features - features.mean(axis=0)) / features.std(axis=0), targets


def few_rows(count: int = 24, columns: int = 5) -> dict[str, Any]:
    """Features and targets of two outputs that no shift, scale or rotation leaves alone."""
    i = np.arange(1.0, count + 1)[:, None]
    features = np.sin(i * np.arange(1, columns + 1) * 1.3) * np.arange(1, columns + 1) ** -0.5 + 0.3
    targets = np.concatenate([features[:, :1] + np.cos(2.1 * i), np.sin(i**2)], axis=1) + 1.0
    return {"features": features, "targets": targets}


def spread_target(values: np.ndarray, powers: np.ndarray, residual: float) -> dict[str, np.ndarray]:
    """Features (P, d) of that covariance exactly, and as many targets, one along each: P = 2 d + 1.

    Target k has power powers[k] along feature k, and a residual of its own of residual/d that no feature
    expresses. Errors that are summed over such targets fluctuate as little as spectra do.
    """
    d = values.size
    rows = 2 * d + 1
    basis = np.linalg.qr(np.column_stack([np.ones(rows), np.eye(rows)[:, : 2 * d]]))[0][:, 1:] * np.sqrt(rows)
    features = basis[:, :d] * np.sqrt(values)
    targets = basis[:, :d] * np.sqrt(powers) + basis[:, d:] * np.sqrt(residual / d)
    return {"features": features, "targets": targets}
