"""Generalisation of a student in the well that its examples make: gaps, and that they know no one order."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_order, none_wrong
from teacherstudent.paper_checks.judging.claims import constant_claim, judge_signs, worst_case
from teacherstudent.paper_checks.judging.comparison import ABSENT, Values, then
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.judges import Means
from teacherstudent.paper_checks.stable_noise import check, compared, misprint
from teacherstudent.paper_checks.stable_noise.kit.asking import OBSERVED, ask, entry

# The gap ------------------------------------------------------------------------------------------------

EXAMPLES = (3, 8)
COARSE = 0.5
SYSTEMS: tuple[dict[str, Any], ...] = (
    {"stability": 1.2, "power": 0.5, "input_scale": 1.0},
    {"stability": 1.5, "power": 0.65, "input_scale": 5.0, "drift": 0.7, "noise": 1.4},
    {"stability": 2.0, "power": 0.9, "input_scale": 0.5},
)
DRAWS = {0: 800, 1: 300, 2: 200}
"""Of each system: the gap is about p^2/(n alpha) of the loss."""


def untied(seen: Values) -> Values:
    """Wrong: a student that knows nothing of its examples has no gap; both losses are the population's."""
    loss = seen["population_loss"]
    return {"training_loss": loss, "population_loss": loss, "generalisation_gap": 0 * loss}


GAP = compared(
    id="sn-gap",
    title="losses and their gap agree with Euler's stationary distribution, for several tail indices",
    ref="stationary distribution of the student given its examples, averaged over the examples",
    clocks={"gap": {"times": EXAMPLES, "relative_step": COARSE, "walkers": 40}},
    questions=lambda k: SYSTEMS[k],
    routes=("simulation", "euler"),
    observables=OBSERVED["gap"],
    draws=DRAWS,
    stream="{}",
    claimed={"walkers": ABSENT},
    judge=Means(),
    effect=Contrast("a student independent of its examples", "the generalisation gap"),
    wrong={
        "a student independent of its examples": then(untied),
        "the SDE instead of Euler's scheme": {"route": "exact"},
        "noise 50 % larger": {"noise": 1.5},
    },
)

STEPS = (0.04, 0.02, 0.01)


def errors(_: Seeds) -> list[list[float]]:
    """Evidence: the largest difference of the scheme's losses from the SDE's, by system and step."""
    return [
        [
            float(np.max(np.abs(ask("gap", "euler", EXAMPLES, relative_step=step, **system) - true)))
            for step in STEPS
        ]
        for system in SYSTEMS
        for true in [ask("gap", "exact", EXAMPLES, **system)]
    ]


ORDER = check(
    id="sn-gap-order",
    title="stationary losses of Euler's scheme approach the SDE's, with an error proportional to the step",
    ref="stationary distribution of Euler's scheme for the Ornstein-Uhlenbeck process",
    evidence=errors,
    claim=constant_claim([1.0] * len(SYSTEMS)),
    judge=worst_case(partial(at_order, STEPS)),
    wrong=(
        WrongClaim("a second-order scheme", constant_claim([2.0] * len(SYSTEMS))),
        WrongClaim("a difference that does not shrink", constant_claim([0.0] * len(SYSTEMS))),
    ),
    functions=(entry("gap", "exact"), entry("gap", "euler")),
)

# No one order -------------------------------------------------------------------------------------------

HEAVY, LIGHT, POWER, FEW = 1.2, 2.0, 0.5, 3
UNITS = (1.0, 1000.0)
"""Standard deviations of the inputs: the same data in two units."""
INDICES = (2.0, 1.6, 1.2, 0.9, 0.75, 0.6, 0.55)
MANY = 100
DIRECTIONS = {1.0: (1, 1, 1, 1, 1, 1), 10.0: (1, 1, 1, 1, 1, 1), 20.0: (-1, -1, -1, -1, 1, 1)}
"""Whether the exact gap of `MANY` examples grows from each of `INDICES` to the next, by unit."""


def gaps(stability: float, unit: float, route: str = "exact", n: int = FEW, **more: Any) -> np.ndarray:
    """The gap of n examples, (1,), of a sampled route (S,)."""
    question = {"stability": stability, "input_scale": unit, "power": POWER, **more}
    return ask("gap", route, (n,), **question)[..., 2].ravel()


def both_units(seeds: Seeds) -> dict[float, np.ndarray]:
    """Evidence: what heavy tails add to the gap of the same examples, by unit of the inputs, (S,)."""
    drawn: dict[str, Any] = {
        "route": "simulation",
        "relative_step": 0.5,
        "walkers": 40,
        "seeds": seeds(3000),
    }
    return {unit: gaps(HEAVY, unit, **drawn) - gaps(LIGHT, unit, **drawn) for unit in UNITS}


MONOTONE = check(
    id="sn-gap-monotone",
    title="heavier tails increase or decrease the generalisation gap, depending on the unit of the inputs",
    ref="order of generalisation gaps by tail index",
    paper="simsekli2020",
    evidence=both_units,
    claim=constant_claim({1.0: 1, 1000.0: -1}),
    judge=judge_signs("loss"),
    wrong=(
        WrongClaim("heavier tails increase the gap in every unit", constant_claim({1.0: 1, 1000.0: 1})),
        WrongClaim("the two orders exchanged", constant_claim({1.0: -1, 1000.0: 1})),
    ),
    errata=(
        misprint(
            "sn-heavier-is-better",
            "order of generalisation gaps by tail index",
            "heavier tails give a smaller gap for every loss",
            "heavier tails give a larger or a smaller gap",
            constant_claim({1.0: -1, 1000.0: -1}),
            paper="",
        ),
    ),
    functions=(entry("gap", "simulation"),),
    covers=("Heavier tails generalise better",),
    also=(("isis2021", "Simsekli: heavier tails generalise better"),),
    slow=True,
)


def directions(_: Seeds) -> dict[float, np.ndarray]:
    """Evidence: the signs of what the exact gap gains from one index to the next heavier one, by unit."""
    return {
        unit: np.sign(np.diff([gaps(index, unit, n=MANY)[0] for index in INDICES])) for unit in DIRECTIONS
    }


@worst_case
def turning(found: np.ndarray, claimed: tuple[int, ...]) -> Verdict:
    """Every step goes in the direction that is claimed."""
    wrong = np.sum(found != claimed)
    return none_wrong(wrong, len(claimed), "signs of differences far above rounding", "steps of the index")


TURN = check(
    id="sn-gap-turn",
    title="as tails become heavier, the gap grows, or falls and then diverges where the loss has no mean",
    ref="order of generalisation gaps by tail index",
    evidence=directions,
    claim=constant_claim(DIRECTIONS),
    judge=turning,
    wrong=(
        WrongClaim("heavier tails are always worse", constant_claim(dict.fromkeys(DIRECTIONS, (1,) * 6))),
        WrongClaim("heavier tails are always better", constant_claim(dict.fromkeys(DIRECTIONS, (-1,) * 6))),
    ),
    functions=(entry("gap", "exact"),),
)

CHECKS = (GAP, ORDER, MONOTONE, TURN)
