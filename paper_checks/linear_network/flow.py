"""Gradient descent on real networks approaches each closed form at first order in the step.

The simulated mode strengths at fixed flow times are gathered at four learning rates. A right
formula is missed by an error proportional to the learning rate; what is left of a wrong one
does not shrink.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import first_order
from teacherstudent.paper_checks.judging.cases import per_case, worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.linear_network import check, misprint
from teacherstudent.problems.linear_network import PROBLEM, Draws, LinearNetwork, draw
from teacherstudent.theory.linear_network import deep, modes, riccati
from teacherstudent.theory.linear_network.routes import curvature

TIMES = np.array([0.4, 0.8, 1.2, 2.0, 4.0])
RATES = (4e-3, 2e-3, 1e-3, 5e-4)


@dataclass(frozen=True)
class Networks:
    """A problem's draws and U^T W_D ... W_1 V of each, (S, T, mode, mode), by learning rate."""

    problem: LinearNetwork
    draws: Draws
    couplings: dict[float, np.ndarray]


def trained(questions: tuple[dict[str, Any], ...], seeds: Seeds) -> list[Networks]:
    """Each question's couplings at `TIMES`, from two draws."""
    from teacherstudent.sims.linear_network.descent import map_trajectory
    from teacherstudent.sims.linear_network.modes import mode_couplings

    found = []
    for i, question in enumerate(questions):
        problem = PROBLEM.instance(**question)
        draws = draw(problem, seeds(2, str(i)))
        maps = {rate: map_trajectory(draws, np.rint(TIMES / rate), rate) for rate in RATES}
        found.append(Networks(problem, draws, {rate: mode_couplings(draws, maps[rate]) for rate in RATES}))
    return found


@worst_case
def approached(case: Networks, claim: np.ndarray) -> Verdict:
    """Claimed are strengths (T, mode), or whole couplings (S, T, mode, mode)."""
    found = case.couplings
    if claim.ndim < 4:
        found = {rate: np.diagonal(coupling, axis1=-2, axis2=-1) for rate, coupling in found.items()}
    return first_order(found, claim, curvature(case.problem))


# Two layers, decoupled modes -----------------------------------------------------------------------

SIZES = {"inputs": 4, "outputs": 5, "hidden": 6}
BALANCES = tuple({"balance": c, "u0": (0.05,), **SIZES} for c in (0.0, 1.0, -2.0))


@per_case
def hyperbola(
    case: Networks, time: float = 1.0, s: float = 1.0, u0: float = 1.0, c: float = 1.0
) -> np.ndarray:
    """Modes on their hyperbolas, with factors on the ingredients for the negative controls."""
    values, start = np.asarray(case.problem.singular_values), np.asarray(case.problem.u0)
    return modes.strength(time * TIMES[:, None], s * values, u0 * start, c * case.problem.balance)


@per_case
def printed_sigmoid(case: Networks) -> np.ndarray:
    """Eq. 2.2.22, whatever the balance."""
    s, u0 = np.asarray(case.problem.singular_values), np.asarray(case.problem.u0)
    grown = np.exp(2 * s * TIMES[:, None])
    return s * grown / (grown - 1 + s / u0)


MODES = check(
    id="ln-modes",
    title="decoupled modes of a trained two-layer network against their hyperbola, any balance",
    ref="Eqs. 2.2.15-2.2.22",
    evidence=partial(trained, BALANCES),
    claim=hyperbola,
    judge=approached,
    teeth=(
        Tooth("one per cent fast", partial(hyperbola, time=1.01)),
        Tooth("singular values one per cent large", partial(hyperbola, s=1.01)),
        Tooth("half the balance", partial(hyperbola, c=0.5)),
        Tooth("initial strength one per cent large", partial(hyperbola, u0=1.01)),
    ),
    errata=(
        misprint(
            "ln-balanced-only",
            "Eqs. 2.2.18, 2.2.22",
            "tau u' = 2u(s - u) and its sigmoid for every start of Eq. 2.2.14",
            "tau u' = sqrt(c^2 + 4u^2) (s - u), c = a^2 - b^2; the print needs a = b",
            printed_sigmoid,
        ),
    ),
    functions=(
        "sims.linear_network.descent:map_trajectory",
        "sims.linear_network.modes:mode_couplings",
        "theory.linear_network.modes:strength",
        "theory.linear_network.routes:curvature",
    ),
    covers=("Eqs. 2.2.3-2.2.4", "Eqs. 2.2.15-2.2.17", "Eq. 2.2.18", "Eq. 2.2.22", "Ch. 2 Fig. 3 left"),
)


# Depth -----------------------------------------------------------------------------------------------

DEPTHS = tuple({"depth": depth, "u0": (0.2,), **SIZES} for depth in (2, 3, 4))


@per_case
def deep_modes(case: Networks, depth: int = 0, time: Callable[[int], float] = lambda _: 1.0) -> np.ndarray:
    """Depth-D modes; `depth` more matrices and a factor on time for the negative controls."""
    D = case.problem.depth
    pairs = zip(case.problem.singular_values, case.problem.u0, strict=True)
    return np.stack([deep.strength(time(D) * TIMES, s, u0, D + depth) for s, u0 in pairs], axis=-1)


DEPTH = check(
    id="ln-depth",
    title="modes of trained networks of two, three and four matrices",
    ref="Eq. 2.2.18 for any depth",
    evidence=partial(trained, DEPTHS),
    claim=deep_modes,
    judge=approached,
    teeth=(
        Tooth("one matrix more", partial(deep_modes, depth=1)),
        Tooth("as fast as two matrices", partial(deep_modes, time=lambda depth: 2 / depth)),
        Tooth("one per cent fast", partial(deep_modes, time=lambda _: 1.01)),
    ),
    functions=(
        "sims.linear_network.descent:map_trajectory",
        "sims.linear_network.modes:mode_couplings",
        "theory.linear_network.deep:strength",
        "theory.linear_network.routes:curvature",
    ),
)


# Whole matrices ----------------------------------------------------------------------------------------

ROTATED = tuple(
    {"start": "rotated", "balance": c, "u0": (0.05, 0.3, 0.1), "inputs": 4, "outputs": 5, "hidden": 3}
    for c in (0.0, 1.0, -1.5)
)


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
    strengths = modes.strength(
        TIMES[:, None], np.asarray(case.problem.singular_values), u0, case.problem.balance
    )
    return strengths[..., None] * np.eye(case.problem.modes)


RICCATI = check(
    id="ln-riccati",
    title="whole networks from balanced weights in frames of their own, against the matrix Riccati solution",
    ref="Eqs. 2.2.2-2.2.10",
    evidence=partial(trained, ROTATED),
    claim=matrices,
    judge=approached,
    teeth=(Tooth("one per cent fast", partial(matrices, time=1.01)), Tooth("each mode apart", modes_apart)),
    functions=(
        "sims.linear_network.descent:map_trajectory",
        "sims.linear_network.modes:mode_couplings",
        "theory.linear_network.riccati:network",
        "theory.linear_network.routes:curvature",
    ),
    covers=("Eqs. 2.2.5-2.2.6", "Eqs. 2.2.7-2.2.8", "Eqs. 2.2.9-2.2.10"),
)

CHECKS = (MODES, DEPTH, RICCATI)
