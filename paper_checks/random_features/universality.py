"""Gaussian features of the same moments in place of the nonlinear ones: another bias, the same limit.

Both students are simulated on the same inputs, features and noise of labels, and compared draw against draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.finite_size import agree_extrapolated
from teacherstudent.paper_checks.random_features import check
from teacherstudent.paper_checks.random_features.kit.asking import ERF, RELU, TANH, Nonlinearity, errors

TRAINED: dict[str, Any] = {"noise": 0.5, "init": 0.5, "ridge": 0.02}
CASES: dict[str, tuple[str, Nonlinearity, tuple[float, float], tuple[float, ...], dict[str, Any]]] = {
    "descent": ("relu", RELU, (3.0, 1.0), (30, 300), {"learning_rate": 0.1}),
    "ridge": ("erf", ERF, (1.5, 2.0), (3.0, 300.0), {}),
}
"""By dynamics: activation, its moments, ratios, times and learning rate."""
DRAWS = {20: 300, 60: 150}


def answer(dynamics: str, route: str, d: int, own: Nonlinearity | None = None, **more: Any) -> np.ndarray:
    """Both errors, times side by side; of another nonlinearity, by its coefficients."""
    activation, _, (psi1, psi2), times, clock = CASES[dynamics]
    function: dict[str, Any] = {"hermite": own.hermite} if own else {"activation": activation}
    question = {"psi1": psi1, "psi2": psi2, "d": d, **TRAINED, **function, **clock, **more}
    found = errors(dynamics, route, times, **question)
    return found.reshape(*found.shape[:-2], -1)


@dataclass(frozen=True)
class Twins:
    """By size: errors of Gaussian features, (S, P), and how far those of nonlinear ones are from them."""

    gaussian: dict[int, np.ndarray]
    apart: dict[int, np.ndarray]


def simulated(seeds: Seeds) -> dict[str, Twins]:
    """Evidence: both students under both dynamics."""
    found = {}
    for dynamics in CASES:
        gaussian, apart = {}, {}
        for d, count in DRAWS.items():
            drawn = seeds(count, f"{dynamics} d={d}")
            gaussian[d] = answer(dynamics, "gaussian-equivalent", d, seeds=drawn)
            apart[d] = answer(dynamics, "simulation", d, seeds=drawn) - gaussian[d]
        found[dynamics] = Twins(gaussian, apart)
    return found


def one_limit(
    evidence: dict[str, Twins], wrong: str = "", **changed: Any
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The claim: the limit, and no difference. Wrong: Gaussian features with other coefficients, or another
    question."""
    found = {}
    for dynamics, (_, own, *_rest) in CASES.items():
        others = {"": None, "tanh": TANH, "rest": Nonlinearity(own.mu1, 0.0), "linear": LINEARISED[dynamics]}
        limit = answer(dynamics, "asymptotic", max(DRAWS))
        gaussian = answer(dynamics, "asymptotic", max(DRAWS), others[wrong], **changed)
        found[dynamics] = gaussian, limit - gaussian if wrong else np.zeros_like(limit)
    return found


LINEARISED = {name: Nonlinearity((own.mu1**2 + own.rest) ** 0.5, 0.0) for name, (_, own, *_) in CASES.items()}
"""Linear features of the same variance."""


@worst_case
def in_the_limit(evidence: Twins, claim: tuple[np.ndarray, np.ndarray]) -> Iterator[Verdict]:
    """Errors of Gaussian features and differences to nonlinear ones, extrapolated in 1/d."""
    gaussian, apart = claim
    yield agree_extrapolated(evidence.gaussian, gaussian)
    yield agree_extrapolated(evidence.apart, apart)


UNIVERSALITY = check(
    id="rf-universality",
    title="Gaussian features of the same moments have the errors of nonlinear ones in the limit",
    ref="Gaussian covariates",
    paper="mei2022",
    evidence=simulated,
    claim=one_limit,
    judge=in_the_limit,
    effect=Contrast("nonlinearity's own noise dropped", "what of the nonlinearity is noise to the student"),
    teeth=(
        Tooth("nonlinearity's own noise dropped", partial(one_limit, wrong="rest")),
        Tooth("linear features of the same variance", partial(one_limit, wrong="linear")),
        Tooth("tanh's coefficients", partial(one_limit, wrong="tanh")),
        Tooth("no ridge", partial(one_limit, ridge=0.0)),
    ),
    slow=True,
)

CHECKS = (UNIVERSALITY,)
