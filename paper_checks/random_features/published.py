r"""Published formulas of ridge regression: mei2022 with its limits, on random cases.

With zeta = mu1/mustar and lambda' = lambda/mustar^2 (lambda of mei2022: `ridge` is psi2 lambda), nu1 = i a1
and nu2 = i a2 on the imaginary axis solve, with xi = sqrt(psi1 psi2 lambda') and u = a1 a2,

    a1 = psi1/(xi + a2 + zeta^2 a2/(1 + zeta^2 u)),   a2 = psi2/(xi + a1 + zeta^2 a1/(1 + zeta^2 u)),

so that (psi1 - g)(psi2 - g) = xi^2 u with g = u + zeta^2 u/(1 + zeta^2 u). chi = nu1 nu2 = -u.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from scipy import optimize

from teacherstudent.paper_checks.judging.agreement import at_order, within_bound
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.random_features import check
from teacherstudent.paper_checks.random_features.kit.asking import ERF, RELU, SIGN, TANH, Nonlinearity, errors

NAMED = {"relu": RELU, "erf": ERF, "sign": SIGN}
CASES = 30
SLOPE, HIDDEN, NOISE = 0.8, 0.3, 0.4
"""F1, F* and tau: the teacher's linear part, what of it is not linear, and label noise."""
INPUTS = 1000


@dataclass(frozen=True)
class Regression:
    """Ridge regression as mei2022 states it."""

    psi1: float
    psi2: float
    own: Nonlinearity
    lam: float

    @property
    def zeta(self) -> float:
        return self.own.mu1 / self.own.rest**0.5

    @property
    def scaled(self) -> float:
        """lambda/mustar^2."""
        return self.lam / self.own.rest

    def asked(self, activation: str) -> float:
        """The route's excess risk without the half, F1^2 B + (F*^2 + tau^2) V + F*^2."""
        question: dict[str, Any] = {"teacher_hermite": (0.0, SLOPE, HIDDEN), "noise": NOISE}
        question |= {"width": round(self.psi1 * INPUTS), "n": round(self.psi2 * INPUTS), "d": INPUTS}
        times = [1 / (self.psi2 * self.lam)]
        generalisation, _ = errors("ridge", "asymptotic", times, activation=activation, **question)
        return float(generalisation[0]) - NOISE**2


Parts = tuple[float, float]
"""B and V: what F1^2 and F*^2 + tau^2 are multiplied by."""
Formula = Callable[[Regression], Parts]


def at_ridge(case: Regression) -> Parts:
    """Theorem 2, Definition 1: E1/E0 and E2/E0."""
    square, psi1, psi2 = case.zeta**2, case.psi1, case.psi2
    xi = psi1 * psi2 * case.scaled  # xi^2

    def g(u: float) -> float:
        return u + square * u / (1 + square * u)

    def equation(log: float) -> float:
        u = np.exp(log)
        return (psi1 - g(u)) * (psi2 - g(u)) - xi * u

    least = min(psi1, psi2)
    highest = optimize.brentq(lambda log: g(np.exp(log)) - least, -200.0, np.log(least), rtol=4 * EPS)
    return of_chi(case, -float(np.exp(optimize.brentq(equation, -200.0, highest, xtol=1e-300, rtol=4 * EPS))))


def ridgeless(case: Regression) -> Parts:
    """Theorem 3, Definition 2: the same with chi at lambda -> 0."""
    square = case.zeta**2
    half = min(case.psi1, case.psi2) * square - square - 1
    return of_chi(case, -(np.sqrt(half**2 + 4 * square * min(case.psi1, case.psi2)) + half) / (2 * square))


def of_chi(case: Regression, x: float) -> Parts:
    """E1/E0 and E2/E0 by powers of chi and zeta^2."""
    z, psi1, psi2 = case.zeta**2, case.psi1, case.psi2
    common = x**5 * z**3 - 3 * x**4 * z**2 + 2 * x**3 * z**2 + 3 * x**3 * z - 2 * x**2 * z - x**2
    e0 = (
        -common + (psi1 * psi2 - psi2 - psi1 + 1) * x**3 * z**3
        + (psi1 + psi2 - 3 * psi1 * psi2 + 1) * x**2 * z**2 + 3 * psi1 * psi2 * x * z - psi1 * psi2
    )  # fmt: skip
    e1 = psi2 * x**3 * z**2 - psi2 * x**2 * z + psi1 * psi2 * x * z - psi1 * psi2
    e2 = common + (psi1 - 1) * x**3 * z**3 - (psi1 + 1) * x**2 * z**2
    return e1 / e0, e2 / e0


def wide(case: Regression) -> Parts:
    """Theorem 4, Definition 3: psi1 -> infinity."""
    psi, w = case.psi2, omega(case, case.psi2)
    below = (psi - 1) * w**3 + (1 - 3 * psi) * w**2 + 3 * psi * w - psi
    return (psi * w - psi) / below, (w**3 - w**2) / below


def many_samples(case: Regression) -> Parts:
    """Theorem 5, Definition 4: psi2 -> infinity at fixed lambda."""
    psi, w = case.psi1, omega(case, case.psi1)
    below = (psi - 1) * w**3 + (1 - 3 * psi) * w**2 + 3 * psi * w - psi
    return ((w**3 - w**2) / case.zeta**2 + psi * w - psi) / below, 0.0


def omega(case: Regression, psi: float) -> float:
    """The root of both limits."""
    square, ridge = case.zeta**2, case.scaled * psi + 1
    half = psi * square - square - ridge
    return float(-(np.sqrt(half**2 + 4 * psi * square * ridge) + half) / (2 * ridge))


@dataclass(frozen=True)
class Asked:
    """A case, the nonlinearity's name, and what the ridge route answers."""

    case: Regression
    activation: str
    risk: float

    @classmethod
    def of(cls, activation: str, psi1: float, psi2: float, lam: float) -> Asked:
        case = Regression(psi1, psi2, NAMED[activation], lam)
        return cls(case, activation, case.asked(activation))


def random_cases(seeds: Seeds) -> list[Asked]:
    """Evidence: ratios of .1 to 10, lambda of 1e-3 to 10."""
    found = []
    for at, seed in enumerate(seeds(CASES)):
        rng = np.random.default_rng(seed)
        psi1, psi2 = np.rint(INPUTS * 10 ** rng.uniform(-1, 1, 2)) / INPUTS
        found.append(Asked.of(list(NAMED)[at % len(NAMED)], psi1, psi2, 10 ** rng.uniform(-3, 1)))
    return found


def risks(
    formula: Formula, evidence: list[Asked], own: Nonlinearity | None = None, hidden: float = 1.0,
    lam: float = 1.0, inputs: float = 0.0,
) -> np.ndarray:  # fmt: skip
    """F1^2 B + (F*^2 + tau^2) V + F*^2 of every case; changes of what enters for the negative controls.

    inputs: the ridge as n^inputs times that of the paper, in units of inputs.
    """
    found = []
    for each in evidence:
        case = replace(each.case, own=own or each.case.own, lam=lam * each.case.lam * each.case.psi2**inputs)
        bias, variance = formula(case)
        unseen = hidden * HIDDEN**2
        found.append(SLOPE**2 * bias + (unseen + NOISE**2) * variance + unseen)
    return np.array(found)


def same_risks(evidence: list[Asked], claimed: np.ndarray) -> Verdict:
    """Logarithms to 4 eps, amplified by the largest ratio of sizes to ridges."""
    reason = "roots to 4 eps, times the largest psi/lambda of 1e4"
    found = np.array([each.risk for each in evidence])
    return within_bound(claimed / found - 1, 4e4 * EPS, reason, "relative")


RIDGE = ("theory.random_features.asymptotic:ridge",)
WRONG = {
    "tanh's coefficients for every nonlinearity": {"own": TANH},
    "teacher's nonlinear part dropped": {"hidden": 0.0},
    "lambda off by 1e-9": {"lam": 1 + 1e-9},
    "ridge of the mean loss for that of the sum": {"inputs": -1.0},
}


def wrong(formula: Formula, *names: str) -> tuple[Tooth, ...]:
    """Negative controls of a formula."""
    return tuple(Tooth(name, partial(risks, formula, **WRONG[name])) for name in names)


THEOREM = check(
    id="rf-ridge-formula",
    title="ridge regression in the limit: published bias and variance, on random cases",
    ref="Theorem 2",
    paper="mei2022",
    evidence=random_cases,
    claim=partial(risks, at_ridge),
    judge=same_risks,
    teeth=(*wrong(at_ridge, *WRONG), Tooth("formula without a ridge", partial(risks, ridgeless))),
    functions=RIDGE,
    covers=("Theorem 2",),
)

Line = tuple[list[Asked], np.ndarray]
"""Cases that approach a limit, and how far each is from it."""
STEPS = np.array([1e-3, 1e-5, 1e-7])
PLACES: dict[str, Callable[[float], list[tuple[float, float, float]]]] = {
    "small ridge": lambda step: [(0.5, 2.0, 1e-4 * step), (2.0, 0.5, 1e-4 * step), (3.0, 1.0, 1e-4 * step)],
    "many features": lambda step: [(1 / step, psi2, 0.1) for psi2 in (0.7, 1.0, 3.0)],
    "many samples": lambda step: [(psi1, 1 / step, 0.1) for psi1 in (0.7, 1.0, 3.0)],
}


def approach(place: str, _: Seeds) -> list[list[Asked]]:
    """Evidence: every nonlinearity and place, nearer and nearer to the limit."""
    return [[Asked.of(name, *where) for name in NAMED for where in PLACES[place](step)] for step in STEPS]


def in_the_limit(formula: Formula, evidence: list[list[Asked]], **changed: Any) -> np.ndarray:
    """The limit's formula, at the nearest step."""
    return risks(formula, evidence[-1], **changed)


def linearly(evidence: list[list[Asked]], claimed: np.ndarray) -> Verdict:
    """What is left is in proportion to the distance."""
    found = [np.array([each.risk for each in step]) for step in evidence]
    return at_order(STEPS, [np.linalg.norm(claimed / each - 1) for each in found], 1.0)


def limit_check(
    id: str, place: str, theorem: str, formula: Formula, title: str, *others: Tooth
) -> Check:  # fmt: skip
    """The check of one of the paper's limits."""
    teeth = [Tooth(name, partial(in_the_limit, formula, **WRONG[name])) for name in list(WRONG)[:2]]
    return check(
        id=id,
        title=title,
        ref=theorem,
        paper="mei2022",
        evidence=partial(approach, place),
        claim=partial(in_the_limit, formula),
        judge=linearly,
        teeth=(*teeth, *others),
        functions=RIDGE,
        covers=(theorem,),
    )


def swapped(case: Regression) -> Parts:
    """Wrong: as many samples as there are features."""
    return wide(replace(case, psi2=case.psi1))


CHECKS = (
    THEOREM,
    limit_check(
        "rf-ridgeless", "small ridge", "Theorem 3", ridgeless,
        "no ridge: the published limit, reached like lambda",
        Tooth("the ridge of the first step", lambda evidence: risks(at_ridge, evidence[0])),
    ),
    limit_check(
        "rf-wide", "many features", "Theorem 4", wide,
        "infinitely many features: the published limit, reached like 1/N",
        Tooth("lambda off by 1e-2", partial(in_the_limit, wide, lam=1.01)),
    ),
    limit_check(
        "rf-many-samples", "many samples", "Theorem 5", many_samples,
        "infinitely many samples: the published limit, reached like 1/n",
        Tooth("lambda off by 1e-2", partial(in_the_limit, many_samples, lam=1.01)),
        Tooth("features and samples exchanged", partial(in_the_limit, swapped)),
    ),
)  # fmt: skip
