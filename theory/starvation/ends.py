r"""Where the flows end: fixed points in the margins, each with a bound of its error.

Both fixed points are roots of m = B phi(m) + offset with phi falling and B = X X^T:

    6.3.9 and 6.3.18:  phi = sigma(-m),  B = A       (m the margins, alpha = sigma(-m))
    6.3.10:            phi = e^-m,       B = A + 1   (m = -log alpha)

With m = X y + offset they are the minima of `roots`, and the responses are z = S y/sqrt(ridge).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import expit

from teacherstudent.house.certainty import nan_where
from teacherstudent.problems.starvation import Starvation
from teacherstudent.theory.starvation import ACCURACY
from teacherstudent.theory.starvation.duality import Dual, of_decoupling, of_ridge
from teacherstudent.theory.starvation.roots import Root, root
from teacherstudent.theory.starvation.starving import certified_jacobian, present

BESIDE = 1e-12
"""Error of a response, relative to the largest one, that passes where it is a larger share of its own."""


def sigmoid(margins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """sigma(-m), exact dynamics; its derivative is -alpha (1 - alpha)."""
    alpha = expit(-margins)
    return alpha, alpha * expit(margins)


def exponential(margins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """e^-m, the approximate dynamics 6.3.10."""
    alpha = np.exp(-margins)
    return alpha, alpha


def fixed_point(dual: Dual) -> Root:
    """The one fixed point of 6.3.9 (or 6.3.18): the maximum of the dual, the minimum of the loss."""
    return root(dual.X, dual.offset, sigmoid)


def approximate_fixed_point(dual: Dual) -> Root:
    """The one fixed point of 6.3.10. alpha_k may exceed 1: where (A alpha + alpha)_k < 0."""
    return root(np.concatenate([dual.X, np.eye(len(dual.A))], axis=1), dual.offset, exponential)


def ridge(problem: Starvation, times: np.ndarray, **path: Any) -> Mapping[str, np.ndarray]:
    """z and dz_j/d(s_i^2) of the ridge loss at its minimum, the same at each of the times (T,).

    `path` are the options of the dynamics: they change the path, not the end.
    """
    with np.errstate(all="ignore"):  # what leaves the range of numbers is not certified
        end = fixed_point(of_ridge(replace(problem, strengths=tuple(present(problem).tolist()))))
        unit = problem.s / np.sqrt(problem.ridge)
        z, error = unit * end.y, unit * end.error
        jacobian, relative = certified_jacobian(problem, end, BESIDE / ACCURACY * np.abs(z).max())
    return _constant(problem, times, z, error, jacobian, relative)


def decoupling(
    problem: Starvation, times: np.ndarray, *, shift: float, **path: Any
) -> Mapping[str, np.ndarray]:
    """z of spectral decoupling at its minimum: margins without S in them, so nothing starves.

    Raises `InputError` where the features have rank below n.
    """
    end = fixed_point(of_decoupling(problem, shift))
    none = np.zeros((problem.n, problem.n))
    return _constant(problem, times, end.margins @ problem.U, end.uncertain @ np.abs(problem.U), none, none)


def _constant(
    problem: Starvation,
    times: np.ndarray,
    z: np.ndarray,
    error: np.ndarray,
    jacobian: np.ndarray,
    relative: np.ndarray,
) -> Mapping[str, np.ndarray]:
    """Observables (T, ...), constant in time; NaN and an `UnconvergedWarning` without a certificate.

    error: of z, absolute; relative: of the derivatives, relative to their largest possible size.
    """
    allowed = np.maximum(ACCURACY * np.abs(z), BESIDE * np.abs(z).max())
    certain = bool(np.all(error <= allowed) and np.all(relative <= ACCURACY))
    answer = dict(problem.named(z))
    if problem.n == 2:
        answer |= {f"dz{j + 1}_ds{i + 1}sq": jacobian[j, i] for j in range(2) for i in range(2)}
    else:
        answer["dz_dssq"] = jacobian
    kept = nan_where(not certain, f"route fixed-point: no solution certified to {ACCURACY:g}", answer)
    return {name: np.broadcast_to(value, (times.size, *np.shape(value))) for name, value in kept.items()}
