"""From drawn randomness to what the student sees, and from its weights to what is measured.

Conventions: `problems.multiscale`. Axes: S draws, T recorded times, n samples, d features.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from teacherstudent.problems.extras import demand_given
from teacherstudent.problems.multiscale import GROUPS, TRAINED, MultiScale
from teacherstudent.problems.multiscale.data import Draws, fresh

FRESH = 1000
"""Unseen examples a draw on which the generalisation error is measured."""


def training_set(draws: Draws) -> tuple[np.ndarray, np.ndarray]:
    """The student's inputs x = F^T z (Eq. 4.2.2), (S, n, d), and labels y (Eq. 4.2.1), (S, n)."""
    return draws.inputs * draws.strengths, labels(draws)  # Eq. 4.2.2: F is diagonal


def labels(draws: Draws) -> np.ndarray:
    """y of Eq. 4.2.1, (S, n)."""
    return np.einsum("snd,sd->sn", draws.inputs, draws.teacher) + draws.noise


def observables(draws: Draws, weights: np.ndarray) -> dict[str, np.ndarray]:
    """R, Q and the excess risk of students `weights` (S, T, d), each (S, T), in float64.

    The excess risk is the population error of its definition, the Gaussian average of
    1/2 (z.w - x.w_hat)^2 over fresh z of variance 1/d, not the combination of R and Q of
    Eq. 4.2.6: that equation stays a thing to check. Overflow gives infinities.
    """
    d = weights.shape[-1]
    with np.errstate(over="ignore", invalid="ignore"):  # a diverged student's weights may be anything
        modulated = draws.strengths * weights.astype(float)  # F w_hat
        missed = draws.teacher[:, None, :] - modulated
        return {
            "R": np.einsum("sd,std->st", draws.teacher, modulated) / d,  # Eq. 4.2.7
            "Q": np.einsum("std,std->st", modulated, modulated) / d,  # Eq. 4.2.7
            "excess_risk": np.einsum("std,std->st", missed, missed) / (2 * d),  # Eq. 4.2.5
        }


def extras(
    problem: MultiScale,
    draws: Draws,
    train: Callable[[Draws], np.ndarray],
    weights: np.ndarray,
    seeds: Sequence[int],
    observable: Sequence[str] | None,
) -> dict[str, np.ndarray]:
    """The groups of observables that were asked for.

    Errors per example, (S, T), in the convention of Advani and Saxe: training on the examples
    that the students saw, generalisation on `FRESH` noisy examples a draw that they did not see.
    Outputs: the mean square of those on the training examples.
    Parts, (S, T, K): `train` is run once more on the teacher's labels, the noise and the start,
    each alone; the student is linear in the three, so on average their errors add up. Raises `InputError`
    for a group that no simulation knows.
    """
    demand_given(GROUPS, observable, TRAINED)
    answer: dict[str, np.ndarray] = {}
    for group in observable or ():
        if group == "parts":
            answer |= _parts(problem, draws, train)
        elif group == "outputs":
            inputs, _ = training_set(draws)
            answer["training_output"] = np.mean((weights @ inputs.swapaxes(-1, -2)) ** 2, axis=-1)
        else:
            examples = draws if group == "training" else fresh(problem, draws, seeds, FRESH)
            inputs, wanted = training_set(examples)
            missed = wanted[:, None, :] - weights @ inputs.swapaxes(-1, -2)
            answer[f"{group}_error"] = np.mean(missed**2, axis=-1)
    return answer


def _parts(problem: MultiScale, draws: Draws, train: Callable[[Draws], np.ndarray]) -> dict[str, np.ndarray]:
    """Half the mean squared error per scale of students trained on one cause each, (S, T, K)."""
    causes = {"bias": "teacher", "variance": "noise", "start": "initial"}
    zero = {name: np.zeros_like(getattr(draws, name)) for name in causes.values()}
    firsts = np.cumsum((0, *problem.counts[:-1]))
    answer = {}
    for part, cause in causes.items():
        alone = replace(draws, **{name: values for name, values in zero.items() if name != cause})
        missed = alone.teacher[:, None, :] - draws.strengths * train(alone)
        answer[part] = np.add.reduceat(missed**2, firsts, axis=-1) / (2 * problem.d)
    return answer
