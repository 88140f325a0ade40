"""Where two scales are equal, their split p means nothing: the simplest test of any formula.

At kappa = 1 all features have the same strength. Drawn ridge regressions that differ in p only
are the same regression; a formula whose risk depends on p is wrong whatever else it says. The one
risk that is left is an average over the spectrum of one scale.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import worst_of
from teacherstudent.paper_checks.judging.comparison import Found, Values, otherwise, then
from teacherstudent.paper_checks.judging.evidence import Verdict
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.multiscale import compared, misprints
from teacherstudent.theory import marchenko_pastur

RIDGE = 0.1


def split_by_sample_share(found: Found) -> list[Values]:
    """Wrong: each block sees n samples scaled by its own share, as if blocks were apart."""
    of = (case.question["p"] for case in found.cases)
    asked = {"d": 100, "p": 50, "kappa": 1.0, "times": [1 / RIDGE]}
    own = [run("multiscale", "ridge", "asymptotic", n=int(1.5 * p) or 1, **asked) for p in of]
    return [{"excess_risk": answer["excess_risk"].values} for answer in own]


@worst_of
def indifferent(found: Found, claimed: list[Values]) -> Iterator[Verdict]:
    """The spread over p, drawn and claimed, and the claim's error against (ridge/(lambda + ridge))^2 averaged
    over Eq. 2.3.30: rounding of sums of d terms."""
    drawn = np.array([case.flat.mean() for case in found.cases])
    claims = np.array([each["excess_risk"].item() for each in claimed])
    spectrum = marchenko_pastur.quadrature(150 / 100, 1.0)
    limit = (RIDGE / (spectrum.eigenvalues + RIDGE)) ** 2 @ spectrum.weights / 2
    spreads = [np.ptp(values) / np.mean(values) for values in (drawn, claims)]
    for error in (*spreads, np.max(np.abs(claims / limit - 1))):
        yield within_bound(error, 100 * 64 * EPS, "rounding: 64 d eps, relative", "relative")


CHECKS = (
    compared(
        id="ms-split-of-equals",
        title="equal scales: the risk is that of one scale, however they are split",
        ref="Assumption 4.2.1, Eqs. 4.2.13-4.2.16",
        clocks={"ridge": {"times": (1 / RIDGE,)}},
        questions={str(p): {"n": 150, "d": 100, "kappa": 1.0, "p": p} for p in (5, 20, 50, 80, 95)},
        routes=("simulation", "asymptotic"),
        observables=("excess_risk",),
        draws=4,
        stream="",  # the same draws at every split
        judge=indifferent,
        wrong={
            "each block with samples of its own": split_by_sample_share,
            "one risk for every split, off by 1e-9": then(
                lambda said: {"excess_risk": (1 + 1e-9) * said["excess_risk"]}
            ),
        },
        errata=misprints({"ms-kappa-one": otherwise({"route": "printed"})}),
        functions=("theory.marchenko_pastur:quadrature",),
    ),
)
