"""Training where windows do not overlap, k <= S: L = |W W^T - I|_F^2 of the M x C k^D matrix W = K.

Singular vectors of W stay what they are, and so each singular value goes its own way:

    flow      s' = -4 s (s^2 - 1)
    descent   s <- s - 4 eta s (s^2 - 1)

Axes: S draws, T times, R singular values.
"""

from __future__ import annotations

import numpy as np

EDGE = 1 / 4
"""Learning rate from which s = 1 is left again: a step multiplies small errors of s by 1 - 8 eta."""


def start(kernels: np.ndarray) -> np.ndarray:
    """Singular values (S, R) of drawn kernels as matrices, R = min(M, C k^D)."""
    found: np.ndarray = np.linalg.svd(kernels.reshape(*kernels.shape[:2], -1), compute_uv=False)
    return found


def flowed(singular: np.ndarray, times: np.ndarray) -> np.ndarray:
    """s(t), (S, T, R): 1/s^2 - 1 falls like e^-8t. Multiplied by s_0^2, so that nothing cancels."""
    square, late = singular[:, None] ** 2, 8 * times[:, None]
    return np.asarray(np.sqrt(square / (np.exp(-late) - square * np.expm1(-late))))


def stepped(singular: np.ndarray, steps: np.ndarray, learning_rate: float) -> tuple[np.ndarray, np.ndarray]:
    """s after these steps, (S, T, R), and how wrong rounding may have made it.

    A step multiplies an error of s by its slope, |1 - 4 eta (3 s^2 - 1)|, and adds a rounding of it.
    """
    now, wrong = singular.copy(), np.finfo(float).eps * singular
    found, errors, taken = [], [], 0
    with np.errstate(over="ignore", invalid="ignore"):  # of steps that diverge
        for count in steps:
            for _ in range(taken, int(count)):
                slope = 1 - 4 * learning_rate * (3 * now**2 - 1)
                now = now - 4 * learning_rate * now * (now**2 - 1)
                wrong = np.abs(slope) * wrong + np.finfo(float).eps * np.abs(now)
            taken = int(count)
            found.append(np.abs(now))
            errors.append(wrong)
    return np.stack(found, axis=1), np.stack(errors, axis=1)
