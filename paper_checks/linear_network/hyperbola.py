"""What training keeps, and when it arrives: hyperbolas, modes apart, and the time to learn each mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import first_order, none_wrong, within_bound
from teacherstudent.paper_checks.judging.claims import constant_claim, worst_of
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.linear_network import check, misprint
from teacherstudent.problems.linear_network import PROBLEM, Draws, LinearNetwork, draw
from teacherstudent.theory.linear_network import deep, modes
from teacherstudent.theory.linear_network.routes import curvature

# a^2 - b^2 --------------------------------------------------------------------------------------

TIMES = np.array([0.0, 0.4, 0.8, 2.0])
RATES = (4e-3, 2e-3, 1e-3, 5e-4)
Amplitudes = dict[float, tuple[np.ndarray, np.ndarray]]
"""a and b of both layers in each mode by learning rate, (S, T, mode) each."""

UNBALANCED = PROBLEM.instance(balance=1.5, u0=(0.05,), inputs=4, hidden=5)


def amplitudes(seeds: Seeds) -> Amplitudes:
    """a and b of trained networks at `TIMES`."""
    from teacherstudent.sims.linear_network.descent import layer_trajectory
    from teacherstudent.sims.linear_network.modes import layer_strengths

    draws = draw(UNBALANCED, seeds(2))
    return {
        rate: layer_strengths(draws, layer_trajectory(draws, np.rint(TIMES / rate), rate)) for rate in RATES
    }


Quantity = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""A function of (a, b) that is claimed to keep its value along gradient flow."""


def drifts_at_first_order(evidence: Amplitudes, quantity: Quantity) -> Verdict:
    """A step changes a^2 - b^2 = c by -eta^2 c (s - ab)^2, the sum of all steps by order eta."""
    values = {rate: quantity(a, b) for rate, (a, b) in evidence.items()}
    drifts = {rate: value - value[:, :1] for rate, value in values.items()}
    return first_order(drifts, 0.0, curvature(UNBALANCED))


HYPERBOLA = check(
    id="ln-hyperbola",
    title="a^2 - b^2 of trained weights drifts only in proportion to the learning rate",
    ref="Section 2.2.3, Fig. 3 right",
    evidence=amplitudes,
    claim=constant_claim(lambda a, b: a**2 - b**2),
    judge=drifts_at_first_order,
    wrong=(
        WrongClaim("a^2 + b^2 is conserved", constant_claim(lambda a, b: a**2 + b**2)),
        WrongClaim("a - b is conserved", constant_claim(lambda a, b: a - b)),
        WrongClaim("a^2 - 1.01 b^2 is conserved", constant_claim(lambda a, b: a**2 - 1.01 * b**2)),
    ),
    functions=(
        "sims.linear_network.descent:layer_trajectory",
        "sims.linear_network.modes:layer_strengths",
        "theory.linear_network.routes:curvature",
    ),
    covers=("Section 2.2.3: hyperbolas", "Ch. 2 Fig. 3 right"),
)


# Which initial weights keep the modes apart --------------------------------------------------------

APART = PROBLEM.instance(singular_values=(3.0, 1.0), u0=(0.2, 0.3), inputs=3, outputs=3, hidden=4)
RATE, RECORDED = 0.01, np.array([0.0, 50, 100, 200, 400])


Couplings = dict[str, float]
"""b^i . a^j of different modes, the largest over modes, draws and steps, by kind of start."""


def connectivity(kind: str, problem: LinearNetwork, draws: Draws) -> tuple[np.ndarray, np.ndarray]:
    """Connectivity modes a and b as columns, (S, N_hid, modes) each, with a^i . b^i = u0_i.

    parallel: a^i and b^i along r^i, orthonormal between modes. orthogonal: Eq. 2.2.14 alone, a^i
    normal to b^j, i != j. aligned: a^i and b^i parallel, but not orthogonal between modes.
    """
    u0 = np.asarray(problem.u0)
    r = np.linalg.qr(draws.weights[0] @ draws.right)[0]
    if kind == "parallel":
        return r * np.sqrt(u0), r * np.sqrt(u0)
    skewed = r @ np.array([[1.0, 0.6], [0.0, 0.8]])  # unit columns, 53 degrees apart
    dual = np.linalg.pinv(skewed).swapaxes(-1, -2)  # skewed^T dual = 1
    b = {"orthogonal": dual, "aligned": skewed}[kind]
    return skewed * np.sqrt(u0), b * np.sqrt(u0)


def coupled(seeds: Seeds) -> Couplings:
    """Trained networks from each kind of start."""
    from teacherstudent.sims.linear_network.descent import map_trajectory
    from teacherstudent.sims.linear_network.modes import mode_couplings

    draws = draw(APART, seeds(3))
    largest = {}
    for kind in ("parallel", "orthogonal", "aligned"):
        a, b = connectivity(kind, APART, draws)
        weights = (a @ draws.right.swapaxes(-1, -2), draws.left @ b.swapaxes(-1, -2))
        started = replace(draws, weights=weights)
        couplings = mode_couplings(started, map_trajectory(started, RECORDED, RATE))
        largest[kind] = float(np.abs(couplings[..., ~np.eye(APART.modes, dtype=bool)]).max())
    return largest


def stay_apart(evidence: Couplings, kind: str) -> Verdict:
    """A start of that kind keeps the modes apart, but for rounding, which grows at most by s/u0."""
    s = max(APART.singular_values)
    bound = RECORDED[-1] * EPS * s * s / min(APART.u0)
    return within_bound(evidence[kind], bound, "rounding of k steps: k eps s, amplified by s/u0")


DECOUPLED = check(
    id="ln-decoupled",
    title="modes stay decoupled if the vectors of both layers start parallel, along orthonormal directions",
    ref="Eqs. 2.2.11-2.2.16",
    evidence=coupled,
    claim=constant_claim("parallel"),
    judge=stay_apart,
    effect=Contrast(
        "parallel vectors within each mode are enough",
        "the coupling of modes whose vectors are parallel but not orthonormal",
    ),
    wrong=(WrongClaim("parallel vectors within each mode are enough", constant_claim("aligned")),),
    errata=(
        misprint(
            "ln-parallel-modes",
            "initial weights that decouple modes",
            "the condition a^i . b^j = 0 for i != j is assumed to be enough, without parallel a^i and b^i",
            "a^i = a_i r^i and b^i = b_i r^i with orthonormal r^i",
            constant_claim("orthogonal"),
            paper="",
        ),
    ),
    functions=("sims.linear_network.descent:map_trajectory", "sims.linear_network.modes:mode_couplings"),
    covers=("Eq. 2.2.14",),
)

# The time in which a mode is learned ---------------------------------------------------------------------

U0, FRACTION = 0.05, 0.6
QUESTIONS: tuple[dict[str, Any], ...] = ({}, {"balance": 1.0}, {"depth": 3})
COARSE_RATES = (8e-3, 4e-3, 2e-3, 1e-3)
STEPS = np.arange(6001.0)
"""All steps until every mode has reached its share of s at the smallest rate."""

Crossings = dict[float, np.ndarray]
"""Flow time eta k, between steps, at which each mode reaches FRACTION s: (questions, mode) by rate."""


def crossings(seeds: Seeds) -> Crossings:
    """Every step is recorded; between two steps the strength is taken as linear, at an error eta^2."""

    def crossing(rate: float, question: dict[str, Any]) -> np.ndarray:
        setting = {"u0": (U0,), "learning_rate": rate, **question}
        answer = run("linear-network", "descent", "simulation", STEPS, seeds=seeds(1), **setting)
        shares = answer["u"].values[0] / answer["singular_value"].values
        return rate * np.array([np.interp(FRACTION, share, STEPS) for share in shares.T])

    return {rate: np.stack([crossing(rate, question) for question in QUESTIONS]) for rate in COARSE_RATES}


Formula = Callable[[float, float, float, float, int], Any]


def times(formula: Formula, _: Crossings) -> np.ndarray:
    """The claimed flow times (questions, mode), from s, u0, final u, balance and depth."""
    instances = [PROBLEM.instance(**question) for question in QUESTIONS]
    return np.array(
        [
            [formula(s, U0, FRACTION * s, problem.balance, problem.depth) for s in problem.singular_values]
            for problem in instances
        ]
    )


def learned(s: float, u0: float, u: float, balance: float, depth: int) -> Any:
    """Eq. 2.2.21 for any balance and depth."""
    return modes.time_to_learn(s, u0, u, balance) if depth == 2 else deep.time_to_learn(s, u0, u, depth)


def printed(s: float, u0: float, u: float, balance: float, depth: int) -> Any:
    """Eq. 2.2.21 as printed: the prefactor has u where the integral has s; tau = 1, which is not legible."""
    if balance or depth > 2:
        return learned(s, u0, u, balance, depth)
    return np.log(u * (s - u0) / (u0 * (s - u))) / (2 * u)


def without_balance(s: float, u0: float, u: float, balance: float, depth: int) -> Any:
    """Wrong: as if every mode were balanced."""
    return learned(s, u0, u, 0.0, depth)


def of_two_matrices(s: float, u0: float, u: float, balance: float, depth: int) -> Any:
    """Wrong: as if every network had two matrices."""
    return learned(s, u0, u, balance, 2)


@worst_of
def approached(evidence: Crossings, claimed: np.ndarray) -> Iterator[Verdict]:
    """The times of each question, at first order in the learning rate."""
    for i, question in enumerate(QUESTIONS):
        found = {rate: times[i] for rate, times in evidence.items()}
        yield first_order(found, claimed[i], curvature(PROBLEM.instance(**question)))


TIME = check(
    id="ln-time-to-learn",
    title=(
        "the closed form gives the times at which trained networks reach three fifths of each singular value"
    ),
    ref="Eqs. 2.2.19-2.2.21",
    evidence=crossings,
    claim=partial(times, learned),
    judge=approached,
    wrong=(
        WrongClaim("the balance a^2 - b^2 ignored", partial(times, without_balance)),
        WrongClaim("two matrices instead of three", partial(times, of_two_matrices)),
        WrongClaim("learning 1 % too late", partial(times, lambda *mode: 1.01 * learned(*mode))),
    ),
    errata=(
        misprint(
            "ln-time-prefactor",
            "Eq. 2.2.21",
            "t = tau/(2u) ln[u_f (s - u_0)/(u_0 (s - u_f))]",
            "t = tau/(2s) ln[u_f (s - u_0)/(u_0 (s - u_f))]",
            partial(times, printed),
        ),
    ),
    functions=(
        "sims.linear_network.descent:descent",
        "theory.linear_network.deep:time_to_learn",
        "theory.linear_network.modes:time_to_learn",
        "theory.linear_network.routes:curvature",
    ),
    covers=("Eqs. 2.2.19-2.2.20", "Eq. 2.2.21"),
)


# The order of learning ---------------------------------------------------------------------------------


def order(evidence: Crossings) -> np.ndarray:
    """Modes by singular value, largest first."""
    return np.argsort(-np.asarray(PROBLEM.instance().singular_values))


def smallest_first(evidence: Crossings) -> np.ndarray:
    """Wrong: the opposite order."""
    return order(evidence)[::-1]


def learned_in_order(evidence: Crossings, claimed: np.ndarray) -> Verdict:
    """Crossings in the claimed order grow: the count of neighbours that do not is 0."""
    inversions = [np.sum(np.diff(times[:, claimed], axis=1) <= 0) for times in evidence.values()]
    return none_wrong(np.sum(inversions), len(inversions), "modes learned out of order", "neighbours")


ORDER = check(
    id="ln-order",
    title="larger singular values are learned earlier, at every depth and balance",
    ref="Section 2.2.3",
    evidence=crossings,
    claim=order,
    judge=learned_in_order,
    wrong=(WrongClaim("smaller singular values first", smallest_first),),
    functions=("sims.linear_network.descent:descent",),
    covers=("Section 2.2.3: order",),
)

CHECKS = (HYPERBOLA, DECOUPLED, TIME, ORDER)
