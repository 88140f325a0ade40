"""The routes' entries: drawn kernels in, the problem's observables out, (S, T) each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.orthogonal_convolution import OrthogonalConvolution
from teacherstudent.problems.orthogonal_convolution.data import kernels
from teacherstudent.theory.orthogonal_convolution import disjoint, overlapping, spectra

Answer = dict[str, np.ndarray]

CERTAIN = 1e-9
"""Largest relative error of a singular value that is told after steps."""


def closed_form(problem: OrthogonalConvolution, times: np.ndarray, *, seeds: Sequence[int]) -> Answer:
    """The flow where windows do not overlap. Raises `InputError` where they do."""
    _demand_disjoint(problem, "closed-form")
    return _observed(problem, disjoint.flowed(disjoint.start(kernels(problem, seeds)), times))


def recursion(
    problem: OrthogonalConvolution, times: np.ndarray, *, learning_rate: float, seeds: Sequence[int]
) -> Answer:
    """Gradient descent where windows do not overlap.

    NaN, with a warning, where steps diverge or make rounding too large. Raises `InputError` where windows
    overlap and from `disjoint.EDGE` on, where steps do not settle.
    """
    _demand_disjoint(problem, "recursion")
    if learning_rate >= disjoint.EDGE:
        raise InputError("learning_rate", learning_rate, f"below {disjoint.EDGE:g} for route recursion")
    found, wrong = disjoint.stepped(disjoint.start(kernels(problem, seeds)), times, learning_rate)
    with np.errstate(invalid="ignore"):
        lost = ~np.all(wrong <= CERTAIN * found, axis=-1)  # NaN is lost as well
    answer = _observed(problem, np.where(lost[..., None], 1.0, found))
    return nan_where(
        lost, f"learning_rate {learning_rate:g}: steps diverge, or amplify rounding errors", answer
    )


def frequencies(problem: OrthogonalConvolution, times: np.ndarray, *, seeds: Sequence[int]) -> Answer:
    """The flow, whether windows overlap or not.

    NaN, with a warning, where the solver fails; errors also where they are too small to resolve.
    """
    flowed = np.stack([overlapping.flowed(each, problem.stride, times) for each in kernels(problem, seeds)])
    lost = np.isnan(flowed).any(axis=tuple(range(2, flowed.ndim)))
    flowed[lost] = 0.0
    each = flowed.reshape(-1, *flowed.shape[2:])
    singular = spectra.singular_values(each, problem.stride, problem.size)
    errors = {
        "regulariser": spectra.regulariser(each, problem.stride).reshape(lost.shape),
        "orthogonality_error": spectra.orthogonality_error(singular).reshape(lost.shape),
    }
    small = np.any([values < overlapping.RESOLVED for values in errors.values()], axis=0)
    errors = nan_where(small & ~lost, f"route frequencies: errors below {overlapping.RESOLVED:g}", errors)
    ends = {
        "largest_singular_value": singular.max(axis=(-1, -2)).reshape(lost.shape),
        "smallest_singular_value": singular.min(axis=(-1, -2)).reshape(lost.shape),
    }
    return nan_where(lost, "route frequencies: the solver failed", errors | ends)


def _demand_disjoint(problem: OrthogonalConvolution, route: str) -> None:
    if problem.kernel_size > problem.stride:
        domain = f"at most {problem.stride}, the stride, for route {route}: windows must not overlap"
        raise InputError("kernel_size", problem.kernel_size, domain)


def _observed(problem: OrthogonalConvolution, singular: np.ndarray) -> Answer:
    """Of singular values (S, T, R) of the kernel, which are those of the layer, N^D times each.

    Of the min(M, C S^D) for each position those that no window can give are 0, for every kernel.
    """
    lacking = min(problem.outputs, problem.inputs * problem.stride**problem.dimension) - singular.shape[-1]
    error = np.sum((singular**2 - 1) ** 2, axis=-1) + lacking
    return {
        "regulariser": error,
        "orthogonality_error": error,
        "largest_singular_value": singular.max(axis=-1),
        "smallest_singular_value": 0 * error if lacking else singular.min(axis=-1),
    }
