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
