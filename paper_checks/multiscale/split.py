"""Where two scales are equal, their split p means nothing: the simplest test of any formula.

At kappa = 1 all features have the same strength. Drawn ridge regressions that differ in p only
are the same regression; a formula whose risk depends on p is wrong whatever else it says. The one
risk that is left is an average over the spectrum of one scale.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import worst_of
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.multiscale import check, misprints
from teacherstudent.theory import marchenko_pastur

SPLITS = (5, 20, 50, 80, 95)
ADDED_RIDGE = 0.1


def risks(route: str, **options: Any) -> np.ndarray:
    """Excess risk for each split of d = 100 equal features, mean over draws if sampled, (P,)."""
    question = {"n": 150, "d": 100, "kappa": 1.0, "times": [1 / ADDED_RIDGE], **options}
    answers = [run("multiscale", "ridge", route, p=p, **question)["excess_risk"] for p in SPLITS]
    return np.array([float(answer.mean()) for answer in answers])


@dataclass(frozen=True)
class Equals:
    """Mean risk of the same few draws at each split, (P,), and the risk of one scale in the limit."""

    drawn: np.ndarray
    limit: float


def equals(seeds: Seeds) -> Equals:
    """Evidence: simulated ridge regression, and (ridge/(lambda + ridge))^2 averaged over Eq. 2.3.30."""
    spectrum = marchenko_pastur.quadrature(150 / 100, 1.0)
    unlearned = (ADDED_RIDGE / (spectrum.eigenvalues + ADDED_RIDGE)) ** 2
    return Equals(risks("simulation", seeds=seeds(4)), float(unlearned @ spectrum.weights) / 2)


def claimed(route: str, _: Any, share: float = 1.0) -> np.ndarray:
    """The risks of a route that draws nothing; a factor for a negative control."""
    return share * risks(route)


def split_by_sample_share(_: Any) -> np.ndarray:
    """Wrong: each block sees n samples scaled by its own share, as if blocks were apart."""
    share = np.array(SPLITS) / 100
    own = [
        run("multiscale", "ridge", "asymptotic", n=int(150 * f) or 1, d=100, p=50, kappa=1.0, times=[10.0])
        for f in share
    ]
    return np.array([float(answer["excess_risk"][0]) for answer in own])


@worst_of
def indifferent(evidence: Equals, claim: np.ndarray) -> Iterator[Verdict]:
    """The spread over p, drawn and claimed, and the claim's error: rounding of sums of d terms."""
    spreads = [np.ptp(values) / np.mean(values) for values in (evidence.drawn, claim)]
    for error in (*spreads, np.max(np.abs(claim / evidence.limit - 1))):
        yield within_bound(error, 100 * 64 * EPS, "rounding: 64 d eps, relative", "relative")


SPLIT = check(
    id="ms-split-of-equals",
    title="equal scales: the risk is that of one scale, however they are split",
    ref="Assumption 4.2.1, Eqs. 4.2.13-4.2.16",
    evidence=equals,
    claim=partial(claimed, "asymptotic"),
    judge=indifferent,
    teeth=(
        Tooth("each block with samples of its own", split_by_sample_share),
        Tooth("one risk for every split, off by 1e-9", partial(claimed, "asymptotic", share=1 + 1e-9)),
    ),
    errata=misprints({"ms-kappa-one": partial(claimed, "printed")}),
)

CHECKS = (SPLIT,)
