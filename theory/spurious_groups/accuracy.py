r"""Accuracies from effective weights, in closed form (pezeshki2022 Eq. 8.4.1, end of 8.4).

A test example of the majority (+) or minority (-) has the margin y logit = e_c (1 + sigma z) +-
e_s (1 + sigma z') + r z'' with standard normal z: it is classified with accuracy

    Phi((e_c +- e_s)/sqrt(sigma^2 (e_s^2 + e_c^2) + r^2)),

r = 0 where test examples have no noise.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from teacherstudent.problems.spurious_groups import GROUPS


def group_accuracies(
    spurious: ArrayLike, core: ArrayLike, noise: ArrayLike, feature_std: ArrayLike
) -> np.ndarray:
    """Accuracy of each of `GROUPS`, (..., 4).

    spurious, core: logits e_s and e_c of the features at 1, (...). noise: r, standard deviation of the
    logit over the noise features of test examples, (...), 0 where they have none. All four share one
    scale, which does not matter.
    """
    e_s, e_c, r, sigma = (
        each[..., None]
        for each in np.broadcast_arrays(*map(np.asarray, (spurious, core, noise, feature_std)))
    )
    toward = np.array([label * attribute for label, attribute in GROUPS])
    return ndtr((e_c + toward * e_s) / np.sqrt(sigma**2 * (e_s**2 + e_c**2) + r**2))


def worst_group_accuracy(
    spurious: ArrayLike, core: ArrayLike, noise: ArrayLike, feature_std: ArrayLike
) -> np.ndarray:
    """The smallest of `group_accuracies`, (...): Phi((e_c - |e_s|)/sqrt(sigma^2 (e_s^2 + e_c^2) + r^2))."""
    return group_accuracies(spurious, core, noise, feature_std).min(axis=-1)


def core_error(feature_std: ArrayLike) -> np.ndarray:
    """Probability that the core feature alone misclassifies: 1 - Phi(1/sigma) (end of 8.4)."""
    return ndtr(-1 / np.asarray(feature_std, dtype=float))
