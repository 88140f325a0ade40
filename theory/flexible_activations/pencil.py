"""A student from the teacher's Jacobians, without training: a tensor decomposition, by a pencil of matrices.

At an input x_k the Jacobian of f is W diag(g_i'(v_i x_k)) V^T. So are all mixtures of Jacobians, with other
numbers on the diagonal: two of them, A and B, are W D_A V^T and W D_B V^T. If there are no more units than
inputs and outputs, B times the generalised eigenvectors of the pencil (A, B) gives W. The pseudo-inverse of W
then leaves, of each Jacobian, rows in proportion to v_i. Last, f is linear in the coefficients c.

Axes: K inputs, n outputs, m features, r units.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from scipy import linalg

from teacherstudent.house.certainty import nan_where_not_finite
from teacherstudent.house.errors import InputError
from teacherstudent.problems.flexible_activations import FlexibleActivations
from teacherstudent.problems.flexible_activations.data import examples, fresh, networks

ASKED = 64
"""Inputs at which Jacobian and output are asked, and fresh inputs on which the student is tried."""


def pencil(problem: FlexibleActivations, times: np.ndarray, *, seeds: Sequence[int]) -> dict[str, np.ndarray]:
    """direction_error and misfit, (S, T), of the student recovered from f itself: the same at all times.

    NaN with an `UnconvergedWarning` where rounding makes eigenvalues complex. Raises `InputError` for more
    units than inputs or outputs, and for degree 1.
    """
    demand_recoverable(problem)
    teachers = networks(problem, seeds)
    asked, new = examples(problem, seeds, ASKED), fresh(problem, seeds, ASKED)
    errors = []
    for V, W, c, x, other in zip(teachers.V, teachers.W, teachers.c, asked, new, strict=True):
        slices = jacobians(V, W, c, x, problem.powers)
        found = student(slices, outputs(V, W, c, x, problem.powers), x, problem.units, problem.powers)
        true, told = outputs(V, W, c, other, problem.powers), outputs(*found, other, problem.powers)
        errors.append(
            (direction_error((V, W), found[:2]), np.linalg.norm(told - true) / np.linalg.norm(true))
        )
    worst, misfit = np.repeat(np.array(errors)[:, None], len(times), axis=1).transpose(2, 0, 1)
    said = "pencil route: two eigenvalues of a pencil are equal within rounding errors"
    return nan_where_not_finite({"direction_error": worst, "misfit": misfit}, said)


def demand_recoverable(problem: FlexibleActivations) -> None:
    """Raise `InputError` where the columns of W or of V are dependent, or all Jacobians are one."""
    narrow = min(problem.inputs, problem.outputs)
    if problem.units > narrow:
        raise InputError("units", problem.units, f"at most {narrow} for route pencil (inputs, outputs)")
    if problem.degree == 1:
        raise InputError(
            "degree", 1, "at least 2 for route pencil: a linear activation has the same slope everywhere"
        )


def scales(powers: range) -> np.ndarray:
    """1/sqrt((2s - 1)!!) of each power s, (K,): the inverse root mean square of z^s."""
    return np.array([prod(range(1, 2 * s, 2)) ** -0.5 for s in powers])


def monomials(V: np.ndarray, x: np.ndarray, powers: range) -> np.ndarray:
    """z^s/sqrt((2s - 1)!!) at each input, of each unit and power, (..., r, K)."""
    return (x @ V)[..., None] ** np.array(powers) * scales(powers)


def outputs(V: np.ndarray, W: np.ndarray, c: np.ndarray, x: np.ndarray, powers: range) -> np.ndarray:
    """f(x), (..., n), of V (m, r), W (n, r) and c (r, K)."""
    found: np.ndarray = np.sum(monomials(V, x, powers) * c, axis=-1) @ W.T
    return found


def jacobians(V: np.ndarray, W: np.ndarray, c: np.ndarray, x: np.ndarray, powers: range) -> np.ndarray:
    """W diag(g_i'(v_i x)) V^T at each input, (..., n, m)."""
    s = np.array(powers)
    slope = np.sum(s * (x @ V)[..., None] ** (s - 1) * scales(powers) * c, axis=-1)
    return (W * slope[..., None, :]) @ V.T


def student(
    slices: np.ndarray, values: np.ndarray, x: np.ndarray, units: int, powers: range
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """V, W and c of the student from Jacobians (K, n, m) and outputs (K, n) at inputs (K, m); or all NaN."""
    V, W = directions(slices, units)
    if not np.isfinite(W).all():
        return V, W, np.full((units, len(powers)), np.nan)
    linear = np.einsum("ni,kis->knis", W, monomials(V, x, powers))
    c = np.linalg.lstsq(linear.reshape(values.size, -1), values.ravel())[0]
    return V, W, c.reshape(units, -1)


def directions(
    slices: np.ndarray, units: int, mixing: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """V (m, r) and W (n, r), columns of length 1, from Jacobians (K, n, m): NaN if eigenvalues are complex.

    mixing: weights of the Jacobians in the two mixtures, (2, K); drawn once if None.
    """
    count, n, m = slices.shape
    if mixing is None:
        mixing = np.random.default_rng(0).standard_normal((2, count))
    left = np.linalg.svd(slices.transpose(1, 0, 2).reshape(n, -1), full_matrices=False)[0][:, :units]
    right = np.linalg.svd(slices.transpose(2, 0, 1).reshape(m, -1), full_matrices=False)[0][:, :units]
    one, other = (left.T @ np.tensordot(each, slices, 1) @ right for each in mixing)
    values, vectors = linalg.eig(one, other)
    if np.iscomplex(values).any():
        return np.full((m, units), np.nan), np.full((n, units), np.nan)
    W = left @ other @ vectors.real  # V^T times an eigenvector is a unit vector
    W /= np.linalg.norm(W, axis=0)
    along = np.tensordot(np.linalg.pinv(W), slices, axes=(1, 1))  # (r, K, m): g_i'(v_i x_k) v_i
    V = np.linalg.svd(along, full_matrices=False)[2][:, 0].T
    return V, W


def direction_error(true: Sequence[np.ndarray], found: Sequence[np.ndarray]) -> float:
    """As the problem defines it, of V (m, r) and W (n, r) each."""
    missed = np.max([sines(one, other) for one, other in zip(true, found, strict=True)], axis=0)
    return float(missed.min(axis=1).max())


def sines(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Sines of the angles between columns (r) and those of the other (r'), accurate near 0, (r, r')."""
    a, b = (each / np.linalg.norm(each, axis=0) for each in (one, other))
    off = b[:, None, :] - a[:, :, None] * (a.T @ b)
    found: np.ndarray = np.linalg.norm(off, axis=0)
    return found
