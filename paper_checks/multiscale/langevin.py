"""Langevin descent: the law in which it settles, and R, Q and Q0 in the limit, at any time and by replicas.

Students share data and differ in their thermal noise. What they settle in is the Gibbs law, but for a bias
of first order in the rate: steps of eta fluctuate more by the susceptibility beyond the spectrum, as the
covariance (A (1 - eta A/2))^-1/beta is (A^-1 - (A - 2/eta)^-1)/beta.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_rate, within_errors
from teacherstudent.paper_checks.judging.comparison import Found, Values, scaled
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import NEXT_ORDER, Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim, worst_verdict
from teacherstudent.paper_checks.judging.judges import AtSizes
from teacherstudent.paper_checks.multiscale import check, compared, misprints
from teacherstudent.paper_checks.multiscale.kit.students import sizes
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.theory.multiscale import instance
from teacherstudent.theory.multiscale.free_energy import stationary_point
from teacherstudent.theory.multiscale.thermal import susceptibilities

VARIABLES = ("R", "Q", "Q0", "excess_risk")


def trained(
    problem: MultiScale, draws: Draws, times: np.ndarray, rate: float, beta: float, seeds: list[int]
) -> np.ndarray:
    """Simulated variables of each draw's pair of students, (S, 4T), variable by variable."""
    from teacherstudent.sims.multiscale.langevin import overlaps, replica_trajectories

    penalties = {"ridge": problem.ridge, "output_penalty": problem.output_penalty}
    measured = overlaps(draws, replica_trajectories(draws, times, rate, beta, seeds, **penalties))
    return np.concatenate([measured[name] for name in VARIABLES], axis=-1)


# The law in which it settles ------------------------------------------------------------------------

QUESTION: dict[str, Any] = {"n": 12, "scales": ((3, 1.0), (3, 0.5)), "noise": 0.3, "ridge": 1.0}
SMALL = PROBLEM.instance(**QUESTION)
RATES = (0.12, 0.06, 0.03)
TO_ZERO = np.array([1, -6, 8]) / 3
"""Weights that extrapolate from the three learning rates to 0: bias of first and second order cancel."""
SHARPNESS = 2.0
RELAXED = np.arange(8.0, 15.0, 1.5)
"""Flow times of the recordings. Differences to equilibrium shrink to e^-8 or less until the first; squares
of fluctuations forget each other to e^-3 between two."""
PAIRS = 12_000


@dataclass(frozen=True)
class Settled:
    """One data set and its seed, and for each learning rate R, Q and Q0 - Q of many pairs, (S, 3), each
    averaged over the recordings."""

    draws: Draws
    seed: int
    samples: list[np.ndarray]


def settled(seeds: Seeds) -> Settled:
    """Nothing differs between the pairs but their thermal noise."""
    one = draw(SMALL, seeds(1))
    shared = {
        name: np.broadcast_to(part, (PAIRS, *part.shape[1:]))
        for name, part in vars(one).items()
        if name != "strengths"
    }
    many = replace(one, **shared)

    def at(rate: float) -> np.ndarray:
        steps, own = np.rint(RELAXED / rate), seeds(PAIRS, f"eta={rate}")
        found = trained(SMALL, many, steps, rate, SHARPNESS, own).reshape(PAIRS, len(VARIABLES), -1)
        R, Q, Q0, _ = found.mean(axis=-1).T
        return np.stack([R, Q, Q0 - Q], axis=-1)

    return Settled(one, seeds(1)[0], [at(rate) for rate in RATES])


def curvature(draws: Draws) -> np.ndarray:
    """A = X^T X + ridge of the one data set."""
    inputs = draws.inputs[0] * draws.strengths
    return inputs.T @ inputs + SMALL.ridge * np.eye(SMALL.d)


FINE, END = 1e-7, 1e9
"""Learning rate of the instance route at which it has a bias of 1e-7, and the steps after which it rests."""


def gibbs_law(evidence: Settled, beta: float = SHARPNESS, ridge: float = 1.0) -> np.ndarray:
    """R, Q and Q0 - Q of exp(-beta L), (3,): the ridge solution, and what small steps settle in (.2.14)."""
    held = ridge * SMALL.ridge
    student = instance.students(evidence.draws, np.array([np.inf]), instance.ridge_rule(held))[0, 0]
    modulated = evidence.draws.strengths * student
    R, Q = evidence.draws.teacher[0] @ modulated / SMALL.d, modulated @ modulated / SMALL.d
    return np.array([R, Q, fluctuations(evidence.seed, beta, held)])


def fluctuations(seed: int, beta: float, ridge: float) -> float:
    """Q0 - Q of the instance route in equilibrium, at steps so small that they do not matter."""
    clock = {"learning_rate": FINE, "inverse_temperature": beta}
    question = {**QUESTION, **clock, "ridge": ridge}
    answer = run("multiscale", "langevin", "instance", [END], seeds=[seed], **question)
    return float(answer["Q0"].values[0, 0] - answer["Q"].values[0, 0])


def free_fluctuations(evidence: Settled) -> np.ndarray:
    """Wrong: fluctuations that the ridge does not hold."""
    R, Q, _ = gibbs_law(evidence)
    return np.array([R, Q, fluctuations(evidence.seed, SHARPNESS, 0.0)])


def settles_at_first_order(evidence: Settled, claimed: np.ndarray) -> Verdict:
    """R and Q are those of the law at every learning rate; Q0 - Q is at rate 0, and approaches it like eta.

    A direction of curvature a has Q0 - Q larger by 1/(1 - x), x = eta a/2, than the law says. The
    log-log slope of that bias exceeds 1 by x/(1 - x) at most, and is held to the middle of that; extrapolated
    to rate 0, the product of the three x remains. Both are taken at the largest curvature.
    """
    x = np.array(RATES) * np.linalg.eigvalsh(curvature(evidence.draws))[-1] / 2
    drawn = [drawn_mean(sample) for sample in evidence.samples]
    mean, stderr = np.stack([at.mean for at in drawn]), np.stack([at.stderr for at in drawn])
    left = np.prod(x) * claimed[2]
    half = float(x[0] / (1 - x[0]) / 2)
    return worst_verdict(
        within_errors(mean[:, :2], np.broadcast_to(claimed[:2], (len(RATES), 2)), stderr[:, :2]),
        within_errors(TO_ZERO @ mean[:, 2], claimed[2], np.linalg.norm(TO_ZERO * stderr[:, 2]), bias=left),
        at_rate(RATES, mean[:, 2] - claimed[2], 1 + half, stderr[:, 2], slack=half, effect=NEXT_ORDER),
    )


GIBBS = check(
    id="ms-langevin-gibbs",
    title="Langevin descent settles in the Gibbs distribution, up to a bias of first order in the rate",
    ref="Eqs. 4.2.4, 4.2.20, .2.26",
    evidence=settled,
    claim=gibbs_law,
    judge=settles_at_first_order,
    effect=Contrast("twice the temperature", "the fluctuations added by doubling the temperature"),
    wrong=(
        WrongClaim("twice the temperature", partial(gibbs_law, beta=SHARPNESS / 2)),
        WrongClaim("temperature 20 % lower", partial(gibbs_law, beta=SHARPNESS / 0.8)),
        WrongClaim("ridge 20 % larger", partial(gibbs_law, ridge=1.2)),
        WrongClaim("fluctuations without the ridge", free_fluctuations),
    ),
    slow=True,
)

# In the limit, before and in equilibrium --------------------------------------------------------------

LIMIT = compared(  # before and in equilibrium
    id="ms-langevin-limit",
    title="R, Q, Q0 and risk of Langevin descent approach the large-system limit with a bias like 1/d",
    ref="Eq. 4.2.4",
    clocks={"langevin": {"times": (2, 10, 100), "learning_rate": 0.2, "inverse_temperature": 2.0}},
    questions=lambda d: {"kappa": 2.0, "noise": 0.4, "ridge": 0.1, "output_penalty": 0.2, **sizes(d)},
    routes=("simulation", "asymptotic"),
    averaged="instance",
    observables=("R", "Q", "Q0", "excess_risk"),
    draws={10: 16000, 20: 8000, 40: 4000, 100: 600},
    judge=AtSizes(whole=True),
    effect=Contrast("no output penalty", "the effect of the output penalty"),
    wrong={
        "temperature 10 % higher": {"inverse_temperature": scaled(1 / 1.1)},
        "noise 50 % larger": {"noise": scaled(1.5)},
        "no output penalty": {"output_penalty": 0.0},
        "no ridge": {"ridge": 0.0},
        "steps 10 % larger": {"learning_rate": scaled(1.1)},
    },
    covers=("Eq. 4.2.4",),
    slow=True,
)

# In equilibrium, by the replica free energy's stationary point ----------------------------------------------

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
    title="R, Q and Q0 of Langevin descent in equilibrium approach the replica values with a bias like 1/d",
    ref="Eqs. 4.2.20-4.2.24, .2.26-.2.36, .2.66",
    clocks={"langevin": {"times": EQUILIBRIUM, "learning_rate": RATE, "inverse_temperature": BETA}},
    questions=lambda d: {**SHAPE, **sizes(d)},
    routes=("simulation", ""),
    observables=VARIABLES,
    seen=averaged,
    averaged="instance",
    draws={10: 4000, 20: 2000, 40: 1000, LARGE: 200},
    claim=replica,
    effect=Contrast("ms-thermal-risk", "the thermal fluctuations in a student's risk"),
    wrong={
        "temperature 10 % higher": partial(replica, beta=BETA / 1.1),
        "Gibbs distribution without the correction for the step size": partial(replica, steps=0.0),
        "overlap of two replicas equal to the overlap of one student with itself": one_overlap,
        "no ridge": partial(replica, ridge=0.0),
        "noise 20 % larger": partial(replica, noise=1.2),
        "a separate susceptibility for each scale": partial(replica, order=own_totals),
    },
    errata=misprints({"ms-thermal-risk": risk_from_overlap}),
    functions=(
        "theory.multiscale.free_energy:stationary_point",
        "theory.multiscale.printed:ridge",
        "theory.multiscale.thermal:susceptibilities",
    ),
    slow=True,
)

CHECKS = (GIBBS, LIMIT, REPLICA)
