r"""The replica formulas for two scales exactly as printed: an approximation, kept as evidence.

pezeshki2022 Eqs. 4.2.11-4.2.16, with ridge and noise as in the unnumbered equations before
.2.39. Ridge regression stands in for time: lambda -> lambda + 1/(eta t) (.2.36). Each scale has
a susceptibility of its own, although both see the same n samples: at kappa = 1, where the split
p means nothing, the printed risk depends on p.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.house.domains import InputError
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory.multiscale.answers import Arrays, asked_for
from teacherstudent.theory.multiscale.terms import spectrum_of


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

    learning_rate: "auto" is 1/upper edge of the limiting spectrum, as in the asymptotic route.
    """
    eta = 1 / spectrum_of(problem).upper_edge() if learning_rate == "auto" else float(learning_rate)
    return asked_for(_from_start(problem, eta * times), observable)


def _two_scales(problem: MultiScale, times: np.ndarray) -> dict[str, np.ndarray]:
    """Eqs. 4.2.11-4.2.16 at effective ridge = problem.ridge + 1/time."""
    if len(problem.counts) != 2:
        raise InputError("scales", len(problem.counts), "exactly two scales for the printed formulas")
    if problem.output_penalty:
        raise InputError("output_penalty", problem.output_penalty, "0 for the printed formulas")
    n, d = problem.n, problem.d
    m = np.asarray(problem.counts, dtype=float)[:, None]
    sigma = np.asarray(problem.sigmas)[:, None]
    effective = problem.ridge + 1 / times
    alpha = n / m  # 4.2.11
    scaled = (d / m) * effective / sigma**2  # 4.2.12
    gap = 1 - alpha - scaled
    root = np.sqrt(gap**2 + 4 * scaled)
    # 4.2.13, 2 scaled/(gap + root), and its equal where gap + root would cancel
    a = 1 + np.where(gap > 0, 2 * scaled / np.where(gap > 0, gap + root, 1), (root - gap) / 2)
    R = n / (a * d)  # 4.2.14
    b = alpha / (a**2 - alpha)  # 4.2.16
    c = 1 + problem.noise**2 - 2 * R[::-1] - (n / d) * (2 - a) / a  # 4.2.16, R of the other scale
    Q = (b[0] * b[1] * c[::-1] + b * c) / (1 - b[0] * b[1])  # 4.2.15
    total_R, total_Q = R.sum(axis=0), Q.sum(axis=0)
    excess = (1 - 2 * total_R + total_Q) / 2  # 4.2.6
    return {
        "R": total_R,
        "Q": total_Q,
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
