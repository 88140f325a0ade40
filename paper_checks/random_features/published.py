"""Ridge regression in the limit: the published errors of mei2022 on random cases, and its limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_order, within_bound
from teacherstudent.paper_checks.judging.effects import Measured
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.random_features import check
from teacherstudent.paper_checks.random_features.kit.asking import ERF, RELU, SIGN, TANH, Nonlinearity, errors
from teacherstudent.paper_checks.random_features.kit.formulas import (
    Formula,
    Parts,
    Regression,
    absorbed,
    at_ridge,
    coupling,
    many_samples,
    ridgeless,
    wide,
)

NAMED = {"relu": RELU, "erf": ERF, "sign": SIGN}
CASES = 30
SLOPE, HIDDEN, NOISE = 0.8, 0.3, 0.4
"""F1, F* and tau: the teacher's linear part, what of it is not linear, and label noise."""
INPUTS = 1000


@dataclass(frozen=True)
class PublishedCase:
    """A case, and what the ridge route answers: excess risk without the half, and training error."""

    case: Regression
    risk: float
    trained: float

    @classmethod
    def of(cls, activation: str, psi1: float, psi2: float, lam: float) -> PublishedCase:
        question: dict[str, Any] = {"teacher_hermite": (0.0, SLOPE, HIDDEN), "noise": NOISE, "d": INPUTS}
        question |= {"width": round(psi1 * INPUTS), "n": round(psi2 * INPUTS), "activation": activation}
        test, train = errors("ridge", "asymptotic", [1 / (psi2 * lam)], **question)[:, 0]
        return cls(Regression(psi1, psi2, NAMED[activation], lam), float(test) - NOISE**2, float(train))


def random_cases(seeds: Seeds) -> list[PublishedCase]:
    """Evidence: ratios of .1 to 10, lambda of 1e-3 to 10."""
    found = []
    for at, seed in enumerate(seeds(CASES)):
        rng = np.random.default_rng(seed)
        psi1, psi2 = np.rint(INPUTS * 10 ** rng.uniform(-1, 1, 2)) / INPUTS
        found.append(PublishedCase.of(list(NAMED)[at % len(NAMED)], psi1, psi2, 10 ** rng.uniform(-3, 1)))
    return found


def risks(
    formula: Formula, evidence: list[PublishedCase], own: Nonlinearity | None = None, hidden: float = 1.0,
    lam: float = 1.0, inputs: float = 0.0,
) -> np.ndarray:  # fmt: skip
    """F1^2 B + (F*^2 + tau^2) V + F*^2 of every case; changes of what enters for the negative controls."""
    found = []
    for each in evidence:
        case = replace(each.case, own=own or each.case.own, lam=lam * each.case.lam * each.case.psi2**inputs)
        bias, variance = formula(case)
        unseen = hidden * HIDDEN**2
        found.append(SLOPE**2 * bias + (unseen + NOISE**2) * variance + unseen)
    return np.array(found)


def same_risks(evidence: list[PublishedCase], claimed: np.ndarray) -> Verdict:
    """Logarithms to 4 eps, amplified by the largest ratio of sizes to ridges."""
    reason = "roots accurate to 4 eps, amplified by psi/lambda of at most 1e4"
    found = np.array([each.risk for each in evidence])
    return within_bound(claimed / found - 1, 4e4 * EPS, reason, "relative")


WRONG: dict[str, dict[str, Any]] = {
    "coefficients of tanh for every nonlinearity": {"own": TANH},
    "the teacher's nonlinear part omitted": {"hidden": 0.0},
    "lambda 1e-9 (relative) too large": {"lam": 1 + 1e-9},
    "ridge of the mean loss instead of the summed loss": {"inputs": -1.0},
}


THEOREM = check(
    id="rf-ridge-formula",
    title="in the limit, ridge regression has the published bias and variance, in random cases",
    ref="Theorem 2",
    paper="mei2022",
    evidence=random_cases,
    claim=partial(risks, at_ridge),
    judge=same_risks,
    wrong=(
        *(WrongClaim(name, partial(risks, at_ridge, **changed)) for name, changed in WRONG.items()),
        WrongClaim("the formula without a ridge", partial(risks, ridgeless)),
    ),
)


def training_errors(
    evidence: list[PublishedCase], regularised: bool = False, minus: float = 1.0
) -> np.ndarray:
    """The training error L - lambda dL/dlambda, L the least regularised loss; wrong: L itself, or a sign."""
    found = []
    for each in evidence:
        case, u = each.case, coupling(each.case)
        square, slope = case.zeta**2, 1 + case.zeta**2 / (1 + case.zeta**2 * u) ** 2  # g'
        g, ridge = absorbed(case, u), case.psi1 * case.psi2 * case.scaled
        moved = -ridge * u / (slope * (case.psi1 + case.psi2 - 2 * g) + ridge)  # du/dln lambda
        kept = 1 - g / case.psi2  # -i nu2 sqrt(psi1 lambda'/psi2)
        missed = SLOPE**2 / (1 + square * u) + HIDDEN**2 + NOISE**2
        change = (
            -slope * moved / case.psi2 * missed - kept * SLOPE**2 * square * moved / (1 + square * u) ** 2
        )
        found.append(kept * missed - (0.0 if regularised else minus * change))
    return np.array(found)


def same_training(evidence: list[PublishedCase], claimed: np.ndarray) -> Verdict:
    """The difference of L and its slope loses what the training error is smaller than the residual."""
    found = np.array([each.trained for each in evidence])
    reason = (
        "roots accurate to 4 eps, amplified by psi/lambda of at most 1e4, relative to the initial residual"
    )
    return within_bound(claimed - found, 4e4 * EPS, reason, "training error")


TRAINING = check(
    id="rf-training-error",
    title="in the limit, ridge regression has the published minimum of the training loss, in random cases",
    ref="Training error",
    paper="mei2022",
    evidence=random_cases,
    claim=training_errors,
    judge=same_training,
    effect=Measured(lambda cases: min(each.trained for each in cases), "the smallest training error"),
    wrong=(
        WrongClaim("the penalty counted as training error", partial(training_errors, regularised=True)),
        WrongClaim("the penalty added instead of subtracted", partial(training_errors, minus=-1.0)),
    ),
)

STEPS = np.array([1e-3, 1e-5, 1e-7])
PLACES: dict[str, Callable[[float], list[tuple[float, float, float]]]] = {
    "small ridge": lambda step: [(0.5, 2.0, 1e-4 * step), (2.0, 0.5, 1e-4 * step), (3.0, 1.0, 1e-4 * step)],
    "many features": lambda step: [(1 / step, psi2, 0.1) for psi2 in (0.7, 1.0, 3.0)],
    "many samples": lambda step: [(psi1, 1 / step, 0.1) for psi1 in (0.7, 1.0, 3.0)],
}


def approach(place: str, _: Seeds) -> list[list[PublishedCase]]:
    """Evidence: every nonlinearity and place, nearer and nearer to the limit."""
    return [
        [PublishedCase.of(name, *where) for name in NAMED for where in PLACES[place](step)] for step in STEPS
    ]


def in_the_limit(formula: Formula, evidence: list[list[PublishedCase]], **changed: Any) -> np.ndarray:
    """The limit's formula, at the nearest step."""
    return risks(formula, evidence[-1], **changed)


def linearly(evidence: list[list[PublishedCase]], claimed: np.ndarray) -> Verdict:
    """What is left is in proportion to the distance."""
    found = [np.array([each.risk for each in step]) for step in evidence]
    return at_order(STEPS, [np.linalg.norm(claimed / each - 1) for each in found], 1.0)


def limit_check(
    id: str, place: str, entry: str, formula: Formula, title: str, *others: WrongClaim
) -> Check:  # fmt: skip
    """The check of one of the paper's limits."""
    controls = [WrongClaim(name, partial(in_the_limit, formula, **WRONG[name])) for name in list(WRONG)[:2]]
    return check(
        id=id,
        title=title,
        ref=entry,
        paper="mei2022",
        evidence=partial(approach, place),
        claim=partial(in_the_limit, formula),
        judge=linearly,
        wrong=(*controls, *others),
        covers=(entry,),
    )


def swapped(case: Regression) -> Parts:
    """Wrong: features and samples exchanged."""
    return wide(replace(case, psi2=case.psi1))


CHECKS = (
    THEOREM,
    TRAINING,
    limit_check(
        "rf-ridgeless", "small ridge", "Ridgeless limit", ridgeless,
        "as the ridge vanishes, the risk approaches the published limit in proportion to lambda",
        WrongClaim("the ridge of the first step", lambda evidence: risks(at_ridge, evidence[0])),
    ),
    limit_check(
        "rf-wide", "many features", "Highly overparametrised limit", wide,
        "with infinitely many features, the risk approaches the published limit in proportion to 1/N",
        WrongClaim("lambda 1 % too large", partial(in_the_limit, wide, lam=1.01)),
    ),
    limit_check(
        "rf-many-samples", "many samples", "Large sample limit", many_samples,
        "with infinitely many samples, the risk approaches the published limit in proportion to 1/n",
        WrongClaim("lambda 1 % too large", partial(in_the_limit, many_samples, lam=1.01)),
        WrongClaim("features and samples exchanged", partial(in_the_limit, swapped)),
    ),
)  # fmt: skip
