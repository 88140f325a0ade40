"""What float32 costs: simulated R, Q and risk in float32 beside their exact values, draw by draw.

Rounding changes M = Z^T Z by one part in 10^7. Where the samples determine the student (n > d) its
modulated weights change by that times the condition number of M, and stay. Where they do not
(n < d), the directions that no sample touches drift, in proportion to the number of steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_rate, within_bound
from teacherstudent.paper_checks.judging.cases import per_case, worst_case
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.multiscale import check
from teacherstudent.paper_checks.multiscale.kit.students import rounded_inputs
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.theory.multiscale import instance

ROUNDING = float(np.finfo(np.float32).eps)
RATE = 0.2
STEPS = np.array([1.0, 10, 100, 1000, 1e4, 3e4, 1e5])
DETERMINED = PROBLEM.instance(n=150, d=100, p=60, kappa=50.0, noise=0.3, ridge=1e-3, init=0.3)
UNDETERMINED = PROBLEM.instance(n=50, d=100, p=60, kappa=50.0)


@dataclass(frozen=True)
class Single:
    """A problem's draws, and R, Q and the excess risk of its students in float32, (3, S, T)."""

    problem: MultiScale
    draws: Draws
    measured: np.ndarray


def order_parameters(draws: Draws, weights: np.ndarray) -> np.ndarray:
    """R, Q and the excess risk of students (S, T, d), (3, S, T), by Eqs. 4.2.6-4.2.7."""
    modulated = draws.strengths * weights
    d = weights.shape[-1]
    R = np.einsum("sd,std->st", draws.teacher, modulated) / d
    Q = np.sum(modulated**2, axis=-1) / d
    return np.stack([R, Q, np.sum((draws.teacher[:, None] - modulated) ** 2, axis=-1) / (2 * d)])


def in_single_precision(problem: MultiScale, seeds: Seeds, count: int = 20) -> Single:
    """Simulate gradient descent in float32 on a few draws."""
    from teacherstudent.sims.multiscale.descent import student_trajectory

    draws = draw(problem, seeds(count, str(problem.n)))
    weights = student_trajectory(draws, STEPS, RATE, ridge=problem.ridge, dtype="float32")
    return Single(problem, draws, order_parameters(draws, weights.astype(float)))


def exact(evidence: Single, *, late: int = 0, rate: float = 1.0, bits: int | None = None) -> np.ndarray:
    """R, Q and the risk of the closed form (Eq. .2.17), (3, S, T); data rounded to that many bits."""
    rule = instance.descent_rule(evidence.problem.ridge, rate * RATE)
    students = instance.students(rounded_inputs(evidence.draws, bits), STEPS + late, rule)
    return order_parameters(evidence.draws, students)


# How large the error is --------------------------------------------------------------------------


def both(seeds: Seeds) -> list[Single]:
    """Evidence: students that their samples determine, and students that they do not."""
    return [in_single_precision(problem, seeds) for problem in (DETERMINED, UNDETERMINED)]


all_exact = per_case(exact)
"""The claim: what each student measures without rounding."""


@worst_case
def within_rounding(case: Single, claim: np.ndarray) -> Verdict:
    """Judge: |dR| <= r sqrt(Q), |dQ| <= 2 r Q and |dE| <= r sqrt(2 E Q), r the error of u = F w_hat.

    A step errs by eps |u|, since eta M's largest eigenvalue is about 1; errors of different
    steps add up over k steps, or over as many as M's condition number, after which they decay.
    """
    singular = np.linalg.svd(case.draws.inputs, compute_uv=False)
    n, d = case.draws.inputs.shape[1:]
    condition = (singular[:, 0] / singular[:, -1]) ** 2 if n >= d else np.full(len(singular), np.inf)
    r = ROUNDING * (1 + np.minimum(STEPS, condition[:, None]))
    _, Q, risk = case.measured
    bound = r * np.stack([np.sqrt(Q), 2 * Q, np.sqrt(2 * risk * Q)])
    error = np.abs(case.measured - claim)
    largest = ", ".join(f"{value:.0e}" for value in error[..., -1].max(axis=-1))
    stated = f"n = {n}, d = {d}: errors of R, Q and risk after 1e5 steps at most {largest}"
    reason = f"{stated}; eps (1 + min(steps, condition of M)) of the modulated weights"
    return within_bound(error, bound, reason)


SIZE = check(
    id="ms-float32",
    title="what float32 costs R, Q and the long-time risk: its rounding, times steps or condition number",
    ref="Eqs. 4.2.4-4.2.7",
    evidence=both,
    claim=all_exact,
    judge=within_rounding,
    effect=Contrast(
        "data rounded to 11 bits, as a GPU's default products do", "what data rounded to 11 bits change"
    ),
    teeth=(
        Tooth("data rounded to 11 bits, as a GPU's default products do", partial(all_exact, bits=11)),
        Tooth("one step late", partial(all_exact, late=1)),
        Tooth("rate off by 1e-3", partial(all_exact, rate=1 + 1e-3)),
    ),
)

# How it grows ------------------------------------------------------------------------------------


def undetermined(seeds: Seeds) -> Single:
    """Evidence: students in float32 that their samples do not determine."""
    return in_single_precision(UNDETERMINED, seeds, 200)


def drifts(exponent: float, evidence: Single) -> tuple[float, np.ndarray]:
    """The claim: errors of R grow like steps**exponent away from the exact values, (S, T)."""
    return exponent, exact(evidence)[0]


def grows(evidence: Single, claimed: tuple[float, np.ndarray]) -> Verdict:
    """Judge: the root mean square error over draws at the three longest times, against that power."""
    exponent, R = claimed
    squares = drawn_mean((evidence.measured[0] - R)[:, -3:] ** 2)
    errors = np.sqrt(squares.mean)
    return at_rate(STEPS[-3:], errors, exponent, squares.stderr / (2 * errors))


GROWTH = check(
    id="ms-float32-drift",
    title="with fewer samples than features the error of float32 grows in proportion to the steps",
    ref="Eqs. 4.2.4-4.2.7",
    evidence=undetermined,
    claim=partial(drifts, 1.0),
    judge=grows,
    teeth=(
        Tooth("errors of random sign, that grow like the root of the steps", partial(drifts, 0.5)),
        Tooth("errors that grow like the square of the steps", partial(drifts, 2.0)),
    ),
    slow=True,
)

CHECKS = (SIZE, GROWTH)
