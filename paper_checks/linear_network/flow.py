"""Gradient descent on real networks approaches each closed form at first order in the step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import first_order
from teacherstudent.paper_checks.judging.claims import per_case, worst_case
from teacherstudent.paper_checks.judging.comparison import Found, Values, otherwise, scaled
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.linear_network import check, misprint
from teacherstudent.paper_checks.linear_network.kit.rates import FAST, LARGE, VALUES, along_rates, falling
from teacherstudent.problems.linear_network import PROBLEM, Draws, LinearNetwork, draw
from teacherstudent.theory.linear_network import modes, riccati
from teacherstudent.theory.linear_network.routes import curvature

TIMES = np.array([0.4, 0.8, 1.2, 2.0, 4.0])
RATES = (4e-3, 2e-3, 1e-3, 5e-4)


SIZES: dict[str, Any] = {"inputs": 4, "outputs": 5, "singular_values": VALUES}

# Modes -------------------------------------------------------------------------------------------------


def printed_sigmoid(found: Found) -> list[Values]:
    """Eq. 2.2.22, whatever the balance."""
    s, u0 = np.asarray(VALUES), 0.05
    grown = np.exp(2 * s * TIMES[:, None])
    return [{"u": s * grown / (grown - 1 + s / u0)}] * len(found.cases)


MODES = along_rates(
    "closed-form",
    id="ln-modes",
    title=(
        "strengths of decoupled modes in a simulated two-layer network follow the closed form at any balance"
    ),
    ref="Eqs. 2.2.15-2.2.22",
    questions=falling(
        TIMES, RATES, *({**SIZES, "hidden": 6, "balance": c, "u0": (0.05,) * 3} for c in (0.0, 1.0, -2.0))
    ),
    draws=2,
    wrong={
        **FAST,
        **LARGE,
        "half the balance": {"balance": scaled(0.5)},
        "initial strength 1 % too large": {"u0": scaled(1.01)},
    },
    errata=(
        misprint(
            "ln-balanced-only",
            "Eqs. 2.2.18, 2.2.22",
            "tau u' = 2u(s - u) and its sigmoid, for every initial condition of Eq. 2.2.14",
            "tau u' = sqrt(c^2 + 4u^2) (s - u), c = a^2 - b^2; the printed equation needs a = b",
            printed_sigmoid,
        ),
    ),
    covers=("Eqs. 2.2.3-2.2.4", "Eqs. 2.2.15-2.2.17", "Eq. 2.2.18", "Eq. 2.2.22", "Ch. 2 Fig. 3 left"),
)


def as_two(question: dict[str, Any]) -> dict[str, Any]:
    """Wrong: the clock of two matrices."""
    return {**question, "times": [2 / question["depth"] * t for t in question["times"]]}


DEPTH = along_rates(
    "closed-form",
    id="ln-depth",
    title="the modes of simulated networks with two, three and four matrices follow their closed forms",
    ref="Eq. 2.2.18, extended to any depth",
    questions=falling(
        TIMES, RATES, *({**SIZES, "hidden": 6, "depth": depth, "u0": (0.2,) * 3} for depth in (2, 3, 4))
    ),
    draws=2,
    wrong={
        "one matrix too many": {"depth": lambda depth: depth + 1},
        "learning as fast as with two matrices": otherwise(as_two),
        **FAST,
    },
)

# Whole matrices ----------------------------------------------------------------------------------------


def trained(seeds: Seeds) -> list[Networks]:
    """Evidence: the couplings of each question at `TIMES`, from two draws."""
    from teacherstudent.sims.linear_network.descent import map_trajectory
    from teacherstudent.sims.linear_network.modes import mode_couplings

    found = []
    for i, balance in enumerate((0.0, 1.0, -1.5)):
        u0 = (0.05, 0.3, 0.1)
        problem = PROBLEM.instance(start="rotated", balance=balance, u0=u0, inputs=4, outputs=5, hidden=3)
        draws = draw(problem, seeds(2, str(i)))
        maps = {rate: map_trajectory(draws, np.rint(TIMES / rate), rate) for rate in RATES}
        found.append(Networks(problem, draws, {rate: mode_couplings(draws, maps[rate]) for rate in RATES}))
    return found


@dataclass(frozen=True)
class Networks:
    """A problem's draws and U^T W_D ... W_1 V of each, (S, T, mode, mode), by learning rate."""

    problem: LinearNetwork
    draws: Draws
    couplings: dict[float, np.ndarray]


@worst_case
def approached(case: Networks, claim: np.ndarray) -> Verdict:
    """Claimed are whole couplings, (S, T, mode, mode)."""
    return first_order(case.couplings, claim, curvature(case.problem))


@per_case
def matrices(case: Networks, time: float = 1.0) -> np.ndarray:
    """U^T W_2 W_1 V by the matrix Riccati equation."""
    draws = case.draws
    correlation = draws.targets @ draws.inputs.swapaxes(-1, -2)
    found = [
        riccati.network(first, second, C, time * TIMES, case.problem.balance, case.problem.modes)
        for first, second, C in zip(*draws.weights, correlation, strict=True)
    ]
    return draws.left.swapaxes(-1, -2)[:, None] @ np.stack(found) @ draws.right[:, None]


@per_case
def modes_apart(case: Networks) -> np.ndarray:
    """Wrong here: each mode on its own from its share of the start, as if frames were the data's."""
    first, second = case.draws.weights
    start = case.draws.left.swapaxes(-1, -2) @ second @ first @ case.draws.right
    u0 = np.diagonal(start, axis1=-2, axis2=-1)[:, None]
    values = np.asarray(case.problem.singular_values)
    strengths = modes.strength(TIMES[:, None], values, u0, case.problem.balance)
    return strengths[..., None] * np.eye(case.problem.modes)


RICCATI = check(
    id="ln-riccati",
    title=("whole networks from balanced weights in rotated frames follow the matrix Riccati solution"),
    ref="Eqs. 2.2.2-2.2.10",
    evidence=trained,
    claim=matrices,
    judge=approached,
    wrong=(
        WrongClaim("training 1 % too fast", partial(matrices, time=1.01)),
        WrongClaim("every mode learned independently", modes_apart),
    ),
    functions=(
        "sims.linear_network.descent:map_trajectory",
        "sims.linear_network.modes:mode_couplings",
        "theory.linear_network.riccati:network",
        "theory.linear_network.routes:curvature",
    ),
    covers=("Eqs. 2.2.5-2.2.6", "Eqs. 2.2.7-2.2.8", "Eqs. 2.2.9-2.2.10"),
)

CHECKS = (MODES, DEPTH, RICCATI)
