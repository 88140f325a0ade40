"""The test of Alexander and Govern (alexander1994): whether means of samples of different variance are equal.

From means, standard deviations and sizes alone: what a table prints is enough.
"""

from __future__ import annotations

import numpy as np
from scipy import stats


def alexander_govern(means: np.ndarray, spreads: np.ndarray, size: int) -> np.ndarray:
    """Probability, where all means are equal, of a statistic as large as that of these samples, (...).

    means and spreads: of K samples of `size` numbers each, (..., K); spreads are standard deviations with
    size - 1 degrees of freedom.
    """
    variances = spreads**2 / size
    weights = 1 / variances
    common = np.sum(weights * means, axis=-1) / np.sum(weights, axis=-1)
    t = (means - common[..., None]) / np.sqrt(variances)
    degrees = size - 1
    a = degrees - 0.5
    b = 48 * a**2
    c = np.sqrt(a * np.log1p(t**2 / degrees))
    z = c + (c**3 + 3 * c) / b
    z -= (4 * c**7 + 33 * c**5 + 240 * c**3 + 855 * c) / (10 * b**2 + 8 * b * c**4 + 1000 * b)
    return np.asarray(stats.chi2.sf(np.sum(z**2, axis=-1), means.shape[-1] - 1))
