"""The regulariser, which knows no size, is the orthogonality error of the layer's matrix at every size."""

from __future__ import annotations

from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import per_case, worst_case
from teacherstudent.paper_checks.judging.effects import WHOLE
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.orthogonal_convolution import talk
from teacherstudent.paper_checks.orthogonal_convolution.kit.layers import Layer, layer
from teacherstudent.theory.orthogonal_convolution.spectra import (
    enough,
    orthogonality_error,
    singular_values,
)

SHAPES = (
    (2, 2, 3, 1, 1, 5), (2, 2, 3, 1, 1, 6), (4, 2, 3, 1, 1, 5), (3, 2, 4, 2, 1, 4), (5, 2, 4, 2, 1, 5),
    (4, 1, 5, 3, 1, 3), (4, 2, 2, 3, 1, 1), (7, 2, 2, 3, 1, 2), (2, 1, 2, 1, 2, 3), (5, 1, 3, 2, 2, 3),
)  # fmt: skip
"""(M, C, k, S, D, N): rows and columns, with and without overlap, strides that divide k - 1 or not."""


def drawn(seeds: Seeds) -> list[Layer]:
    """Evidence: drawn kernels, of which the matrix is taken."""
    return [layer(shape, seed) for shape, seed in zip(SHAPES, seeds(len(SHAPES)), strict=True)]


@worst_case
def equal(found: Layer, claimed: float) -> Verdict:
    """The error of the matrix for each output position is the claim, up to rounding, relative to it."""
    error = float(np.sum(found.missed**2)) / found.problem.size**found.problem.dimension
    reason = "rounding of products of windows and of their squares"
    return within_bound(error / claimed - 1, found.rounding / found.regulariser, reason, "relative", WHOLE)


@per_case
def regulariser(found: Layer) -> float:
    """The claim: L, by a convolution of the kernel with itself."""
    return found.regulariser


@per_case
def uncorrected(found: Layer) -> float:
    """Wrong: columns without the constant M - C S^D."""
    return found.regulariser + found.excess


@per_case
def too_small(found: Layer) -> float:
    """Wrong: the error is the same at any size, such as the largest N with S N < 2k - 1."""
    p = found.problem
    size = max(1, enough(p.kernel_size, p.stride) - 1)
    return float(orthogonality_error(singular_values(found.kernel[None], p.stride, size))[0])


@per_case
def padded(found: Layer) -> float:
    """Wrong: the padding P = k - 1 at any stride, which may miss the shift of 0."""
    from scipy.signal import correlate

    K, p = found.kernel, found.problem
    reached = (slice(None, None, p.stride),) * p.dimension
    missed = np.array([[correlate(one, other)[p.inputs - 1][reached] for other in K] for one in K])
    middle = ((p.kernel_size - 1) // p.stride,) * p.dimension
    at: Any = (slice(None), slice(None), *middle)
    missed[at] -= np.eye(p.outputs)
    return float(np.sum(missed**2)) - found.excess


@per_case
def by_inputs(found: Layer) -> float:
    """Wrong: columns counted for each position of the input."""
    p = found.problem
    return found.regulariser / (1 if p.rows else p.stride**p.dimension)


IDENTITY = talk(
    id="oc-identity",
    title="the regulariser is the layer's orthogonality error for each output position, if S N >= 2k - 1",
    ref="El-Mehdi Achour; achour2022 on the regulariser and the error in Frobenius norm",
    evidence=drawn,
    claim=regulariser,
    judge=equal,
    teeth=(
        Tooth("columns without M - C S^D", uncorrected),
        Tooth("a size with S N < 2k - 1", too_small),
        Tooth("padding k - 1 at any stride", padded),
        Tooth("columns counted for each input position", by_inputs),
    ),
    functions=("sims.orthogonal_convolution.layer:measured",),
    covers=("Achour: regularisation and orthogonality",),
)

CHECKS = (IDENTITY,)
