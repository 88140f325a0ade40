r"""Where the flows end: fixed points in the margins, by damped Newton, with a certificate.

Both fixed points are roots of F(m) = m - B phi(m) - offset with phi falling and B semi-definite:

    6.3.9 and 6.3.18:  phi = sigma(-m),  B = A       (m the margins, alpha = sigma(-m))
    6.3.10:            phi = e^-m,       B = A + 1   (m = -log alpha)

The Jacobian 1 + B |phi'| has only eigenvalues >= 1 (it is similar to a symmetric matrix), so the
Newton direction always lowers |F|, which has no other stationary point than the one root.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from scipy.special import expit

from teacherstudent.house.certainty import nan_where
from teacherstudent.problems.starvation import Starvation
from teacherstudent.theory.starvation.duality import Dual, of_decoupling, of_ridge, responses
from teacherstudent.theory.starvation.starving import starvation_jacobian

MOST_STEPS = 200
"""Newton steps: about log(largest B) while phi is exponential, then a quadratic tail."""
SHORTEST = 2.0**-30
"""Shortest fraction of a Newton step tried: below it, rounding hides any descent."""
SLACK = 64
"""Residual, in units of its own rounding, up to which a root is certified."""


@dataclass(frozen=True)
class FixedPoint:
    """A root: margins m and dual variables alpha, (n,); `converged` says that it is certified."""

    margins: np.ndarray
    alpha: np.ndarray
    converged: bool
    residual: float
    steps: int


class Falling(Protocol):
    """phi and -phi' at given margins."""

    def __call__(self, margins: np.ndarray) -> tuple[np.ndarray, np.ndarray]: ...


def sigmoid(margins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """sigma(-m), exact dynamics; its derivative is -alpha (1 - alpha)."""
    alpha = expit(-margins)
    return alpha, alpha * expit(margins)


def exponential(margins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """e^-m, the approximate dynamics 6.3.10."""
    alpha = np.exp(-margins)
    return alpha, alpha


def fixed_point(dual: Dual) -> FixedPoint:
    """The one fixed point of 6.3.9 (or 6.3.18): the maximum of the dual, the minimum of the loss."""
    return _root(dual.A, dual.offset, sigmoid)


def approximate_fixed_point(dual: Dual) -> FixedPoint:
    """The one fixed point of 6.3.10. alpha_k may exceed 1: where (A alpha + alpha)_k < 0."""
    return _root(dual.A + np.eye(len(dual.A)), dual.offset, exponential)


def _root(B: np.ndarray, offset: np.ndarray, falling: Falling) -> FixedPoint:
    """Damped Newton from m = offset until |F| stagnates; certified if it did so at rounding level."""
    m = np.array(offset)
    phi, slope = falling(m)
    F = m - B @ phi - offset
    size, rounding = np.linalg.norm(F), _rounding(m, B @ phi, offset)
    steps, fraction = 0, 1.0
    while size > rounding and steps < MOST_STEPS and fraction >= SHORTEST:
        step = np.linalg.solve(np.eye(len(m)) + B * slope, -F)
        fraction = 1.0
        while fraction >= SHORTEST:
            trial = m + fraction * step
            with np.errstate(over="ignore", invalid="ignore"):  # a trial may overshoot; it is then refused
                trial_phi, trial_slope = falling(trial)
                trial_F = trial - B @ trial_phi - offset
                trial_size = np.linalg.norm(trial_F)
            if trial_size < (1 - fraction / 4) * size:
                m, phi, slope, F, size = trial, trial_phi, trial_slope, trial_F, trial_size
                rounding = _rounding(m, np.abs(B) @ phi, offset)
                steps += 1
                break
            fraction /= 2
    return FixedPoint(m, phi, bool(size <= SLACK * rounding), float(size), steps)


def _rounding(*terms: np.ndarray) -> float:
    """Rounding error of a sum of vectors with these terms."""
    return float(np.finfo(float).eps * np.linalg.norm(sum(np.abs(term) for term in terms)))


def ridge(problem: Starvation, times: np.ndarray, **path: Any) -> Mapping[str, np.ndarray]:
    """z and dz_j/d(s_i^2) of the ridge loss at its minimum, the same at each of the times (T,).

    `path` are the options of the dynamics: they change the path, not the end.
    """
    fixed = fixed_point(of_ridge(problem))
    z, jacobian = responses(problem, fixed.alpha), starvation_jacobian(problem, fixed.alpha)
    return _constant(problem, times, fixed, z, jacobian)


def decoupling(
    problem: Starvation, times: np.ndarray, *, shift: float, **path: Any
) -> Mapping[str, np.ndarray]:
    """z of spectral decoupling at its minimum: margins without S in them, so nothing starves.

    Raises `InputError` where the features have rank below n.
    """
    fixed = fixed_point(of_decoupling(problem, shift))
    return _constant(problem, times, fixed, fixed.margins @ problem.U, np.zeros((problem.n, problem.n)))


def _constant(
    problem: Starvation, times: np.ndarray, fixed: FixedPoint, z: np.ndarray, jacobian: np.ndarray
) -> Mapping[str, np.ndarray]:
    """Observables (T, ...), constant in time; NaN and an `UnconvergedWarning` without a certificate."""
    answer = dict(problem.named(z))
    if problem.n == 2:
        answer |= {f"dz{j + 1}_ds{i + 1}sq": jacobian[j, i] for j in range(2) for i in range(2)}
    else:
        answer["dz_dssq"] = jacobian
    why = f"route fixed-point: nothing certified (residual {fixed.residual:g})"
    certain = nan_where(not fixed.converged, why, answer)
    return {name: np.broadcast_to(value, (times.size, *np.shape(value))) for name, value in certain.items()}
