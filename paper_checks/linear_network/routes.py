"""The routes on both clocks, as anybody asks them, against simulated descent at falling learning rates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import first_order
from teacherstudent.paper_checks.judging.claims import per_case, worst_case
from teacherstudent.paper_checks.judging.comparison import Found, Values, scaled
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.linear_network import check
from teacherstudent.paper_checks.linear_network.kit.rates import FAST, LARGE, VALUES, along_rates, falling
from teacherstudent.problems.linear_network import PROBLEM, draw
from teacherstudent.theory.linear_network.routes import curvature

TIMES = np.array([0.4, 0.8, 1.6, 4.0, 12.0])
"""From the first mode's rise to long after the last one's."""
RATES = (8e-3, 4e-3, 2e-3)
QUESTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("closed-form", {"balance": 1.0, "u0": (0.05,)}),
    ("closed-form", {"depth": 3, "u0": (0.2,)}),
    ("riccati", {"start": "rotated", "balance": 1.0, "u0": (0.05, 0.3, 0.1)}),
    ("riccati", {"start": "rotated", "u0": (0.3, 0.05, 0.1), "inputs": 4, "outputs": 5, "hidden": 4}),
)


@dataclass(frozen=True)
class Trained:
    """A route's name and its question, the draws, and their simulated strengths (S, T, mode) by rate."""

    route: str
    question: dict[str, Any]
    seeds: list[int]
    strengths: dict[float, np.ndarray]


def trained(seeds: Seeds) -> list[Trained]:
    """Two draws of every question."""
    found = []
    for i, (route, question) in enumerate(QUESTIONS):
        drawn = seeds(2, str(i))
        strengths = {rate: descent("simulation", question, rate, drawn) for rate in RATES}
        found.append(Trained(route, question, drawn, strengths))
    return found


def descent(
    route: str, question: dict[str, Any], rate: float, seeds: list[int] | None, fast: float = 1.0
) -> np.ndarray:
    """Strengths (..., T, mode) after the steps nearest to the times; `fast`: a factor on their size."""
    steps = np.rint(TIMES / rate)
    return strengths("descent", route, steps, seeds, learning_rate=fast * rate, **question)


def strengths(dynamics: str, route: str, times: Any, seeds: list[int] | None, **keywords: Any) -> np.ndarray:
    """u of a route, (..., T, mode)."""
    return np.asarray(run("linear-network", dynamics, route, times, seeds=seeds, **keywords)["u"].values)


@per_case
def on_both_clocks(case: Trained, time: float = 1.0, **changed: float) -> tuple[np.ndarray, ...]:
    """The route at t/tau and after the steps of the smallest rate; changed for the negative controls."""
    drawn = case.seeds if case.route == "riccati" else None
    whole = vars(PROBLEM.instance(**case.question))
    wrong = {name: tuple(factor * np.atleast_1d(whole[name])) for name, factor in changed.items()}
    question = case.question | wrong
    flow = strengths("flow", case.route, time * TIMES, drawn, **question)
    return flow, descent(case.route, question, RATES[-1], drawn, time)


@worst_case
def approached(case: Trained, claim: tuple[np.ndarray, ...]) -> Iterator[Verdict]:
    """Both are missed in proportion to the learning rate."""
    bend = curvature(PROBLEM.instance(**case.question))
    for clock in claim:
        yield first_order(case.strengths, clock, bend)


ROUTES = check(
    id="ln-routes",
    title=("closed-form and Riccati routes match descent, early and late, in flow time and in steps"),
    ref="Eqs. 2.2.9-2.2.10, 2.2.15-2.2.22",
    evidence=trained,
    claim=on_both_clocks,
    judge=approached,
    wrong=(
        WrongClaim("training 1 % too fast", partial(on_both_clocks, time=1.01)),
        WrongClaim("singular values 1 % too large", partial(on_both_clocks, singular_values=1.01)),
        WrongClaim("initial strengths 1 % too large", partial(on_both_clocks, u0=1.01)),
    ),
    functions=(
        "sims.linear_network.descent:descent",
        "theory.linear_network.routes:closed_form_descent",
        "theory.linear_network.routes:closed_form_flow",
        "theory.linear_network.routes:curvature",
        "theory.linear_network.routes:riccati_descent",
        "theory.linear_network.routes:riccati_flow",
    ),
    slow=True,
)

# Supports that share no places: each unit and its block are a network of its own -------------------------

EARLY = np.array([0.4, 0.8, 1.6, 4.0])
BLOCKS: dict[str, Any] = {"support": "blocks", "inputs": 7, "outputs": 5}
"""Of three modes: blocks of three, two and two inputs, of two, two and one outputs."""
FINE_RATES = (4e-3, 2e-3, 1e-3)


def all_weights(found: Found) -> list[Values]:
    """Wrong: the weights outside the support, which are 0 at the start, are trained as well."""
    from teacherstudent.sims.linear_network.descent import map_trajectory
    from teacherstudent.sims.linear_network.modes import mode_strengths

    *_, case = found.cases
    draws = replace(draw(PROBLEM.instance(**BLOCKS, init=0.5), case.seeds or []), supports=None)
    steps, rate = case.question["times"], case.question["learning_rate"]
    return [{"u": mode_strengths(draws, map_trajectory(draws, steps, rate))}] * len(found.cases)


BLOCKS_ARE_MODES = along_rates(
    "closed-form",
    id="ln-blocks",
    title="on disjoint rank-one supports, each block of a trained network is one mode",
    paper="",
    ref="Eqs. 2.2.15-2.2.22 of pezeshki2022, for supports of one hidden unit each",
    questions=falling(
        EARLY,
        FINE_RATES,
        *({**BLOCKS, "balance": c, "u0": (0.05,) * 3, "singular_values": VALUES} for c in (0.0, 1.0)),
    ),
    draws=4,
    wrong={**FAST, **LARGE, "initial strength 1 % too large": {"u0": scaled(1.01)}},
)

BLOCKS_APART = along_rates(
    "riccati",
    id="ln-blocks-apart",
    title=(
        "random weights on disjoint rank-one supports: blocks trained together behave as if trained alone"
    ),
    paper="isis2021",
    ref="Le: certain families of sparsity patterns are tractable",
    questions=falling(EARLY, FINE_RATES, {**BLOCKS, "init": 0.5}),
    draws=4,
    wrong={**FAST, "weights outside the support are trained as well": all_weights},
    covers=("Le: tractable supports",),
)

CHECKS = (ROUTES, BLOCKS_ARE_MODES, BLOCKS_APART)
