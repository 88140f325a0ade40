"""The plateau of equal units (erf, K = M, T = I, v = v* = 1), how fast it is left, and how long it lasts.

As the learning rate goes to 0, with Q = Q_ii = Q_ij: Q = 1/(2K - 1), R = sqrt(Q/K),
E = (K/pi)[pi/6 - K asin(1/(2K))] and the escape rate l = (2 eta/pi) K (2K - 1)^(-1/2) (2K + 1)^(-3/2).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.committee import check, misprint
from teacherstudent.paper_checks.committee.kit.asking import accuracy, ask, entry
from teacherstudent.paper_checks.committee.kit.crossing import crossings, specialisation
from teacherstudent.paper_checks.judging.agreement import (
    at_order,
    mean_within_errors,
    within_bound,
    within_errors,
)
from teacherstudent.paper_checks.judging.claims import constant_claim, worst_case, worst_of
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import relatively
from teacherstudent.theory.committee.plateau import plateau

PLATEAU = "theory.committee.plateau:plateau"

# Where units stay that start without any overlap ------------------------------------------------------------

CASES = (
    (2, 1.5, "erf"),
    (2, 0.8, "erf"),
    (3, 0.9, "erf"),
    (2, 0.2, "relu"),
)
"""K, learning rate, activation."""
LATE = 1500.0


def arrived(_: Seeds) -> list[np.ndarray]:
    """Evidence: R_ij, Q_ii, Q_ij and the excess risk of units that start with R = 0, late."""
    found = []
    for K, rate, activation in CASES:
        units = {"width": K, "teacher_width": K, "activation": activation, "overlap": 0.0}
        answer = ask("asymptotic", (LATE,), learning_rate=rate, **units).isel(time=0)
        R, Q = answer["R"].values, answer["Q"].values
        found.append(np.array([R[0, 0], Q[0, 0], Q[0, 1], float(answer["excess_risk"])]))
    return found


def fixed_points(_: object, faster: float = 1.0, collapsed: bool = False) -> list[np.ndarray]:
    """The claim; wrong at another learning rate, or where units are not only equal but the same."""
    points = [plateau(K, faster * rate, activation) for K, rate, activation in CASES]
    return [np.array([each.R, each.Q, each.Q if collapsed else each.C, each.excess_risk]) for each in points]


PLATEAUS = check(
    id="cm-plateau",
    title="at any learning rate, units with zero initial overlap converge to the fixed point of equal units",
    ref="fixed points of R_ij, Q_ii and Q_ij",
    evidence=arrived,
    claim=fixed_points,
    judge=worst_case(relatively(10 * accuracy("asymptotic"), "declared accuracy")),
    wrong=(
        WrongClaim("learning rate 0.1 % larger", partial(fixed_points, faster=1.001)),
        WrongClaim("identical units: Q_ij = Q_ii", partial(fixed_points, collapsed=True)),
    ),
    functions=(entry("asymptotic"), PLATEAU),
    slow=True,
)

# Slow learning ------------------------------------------------------------

RATES = (0.04, 0.02, 0.01)
WIDTHS = (2, 5)


def slow(_: Seeds) -> dict[int, np.ndarray]:
    """Evidence: R, Q, C, excess risk and l/eta of the fixed points at small rates, (rates, 5)."""
    points = {K: [plateau(K, rate) for rate in RATES] for K in WIDTHS}
    return {
        K: np.array(
            [
                [each.R, each.Q, each.C, each.excess_risk, each.escape_rate / rate]
                for each, rate in zip(found, RATES, strict=True)
            ]
        )
        for K, found in points.items()
    }


def slowest(_: object, power: float = 1.5, own: float = 1.0) -> dict[int, np.ndarray]:
    """The claim: closed forms as the rate goes to 0; wrong with another power, or another Q."""
    found = {}
    for K in WIDTHS:
        Q = own / (2 * K - 1)
        risk = K / np.pi * (np.pi / 6 - K * np.arcsin(1 / (2 * K)))
        escape = 2 / np.pi * K * (2 * K - 1) ** -0.5 * (2 * K + 1) ** -power
        found[K] = np.array([np.sqrt(Q / K), Q, Q, risk, escape])
    return found


@worst_of
def judge_scales_linearly(found: dict[int, np.ndarray], claim: dict[int, np.ndarray]) -> Any:
    """What a learning rate changes is in proportion to it."""
    for K, values in found.items():
        for column, limit in zip(values.T, claim[K], strict=True):
            yield at_order(RATES, np.abs(column - limit), 1)


SLOW = check(
    id="cm-plateau-slow",
    title="as the learning rate goes to 0, the plateau and its escape rate approach closed forms",
    paper="saad1995",
    ref="symmetric phase, realizable case",
    evidence=slow,
    claim=slowest,
    judge=judge_scales_linearly,
    wrong=(
        WrongClaim("escape rate proportional to (2K + 1)^-1.6", partial(slowest, power=1.6)),
        WrongClaim("Q 1 % larger", partial(slowest, own=1.01)),
    ),
    functions=(PLATEAU,),
    slow=True,
    covers=("Symmetric phase",),
)

# How fast units leave ------------------------------------------------------------

WIDTH, RATE_OF_TWO = 2, 1.5
BETWEEN = (4.0, 16.0)
"""Times: what else the start has in it has decayed at the first, and the gap is still small at the last."""
APART, INPUTS, RUNS = 0.02, 20_000, 48
"""So many inputs that a bias like 1/d (`cm-limit-bias`) is far below chance: one size is compared."""


def leaving(seeds: Seeds) -> np.ndarray:
    """Evidence: R_ii - R_ij of draws by the chain that start beside the plateau, (S, 2)."""
    at, one = plateau(WIDTH, RATE_OF_TWO), np.eye(WIDTH)
    start = {
        "initial_overlaps": (at.R + APART * (one - 1 / WIDTH)).tolist(),
        "student_overlaps": (at.C + (at.Q - at.C) * one).tolist(),
    }
    units = {"width": WIDTH, "teacher_width": WIDTH, "learning_rate": RATE_OF_TWO, "d": INPUTS}
    return specialisation(ask("chain", BETWEEN, seeds=seeds(RUNS), **units, **start)["R"].values)


def escape(_: object, slow: bool = False, off: float = 1.0) -> float:
    """The claim: the largest slope of the equations beside the plateau; wrong as for slow learning."""
    if slow:
        return RATE_OF_TWO * float(slowest(None)[WIDTH][-1])
    return off * plateau(WIDTH, RATE_OF_TWO).escape_rate


def judge_growth(found: np.ndarray, claim: float) -> Verdict:
    """What the last gap has beyond the first, grown at that rate, is nothing on average."""
    first, last = found.T
    factor = np.exp(claim * (BETWEEN[1] - BETWEEN[0]))
    return mean_within_errors((last - factor * first)[:, None], np.zeros(1))


ESCAPE = check(
    id="cm-escape",
    title="students that start near the plateau leave it at the escape rate of the linearised equations",
    ref="escape rate at a finite learning rate",
    evidence=leaving,
    claim=escape,
    judge=judge_growth,
    effect=Contrast(
        "the rate of slow learning, times eta", "the rate's deviation from proportionality to eta"
    ),
    wrong=(
        WrongClaim("the rate of slow learning, times eta", partial(escape, slow=True)),
        WrongClaim("escape 10 % faster", partial(escape, off=1.1)),
    ),
    functions=(entry("chain"), PLATEAU),
    also=(("biehl1995", "Online learning of two units"),),
    slow=True,
)

# Length over the overlap at the start ------------------------------------------------------------

DEEP = (1e-4, 1e-6, 1e-8)
"""A hundredth each time."""
LONG = {2: 1.5, 3: 0.9}
"""Learning rates by K = M."""


def left(_: Seeds) -> dict[int, np.ndarray]:
    """Evidence: times at which R_ii - R_ij passes 1/2, overlap by overlap."""
    found = {}
    for K, rate in LONG.items():
        times = np.linspace(0, 800, 3201)
        question: dict[str, Any] = {"width": K, "teacher_width": K, "learning_rate": rate}
        answers = [ask("symmetric", times, overlap=each, **question) for each in DEEP]
        found[K] = np.array([crossings(times, specialisation(each["R"].values)) for each in answers])
    return found


def lengths(_: object, factor: float = 1.0) -> dict[int, np.ndarray]:
    """The claim: how much longer for an e-th of the overlap, 1/l."""
    return {K: np.array(factor / plateau(K, rate).escape_rate) for K, rate in LONG.items()}


@worst_of
def longer(found: dict[int, np.ndarray], claim: dict[int, np.ndarray]) -> Any:
    """But for the way to the plateau, which moves by a power of the overlap: the rate at which the way is
    forgotten, over l (0.78 of K = 2), at most 1."""
    for K, times in found.items():
        off = np.diff(times) / (np.log(100) * claim[K]) - 1
        yield within_bound(
            off,
            1e-3,
            "finite initial overlaps, and interpolated times",
            "relative",
        )


OVERLAP = check(
    id="cm-length-overlap",
    title="the plateau lasts 1/l longer if the initial overlap is e times smaller, down to overlaps of 1e-8",
    ref="length of the plateau = ln(1/X_0)/l + const",
    evidence=left,
    claim=lengths,
    judge=longer,
    wrong=(
        WrongClaim("plateau lengthened by half of 1/l", partial(lengths, factor=0.5)),
        WrongClaim("plateau lengthened by 1 % more than 1/l", partial(lengths, factor=1.01)),
    ),
    functions=(entry("symmetric"), PLATEAU),
    slow=True,
)

# Length over the number of inputs ------------------------------------------------------------

SIZES = {64: 130, 256: 130, 1024: 130}
QUESTION: dict[str, Any] = {"learning_rate": 1.5, "start": "random", "init": 0.5}
WATCHED = np.array([0.0, *range(16, 248, 8)])
"""The risk at each costs more than the steps between. At d = 1024 one draw in a million is late."""


def escaped(seeds: Seeds) -> dict[int, np.ndarray]:
    """Evidence: when each draw of K = M = 2 units that start at random leaves the plateau, (S,) by size."""
    found = {}
    for d, count in SIZES.items():
        answer = ask("chain", WATCHED, d=d, seeds=seeds(count, str(d)), **QUESTION)
        found[d] = crossings(WATCHED, np.abs(specialisation(answer["R"].values)))
    return found


def slope(_: object, share: float = 0.5) -> float:
    """The claim: per e-fold of d, half of 1/l; as the code of ichikawa2025 says, all of it."""
    return share / plateau(2, QUESTION["learning_rate"]).escape_rate


def fitted(found: dict[int, np.ndarray], claim: float) -> Verdict:
    """The slope of the mean time over ln d."""
    drawn = [drawn_mean(times) for times in found.values()]
    weight = np.array([1 / each.stderr**2 for each in drawn])
    x = np.log(list(found))
    x = x - np.average(x, weights=weight)
    spread = np.sum(weight * x**2)
    measured = np.sum(weight * x * [each.mean for each in drawn]) / spread
    return within_errors(measured, claim, spread**-0.5)


SIZE = check(
    id="cm-length-size",
    title="from random weights, with overlaps proportional to 1/sqrt(d), the plateau lasts ln(d)/(2 l)",
    ref="initial overlaps are proportional to d^(-1/2)",
    evidence=escaped,
    claim=slope,
    judge=fitted,
    effect=Contrast("cm-length-whole", "the difference from ln(d)/l"),
    wrong=(WrongClaim("plateau length independent of d", constant_claim(0.0)),),
    errata=(
        misprint(
            "cm-length-whole",
            "online_committee.py, which contradicts its manual",
            "the escape time grows as ln(d)/l",
            "ln(d)/(2 l)",
            partial(slope, share=1.0),
            paper="ichikawa2025",
        ),
    ),
    functions=(entry("chain"), PLATEAU),
    also=(("ichikawa2025", "Escape time"),),
    slow=True,
)

CHECKS = (PLATEAUS, SLOW, ESCAPE, OVERLAP, SIZE)
