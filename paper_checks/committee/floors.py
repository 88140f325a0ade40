"""Where training with label noise ends, and the learning rate beyond which a teacher that is found is left.

sigma^2 times a number as sigma goes to 0, of K = M + L units. One erf unit:
eta/(2 sqrt(3) pi (1 - eta/eta_c)), eta_c = pi sqrt(5/3). One relu unit: eta/(8 - 4 eta). Linear units at any
sigma: eta S/(4 - 2 eta S), S = sum v^2. Any units that know their teacher, as eta goes to 0:
(eta/4) sum_k v_k^2 E g'(lambda_k)^2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from scipy import optimize

from teacherstudent.paper_checks.committee import check, misprint
from teacherstudent.paper_checks.committee.kit.asking import accuracy, ask, entry
from teacherstudent.paper_checks.judging.agreement import (
    at_order,
    within_bound,
)
from teacherstudent.paper_checks.judging.claims import constant_claim, worst_case, worst_of
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import relatively
from teacherstudent.problems.committee import PROBLEM
from teacherstudent.theory.committee.final import small_noise_floor
from teacherstudent.theory.committee.plateau import critical_rate

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
FAST = 1.0


def ended(_: Seeds) -> dict[str, np.ndarray]:
    """Evidence: linear units by K; one erf and one relu unit, noise by noise."""
    found = {"linear": np.array([trained(0.5, K, rate, "linear") for K, rate in LINEAR.items()])}
    for each in ("erf", "relu"):
        found[each] = np.array([trained(noise, 1, FAST, each) for noise in NOISES])
    return found


def closed(_: object, off: float = 1.0) -> dict[str, np.ndarray]:
    """The claim; wrong by a factor."""
    linear = [rate * K / (4 - 2 * rate * K) for K, rate in LINEAR.items()]
    erf = FAST / (2 * np.sqrt(3) * np.pi * (1 - FAST / (np.pi * np.sqrt(5 / 3))))
    relu = FAST / (8 - 4 * FAST)
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
    title="final errors with label noise have closed forms for linear units, one erf unit and one relu unit",
    paper="goldt2019",
    ref="final errors with label noise",
    evidence=ended,
    claim=closed,
    judge=as_noise_vanishes,
    wrong=(WrongClaim("final errors 1 % larger", partial(closed, off=1.01)),),
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
    title="slow learning with label noise ends at eta sigma^2/4 times the mean square of the output's slopes",
    ref="small learning rates: noise spreads over the directions of the weights",
    evidence=slow_floors,
    claim=slopes_squared,
    judge=lambda found, claim: at_order(SLOW, np.abs(found - claim), 1),
    wrong=(WrongClaim("second-layer weights not squared", partial(slopes_squared, power=1.0)),),
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


FLOORS = check(
    id="cm-floor-published",
    title="the equations reproduce the published final errors of students with zero or one excess unit",
    paper="goldt2019",
    ref="published notebook, final generalisation error in the limit of small noise",
    evidence=printed_numbers,
    claim=floors,
    judge=relatively(1e-5, "last printed decimal, and finite differences with steps of 1e-5"),
    wrong=(WrongClaim("learning rate 0.1 % larger", partial(floors, faster=1.001)),),
    functions=("theory.committee.final:small_noise_floor",),
    covers=("Final error of the first layer",),
)

# The largest learning rate -------------------------------------------------------------------------------

CRITICAL = "theory.committee.plateau:critical_rate"

BRACKETS = {1: (4.02, 4.1), 2: (2.28, 2.33), 3: (1.605, 1.64), 4: (1.238, 1.262)}
OFF = 1e-5
"""How far from the teacher units start."""


def growth(K: int, rate: float) -> float:
    """Rate at which units that are almost the teacher's leave it, negative where they come back."""
    times = (80.0, 140.0)
    answer = ask("symmetric", times, width=K, teacher_width=K, learning_rate=rate, init=1.0, overlap=1 - OFF)
    first, last = np.abs(1 - answer["R"].values[:, 0, 0])
    return float(np.log(last / first) / (times[1] - times[0]))


def turned(widths: tuple[int, ...], _: Seeds) -> dict[int, float]:
    """Evidence: the rate from which units leave, by K."""
    return {K: optimize.brentq(partial(growth, K), *BRACKETS[K], rtol=1e-5) for K in widths}


def of_each(formula: Callable[[int], float], found: dict[int, float]) -> dict[int, float]:
    """The claim of a formula of K."""
    return {K: formula(K) for K in found}


def printed(K: int) -> float:
    """sqrt(3) pi/(K - 1 + 3/sqrt(5))."""
    return float(np.sqrt(3) * np.pi / (K - 1 + 3 / np.sqrt(5)))


def critical(id: str, title: str, widths: tuple[int, ...], claim: Callable[[int], float], **more: Any) -> Any:
    """A check of a formula for the learning rate beyond which the teacher is not found."""
    return check(
        id=id,
        title=title,
        paper="saad1995",
        ref="largest learning rate",
        evidence=partial(turned, widths),
        claim=partial(of_each, claim),
        judge=worst_case(relatively(2e-4, "transients that decayed to 1e-4 (relative)")),
        **more,
    )


RATE = critical(
    "cm-critical-rate",
    "units leave their teacher beyond the learning rate at which perfect learning becomes unstable",
    (1, 2, 3, 4),
    critical_rate,
    wrong=(WrongClaim("largest rate 0.1 % higher", partial(of_each, lambda K: 1.001 * critical_rate(K))),),
    errata=(
        misprint(
            "cm-critical-rate-wide",
            "largest learning rate for K units",
            "eta_c = sqrt(3) pi/(K - 1 + 3/sqrt(5)) for every K",
            "the smallest root of det J(eta); the printed formula equals it at K = 1 only",
            partial(of_each, printed),
            paper="",
            held="cm-critical-rate-one",
        ),
    ),
    functions=(entry("symmetric"), CRITICAL),
    slow=True,
    covers=("Largest learning rate",),
)
ONE = critical(
    "cm-critical-rate-one",
    "one unit leaves its teacher beyond eta = pi sqrt(5/3), the formula for K units at K = 1",
    (1,),
    printed,
    wrong=(WrongClaim("largest learning rate pi sqrt(2)", constant_claim({1: np.pi * np.sqrt(2)})),),
    functions=(entry("symmetric"),),
)

CHECKS = (FLOOR, FLOOR_SLOW, FLOORS, RATE, ONE)
