"""Langevin descent trained to equilibrium, against the replica R, Q and Q0 at finite temperature.

The claim comes from the free energy's stationary point, found numerically. Descent in steps of
eta fluctuates more than the Gibbs law by the susceptibility beyond the spectrum: its covariance
(A (1 - eta A/2))^-1/beta is (A^-1 - (A - 2/eta)^-1)/beta.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.comparison import Found, Values
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.multiscale import compared, misprints
from teacherstudent.paper_checks.multiscale.kit.students import sizes
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.theory.multiscale.free_energy import stationary_point
from teacherstudent.theory.multiscale.thermal import susceptibilities

VARIABLES = ("R", "Q", "Q0", "excess_risk")
RATE, BETA = 0.2, 2.0
SHAPE = {"kappa": 2.0, "noise": 0.4, "ridge": 0.1}
EQUILIBRIUM = tuple(range(500, 1001, 50))
"""Steps: even a direction without data keeps (1 - eta ridge)^500 = 4e-5 of the start only, and a third of
itself from one of these to the next. Their mean has the same expectation as each, and less thermal noise."""
LARGE = 100


def averaged(values: Values) -> Values:
    """Each draw's means over the steps in equilibrium."""
    return {name: each.mean(axis=-1) for name, each in values.items()}


def totals(problem: MultiScale, beta: float) -> tuple[float, float, float]:
    """R, Q and Q0 - Q at the stationary point of the replica free energy."""
    order = stationary_point(problem, beta)
    return order.alignment.sum(), order.overlap.sum(), (order.self_overlap - order.overlap).sum()


def steps_share(problem: MultiScale, beta: float) -> float:
    """What the steps' size adds to Q0 - Q: minus chi(ridge - 2/eta)/beta."""
    return -susceptibilities(problem, np.array(problem.ridge - 2 / RATE + 0j)).sum().real / beta


def replica(
    _: Found,
    order: Callable[[MultiScale, float], tuple[float, float, float]] = totals,
    beta: float = BETA,
    steps: float = 1.0,
    **factors: float,
) -> list[Values]:
    """R, Q, Q0 and excess risk of the discrete Langevin student in equilibrium."""
    shape = {name: factors.get(name, 1.0) * value for name, value in SHAPE.items()}
    problem = PROBLEM.instance(**sizes(LARGE), **shape)
    R, Q, gap = order(problem, beta)
    own = Q + gap + steps * steps_share(problem, beta)
    return values(R, Q, own, (1 - 2 * R + own) / 2)


def values(*numbers: float) -> list[Values]:
    """A claim of these."""
    return [dict(zip(VARIABLES, np.array(numbers), strict=True))]


def own_totals(problem: MultiScale, beta: float) -> tuple[float, float, float]:
    """Wrong: each scale has a free energy, and so an a_i, of its own, as before .2.39, and Q0 by .2.36."""
    scales = tuple(zip(problem.counts, problem.sigmas, strict=True))
    question: dict[str, Any] = {"n": problem.n, "noise": problem.noise, "scales": scales}
    answer = run("multiscale", "ridge", "printed", times=[1 / problem.ridge], **question)
    m = np.array(problem.counts)
    scaled = problem.d / m * problem.ridge / np.square(problem.sigmas)
    gap = 1 - problem.n / m - scaled
    a = 1 + 2 * scaled / (gap + np.sqrt(gap**2 + 4 * scaled))
    return float(answer["R"][0]), float(answer["Q"][0]), float(np.sum(1 / (a - 1))) / beta  # .2.36


def risk_from_overlap(evidence: Found) -> list[Values]:
    """.2.23 with the replica Q of .2.66, as printed: the mean student's risk, not a student's."""
    (right,) = replica(evidence)
    return [{**right, "excess_risk": (1 - 2 * right["R"] + right["Q"]) / 2}]


def one_overlap(evidence: Found) -> list[Values]:
    """Wrong: two replicas overlap as much as one with itself."""
    (right,) = replica(evidence)
    return [{**right, "Q": right["Q0"]}]


REPLICA = compared(
    id="ms-replica-temperature",
    title="R, Q and Q0 of Langevin descent in equilibrium, against the replica values; bias like 1/d",
    ref="Eqs. 4.2.20-4.2.24, .2.26-.2.36, .2.66",
    clocks={"langevin": {"times": EQUILIBRIUM, "learning_rate": RATE, "inverse_temperature": BETA}},
    questions=lambda d: {**SHAPE, **sizes(d)},
    routes=("simulation", ""),
    observables=VARIABLES,
    seen=averaged,
    draws={10: 24000, 20: 12000, 40: 6000, LARGE: 200},
    claim=replica,
    effect=Contrast("ms-thermal-risk", "the thermal fluctuations of a student's risk"),
    wrong={
        "temperature 10 % higher": partial(replica, beta=BETA / 1.1),
        "Gibbs law without the step's share": partial(replica, steps=0.0),
        "replicas overlap like one student": one_overlap,
        "no ridge": partial(replica, ridge=0.0),
        "noise 20 % larger": partial(replica, noise=1.2),
        "a susceptibility for each scale": partial(replica, order=own_totals),
    },
    errata=misprints({"ms-thermal-risk": risk_from_overlap}),
    functions=(
        "theory.multiscale.free_energy:stationary_point",
        "theory.multiscale.printed:ridge",
        "theory.multiscale.thermal:susceptibilities",
    ),
    slow=True,
)

CHECKS = (REPLICA,)
