r"""The replica formulas for two scales exactly as printed: an approximation, kept as evidence.

pezeshki2022 Eqs. 4.2.11-4.2.16, with ridge and noise as in the unnumbered equations before .2.39. A ridge
replaces time: lambda -> lambda + 1/(eta t) (.2.36). Each scale has a separate susceptibility, although both
see the same n samples: at kappa = 1, where the split p means nothing, the printed risk depends on p.

The printed expressions cancel late in training. They are summed here in terms of h_k = scaled_k/(a_k - 1), in
which alpha_k = a_k (1 - h_k); the tests compare the sums with the formulas as printed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.house.step_sizes import in_the_limit
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory.multiscale.answers import Arrays, asked_for
from teacherstudent.theory.multiscale.spectral_task import spectrum_of


def ridge(problem: MultiScale, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Ridge regression at effective ridge = problem.ridge + 1/time, times > 0, (T,).

    Raises `InputError` unless the problem has exactly two scales.
    """
    return asked_for(_two_scales(problem, times), observable)


def flow(problem: MultiScale, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """The printed proxy for gradient flow: ridge regression at 1/s; untrained at s = 0."""
    return asked_for(_from_start(problem, times), observable)


def descent(
    problem: MultiScale,
    times: np.ndarray,
    *,
    learning_rate: float | str,
    output_penalty_decay: float = 0.0,
    observable: Sequence[str] | None = None,
) -> Arrays:
    """The printed proxy for gradient descent: ridge regression at 1/(eta k).

    learning_rate: "auto" is 1/upper edge of the limiting spectrum, as in the asymptotic route. Raises
    `InputError` where descent diverges with that: the proxy would not.
    """
    edge = spectrum_of(problem).upper_edge()
    automatic = isinstance(learning_rate, str)
    eta = in_the_limit(learning_rate, edge, problem.ridge) if automatic else float(learning_rate)
    return asked_for(_from_start(problem, eta * times), observable)


def scales(problem: MultiScale, effective: np.ndarray) -> tuple[np.ndarray, ...]:
    """What both scales make of ridges (T,): m/d (2, 1), h, a - 1 and h + a - 1 (2, T), and 1 - beta (T,)."""
    if len(problem.counts) != 2:
        raise InputError("scales", len(problem.counts), "two scales for the printed formulas")
    if problem.output_penalty:
        raise InputError("output_penalty", problem.output_penalty, "0 for the printed formulas")
    n, d = problem.n, problem.d
    m = np.asarray(problem.counts, dtype=float)[:, None]
    sigma = np.asarray(problem.sigmas)[:, None]
    scaled = (d / m) * effective / sigma**2  # 4.2.12
    gap = (m - n) / m - scaled
    root = np.sqrt(gap**2 + 4 * scaled)
    # a - 1 of 4.2.13, 2 scaled/(gap + root), and its equal where gap + root would cancel
    above = np.where(gap > 0, 2 * scaled / np.where(gap > 0, gap + root, 1), (root - gap) / 2)
    h = scaled / above
    left = (n - d) / n + (m / n * h * (2 - h)).sum(axis=0)  # 1 - beta
    return m / d, h, above, root, left


def _two_scales(problem: MultiScale, times: np.ndarray) -> dict[str, np.ndarray]:
    """Eqs. 4.2.11-4.2.16 at effective ridge = problem.ridge + 1/time."""
    share, h, above, _, left = scales(problem, problem.ridge + 1 / times)
    # Q of 4.2.15-4.2.16 is c beta/(1 - beta), beta and c as below, R = n/(a d) of 4.2.14 (m/d) (1 - h)
    R = (share * (1 - h)).sum(axis=0)
    beta = ((1 - h) / (1 + above)).sum(axis=0)  # sum of alpha/a^2, alpha = n/m of 4.2.11
    n, d = problem.n, problem.d
    c = problem.noise**2 + (n - d) / d + 2 * (share * h).sum(axis=0)  # 1 + noise^2 + n/d - 2R
    excess = (problem.noise**2 * beta + (share * h**2).sum(axis=0)) / (2 * left)  # 4.2.6
    return {
        "R": R,
        "Q": c * beta / left,
        "excess_risk": excess,
        "generalisation_error": 2 * excess + problem.noise**2,
    }


def _from_start(problem: MultiScale, times: np.ndarray) -> dict[str, np.ndarray]:
    """Ridge at 1/s, with the untrained student at s = 0; the print knows no other start."""
    if problem.init:
        raise InputError("init", problem.init, "0 for the printed formulas")
    trained = times > 0
    untrained = {"R": 0.0, "Q": 0.0, "excess_risk": 0.5, "generalisation_error": 1 + problem.noise**2}
    answer = {name: np.full(times.size, value) for name, value in untrained.items()}
    if np.any(trained):
        for name, values in _two_scales(problem, times[trained]).items():
            answer[name][trained] = values
    return answer
