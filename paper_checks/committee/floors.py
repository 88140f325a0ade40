r"""Where training with label noise ends: sigma^2 times a number as sigma goes to 0, of K = M + L units.

One erf unit: eta/(2 sqrt(3) pi (1 - eta/eta_c)), eta_c = pi sqrt(5/3). One relu unit: eta/(8 - 4 eta). Linear
units at any sigma: eta S/(4 - 2 eta S), S = sum v^2. Any units that know their teacher, as eta goes to 0:
(eta/4) sum_k v_k^2 E g'(lambda_k)^2.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.committee import check
from teacherstudent.paper_checks.committee.kit.asking import accuracy, ask, entry
from teacherstudent.paper_checks.judging.agreement import (
    at_order,
    within_bound,
)
from teacherstudent.paper_checks.judging.cases import worst_of
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.problems.committee import PROBLEM
from teacherstudent.theory.committee.final import small_noise_floor

LATE = 3000.0


def trained(noise: float, width: int, rate: float, activation: str) -> float:
    """Excess risk over sigma^2 of students that start near their teacher, late."""
    question = {"width": width, "teacher_width": width, "learning_rate": rate, "activation": activation}
    answer = ask("asymptotic", (LATE,), noise=noise, init=1.0, overlap=0.95, **question)
    return float(answer["excess_risk"][0]) / noise**2


# Closed forms ------------------------------------------------------------

NOISES = (0.2, 0.1, 0.05)
LINEAR = {1: 0.7, 2: 0.5, 3: 0.3}
"""Learning rates of linear units, by K."""
RATE = 1.0


def ended(_: Seeds) -> dict[str, np.ndarray]:
    """Evidence: linear units by K; one erf and one relu unit, noise by noise."""
    found = {"linear": np.array([trained(0.5, K, rate, "linear") for K, rate in LINEAR.items()])}
    for each in ("erf", "relu"):
        found[each] = np.array([trained(noise, 1, RATE, each) for noise in NOISES])
    return found


def closed(_: object, off: float = 1.0) -> dict[str, np.ndarray]:
    """The claim; wrong by a factor."""
    linear = [rate * K / (4 - 2 * rate * K) for K, rate in LINEAR.items()]
    erf = RATE / (2 * np.sqrt(3) * np.pi * (1 - RATE / (np.pi * np.sqrt(5 / 3))))
    relu = RATE / (8 - 4 * RATE)
    return {name: off * np.array(each) for name, each in (("linear", linear), ("erf", erf), ("relu", relu))}


@worst_of
def as_noise_vanishes(found: dict[str, np.ndarray], claim: dict[str, np.ndarray]) -> Iterator[Verdict]:
    """Linear units to the solver's accuracy of R and Q, about 1; erf but for sigma^2, relu for sigma^3."""
    bound = 8 * accuracy("asymptotic")
    apart = claim["linear"] / found["linear"] - 1
    yield within_bound(apart, bound / (0.25 * found["linear"]), "declared accuracy of R and Q", "relative")
    for each, order in (("erf", 2), ("relu", 3)):
        yield at_order(NOISES, np.abs(found[each] - claim[each]), order)


FLOOR = check(
    id="cm-floor",
    title="where training with label noise ends: closed forms of linear units, one erf and one relu unit",
    paper="goldt2019",
    ref="final errors",
    evidence=ended,
    claim=closed,
    judge=as_noise_vanishes,
    teeth=(Tooth("one per cent more", partial(closed, off=1.01)),),
    functions=(entry("asymptotic"),),
    covers=("Linear units",),
)

# Slow learning ------------------------------------------------------------

SLOW = (0.02, 0.01, 0.005)
NET: dict[str, Any] = {
    "teacher_overlaps": ((1.0, 0.3), (0.3, 0.8)),
    "initial_overlaps": ((1.0, 0.3), (0.3, 0.8)),
    "student_overlaps": ((1.0, 0.3), (0.3, 0.8)),
    "initial_second_layer": (1.0, -0.8),
    "teacher_second_layer": (1.0, -0.8),
}


def slow_floors(_: Seeds) -> np.ndarray:
    """Evidence: the floor over eta sigma^2 at small rates, of erf units that are not alike."""
    problems = [PROBLEM.instance(learning_rate=rate, **NET) for rate in SLOW]
    return np.array([small_noise_floor(each) / each.learning_rate for each in problems])


def slopes_squared(_: object, power: float = 2.0) -> float:
    """The claim: (1/4) sum_k v_k^2 (2/pi)/sqrt(1 + 2 T_kk); wrong without squares."""
    v, norms = np.abs(NET["teacher_second_layer"]), np.diag(NET["teacher_overlaps"])
    return float(np.sum(v**power * 2 / np.pi / np.sqrt(1 + 2 * norms)) / 4)


FLOOR_SLOW = check(
    id="cm-floor-slow",
    title="slow learning ends at eta sigma^2/4 times the mean square of the output's slopes",
    ref="small learning rates: noise spreads over the directions of the weights",
    evidence=slow_floors,
    claim=slopes_squared,
    judge=lambda found, claim: at_order(SLOW, np.abs(found - claim), 1),
    teeth=(Tooth("second layer not squared", partial(slopes_squared, power=1.0)),),
    functions=("theory.committee.final:small_noise_floor",),
)

# Published numbers ------------------------------------------------------------

PUBLISHED = {
    (1, 0, 0.5): 0.0524045547,
    (2, 0, 0.5): 0.1171255141,
    (2, 1, 0.05): 0.0177865281,
    (2, 1, 0.5): 0.2680255044,
    (1, 1, 1.0): 0.5303997983,
}
"""Values of the closed form in the published notebook by M, L and eta, to its tenth decimal."""


def printed_numbers(_: Seeds) -> np.ndarray:
    """Evidence."""
    return np.array([*PUBLISHED.values()])


def floors(_: object, faster: float = 1.0) -> np.ndarray:
    """The claim: the floor of the route as noise goes to 0; wrong at another learning rate."""
    found = []
    for M, L, rate in PUBLISHED:
        question = {"width": M + L, "teacher_width": M, "learning_rate": faster * rate}
        found.append(small_noise_floor(PROBLEM.instance(**question)))
    return np.array(found)


def to_ten_decimals(found: np.ndarray, claim: np.ndarray) -> Verdict:
    """Half of the last decimal, and differences of the equations, which are taken at a distance of 1e-5."""
    return within_bound(claim / found - 1, 1e-5, "last decimal, and finite differences", "relative")


FLOORS = check(
    id="cm-floor-published",
    title="published final errors with no unit or one in excess, by the equations",
    paper="goldt2019",
    ref="published notebook, final generalisation error in the limit of small noise",
    evidence=printed_numbers,
    claim=floors,
    judge=to_ten_decimals,
    teeth=(Tooth("learning rate a thousandth larger", partial(floors, faster=1.001)),),
    functions=("theory.committee.final:small_noise_floor",),
    covers=("Final error of the first layer",),
)

CHECKS = (FLOOR, FLOOR_SLOW, FLOORS)
