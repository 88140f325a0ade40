r"""Standard deviation of the excess risk of ridge regression between draws, at leading order.

Given a teacher, inputs and label noise make the test error differ (`theory.spectral.spread`). Each draw also
has a separate teacher, uniform on the sphere |w|^2 = d. At the leading order the test error of one teacher is
(sum_j c_j w_j^2/d + noise^2)/(1 - df2/n) with c = (1 - a)^2, and on the sphere

    Var sum_j c_j w_j^2/d = (2/d) [sum_k mu_k c_k^2 - (sum_k mu_k c_k)^2],

with mu_k = m_k/d; the two variances add. Both are of order 1/d: the standard deviation falls like 1/sqrt(d),
what is left out like 1/d.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory.multiscale.spectral_task import spectrum_of
from teacherstudent.theory.resolvents import resolvent
from teacherstudent.theory.spectral.spread import Mixed, variance, without_heavy_tails


def at_ridge(problem: MultiScale, ridge: np.ndarray) -> np.ndarray:
    """Standard deviation of the excess risk between draws at effective ridges (T,): (T,). With an output
    penalty it is not known."""
    data, teachers, converged = variances(problem, ridge)
    found = np.sqrt(data + teachers) / 2  # the excess risk is half of the test error, less the noise
    reason = "asymptotic route: the standard deviation between draws is not known with an output penalty"
    found = nan_where(~converged | bool(problem.output_penalty), reason, found)
    return without_heavy_tails(found, spectrum_of(problem), ridge, problem.noise)


def variances(problem: MultiScale, ridge: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Variances of the test error, without the half, at effective ridges: (T,) given the teacher, (T,) of the
    mean of each teacher; and where their root is certified, (T,)."""
    spectrum = spectrum_of(problem)
    at = resolvent(spectrum, ridge)
    a, b, counts, mu = at.learned, at.h, spectrum.features, spectrum.weights
    df2 = Mixed(a**2 @ counts, -(a**2 * b) @ counts, (a * b) ** 2 @ counts)
    shared = Mixed(*((each @ mu)[:, None, None] for each in (b**2, a * b**2, (a * b) ** 2)))
    kept = at.qz * counts.sum()
    data = variance(problem.n, kept, df2, shared.plus(problem.noise**2))
    unequal = b**4 @ mu - (b**2 @ mu) ** 2
    teachers = 2 / problem.d * unequal / (1 - df2.value / problem.n) ** 2
    return data, teachers, at.converged
