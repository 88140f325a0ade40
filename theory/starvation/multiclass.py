r"""More than two classes: the Legendre bound, two duals, and the margin of spectral decoupling.

Conventions: logits (n, C), alpha (n, C) with rows that sum to 1, targets (n, C) one-hot.
pezeshki2022 App. .5.1.1.
"""

from __future__ import annotations

import numpy as np
from scipy import optimize
from scipy.special import entr


def bound(alpha: np.ndarray, logits: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """H(alpha) + (alpha - target).logits, (n,): at most the cross-entropy (.5.11).

    Equality at alpha = softmax(logits).
    """
    return entr(alpha).sum(axis=-1) + np.sum((alpha - targets) * logits, axis=-1)


def dual_per_class(alpha: np.ndarray, targets: np.ndarray, features: np.ndarray, ridge: float) -> float:
    """.5.12: sum_c [H - |Phi_c^T (target_c - alpha_c)|^2/2 ridge], for parameters theta_c of each class.

    features: Phi_c, (C, n, m), logits_c = Phi_c theta_c.
    """
    pulled = np.einsum("cnm,nc->cm", features, targets - alpha)
    return float(entr(alpha).sum() - np.sum(pulled**2) / (2 * ridge))


def dual_shared(alpha: np.ndarray, targets: np.ndarray, features: np.ndarray, ridge: float) -> float:
    """The dual where all classes share one theta, logits_c = Phi_c theta: the sum is inside the square."""
    pulled = np.einsum("cnm,nc->m", features, targets - alpha)
    return float(entr(alpha).sum() - np.sum(pulled**2) / (2 * ridge))


def decoupled_margin(ridge: float, classes: int) -> float:
    """Margin of the right logit over the others under spectral decoupling of all C logits.

    Stationarity of cross-entropy + ridge/2 |logits|^2: ridge m = C/(C - 1 + e^m).
    """

    def excess(m: float) -> float:
        decay = np.exp(-m)
        return ridge * m - classes * decay / (1 + (classes - 1) * decay)

    return float(optimize.brentq(excess, 0.0, 1 / ridge, xtol=1e-15, rtol=8.9e-16))
