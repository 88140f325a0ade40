"""Langevin descent of one data set: its moments at every step, and the law in which it settles.

Many students share data and differ in their thermal noise. At any learning rate their moments are
known exactly; what they settle in is the Gibbs law, but for a bias of first order in that rate.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_rate, mean_within_errors, within_errors
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import NEXT_ORDER, Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.multiscale import check
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.problems.multiscale.data import Draws, draw
from teacherstudent.theory.multiscale import instance

VARIABLES = ("R", "Q", "Q0", "excess_risk")


def trained(
    problem: MultiScale, draws: Draws, times: np.ndarray, rate: float, beta: float, seeds: list[int]
) -> np.ndarray:
    """Simulated variables of each draw's pair of students, (S, 4T), variable by variable."""
    from teacherstudent.sims.multiscale.langevin import overlaps, replica_trajectories

    penalties = {"ridge": problem.ridge, "output_penalty": problem.output_penalty}
    measured = overlaps(draws, replica_trajectories(draws, times, rate, beta, seeds, **penalties))
    return np.concatenate([measured[name] for name in VARIABLES], axis=-1)


# The moments at every step ------------------------------------------------------------------------

SHAPE: dict[str, Any] = {
    "n": 12, "scales": ((4, 1.0), (4, 0.5), (2, 0.2)), "noise": 0.5, "ridge": 0.1, "init": 0.4,
    "output_penalty": 0.2,
}  # fmt: skip
CLOCK: dict[str, Any] = {"times": (1, 3, 10, 60), "learning_rate": 0.2, "inverse_temperature": 2.0}


@dataclass(frozen=True)
class Pairs:
    """Variables of many pairs that share one X, (S, P), and the seed of that X."""

    sample: np.ndarray
    seed: int


def pairs(seeds: Seeds) -> Pairs:
    """Teacher, label noise, start and thermal noise are each pair's own."""
    problem, chosen = PROBLEM.instance(**SHAPE), seeds(5_000)
    draws = draw(problem, chosen)
    draws = replace(draws, inputs=np.broadcast_to(draws.inputs[:1], draws.inputs.shape))
    times, rate, beta = np.array(CLOCK["times"]), CLOCK["learning_rate"], CLOCK["inverse_temperature"]
    return Pairs(trained(problem, draws, times, rate, beta, chosen), chosen[0])


def moments(evidence: Pairs, **changed: Any) -> np.ndarray:
    """The instance route's answer for that X, (P,)."""
    question = {**SHAPE, **CLOCK, **changed}
    answer = run("multiscale", "langevin", "instance", seeds=[evidence.seed], **question)
    return np.concatenate([answer[name].values[0] for name in VARIABLES])


def one_student(evidence: Pairs) -> np.ndarray:
    """Wrong: Q measured on one student instead of two."""
    R, _, own, risk = np.split(moments(evidence), len(VARIABLES))
    return np.concatenate([R, own, own, risk])


def settled_at_once(evidence: Pairs) -> np.ndarray:
    """Wrong: the fluctuations of the last time at every time."""
    R, Q, own, risk = np.split(moments(evidence), len(VARIABLES))
    last = (own - Q)[-1]
    return np.concatenate([R, Q, Q + last, risk + (last - own + Q) / 2])


def means_over_pairs(evidence: Pairs, claimed: np.ndarray) -> Verdict:
    """Means over pairs, which are independent given X."""
    return mean_within_errors(evidence.sample, claimed)


MOMENTS = check(
    id="ms-langevin-moments",
    title="R, Q and Q0 of pairs of students along Langevin descent on one X, against exact moments",
    ref="Eq. 4.2.4",
    evidence=pairs,
    claim=moments,
    judge=means_over_pairs,
    effect=Contrast("Q of one student with itself", "the thermal fluctuations Q0 - Q"),
    teeth=(
        Tooth("thermal noise of variance eta/beta", partial(moments, inverse_temperature=4.0)),
        Tooth("Q of one student with itself", one_student),
        Tooth("fluctuations at their last value from the start", settled_at_once),
        Tooth("no ridge", partial(moments, ridge=0.0)),
        Tooth("no output penalty", partial(moments, output_penalty=0.0)),
    ),
)


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
    return worst(
        within_errors(mean[:, :2], np.broadcast_to(claimed[:2], (len(RATES), 2)), stderr[:, :2]),
        within_errors(TO_ZERO @ mean[:, 2], claimed[2], np.linalg.norm(TO_ZERO * stderr[:, 2]), bias=left),
        at_rate(RATES, mean[:, 2] - claimed[2], 1 + half, stderr[:, 2], slack=half, effect=NEXT_ORDER),
    )


GIBBS = check(
    id="ms-langevin-gibbs",
    title="where Langevin descent settles, against the Gibbs law: a bias of first order in the rate",
    ref="Eqs. 4.2.4, 4.2.20, .2.26",
    evidence=settled,
    claim=gibbs_law,
    judge=settles_at_first_order,
    effect=Contrast("twice the temperature", "the fluctuations that twice the temperature adds"),
    teeth=(
        Tooth("twice the temperature", partial(gibbs_law, beta=SHARPNESS / 2)),
        Tooth("temperature 20 % lower", partial(gibbs_law, beta=SHARPNESS / 0.8)),
        Tooth("ridge 20 % larger", partial(gibbs_law, ridge=1.2)),
        Tooth("fluctuations without the ridge", free_fluctuations),
    ),
    slow=True,
)

CHECKS = (MOMENTS, GIBBS)
