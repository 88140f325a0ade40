"""Networks whose hidden units share no weights' places: each unit and its block are a network of its own."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import first_order
from teacherstudent.paper_checks.judging.cases import per_case, worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.linear_network import check
from teacherstudent.problems.linear_network import PROBLEM, draw
from teacherstudent.theory.linear_network.routes import curvature

TIMES = np.array([0.4, 0.8, 1.6, 4.0])
RATES = (4e-3, 2e-3, 1e-3)
BLOCKS: dict[str, Any] = {"support": "blocks", "inputs": 7, "outputs": 5}
"""Of three modes: blocks of three, two and two inputs, of two, two and one outputs."""

Trained = tuple[dict[str, Any], list[int], dict[float, np.ndarray]]
"""A question, its draws, and their simulated strengths (S, T, mode) by learning rate."""


def trained(questions: tuple[dict[str, Any], ...], seeds: Seeds) -> list[Trained]:
    """Four draws of every question."""
    found = []
    for i, question in enumerate(questions):
        drawn = seeds(4, str(i))
        found.append((question, drawn, {rate: simulated(question, rate, drawn) for rate in RATES}))
    return found


def simulated(question: dict[str, Any], rate: float, seeds: list[int]) -> np.ndarray:
    """u of the simulation, (S, T, mode), at the steps nearest to the times."""
    steps = np.rint(TIMES / rate)
    asked = {"seeds": seeds, "learning_rate": rate, **question}
    return np.asarray(run("linear-network", "descent", "simulation", steps, **asked)["u"].values)


@worst_case
def approached(case: Trained, claim: np.ndarray) -> Verdict:
    """Missed in proportion to the learning rate, in all draws and modes together."""
    question, _, found = case
    return first_order(found, claim, curvature(PROBLEM.instance(**question)))


# Decoupled blocks ------------------------------------------------------------------------------------

DECOUPLED = tuple({**BLOCKS, "balance": c, "u0": (0.05,)} for c in (0.0, 1.0))


@per_case
def closed_form(case: Trained, time: float = 1.0, **changed: float) -> np.ndarray:
    """Each block a mode of its own, by the route; changed for the negative controls."""
    question, *_ = case
    whole = vars(PROBLEM.instance(**question))
    wrong = {name: tuple(factor * np.asarray(whole[name])) for name, factor in changed.items()}
    answer = run("linear-network", "flow", "closed-form", time * TIMES, **question | wrong)
    return np.asarray(answer["u"].values)


BLOCKS_ARE_MODES = check(
    id="ln-blocks",
    title="on disjoint rank-one supports each block of a trained network is a mode",
    paper="",
    ref="Eqs. 2.2.15-2.2.22 of pezeshki2022 for supports of one hidden unit each",
    evidence=partial(trained, DECOUPLED),
    claim=closed_form,
    judge=approached,
    teeth=(
        Tooth("one per cent fast", partial(closed_form, time=1.01)),
        Tooth("singular values one per cent large", partial(closed_form, singular_values=1.01)),
        Tooth("initial strength one per cent large", partial(closed_form, u0=1.01)),
    ),
    functions=(
        "sims.linear_network.descent:descent",
        "theory.linear_network.routes:closed_form_flow",
        "theory.linear_network.routes:curvature",
    ),
)


# Random blocks ---------------------------------------------------------------------------------------

RANDOM = ({**BLOCKS, "init": 0.5},)


@per_case
def apart(case: Trained, time: float = 1.0) -> np.ndarray:
    """Each block's Riccati equation on its own, from the same draws: (S, T, mode)."""
    question, drawn, _ = case
    answer = run("linear-network", "flow", "riccati", time * TIMES, seeds=drawn, **question)
    return np.asarray(answer["u"].values)


@per_case
def all_weights(case: Trained) -> np.ndarray:
    """Wrong: the weights outside the support, which are 0 at the start, are trained as well."""
    from teacherstudent.sims.linear_network.descent import map_trajectory
    from teacherstudent.sims.linear_network.modes import mode_strengths

    question, drawn, _ = case
    draws = replace(draw(PROBLEM.instance(**question), drawn), supports=None)
    return mode_strengths(draws, map_trajectory(draws, np.rint(TIMES / RATES[-1]), RATES[-1]))


BLOCKS_APART = check(
    id="ln-blocks-apart",
    title="random weights on disjoint rank-one supports, trained together, against each block by itself",
    paper="isis2021",
    ref="Le, certain families of sparsity patterns are tractable",
    evidence=partial(trained, RANDOM),
    claim=apart,
    judge=approached,
    teeth=(
        Tooth("one per cent fast", partial(apart, time=1.01)),
        Tooth("all weights are trained", all_weights),
    ),
    functions=(
        "sims.linear_network.descent:descent",
        "theory.linear_network.routes:curvature",
        "theory.linear_network.routes:riccati_flow",
    ),
    covers=("Le: tractable supports",),
)

CHECKS = (BLOCKS_ARE_MODES, BLOCKS_APART)
