"""The rows that the figures of measured data use, made from the sets that scikit-learn installs."""

from __future__ import annotations

from functools import cache

import numpy as np

from teacherstudent.house.extras import importing_extra

POOL = 1797
"""Digits that are used, of 1797."""
LIVE = 0.2
"""Pixels that are dark in a larger share of the rows than 1 - LIVE are left out: their eigenvectors live on a
few rows."""


def digits() -> tuple[np.ndarray, np.ndarray]:
    """Pixels of the 8 x 8 digits, (POOL, 64), and which digit each row shows, (POOL,)."""
    images, shown = _loaded()
    return images[:POOL], shown[:POOL]


@cache
def _loaded() -> tuple[np.ndarray, np.ndarray]:
    with importing_extra("the data set digits"):
        from sklearn import datasets

    images, shown = datasets.load_digits(return_X_y=True)
    return images, shown


def parity() -> np.ndarray:
    """1 where the digit is odd, 0 where it is even, (POOL,): two classes."""
    _, shown = digits()
    return shown % 2


def pixels() -> np.ndarray:
    """The pixels that are not dark in a share `LIVE` of the rows, 46 of 64, by `unit_trace`."""
    images, _ = digits()
    return unit_trace(images[:, (images != 0).mean(axis=0) >= LIVE])


def rectified(count: int, inputs: np.ndarray) -> np.ndarray:
    """Random features max(0, g.x) of the centred inputs, g standard normal: (rows, count), `unit_trace`."""
    drawn = np.random.default_rng(count).standard_normal((inputs.shape[1], count))
    return unit_trace(np.maximum((inputs - inputs.mean(axis=0)) @ drawn, 0))


def unit_trace(features: np.ndarray) -> np.ndarray:
    """The features, so scaled that the eigenvalues of their covariance have the sum 1."""
    return features / np.sqrt(np.sum(features.var(axis=0)))
