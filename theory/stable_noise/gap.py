"""Loss on training and on fresh examples of students in their stationary law, and its gap. Axis: T numbers n.

Given the examples w is a stable variate times sigma (alpha a s^2 q)^(-1/alpha), q = mean x^2/s^2 = chi^2_n/n.
The mean of |x_mu|^p is q^(p/2) times what their directions alone decide, of mean s^p E|N|^p/E q^(p/2). With
m = p/alpha and z = n/2, E q^k = z^-k Gamma(z + k)/Gamma(z).
"""

from __future__ import annotations

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.stable_noise import StableNoise
from teacherstudent.theory.stable_noise import variates
from teacherstudent.theory.stable_noise.gammas import log_double_ratio, log_ratio
from teacherstudent.theory.stable_noise.relaxation import log_kept


def exact(
    problem: StableNoise, times: np.ndarray, *, relative_step: float, power: float, input_scale: float
) -> dict[str, np.ndarray]:
    """training_loss, population_loss and generalisation_gap, (T,), of the SDE: `relative_step` is Euler's.

    With A = sigma^p E|S|^p (alpha a)^-m s^(p - 2m) E|N|^p they are A E q^(p/2 - m)/E q^(p/2), A E q^-m and
    the second less the first, computed without that difference. Fresh examples have a mean loss where
    n > 2m, training examples where n > 2m - p: NaN elsewhere, with an `UnconvergedWarning`. Raises
    `InputError` without drift and for a power from alpha on.
    """
    _demand_means(problem, power)
    return _losses(problem, times, power, input_scale, 1.0)


def euler(
    problem: StableNoise, times: np.ndarray, *, relative_step: float, power: float, input_scale: float
) -> dict[str, np.ndarray]:
    """The same of Euler's scheme: its scale is the exact one times (alpha g/(1 - |1 - g|^alpha))^(1/alpha).

    g = `relative_step` is a h mean x^2, which is the same for all draws.
    """
    _demand_means(problem, power)
    alpha = problem.stability
    wider = alpha * relative_step / -np.expm1(alpha * log_kept(relative_step))
    return _losses(problem, times, power, input_scale, wider ** (power / alpha))


def _losses(
    problem: StableNoise, times: np.ndarray, power: float, input_scale: float, factor: float
) -> dict[str, np.ndarray]:
    alpha, m, half = problem.stability, power / problem.stability, power / 2
    z = np.asarray(times, dtype=float) / 2
    size = factor * problem.noise**power * variates.moment(alpha, power) * (alpha * problem.drift) ** -m
    size *= input_scale ** (power - 2 * m) * variates.normal_moment(power)
    fresh, seen = z > m, z + half > m
    safe = np.where(fresh, z, m + 1)
    population = size * np.exp(log_ratio(safe, m, safe))
    training = size * np.exp(log_ratio(np.where(seen, z + half, m + 1), m, z))
    gap = population * -np.expm1(log_double_ratio(safe, half, m))
    unmet = f"a mean over fresh examples needs n > 2 power/stability = {2 * m:g}"
    unseen = f"a mean over training examples needs n > 2 power/stability - power = {2 * m - power:g}"
    return {
        **nan_where(~seen, unseen, {"training_loss": training}),
        **nan_where(~fresh, unmet, {"population_loss": population, "generalisation_gap": gap}),
    }


def _demand_means(problem: StableNoise, power: float) -> None:
    if problem.drift == 0:
        raise InputError("drift", problem.drift, "above 0 for gap: without a well nothing is stationary")
    if power >= problem.stability:
        domain = f"below stability {problem.stability:g}: otherwise |w x|^p has no mean"
        raise InputError("power", power, domain)
