"""Any modulation matrix F = U S V^T is its singular values: rotations move students, not their risk.

Full matrices are simulated here by descent in the plainest form; the simulation of the project has
F = S, and is given the same data seen from the frames of F.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import equal_after_steps
from teacherstudent.paper_checks.multiscale import check
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import Draws, draw

SHAPE = PROBLEM.instance(
    n=15, scales=((3, 1.0), (1, 0.7), (4, 0.2), (2, 0.03)), noise=0.3, ridge=0.02, init=0.2
)
STEPS = np.array([0.0, 1, 20, 400])
RATE = 0.1


@dataclass(frozen=True)
class Rotated:
    """Draws, the frames U and V of F (S, d, d), and R and Q of students of the full F, (S, T, 2)."""

    draws: Draws
    left: np.ndarray
    right: np.ndarray
    order: np.ndarray


def rotated(seeds: Seeds) -> Rotated:
    """Evidence: descent by hand on inputs modulated by F = U S V^T with drawn rotations."""
    chosen = seeds(4)
    draws, d = draw(SHAPE, chosen), SHAPE.d
    frames = [np.random.default_rng([seed, 99]).standard_normal((2, d, d)) for seed in chosen]
    left, right = np.swapaxes(np.linalg.qr(np.stack(frames))[0], 0, 1)
    matrix = (left * draws.strengths) @ np.swapaxes(right, -1, -2)  # F = U S V^T
    inputs = draws.inputs @ matrix  # x = F^T z, Eq. 4.2.2
    labels = np.einsum("snd,sd->sn", draws.inputs, draws.teacher) + draws.noise
    weights, found = draws.initial, []
    for step in range(int(STEPS[-1]) + 1):
        if step in STEPS:
            modulated = np.einsum("sij,sj->si", matrix, weights)
            found.append([np.sum(draws.teacher * modulated, axis=1), np.sum(modulated**2, axis=1)])
        missed = np.einsum("snd,sd->sn", inputs, weights) - labels
        gradient = np.einsum("snd,sn->sd", inputs, missed) + SHAPE.ridge * weights
        weights = weights - RATE * gradient
    return Rotated(draws, left, right, np.moveaxis(np.array(found), -1, 0) / d)


def of_singular_values(turn_inputs: bool, turn_start: bool, evidence: Rotated) -> np.ndarray:
    """R and Q of the project's students on z' = U^T z, w' = U^T w, from V^T w_hat_0."""
    from teacherstudent.sims.multiscale.data import observables
    from teacherstudent.sims.multiscale.descent import student_trajectory

    draws, left, right = evidence.draws, evidence.left, evidence.right
    turned = replace(
        draws,
        inputs=draws.inputs @ left if turn_inputs else draws.inputs,
        teacher=np.einsum("sij,si->sj", left, draws.teacher),
        initial=np.einsum("sij,si->sj", right, draws.initial) if turn_start else draws.initial,
    )
    measured = observables(turned, student_trajectory(turned, STEPS, RATE, ridge=SHAPE.ridge))
    return np.stack([measured["R"], measured["Q"]], axis=-1)


def equal_to_rounding(evidence: Rotated, claimed: np.ndarray) -> Verdict:
    """Judge: R and Q along the steps, to the rounding that k steps gather."""
    reason, unit = "rounding of k steps: k d eps", "R and Q"
    return equal_after_steps(evidence.order, claimed, STEPS.max(), SHAPE.d, reason=reason, unit=unit)


ROTATIONS = check(
    id="ms-any-matrix",
    title="a full matrix F and its singular values train students of the same R and Q, draw by draw",
    ref="Eq. 4.2.2",
    evidence=rotated,
    claim=partial(of_singular_values, True, True),
    judge=equal_to_rounding,
    teeth=(
        Tooth("inputs not turned with the teacher", partial(of_singular_values, False, True)),
        Tooth("start not turned", partial(of_singular_values, True, False)),
    ),
)

CHECKS = (ROTATIONS,)
