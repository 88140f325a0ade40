r"""Second moments of the student, for inputs of any strengths, each step on new examples: exact at any size.

With lambda_i the variances of the inputs and m_i how many have each, Isserlis' theorem closes the equations
of x_i = E v_i^2:

    x_i' = ((1 - eta lambda_i)^2 + (eta lambda_i)^2/b) x_i + (eta^2/b) lambda_i (S + noise^2),

S the sum of m_j lambda_j x_j.

It is a diagonal plus a matrix of rank one. Its largest eigenvalue is 1 at the step size of infinite variance.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq

from teacherstudent.problems.heavy_tails import HeavyTails
from teacherstudent.theory.heavy_tails import answers

Arrays = dict[str, np.ndarray]

CLOSEST = 1 - 1e-15
"""As close to an end of an interval, relatively, as numbers come."""


def stationary(problem: HeavyTails, times: np.ndarray) -> Arrays:
    """Excess risk of the law that v has in the end, over step sizes, (T,)."""
    answers.demand_new_examples(problem)
    critical = critical_rate(problem)
    shares = np.array([_share(problem, eta) if eta < critical else np.nan for eta in times])
    risk = problem.noise**2 * shares / (1 - shares) / 2
    return {"excess_risk": answers.stationary_risk(times, critical, risk)}


def sgd(problem: HeavyTails, times: np.ndarray, *, learning_rate: float) -> Arrays:
    """Excess risk over steps, (T,), below and above the step size of infinite variance."""
    answers.demand_new_examples(problem)
    eta, b = learning_rate, problem.batch
    m, lam = np.sqrt(problem.counts), np.array(problem.strengths)
    change = np.diag(eta * lam * (eta * lam * (b + 1) / b - 2)) + eta**2 / b * np.outer(m * lam, m * lam)
    change, modes = np.linalg.eigh(change)  # eigenvalues - 1: no digits are lost where steps are small
    start = modes.T @ m * problem.init**2
    driven = modes.T @ (m * lam) * (eta * problem.noise) ** 2 / b
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        grown = times[:, None] * np.log1p(change)
        ever = np.where(change == 0, times[:, None], np.expm1(grown) / change)
        risk = (np.exp(grown) * start + ever * driven) @ (modes.T @ (m * lam)) / 2
    return {"excess_risk": answers.risk_of_steps(risk)}


def critical_rate(problem: HeavyTails) -> float:
    """eta_var, the step size at which the tail index is 2, for any strengths.

    There the sum of m_i eta lambda_i/(2b - eta (b + 1) lambda_i) is 1.
    """
    most = 2 * problem.batch / ((problem.batch + 1) * max(problem.strengths))
    if _share(problem, CLOSEST * most) < 1:
        return most
    return most * float(brentq(lambda share: _share(problem, share * most) - 1, 0.0, CLOSEST, xtol=1e-15))


def _share(problem: HeavyTails, eta: float) -> float:
    """What the excess risk adds to the noise that drives it, over both: E/(E + noise^2/2)."""
    m, lam = np.array(problem.counts), np.array(problem.strengths)
    b = problem.batch
    return float(np.sum(m * eta * lam / (2 * b - eta * (b + 1) * lam)))
