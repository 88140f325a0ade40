"""The parts of the excess risk by scale and cause, given the drawn data.

The rows of F f X^T Z, F f X^T and F p that belong to a scale say what its features make of the
teacher, the label noise and the start; their squares average to bias, variance and start.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory.multiscale.instance_error import summed_where_it_cancels

if TYPE_CHECKING:
    from teacherstudent.theory.multiscale.instance import Eigensystem


def parts(
    problem: MultiScale,
    system: Eigensystem,
    modulated: np.ndarray,
    f: np.ndarray,
    p: np.ndarray,
    missed: np.ndarray,
) -> dict[str, np.ndarray]:
    """Bias, variance and start of each scale, (S, T, K).

    modulated: F V, (S, d, d); f, p, missed: filter, propagator and 1 - f c,
    (S, T, d).
    """
    products = system.cross @ np.swapaxes(system.cross, -1, -2)  # V^T X^T Z Z^T X V
    firsts = np.cumsum((0, *problem.counts))
    bias, strength = [], []
    for count, start, end in zip(problem.counts, firsts[:-1], firsts[1:], strict=True):
        rows = modulated[:, start:end]
        overlap = np.swapaxes(rows, -1, -2) @ rows
        aligned = np.einsum("sri,sir->si", rows, system.cross[:, :, start:end])
        squared = np.sum((f @ (overlap * products)) * f, axis=-1)
        difference = (count - 2 * np.einsum("sti,si->st", f, aligned) + squared) / problem.d
        share = count / problem.d
        bias.append(summed_where_it_cancels(difference, problem, system, overlap, missed, share))
        strength.append(np.diagonal(overlap, axis1=-2, axis2=-1))
    each = np.stack(strength, axis=-1)  # (S, d, K)
    return {
        "bias": np.stack(bias, axis=-1) / 2,
        "variance": problem.noise**2 * (f**2 @ (system.eigenvalues[..., None] * each)) / (2 * problem.d),
        "start": problem.init**2 * (p**2 @ each) / (2 * problem.d),
    }
