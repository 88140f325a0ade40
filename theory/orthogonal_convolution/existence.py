"""Which layers can be orthogonal, how far from it the others stay, and what the regulariser bounds."""

from __future__ import annotations

import numpy as np

from teacherstudent.problems.orthogonal_convolution import OrthogonalConvolution


def exists(problem: OrthogonalConvolution) -> bool:
    """Whether some kernel makes the layer orthogonal (achour2022, for S N >= 2k - 1).

    Rows: M <= C k^D, as many rows as a window has numbers. Columns: S <= k, so that every input is seen.
    """
    if problem.rows:
        return problem.outputs <= problem.inputs * problem.kernel_size**problem.dimension
    return problem.stride <= problem.kernel_size


def least(problem: OrthogonalConvolution) -> int:
    """The least regulariser of any kernel: 0 if and only if an orthogonal one exists.

    Otherwise k < S and windows do not overlap: what is left are the M - C k^D rows that no window holds, or
    the C (S^D - k^D) inputs of a period that none sees.
    """
    window = problem.inputs * problem.kernel_size**problem.dimension
    return max(0, _singular_values(problem) - window)


def spectral_factor(problem: OrthogonalConvolution) -> int:
    """The a of |A A^T - I|_2^2 <= a L (columns: of A^T A), whatever N, the channels and the kernel.

    The matrix is made of blocks B_p for shifts p of the output, of which a are not 0: windows that overlap,
    and periods of the input in one window, are at most floor((k - 1)/S) apart. At a frequency f it is
    sum_p B_p exp(2 pi i f p), of spectral norm at most sum_p |B_p|_F <= sqrt(a sum_p |B_p|_F^2), and that sum
    is L. achour2022 has a factor M more for rows, and C (2k - 1)^D for columns.
    """
    k, S, D = problem.kernel_size, problem.stride, problem.dimension
    return int((2 * ((k - 1) // S) + 1) ** D)


def singular_value_bounds(problem: OrthogonalConvolution, regulariser: float) -> tuple[float, float]:
    """Bounds on all singular values at this regulariser, for any N: |s^2 - 1| <= sqrt(a L)."""
    off = float(np.sqrt(spectral_factor(problem) * regulariser))
    return float(np.sqrt(max(0.0, 1 - off))), float(np.sqrt(1 + off))


def _singular_values(problem: OrthogonalConvolution) -> int:
    """How many singular values the layer has for each output position."""
    return int(min(problem.outputs, problem.inputs * problem.stride**problem.dimension))
