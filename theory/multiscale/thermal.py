r"""Students at a finite temperature: Langevin descent and the Gibbs law it settles in.

Langevin descent is gradient descent with Gaussian noise of variance 2 eta/beta in each weight and
step (pezeshki2022 Eq. 4.2.4). The loss is a sum over samples and quadratic, with curvature
A = C + ridge: given data and start, the mean student is that of plain descent, and the covariance
after k steps is

    (2 eta/beta) sum_{j<k} (1 - eta A)^{2j} = (1/beta) (1 - (1 - eta A)^{2k})/(A (1 - eta A/2)).

For eta -> 0 it settles in the Gibbs law exp(-beta L) (Eq. 4.2.20): the ridge solution with
covariance A^-1/beta. Of two students of one data set (replicas), R is the alignment of either with
the teacher, Q = <w_hat>^T F^T F <w_hat>/d their overlap, Q0 = <w_hat^T F^T F w_hat>/d the overlap
of one with itself. R and Q know no temperature; beta (Q0 - Q) = tr[F^T F cov]/d is one
susceptibility for all scales. A student's own excess risk is 1/2 (1 - 2R + Q0).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.house.step_sizes import in_the_limit
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.problems.multiscale.data import draw_inputs
from teacherstudent.theory import contours
from teacherstudent.theory.multiscale import asymptotic as cold
from teacherstudent.theory.multiscale.answers import Arrays
from teacherstudent.theory.multiscale.free_energy import OrderParameters
from teacherstudent.theory.multiscale.instance import averaged, descent_rule, eigensystem
from teacherstudent.theory.multiscale.penalised import shrunk, unpenalised
from teacherstudent.theory.multiscale.spectral_task import spectrum_of, task_of
from teacherstudent.theory.resolvents import resolvent
from teacherstudent.theory.spectral.parts import at_ridge


def gibbs(problem: MultiScale, inverse_temperature: float) -> OrderParameters:
    """R, Q and Q0 of the Gibbs law in the limit, each (K,): ridge regression, and chi/beta above it.

    Raises `InputError` without ridge: where n <= d nothing then holds the student.
    """
    if not problem.ridge > 0:
        raise InputError("ridge", problem.ridge, "above 0 for a student in equilibrium")
    plain = unpenalised(problem)
    ridge = np.array([plain.ridge])
    at, (chi,) = shrunk(problem, at_ridge(task_of(plain), ridge)), susceptibilities(plain, ridge)
    R, error = at.alignment[0], (at.bias + at.variance)[0]
    overlap = error - spectrum_of(problem).weights + 2 * R  # Eq. 4.2.6, scale by scale
    return OrderParameters(R, overlap, overlap + chi / ((1 + problem.output_penalty) * inverse_temperature))


def susceptibilities(problem: MultiScale, z: np.ndarray) -> np.ndarray:
    """Each scale's part of chi(z) = tr[F^T F (C + z)^-1]/d in the limit, (..., K).

    z (...) as in `theory.resolvents.resolvent`. NaN where its root is not certified.
    """
    spectrum = spectrum_of(problem)
    at = resolvent(spectrum, z)
    parts = spectrum.weights * spectrum.strengths * at.h / at.z[..., None]
    return np.where(at.converged[..., None], parts, np.nan)


def asymptotic(
    problem: MultiScale, times: np.ndarray, *, learning_rate: float | str, inverse_temperature: float
) -> Arrays:
    """R, Q, Q0 and excess_risk of Langevin descent after whole steps k >= 0, (T,), for n, d -> infinity.

    learning_rate and the errors raised as in `theory.multiscale.asymptotic.descent`.
    """
    mean = cold.descent(problem, times, learning_rate=learning_rate)
    edge, penalty = spectrum_of(problem).upper_edge(), problem.output_penalty
    eta, speed = in_the_limit(learning_rate, edge, problem.ridge, penalty), 1 + penalty
    chi = _susceptibility(unpenalised(problem), times, speed * eta) / speed
    return _thermal(mean, chi, inverse_temperature)


def instance(
    problem: MultiScale,
    times: np.ndarray,
    *,
    learning_rate: float | str,
    inverse_temperature: float,
    seeds: Sequence[int],
) -> Arrays:
    """The same for the data drawn by each seed, (S, T), averaged over teacher, noise and start."""
    draws = draw_inputs(problem, seeds)
    system = eigensystem(draws)
    rule = descent_rule(problem.ridge, learning_rate, problem.output_penalty)
    mean = averaged(problem, draws, times, rule, system=system)
    c = system.eigenvalues
    eta, _ = rule.rates(np.max(c, axis=-1))
    a = (1 + problem.output_penalty) * c + problem.ridge
    doubled = rule(c, 2 * times).filter  # (1 - (1 - eta a)^{2k})/a
    settled = 1 - eta[:, None, None] * a[:, None] / 2
    covariance = doubled / np.where(doubled == 0, 1.0, settled)  # 0 at k = 0, whatever eta
    strength = np.sum((draws.strengths[:, None] * system.vectors) ** 2, axis=-2)  # F^T F in that basis
    return _thermal(mean, np.einsum("sti,si->st", covariance, strength) / problem.d, inverse_temperature)


def _thermal(mean: Arrays, chi: np.ndarray, inverse_temperature: float) -> Arrays:
    """The observables of a student that fluctuates about the mean one, chi = beta (Q0 - Q)."""
    spread = chi / inverse_temperature
    return {
        "R": mean["R"],
        "Q": mean["Q"],
        "Q0": mean["Q"] + spread,
        "excess_risk": mean["excess_risk"] + spread / 2,
    }


def _susceptibility(problem: MultiScale, times: np.ndarray, eta: float) -> np.ndarray:
    """beta (Q0 - Q) after whole steps, (T,), with p(v) = (1 + eta v)^{2k} on a contour (theory.contours):
    (1 - p)/(A (1 - eta A/2)) <-> p(v) G(z)/(v (1 + eta v/2)), z = v + ridge.

    The kernel is even about v = -1/eta, and has a pole at either end, v = 0 and v = -2/eta.
    NaN, with a warning, where a root is not certified.
    """
    chi, moving = np.zeros(times.size), np.flatnonzero(times > 0)
    doubled = 2 * times[moving]
    for where, contour in contours.descent(doubled, eta, smallest=0.0):
        v = contour.nodes
        each = susceptibilities(problem, v + problem.ridge).sum(axis=-1)
        if doubled[where[0]] > contours.FEW_STEPS:  # not on a circle: v = 0 is enclosed alone
            each = each - susceptibilities(problem, problem.ridge - 2 / eta - v).sum(axis=-1)
        chi[moving[where]] = 2 * np.sum(contour.weights / (v * (1 + eta * v / 2)) * each, axis=-1).real
    return nan_where(np.isnan(chi), "asymptotic route: no certified susceptibility", chi)
