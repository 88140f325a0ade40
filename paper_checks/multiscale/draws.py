"""Draw by draw: the simulated student is the closed form's student, weight by weight.

No averaging and no standard error: for the same data, teacher, noise and start, gradient
descent must equal (1 - eta A)^k to rounding, and approach e^{-sA} at first order in eta.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import first_order, mean_within_errors
from teacherstudent.paper_checks.judging.cases import per_case, worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import equal_after_steps
from teacherstudent.paper_checks.multiscale import check
from teacherstudent.paper_checks.multiscale.kit.students import DETERMINED
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.theory.multiscale import instance

SHAPES = (
    DETERMINED,
    PROBLEM.instance(n=12, scales=((8, 1.0), (6, 0.3), (6, 0.03)), noise=0.2, ridge=0.01, init=0.1),
)
STEPS = np.array([0.0, 1, 2, 30, 1000])
RATE = 0.15


@dataclass(frozen=True)
class Trained:
    """One problem's draws and the simulated weights at each learning rate, (S, T, d)."""

    problem: MultiScale
    draws: Draws
    weights: dict[float, np.ndarray]


def trained(problem: MultiScale, seeds: Seeds, rates: dict[float, np.ndarray]) -> Trained:
    """Simulate gradient descent on a few draws of one problem, at each learning rate."""
    from teacherstudent.sims.multiscale.descent import student_trajectory

    draws = draw(problem, seeds(4, str(problem.n)))
    weights = {
        rate: student_trajectory(draws, steps, rate, ridge=problem.ridge) for rate, steps in rates.items()
    }
    return Trained(problem, draws, weights)


# Descent: equal to rounding ----------------------------------------------------------------------


def stepped(seeds: Seeds) -> list[Trained]:
    """Evidence: both problems at one learning rate."""
    return [trained(problem, seeds, {RATE: STEPS}) for problem in SHAPES]


@per_case
def closed_form(
    case: Trained, rate: float = 1.0, ridge: float = 1.0, noise: float = 1.0, start: float = 1.0
) -> np.ndarray:
    """Eq. .2.17 for each draw, with factors on its ingredients for the negative controls."""
    draws = replace(case.draws, noise=noise * case.draws.noise, initial=start * case.draws.initial)
    rule = instance.descent_rule(ridge * case.problem.ridge, rate * RATE)
    return instance.students(draws, STEPS, rule)


@per_case
def late(case: Trained) -> np.ndarray:
    """One step too many."""
    return instance.students(case.draws, STEPS + 1, instance.descent_rule(case.problem.ridge, RATE))


@worst_case
def equal_to_rounding(case: Trained, claim: np.ndarray) -> Verdict:
    """Judge: the weights, to the rounding that k steps gather."""
    return equal_after_steps(case.weights[RATE], claim, STEPS.max(), case.problem.d)


DESCENT = check(
    id="ms-descent-exact",
    title="simulated weights against (1 - eta A)^k, draw by draw",
    ref="Eqs. 4.2.17-4.2.19, .2.11-.2.17",
    evidence=stepped,
    claim=closed_form,
    judge=equal_to_rounding,
    teeth=(
        Tooth("one step too many", late),
        Tooth("no ridge", partial(closed_form, ridge=0.0)),
        Tooth("no noise", partial(closed_form, noise=0.0)),
        Tooth("start forgotten", partial(closed_form, start=0.0)),
        Tooth("rate off by 1e-9", partial(closed_form, rate=1 + 1e-9)),
    ),
)


# Flow: first order in the learning rate ------------------------------------------------------------

FLOW_TIMES = np.array([0.6, 6.0])
RATES = (0.02, 0.01, 0.005, 0.0025)


def refined(seeds: Seeds) -> Trained:
    """Evidence: one problem at ever smaller learning rates, at the same flow times."""
    return trained(SHAPES[0], seeds, {rate: np.rint(FLOW_TIMES / rate) for rate in RATES})


def flow_students(evidence: Trained, rate: float = 1.0, ridge: float = 1.0) -> np.ndarray:
    """e^{-sA} for each draw, (S, T, d), with factors on time and ridge for the negative controls."""
    rule = instance.flow_rule(ridge * evidence.problem.ridge)
    return instance.students(evidence.draws, rate * FLOW_TIMES, rule)


def approached(evidence: Trained, claimed: np.ndarray) -> Verdict:
    """Error of e^{-sA} over four learning rates; the curvature is the largest eigenvalue of X^T X."""
    inputs = evidence.draws.inputs * evidence.draws.strengths
    return first_order(evidence.weights, claimed, np.linalg.norm(inputs, ord=2, axis=(-2, -1)).max() ** 2)


FLOW = check(
    id="ms-flow-rate",
    title="simulated weights approach gradient flow at first order in the learning rate",
    ref="Eqs. 4.2.9-4.2.10, .2.47-.2.48",
    evidence=refined,
    claim=flow_students,
    judge=approached,
    teeth=(
        Tooth("one per cent fast", partial(flow_students, rate=1.01)),
        Tooth("ridge doubled", partial(flow_students, ridge=2.0)),
    ),
)


# The averages of Eqs. 4.2.9-4.2.10 --------------------------------------------------------------------

AVERAGE_TIMES = np.array([1.0, 30, 1000])


@dataclass(frozen=True)
class Repeated:
    """One drawn X, many teachers, noises and starts: R and Q of each, (S, 2T)."""

    problem: MultiScale
    draws: Draws
    sample: np.ndarray


def repeated(seeds: Seeds) -> Repeated:
    """Evidence: one X, and as many teachers, noises and starts as there are draws."""
    from teacherstudent.sims.multiscale.data import observables
    from teacherstudent.sims.multiscale.descent import student_trajectory

    problem = SHAPES[0]
    draws = draw(problem, seeds(4000))
    draws = replace(draws, inputs=np.broadcast_to(draws.inputs[:1], draws.inputs.shape))
    measured = observables(draws, student_trajectory(draws, AVERAGE_TIMES, RATE, ridge=problem.ridge))
    return Repeated(problem, draws, np.concatenate([measured["R"], measured["Q"]], axis=-1))


def traces(evidence: Repeated, **factors: float) -> np.ndarray:
    """R and Q by the traces .2.18-.2.20 for that X, (2T,)."""
    one = Draws(
        evidence.draws.inputs[:1],
        evidence.draws.strengths,
        *(part[:1] for part in (evidence.draws.teacher, evidence.draws.noise, evidence.draws.initial)),
    )
    changed = replace(evidence.problem, **{k: f * getattr(evidence.problem, k) for k, f in factors.items()})
    answer = instance.averaged(changed, one, AVERAGE_TIMES, instance.descent_rule(changed.ridge, RATE))
    return np.concatenate([answer["R"][0], answer["Q"][0]])


AVERAGES = check(
    id="ms-descent-averages",
    title="R and Q of one X averaged over teacher, noise and start, against the traces",
    ref="Eqs. 4.2.9-4.2.10, .2.18-.2.20",
    evidence=repeated,
    claim=traces,
    judge=lambda evidence, claimed: mean_within_errors(evidence.sample, claimed),
    effect=Contrast("no label noise", "what label noise adds to R and Q"),
    teeth=(
        Tooth("no label noise", partial(traces, noise=0.0)),
        Tooth("start dropped", partial(traces, init=0.0)),
        Tooth("no ridge", partial(traces, ridge=0.0)),
    ),
)

CHECKS = (DESCENT, FLOW, AVERAGES)
