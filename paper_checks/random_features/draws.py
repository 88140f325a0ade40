"""Drawn features and samples against the limit: equal but for a bias that falls like 1/d.

Averages over labels, starts and fresh inputs are exact given the draws, so that a bias is measured to a few
percent. What is simulated, on fresh examples, must have the same mean at any size, without a bias.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Tooth
from teacherstudent.paper_checks.judging.finite_size import (
    Changes,
    Family,
    Sized,
    against_limit,
    agree_extrapolated,
    limit,
    scaled,
)
from teacherstudent.paper_checks.random_features import check
from teacherstudent.paper_checks.random_features.kit.asking import ERF, RELU, SIGN, Nonlinearity, errors

VARIABLES = ("excess_risk", "training_error")
TRAINED: dict[str, Any] = {"noise": 0.5, "init": 0.5, "ridge": 0.02}


def one_scale(own: dict[str, Any], d: int, psi1: float, psi2: float) -> dict[str, Any]:
    """A question of one scale."""
    return {"psi1": psi1, "psi2": psi2, "d": d, **TRAINED, "hermite": None, "teacher_hermite": None, **own}


def two_scales(own: dict[str, Any], d: int, psi1: float, psi2: float) -> dict[str, Any]:
    """The same of two: two fifths of the inputs are three times as strong as the others."""
    weak = 3 * d // 5
    scales = ((d - weak, 3.0), (weak, 1.0))
    return {**one_scale(own, d, psi1, psi2), "d": None, "scales": scales}


def of(*moments: float) -> Changes:
    """Hermite coefficients in the place of an activation's name."""
    return {"activation": lambda _: None, "hermite": lambda _: (0.0, *moments)}


NO_NOISE, OTHER = "nonlinearity's own noise dropped", "tanh's coefficients"
LOUDER = "label noise a tenth larger"
TEACHER: Changes = {"teacher": lambda _: None, "teacher_hermite": lambda _: (0.0, SIGN.mu1)}


def wrong_of(own: Nonlinearity) -> dict[str, Changes]:
    """Wrong claims about a nonlinearity of which the limit knows `own`."""
    return {NO_NOISE: of(own.mu1), OTHER: {"activation": lambda _: "tanh"}}


def all_wrong(own: Nonlinearity, psi1: float) -> dict[str, Changes]:
    """Those, and wrong training, and features divided by the root of d, not of N = psi1 d."""
    return {
        **wrong_of(own),
        "divided by sqrt(d), not by sqrt(N)": of((psi1 * own.mu1**2) ** 0.5, (psi1 * own.rest) ** 0.5),
        LOUDER: {"noise": scaled(1.1)},
        "start forgotten": {"init": scaled(0.0)},
        "no ridge": {"ridge": scaled(0.0)},
    }


def halved(evidence: Sized) -> np.ndarray:
    """Wrong: a risk without its half."""
    claim = limit("asymptotic", {}, evidence)
    return np.where(np.arange(claim.size) < claim.size // 2, 2 * claim, claim)


HALF = Tooth("a risk without its half", halved)
NONLINEARITY = Contrast(NO_NOISE, "what of the nonlinearity is noise to the student")


EXACT = "instance"
Sizes = Callable[[dict[str, Any], int], dict[str, Any]]


def family(dynamics: str, own: dict[str, Any], sizes: Sizes, draws: dict[int, int], **clock: Any) -> Family:
    """The question at every size; the last is the large one."""
    *small, large = draws
    return Family(
        "random-features", dynamics, VARIABLES, lambda d: {**sizes(own, d), **clock},
        draws={d: draws[d] for d in small}, large=(large, draws[large]), drawn=EXACT,
    )  # fmt: skip


def limit_check(id: str, title: str, asked: Family, wrong: dict[str, Changes], **changed: Any) -> Check:
    """The check of a family, which agrees with the limit but for a bias like 1/d."""
    parts = against_limit(asked, "asymptotic", wrong, HALF, effect=NONLINEARITY)
    return check(
        id=id, title=title, ref="errors given the draws, averaged over draws", **{**parts, **changed}
    )


ERF_SIZES = partial(one_scale, psi1=1.5, psi2=2.0)
RELU_SIZES = partial(one_scale, psi1=3.0, psi2=1.0)

DESCENT = limit_check(
    "rf-limit-descent",
    "descent on erf features given the draws, against the limit: bias like 1/d",
    family(
        "descent", {"activation": "erf"}, ERF_SIZES, {40: 1800, 80: 900, 160: 350, 320: 30},
        times=(15, 150, 1500), learning_rate=0.15,
    ),
    all_wrong(ERF, 1.5),
)  # fmt: skip
FLOW = limit_check(
    "rf-limit-flow",
    "gradient flow on ReLU features given the draws, against the limit: bias like 1/d",
    family(
        "flow", {"activation": "relu"}, RELU_SIZES, {40: 1000, 80: 500, 160: 150, 320: 30},
        times=(3.0, 30.0, 300.0),
    ),
    all_wrong(RELU, 3.0),
)  # fmt: skip
RIDGE = limit_check(
    "rf-limit-ridge",
    "ridge regression on two scales given the draws, extrapolated in 1/d, against the limit",
    family(
        "ridge", {"activation": "erf"}, partial(two_scales, psi1=1.5, psi2=2.0), {100: 300, 300: 50},
        times=(3.0, 300.0),
    ),
    {
        **wrong_of(ERF),
        LOUDER: {"noise": scaled(1.1)},
        "scales half as far apart": {"scales": lambda both: ((both[0][0], 1.5), both[1])},
    },
    judge=lambda evidence, claimed: agree_extrapolated(evidence.samples, claimed),
)  # fmt: skip
INDEX = limit_check(
    "rf-limit-teacher",
    "a teacher that is a sign, given the draws, extrapolated in 1/d, against the limit",
    family(
        "flow", {"activation": "erf", "teacher": "sign"}, ERF_SIZES, {40: 1600, 160: 300},
        times=(3.0, 30.0, 300.0),
    ),
    {**wrong_of(ERF), "teacher's nonlinear part dropped": TEACHER},
    judge=lambda evidence, claimed: agree_extrapolated(evidence.samples, claimed),
)  # fmt: skip

# Simulated, at any size -------------------------------------------------------------------------------

D = 30
DRAWS = 150
CLOCKS: dict[str, tuple[tuple[float, ...], dict[str, Any]]] = {
    "descent": ((50, 500), {"learning_rate": 0.03}),
    "ridge": ((3.0, 300.0), {}),
}


@dataclass(frozen=True)
class Simulated:
    """A question, its seeds, and the errors that were simulated, (S, 2 T) under each dynamics."""

    question: dict[str, Any]
    seeds: list[int]
    found: dict[str, np.ndarray]


def asked() -> list[dict[str, Any]]:
    """Kinks, jumps, coefficients; linear and other teachers; one scale and two."""
    return [
        one_scale({"activation": "relu"}, D, 3.0, 1.0),
        two_scales({"activation": "erf", "teacher": "sign"}, D, 1.5, 2.0),
        one_scale({"hermite": (0.2, 0.8, 0.3, 0.4), "teacher": "tanh"}, D, 0.7, 1.5),
    ]


def both_dynamics(route: str, seeds: list[int], **question: Any) -> dict[str, np.ndarray]:
    """Both errors of each draw, times side by side."""
    return {
        dynamics: errors(dynamics, route, times, seeds=seeds, **clock, **question).reshape(len(seeds), -1)
        for dynamics, (times, clock) in CLOCKS.items()
    }


def simulated(seeds: Seeds) -> list[Simulated]:
    """Evidence: the simulation."""
    drawn = [(question, seeds(DRAWS, str(at))) for at, question in enumerate(asked())]
    return [Simulated(each, chosen, both_dynamics("simulation", chosen, **each)) for each, chosen in drawn]


def averaged(evidence: list[Simulated], **changed: Any) -> list[dict[str, np.ndarray]]:
    """The claim: exact averages given the same draws; wrong where a parameter is changed by its factor."""
    found = []
    for each in evidence:
        other = {name: factor * each.question[name] for name, factor in changed.items()}
        found.append(both_dynamics(EXACT, each.seeds, **{**each.question, **other}))
    return found


@worst_case
def same_means(evidence: Simulated, claim: dict[str, np.ndarray]) -> Any:
    """Draw against draw: what is left is chance of label noise, starts, teachers and fresh examples."""
    for dynamics, found in evidence.found.items():
        yield mean_within_errors(found - claim[dynamics], 0.0)


SIMULATED = check(
    id="rf-simulation",
    title="simulated students have the exact averages given their draws, at a finite size",
    ref="the definition of the problem",
    evidence=simulated,
    claim=averaged,
    judge=same_means,
    effect=Contrast("label noise a fifth larger", "a fifth of the label noise"),
    teeth=(
        Tooth("label noise a fifth larger", partial(averaged, noise=1.2)),
        Tooth("start half larger", partial(averaged, init=1.5)),
        Tooth("ridge twice as large", partial(averaged, ridge=2.0)),
    ),
    functions=tuple(
        f"{room}:{dynamics}"
        for dynamics in CLOCKS
        for room in ("sims.random_features.simulation", "theory.random_features.instance")
    ),
    slow=True,
)

CHECKS = (DESCENT, FLOW, RIDGE, INDEX, SIMULATED)
