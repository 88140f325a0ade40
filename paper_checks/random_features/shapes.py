"""How often the risk descends over training: once for inputs of one scale, twice for two scales far apart.

Theory says when the turns come; simulated risks must be lower at its minimum than around it, draw against
draw, and higher at its maximum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import above_zero, within_bound
from teacherstudent.paper_checks.judging.effects import Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.random_features import check
from teacherstudent.problems.random_features import PROBLEM
from teacherstudent.theory.random_features import landmarks

# One scale -------------------------------------------------------------------------------------------------

CASES = 30
INPUTS = 10**8
TIMES = np.append(0.0, np.geomspace(1e-2, 1e6, 50))
"""In units of the largest moment of the nonlinearity."""
NO_BUMP = 2e-4
"""Of the first minimum: the largest rise and fall that a search over thousands of places has found."""
BUMP = 0.2
"""That of two scales with strengths 13 apart."""


FAR = ((22 * INPUTS // 100, 13.0), (78 * INPUTS // 100, 1.0))
HARDLY = (0.0, 0.99**0.5, 0.0, 0.01**0.5)
"""Two scales with strengths 13 apart, and a nonlinearity with little noise of its own."""


def places(seeds: Seeds) -> list[dict[str, Any]]:
    """Evidence: questions with ratios, nonlinearity, teacher and noise drawn at random, from zero weights.

    The first is not drawn: two scales have their second descent there.
    """
    one = ((INPUTS, 1.0),)
    found: list[dict[str, Any]] = [{"psi1": 6.5, "psi2": 0.55, "hermite": HARDLY, "scales": one}]
    for seed in seeds(CASES):
        rng = np.random.default_rng(seed)
        psi1, psi2 = 10 ** rng.uniform(-1, 1, 2)
        hermite = (0.0, 10 ** rng.uniform(-1, 0.5), 10 ** rng.uniform(-3, 0))
        teacher = (0.0, 1.0, rng.choice([0.0, 1.0]) * rng.uniform())
        noise = rng.choice([0.0, 1.0]) * 10 ** rng.uniform(-1, 0.5)
        question = {"psi1": psi1, "psi2": psi2, "hermite": hermite, "teacher_hermite": teacher}
        found.append({**question, "noise": noise, "scales": one})
    return found


def bumps(evidence: list[dict[str, Any]], falls: bool = True, **changed: Any) -> np.ndarray:
    """The claim: by how much the risk rises, and falls again, after its first minimum, over that minimum."""
    found = []
    for question in evidence:
        times = TIMES / max(question["hermite"]) ** 2
        answer = run("random-features", "flow", "asymptotic", times, **{**question, **changed})
        found.append(bump(answer["excess_risk"].values, falls))
    return np.array(found)


def bump(risk: np.ndarray, falls: bool) -> float:
    """The largest rise after the first minimum, or the fall after that where it is less; over the minimum."""
    rising = np.flatnonzero(np.diff(risk) > 0)
    if not rising.size:
        return 0.0
    rise = risk - risk[rising[0]]
    least_later = np.minimum.accumulate(risk[::-1])[::-1]
    seen = np.minimum(rise, risk - least_later) if falls else rise
    return float(np.max(seen[rising[0] :]) / risk[rising[0]])


def no_second_descent(_: object, claimed: np.ndarray) -> Verdict:
    """Nothing that a plot would show."""
    reason = "the largest bump that a search over thousands of places has found"
    return within_bound(claimed, NO_BUMP, reason, "bump over the first minimum")


ONE_DESCENT = check(
    id="rf-one-scale-descends-once",
    title="inputs of one scale, from zero weights: the risk descends once over training",
    ref="a search over ratios, nonlinearities, teachers and noise",
    evidence=places,
    claim=bumps,
    judge=no_second_descent,
    effect=Effect(BUMP, "the bump of two scales far apart"),
    teeth=(
        Tooth("two scales far apart, hardly a nonlinearity", partial(bumps, scales=FAR, hermite=HARDLY)),
        Tooth("a rise at the end taken for a second descent", partial(bumps, falls=False)),
    ),
)

# Two scales ------------------------------------------------------------------------------------------------

SETTING: dict[str, Any] = {"width": 325, "n": 28, "scales": ((11, 13.0), (39, 1.0)), "hermite": HARDLY}
RATE, DRAWS = 0.002, 200
WIDE = 8.0
"""Factor of time on either side of a turn at which the risk has left it for sure."""
FAR_OFF = 4.0
"""Factor of time by which a wrong turn is off: between two and three the seven statements begin to fail."""
LATE = 1e4


@dataclass(frozen=True)
class Students:
    """The means to simulate the students to given flow times, each draw's risk, (T, S)."""

    course: Callable[[np.ndarray], np.ndarray]


def students(seeds: Seeds) -> Students:
    """The same draws for every claim."""
    drawn = seeds(DRAWS)

    def course(times: np.ndarray) -> np.ndarray:
        steps = np.rint(times / RATE)
        answer = run(
            "random-features", "descent", "simulation", steps, seeds=drawn, learning_rate=RATE, **SETTING
        )
        return np.asarray(answer["excess_risk"].values.T)

    return Students(course)


def turns(evidence: Students, later: float = 1.0) -> np.ndarray:
    """What is positive of the risk at the theory's turns, one row each, (statements, S); wrong at others."""
    low, high = (later * turn.time for turn in landmarks.extrema(PROBLEM.instance(**SETTING), "flow"))
    times = np.array([0.0, low / WIDE, low, low * WIDE, high / WIDE, high, high * WIDE, LATE])
    order = np.argsort(times)
    start, before_low, at_low, after_low, before_high, at_high, after_high, end = evidence.course(
        times[order]
    )[np.argsort(order)]
    return np.stack(
        [
            start - at_low,  # a first descent,
            before_low - at_low,
            after_low - at_low,
            at_high - at_low,  # a rise,
            at_high - before_high,
            at_high - after_high,
            at_high - end,  # a second descent
        ]
    )


def all_positive(_: Any, claimed: np.ndarray) -> Verdict:
    """Judge: each mean is above 0 by the quantile of its own error."""
    return above_zero(claimed, "excess risk")


TWO_DESCENTS = check(
    id="rf-two-descents",
    title="two scales far apart: the simulated risk turns within a factor of three of where theory says",
    ref="minimum and maximum of the excess risk over gradient flow",
    evidence=students,
    claim=turns,
    judge=all_positive,
    teeth=(
        Tooth("turns four times later", partial(turns, later=FAR_OFF)),
        Tooth("turns four times earlier", partial(turns, later=1 / FAR_OFF)),
    ),
    slow=True,
)

CHECKS = (ONE_DESCENT, TWO_DESCENTS)
