"""Singular values by frequency, and what the regulariser says of the layer's matrix at any size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.claims import per_case, worst_case, worst_of
from teacherstudent.paper_checks.judging.effects import WHOLE, Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.orthogonal_convolution import check, talk
from teacherstudent.paper_checks.orthogonal_convolution.kit.layers import EPS, Layer, layer
from teacherstudent.theory.orthogonal_convolution import spectra
from teacherstudent.theory.orthogonal_convolution.existence import spectral_factor
from teacherstudent.theory.orthogonal_convolution.spectra import (
    enough,
    orthogonality_error,
    singular_values,
)

# The regulariser and the orthogonality error -------------------------------------------------------------

SHAPES = (
    (2, 2, 3, 1, 1, 5), (2, 2, 3, 1, 1, 6), (4, 2, 3, 1, 1, 5), (3, 2, 4, 2, 1, 4), (5, 2, 4, 2, 1, 5),
    (4, 1, 5, 3, 1, 3), (4, 2, 2, 3, 1, 1), (7, 2, 2, 3, 1, 2), (2, 1, 2, 1, 2, 3), (5, 1, 3, 2, 2, 3),
)  # fmt: skip
"""(M, C, k, S, D, N): rows and columns, with and without overlap, strides that divide k - 1 or not."""


def drawn_of_shapes(seeds: Seeds) -> list[Layer]:
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
    title="the regulariser is the layer's orthogonality error per output position if S N >= 2k - 1",
    ref="El-Mehdi Achour; achour2022 on the regulariser and the error in Frobenius norm",
    evidence=drawn_of_shapes,
    claim=regulariser,
    judge=equal,
    wrong=(
        WrongClaim("columns without the term M - C S^D", uncorrected),
        WrongClaim("a size with S N < 2k - 1", too_small),
        WrongClaim("padding k - 1 for any stride", padded),
        WrongClaim("columns counted per input position", by_inputs),
    ),
    functions=("sims.orthogonal_convolution.layer:measured",),
    covers=("Achour: regularisation and orthogonality",),
)

# By frequency -------------------------------------------------------------------------------------------

STRIDED = ((3, 2, 4, 2, 1, 7), (7, 2, 2, 3, 1, 4), (2, 1, 3, 2, 2, 3))
"""(M, C, k, S, D, N)."""


def drawn(seeds: Seeds) -> list[Layer]:
    """Evidence: drawn kernels, of which the matrix is taken."""
    return [layer(shape, seed) for shape, seed in zip(STRIDED, seeds(len(STRIDED)), strict=True)]


@worst_case
def same(found: Layer, claimed: tuple[np.ndarray, float]) -> Iterator[Verdict]:
    """All singular values of the matrix, and L as it is stated, are the claimed ones up to rounding."""
    right = np.linalg.svd(found.matrix, compute_uv=False)
    singular, regulariser = claimed
    most = EPS * right[0] * sum(found.problem.matrix_shape)
    reason = "two decompositions, each exact for a matrix perturbed by eps times its norm"
    yield within_bound(right - np.sort(singular.ravel())[::-1], most, reason)
    yield within_bound(found.regulariser - regulariser, found.rounding, "rounding of products of windows")


@per_case
def by_frequency(found: Layer, factor: Callable[[int, int], float] = lambda S, D: 1.0) -> object:
    """The claim; wrong by a factor of the singular values."""
    p, kernels = found.problem, found.kernel[None]
    scale = factor(p.stride, p.dimension)
    least = spectra.singular_values(kernels, p.stride, spectra.enough(p.kernel_size, p.stride))
    regulariser = spectra.regulariser(kernels, p.stride)
    if scale != 1:
        regulariser = spectra.orthogonality_error(scale * least)
    return scale * spectra.singular_values(kernels, p.stride, p.size), float(regulariser[0])


@per_case
def each_input_frequency(found: Layer) -> object:
    """Wrong: each frequency of the input on its own, as without stride; the largest of as many values."""
    p = found.problem
    alone = spectra.singular_values(found.kernel[None], 1, p.size * p.stride) / p.stride ** (p.dimension / 2)
    count = min(p.matrix_shape)
    largest = np.sort(np.pad(alone.ravel(), (0, max(0, count - alone.size))))[::-1][:count]
    return largest, float(spectra.orthogonality_error(alone)[0])


FREQUENCIES = check(
    id="oc-spectra",
    title="the layer has the singular values of M x C S^D matrices, one per output frequency",
    ref="transfer matrices of a periodic strided convolution",
    evidence=drawn,
    claim=by_frequency,
    judge=same,
    effect=Contrast("without the factor S^(-D/2)", "a factor of S^(D/2)"),
    wrong=(
        WrongClaim("each input frequency treated separately", each_input_frequency),
        WrongClaim(
            "without the factor S^(-D/2)", lambda found: by_frequency(found, factor=lambda S, D: S ** (D / 2))
        ),
    ),
    functions=(
        "sims.orthogonal_convolution.layer:measured",
        "theory.orthogonal_convolution.spectra:enough",
        "theory.orthogonal_convolution.spectra:regulariser",
        "theory.orthogonal_convolution.spectra:singular_values",
    ),
)

# At any size --------------------------------------------------------------------------------------------

SIZED = (
    (1, 1, 1, 1, 1, 3), (1, 1, 5, 1, 1, 24), (1, 1, 5, 1, 1, 2), (4, 4, 5, 2, 1, 6), (4, 2, 3, 1, 1, 8),
    (4, 1, 3, 2, 1, 9), (2, 2, 2, 1, 2, 4), (4, 1, 2, 2, 1, 7), (3, 1, 4, 2, 1, 8), (5, 1, 2, 2, 2, 4),
)  # fmt: skip
"""(M, C, k, S, D, N), S N < 2k - 1 included: the upper bound holds there too."""


def spread(seeds: Seeds) -> list[Layer]:
    """Evidence: kernels that are drawn, whose entries are alike, and that halve their input."""
    found = []
    for shape, seed in zip(SIZED, seeds(len(SIZED)), strict=True):
        one = layer(shape, seed)
        half = np.zeros_like(one.kernel)
        half.reshape(*half.shape[:2], -1)[..., 0] = 0.5 * np.eye(*half.shape[:2])
        found += [one, Layer(one.problem, 0.9 * np.ones_like(half)), Layer(one.problem, half)]
    return found


@worst_of
def between(found: list[Layer], claimed: list[tuple[float, float]]) -> Iterator[Verdict]:
    """Squared spectral norms of what matrices miss are between both bounds, but for rounding."""
    norms = np.array([np.linalg.norm(each.missed, 2) ** 2 for each in found])
    room = np.array([each.rounding for each in found])
    low, high = np.array(claimed).T
    yield within_bound(norms, high + room, "the upper bound plus rounding", "loss")
    large = [each.problem.stride * each.problem.size >= 2 * each.problem.kernel_size - 1 for each in found]
    yield within_bound(low[large], (norms + room)[large], "the measured value plus rounding", "loss")


@per_case
def bounds(found: Layer) -> tuple[float, float]:
    """The claim: L/R <= |A A^T - I|_2^2 <= a L, R singular values for each position of the output."""
    p = found.problem
    values = min(p.outputs, p.inputs * p.stride**p.dimension)
    return found.regulariser / values, spectral_factor(p) * found.regulariser


@per_case
def one_shift(found: Layer) -> tuple[float, float]:
    """Wrong: the whole norm is no more than L, as if windows met at one shift."""
    return 0.0, found.regulariser


@per_case
def one_side(found: Layer) -> tuple[float, float]:
    """Wrong: shifts to one side only."""
    p = found.problem
    return 0.0, ((round(spectral_factor(p) ** (1 / p.dimension)) + 1) / 2) ** p.dimension * found.regulariser


@per_case
def one_value(found: Layer) -> tuple[float, float]:
    """Wrong: the furthest singular value alone makes up L."""
    return found.regulariser, np.inf


BOUNDS = talk(
    id="oc-bounds",
    title="for a given regulariser, bounds on the furthest singular value do not depend on the layer's size",
    ref="El-Mehdi Achour; achour2022 on the error in spectral norm, with a smaller factor",
    evidence=spread,
    claim=bounds,
    judge=between,
    effect=Contrast("windows overlapping at one shift", "the number of shifts at which windows overlap"),
    wrong=(
        WrongClaim("windows overlapping at one shift", one_shift),
        WrongClaim("shifts in one direction only", one_side),
        WrongClaim("one singular value accounts for the whole regulariser", one_value),
    ),
    functions=(
        "sims.orthogonal_convolution.layer:measured",
        "theory.orthogonal_convolution.existence:spectral_factor",
    ),
    covers=("Achour: stability and size",),
)

CHECKS = (IDENTITY, FREQUENCIES, BOUNDS)
