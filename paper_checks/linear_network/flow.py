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

from teacherstudent.paper_checks.judging.agreement import at_rate
from teacherstudent.paper_checks.judging.evidence import Check, Erratum, Seeds, Tooth, Verdict, worst
from teacherstudent.problems.linear_network import PROBLEM, Draws, LinearNetwork, draw
from teacherstudent.theory.linear_network import deep, modes, riccati
from teacherstudent.theory.linear_network.routes import curvature

TIMES = np.array([0.4, 0.8, 1.2, 2.0, 4.0])
RATES = (4e-3, 2e-3, 1e-3, 5e-4)


@dataclass(frozen=True)
class Trained:
    """A problem's draws and U^T W_D ... W_1 V of each, (S, T, mode, mode), by learning rate."""

    problem: LinearNetwork
    draws: Draws
    couplings: dict[float, np.ndarray]


Claimed = list[np.ndarray]
"""What is claimed of each problem: strengths (T, mode), or couplings (S, T, mode, mode)."""


def trained(questions: tuple[dict[str, Any], ...], seeds: Seeds) -> list[Trained]:
    """Each question's couplings at `TIMES`, from two draws."""
    from teacherstudent.sims.linear_network.descent import map_trajectory
    from teacherstudent.sims.linear_network.modes import mode_couplings

    found = []
    for i, asked in enumerate(questions):
        problem = PROBLEM.instance(**asked)
        draws = draw(problem, seeds(2, str(i)))
        runs = {rate: map_trajectory(draws, np.rint(TIMES / rate), rate) for rate in RATES}
        found.append(
            Trained(problem, draws, {rate: mode_couplings(draws, maps) for rate, maps in runs.items()})
        )
    return found


def first_order(evidence: list[Trained], claimed: Claimed) -> Verdict:
    """The slope of log error against log rate is 1. The next order changes an error by about the
    rate times the curvature, relatively, and so the slope by that at a typical rate."""
    verdicts = []
    for each, claim in zip(evidence, claimed, strict=True):
        whole = claim.ndim == 4
        seen = (
            each.couplings
            if whole
            else {rate: np.diagonal(found, axis1=-2, axis2=-1) for rate, found in each.couplings.items()}
        )
        errors = [np.linalg.norm(seen[rate] - claim) for rate in RATES]
        typical = float(np.sqrt(RATES[0] * RATES[-1]))
        verdicts.append(at_rate(RATES, errors, 1.0, slack=typical * curvature(each.problem)))
    return worst(*verdicts)


# Two layers, decoupled modes -----------------------------------------------------------------------

SIZES = {"inputs": 4, "outputs": 5, "hidden": 6}
BALANCES = tuple({"balance": c, "u0": (0.05,), **SIZES} for c in (0.0, 1.0, -2.0))


def hyperbola(
    evidence: list[Trained], time: float = 1.0, s: float = 1.0, u0: float = 1.0, c: float = 1.0
) -> Claimed:
    """Modes on their hyperbolas, with factors on the ingredients for the teeth."""
    return [
        modes.strength(
            time * TIMES[:, None],
            s * np.asarray(each.problem.singular_values),
            u0 * np.asarray(each.problem.u0),
            c * each.problem.balance,
        )
        for each in evidence
    ]


def printed_sigmoid(evidence: list[Trained]) -> Claimed:
    """Eq. 2.2.22, whatever the balance."""
    answers = []
    for each in evidence:
        s, u0 = np.asarray(each.problem.singular_values), np.asarray(each.problem.u0)
        grown = np.exp(2 * s * TIMES[:, None])
        answers.append(s * grown / (grown - 1 + s / u0))
    return answers


MODES = Check(
    id="ln-modes",
    problem="linear-network",
    title="decoupled modes of a trained two-layer network against their hyperbola, any balance",
    paper="pezeshki2022",
    ref="Eqs. 2.2.15-2.2.22",
    evidence=partial(trained, BALANCES),
    claim=hyperbola,
    judge=first_order,
    teeth=(
        Tooth("one per cent fast", partial(hyperbola, time=1.01)),
        Tooth("singular values one per cent large", partial(hyperbola, s=1.01)),
        Tooth("half the balance", partial(hyperbola, c=0.5)),
        Tooth("initial strength one per cent large", partial(hyperbola, u0=1.01)),
    ),
    errata=(
        Erratum(
            "ln-balanced-only",
            "pezeshki2022",
            "Eqs. 2.2.18, 2.2.22",
            "tau u' = 2u(s - u) and its sigmoid for every start of Eq. 2.2.14",
            "tau u' = sqrt(c^2 + 4u^2) (s - u), c = a^2 - b^2; the print needs a = b",
            printed_sigmoid,
        ),
    ),
    covers=("Eqs. 2.2.3-2.2.4", "Eqs. 2.2.15-2.2.17", "Eq. 2.2.18", "Eq. 2.2.22", "Ch. 2 Fig. 3 left"),
)


# Depth -----------------------------------------------------------------------------------------------

DEPTHS = tuple({"depth": depth, "u0": (0.2,), **SIZES} for depth in (2, 3, 4))


def deep_modes(
    evidence: list[Trained], depth: int = 0, time: Callable[[int], float] = lambda _: 1.0
) -> Claimed:
    """Depth-D modes; `depth` more matrices and a factor on time for the teeth."""
    answers = []
    for each in evidence:
        D = each.problem.depth
        pairs = zip(each.problem.singular_values, each.problem.u0, strict=True)
        answers.append(
            np.stack([deep.strength(time(D) * TIMES, s, u0, D + depth) for s, u0 in pairs], axis=-1)
        )
    return answers


DEPTH = Check(
    id="ln-depth",
    problem="linear-network",
    title="modes of trained networks of two, three and four matrices",
    paper="pezeshki2022",
    ref="Eq. 2.2.18 for any depth",
    evidence=partial(trained, DEPTHS),
    claim=deep_modes,
    judge=first_order,
    teeth=(
        Tooth("one matrix more", partial(deep_modes, depth=1)),
        Tooth("as fast as two matrices", partial(deep_modes, time=lambda depth: 2 / depth)),
        Tooth("one per cent fast", partial(deep_modes, time=lambda _: 1.01)),
    ),
)


# Whole matrices ----------------------------------------------------------------------------------------

ROTATED = tuple(
    {"start": "rotated", "balance": c, "u0": (0.05, 0.3, 0.1), "inputs": 4, "outputs": 5, "hidden": 3}
    for c in (0.0, 1.0, -1.5)
)


def matrices(evidence: list[Trained], time: float = 1.0) -> Claimed:
    """U^T W_2 W_1 V by the matrix Riccati equation."""
    answers = []
    for each in evidence:
        draws = each.draws
        correlation = draws.targets @ draws.inputs.swapaxes(-1, -2)
        found = [
            riccati.network(first, second, C, time * TIMES, each.problem.balance)
            for first, second, C in zip(*draws.weights, correlation, strict=True)
        ]
        answers.append(draws.left.swapaxes(-1, -2)[:, None] @ np.stack(found) @ draws.right[:, None])
    return answers


def modes_apart(evidence: list[Trained]) -> Claimed:
    """Wrong here: each mode on its own from its share of the start, as if frames were the data's."""
    answers = []
    for each in evidence:
        first, second = each.draws.weights
        start = each.draws.left.swapaxes(-1, -2) @ second @ first @ each.draws.right
        u0 = np.diagonal(start, axis1=-2, axis2=-1)[:, None]
        strengths = modes.strength(
            TIMES[:, None], np.asarray(each.problem.singular_values), u0, each.problem.balance
        )
        answers.append(strengths[..., None] * np.eye(each.problem.modes))
    return answers


RICCATI = Check(
    id="ln-riccati",
    problem="linear-network",
    title="whole networks from balanced weights in frames of their own, against the matrix Riccati solution",
    paper="pezeshki2022",
    ref="Eqs. 2.2.2-2.2.10",
    evidence=partial(trained, ROTATED),
    claim=matrices,
    judge=first_order,
    teeth=(
        Tooth("one per cent fast", partial(matrices, time=1.01)),
        Tooth("each mode apart", modes_apart),
    ),
    covers=("Eqs. 2.2.5-2.2.6", "Eqs. 2.2.7-2.2.8", "Eqs. 2.2.9-2.2.10"),
)

CHECKS = (MODES, DEPTH, RICCATI)
