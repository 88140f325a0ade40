r"""Training from small random weights: only their growing part matters, for any singular values.

a^k = W_1 v_k and b^k = W_2^T u_k need not be parallel nor a^k . b^k positive, so that neither Eq.
2.2.14 nor 2.2.22 applies. While all are small, g^k = (a^k + b^k)/sqrt(2) grows like e^(s_k t/tau) and
(a^k - b^k)/2 fades. What is left is balanced, and the rows of B = [g^k] obey the matrix Riccati equation of
`riccati` at the rates s alone. With G = B B^T, E = diag(e^(s t)) and D = diag((1 - e^(-2 s t))/(2 s)),

    u_k = 1/2 [(E^-1 G^-1 E^-1 + D)^-1]_kk:

nothing in it overflows, and equal or nearly equal s_k, whose modes mix indefinitely, need no special
treatment. What is dropped is of the order of the squared weights.
"""

from __future__ import annotations

import numpy as np


def strength(times: np.ndarray, a: np.ndarray, b: np.ndarray, s: np.ndarray) -> np.ndarray:
    """u, (..., T, m), at t/tau = times, from the connectivity modes a and b, (..., N_hid, m); N_hid >= m.

    The matrix in brackets is M^T M, M = [R^-T E^-1; D^1/2] with B^T = Q R. It is never formed: the QR
    factorisation of M does not see how its columns are scaled.
    """
    own = np.asarray(np.linalg.qr((a + b) / np.sqrt(2), mode="r"))[..., None, :, :]
    late = times[:, None] * s
    fading, grown = np.exp(-late)[:, None, :], np.sqrt(-np.expm1(-2 * late) / (2 * s))
    upper = np.linalg.inv(own).swapaxes(-1, -2) * fading
    lower = np.broadcast_to(grown[:, None, :] * np.eye(s.size), upper.shape)
    factor = np.asarray(np.linalg.qr(np.concatenate([upper, lower], axis=-2), mode="r"))
    return np.asarray(np.sum(np.linalg.inv(factor) ** 2, axis=-1) / 2)


def initial_strengths(a: np.ndarray, b: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Effective u0 of each mode, (..., m), from which Eq. 2.2.22 leads to the same where the s are far apart.

    R_kk^2 of the QR factorisation of [(a^k + b^k)/2], columns by decreasing s (m,), N_hid >= m: each mode
    is learned in the hidden directions that the faster ones left free. Off by the weights to the power
    2 (1 - s_j/s_k) for neighbours s_j < s_k: no limit at all where two are equal.
    """
    order = np.argsort(-s, kind="stable")
    factor = np.asarray(np.linalg.qr((a + b)[..., order] / 2, mode="r"))
    strengths = np.empty(factor.shape[:-2] + s.shape)
    strengths[..., order] = np.diagonal(factor, axis1=-2, axis2=-1) ** 2
    return strengths
