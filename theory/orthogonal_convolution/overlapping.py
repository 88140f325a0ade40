"""The flow of a kernel whose windows may overlap: K' = -grad L, with L as a mean over frequencies.

L is the mean over f of |H H^+ - I|_F^2, H the transfer matrices at the smallest sufficient N
(`spectra.enough`), up to a constant. So grad L is 4 (H H^+ - I) H, back at the entries of the kernel.
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from teacherstudent.theory.evaluation_limit import limit_evaluations
from teacherstudent.theory.orthogonal_convolution.spectra import enough, transfer, waves

TOLERANCE = 1e-13
"""Relative error that the solver allows itself in a step."""

RESOLVED = 1e-11
"""Least regulariser that is told: of a kernel that is off by e, L is off by up to 4 e sqrt(L).

Kernels were found off by less than 1e-13, which is 2e-7 of the least.
"""


def gradient(kernel: np.ndarray, stride: int) -> np.ndarray:
    """grad L of a kernel (M, C, k^D), of its shape."""
    M, C, k = kernel.shape[:3]
    return _gradient(kernel.reshape(M, C, -1), _waves(k, stride, kernel.ndim - 2)).reshape(kernel.shape)


def flowed(kernel: np.ndarray, stride: int, times: np.ndarray) -> np.ndarray:
    """The kernel, (T, M, C, k^D), at increasing times; NaN from where the solver does not arrive."""
    M, C, k = kernel.shape[:3]
    to_frequencies = _waves(k, stride, kernel.ndim - 2)

    def slope(_: float, entries: np.ndarray) -> np.ndarray:
        return -_gradient(entries.reshape(M, C, -1), to_frequencies).ravel()

    found = np.full((len(times), kernel.size), np.nan)
    now, before, field = kernel.ravel(), 0.0, limit_evaluations(slope)
    for i, time in enumerate(times):  # from time to time: in between the solver interpolates less well
        if time > before:
            try:
                solved = solve_ivp(
                    field, (before, time), now, "DOP853", (time,), rtol=TOLERANCE, atol=TOLERANCE
                )
            except ArithmeticError:
                break
            if not solved.success:
                break
            now, before = solved.y[:, -1], time
        found[i] = now
    return found.reshape(len(times), *kernel.shape)


def _waves(kernel_size: int, stride: int, dimension: int) -> np.ndarray:
    return waves(kernel_size, stride, enough(kernel_size, stride), dimension)


def _gradient(kernel: np.ndarray, to_frequencies: np.ndarray) -> np.ndarray:
    """The same of (M, C, u)."""
    H = transfer(kernel, to_frequencies)
    back = np.conj(H.swapaxes(-1, -2))
    product = (H @ back) @ H if H.shape[-2] <= H.shape[-1] else H @ (back @ H)
    pulled = 4 * (product - H) / len(H)
    shaped = pulled.reshape(*H.shape[:2], kernel.shape[1], -1)
    return np.asarray(np.einsum("fmcb,ufb->mcu", shaped, np.conj(to_frequencies), optimize=True).real)
