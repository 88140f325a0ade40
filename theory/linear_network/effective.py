r"""The mode strengths that small random weights amount to.

a^k = W_1 v_k and b^k = W_2^T u_k need not be parallel nor a^k . b^k positive, so that neither Eq.
2.2.14 nor 2.2.22 applies. While all are small, (a^k + b^k)/2 grows like e^(s_k t/tau) and (a^k -
b^k)/2 fades; the modes are then balanced, and each is learned in the hidden directions that the
faster ones left free: Gram-Schmidt by decreasing s.
"""

from __future__ import annotations

import numpy as np


def initial_strengths(a: np.ndarray, b: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Effective u0 of each mode, (..., m), from the connectivity modes a and b, (..., N_hid, m).

    R_kk^2 of the QR factorisation of [(a^k + b^k)/2], columns by decreasing s (m,); N_hid >= m.
    """
    order = np.argsort(-s, kind="stable")
    factor = np.asarray(np.linalg.qr((a + b)[..., order] / 2, mode="r"))
    strengths = np.empty(factor.shape[:-2] + s.shape)
    strengths[..., order] = np.diagonal(factor, axis1=-2, axis2=-1) ** 2
    return strengths
