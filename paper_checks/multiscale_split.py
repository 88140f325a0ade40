"""Where two scales are equal, their split p means nothing: the simplest test of any formula.

At kappa = 1 all features have the same strength. Drawn ridge regressions that differ in p only
are the same regression; a formula whose risk depends on p is wrong whatever else it says.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from house.running import run
from paper_checks.agreement import within_bound
from paper_checks.evidence import Check, Erratum, Seeds, Tooth, Verdict, worst

SPLITS = (5, 20, 50, 80, 95)
ADDED_RIDGE = 0.1


def risks(route: str, **options: Any) -> np.ndarray:
    """Excess risk for each split of d = 100 equal features, mean over draws if sampled, (P,)."""
    asked = {"n": 150, "d": 100, "kappa": 1.0, "times": [1 / ADDED_RIDGE], **options}
    answers = [run("multiscale", "ridge", route, p=p, **asked)["excess_risk"] for p in SPLITS]
    return np.array([float(answer.mean()) for answer in answers])


def drawn(seeds: Seeds) -> np.ndarray:
    """Simulated ridge regression with the same draws for every split."""
    return risks("simulation", seeds=seeds(4))


def claimed(route: str, _: Any) -> np.ndarray:
    """The risks of a route that draws nothing."""
    return risks(route)


def split_by_sample_share(_: Any) -> np.ndarray:
    """Wrong: each block sees n samples scaled by its own share, as if blocks were apart."""
    share = np.array(SPLITS) / 100
    own = [
        run("multiscale", "ridge", "asymptotic", n=int(150 * f) or 1, d=100, p=50, kappa=1.0, times=[10.0])
        for f in share
    ]
    return np.array([float(answer["excess_risk"][0]) for answer in own])


def indifferent(evidence: np.ndarray, claim: np.ndarray) -> Verdict:
    """Relative spread over p: rounding of sums of d terms, for the draws and for the claim."""
    rounding = 100 * 64 * np.finfo(float).eps
    spreads = [np.ptp(values) / np.mean(values) for values in (evidence, claim)]
    return worst(*(within_bound(s, rounding, "rounding: 64 d eps, relative", "relative") for s in spreads))


SPLIT = Check(
    id="ms-split-of-equals",
    problem="multiscale",
    title="equal scales: the risk does not depend on how they are split",
    paper="pezeshki2022",
    ref="Assumption 4.2.1, Eqs. 4.2.13-4.2.16",
    evidence=drawn,
    claim=partial(claimed, "asymptotic"),
    judge=indifferent,
    teeth=(Tooth("each block with samples of its own", split_by_sample_share),),
    errata=(
        Erratum(
            "ms-kappa-one",
            "pezeshki2022",
            "Eqs. 4.2.13-4.2.16",
            "excess risk at kappa = 1 varies with p by a factor of two",
            "the risk of one scale, for every p",
            partial(claimed, "printed"),
        ),
    ),
    covers=("Assumption 4.2.1",),
)

CHECKS = (SPLIT,)
