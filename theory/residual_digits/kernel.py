"""The tangent kernel of the residual network at its start, over the draw of its weights.

Outputs have no kernel with one another: each class learns on its own. Skip: outputs are linear in B.
Branch: gradients by A give the mean of relu u relu u' over units, those by W and b the mean of A^2 = 1 and of
the steps of u and u', with u = (W, b).a of a = (x/sqrt(P), 1/2) (cho2009, arc-cosine kernels of degree 1, 0).
"""

from __future__ import annotations

import numpy as np

from teacherstudent.problems.residual_digits import ResidualDigits

BIAS = 0.5
"""What a unit's bias is multiplied by."""


def tangent(
    problem: ResidualDigits,
    pixels: np.ndarray,
    components: np.ndarray,
    other_pixels: np.ndarray,
    other_components: np.ndarray,
) -> np.ndarray:
    """Of images (N, P), (N, d) with others (M, P), (M, d): (N, M)."""
    skip = components @ other_components.T / components.shape[1]
    return problem.skip_scale**2 * skip + problem.branch_scale**2 * branch(pixels, other_pixels)


def branch(pixels: np.ndarray, others: np.ndarray) -> np.ndarray:
    """[|a||a'| (sin p + (pi - p) cos p) + a.a' (pi - p)]/(2 pi), p the angle of a and a', (N, M)."""
    inner = pixels @ others.T / pixels.shape[1] + BIAS**2
    lengths, other_lengths = (np.sqrt(np.mean(each**2, axis=1) + BIAS**2) for each in (pixels, others))
    product = np.outer(lengths, other_lengths)
    cosine = np.clip(inner / product, -1, 1)
    cosine[1 - cosine < 8 * np.finfo(float).eps] = 1.0  # of rounding the arc cosine makes 1e-8
    off = np.pi - np.arccos(cosine)
    return (product * (np.sqrt(1 - cosine**2) + off * cosine) + inner * off) / (2 * np.pi)
