"""Gaussian rows of a measured covariance: drawn sets against the limit, with a bias like 1/size.

The covariance and the target's share in it are those of wine, each eigenvalue many times; three outputs
become one output for each mode, which leaves the limit as it is and makes errors fluctuate less.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.comparison import in_flow_time, otherwise, scaled
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Check, Claim, Seeds, WrongClaim
from teacherstudent.paper_checks.measured_spectrum import check, compared
from teacherstudent.paper_checks.measured_spectrum.kit.asking import ERRORS, errors
from teacherstudent.paper_checks.measured_spectrum.kit.tables import (
    SHARE,
    TARGETS,
    Target,
    as_it_is,
    bundled,
    curves_of,
    spread_target,
)

# Drawn sets -------------------------------------------------------------------------------------------

ROWS_A_COPY = 8
"""Training rows for each copy of the 13 modes."""
TIMES = {"times": (0.3, 1.0, 3.0, 10.0)}


def question(target: Target, copies: int) -> dict[str, Any]:
    """The same spectrum in so many copies; sums over outputs of noise and start stay as they are."""
    values, powers, residual = curves_of("wine")
    powers, residual = target(values, powers, residual)
    outputs = copies * values.size
    rows = spread_target(np.repeat(values / copies, copies), np.repeat(powers / copies, copies), residual)
    training = {"noise": 0.5 / outputs**0.5, "init": 0.3 / outputs**0.5, "ridge": 0.25}
    return {**rows, **training, "sampling": "population", "n": ROWS_A_COPY * copies}


def of_another(target: Target) -> Claim:
    """The claim about another target."""
    return otherwise(lambda asked: {**asked, **question(target, LARGEST)})


LARGEST = 8
DRAWS = {1: 5000, 2: 2000, 4: 4000, LARGEST: 300}
OTHER_TARGETS = {name: of_another(target) for name, target in TARGETS.items()}
LIMIT: dict[str, Any] = {
    "label noise 25 % larger": {"noise": scaled(1.25)},
    "no ridge": {"ridge": 0.0},
    "1/n - 1/pool instead of 1/n": {"sampling": "pool"},
    **OTHER_TARGETS,
}
ONE_TIME = {
    "ridge regression with ridge 1/s instead of training to s": otherwise(in_flow_time("ridge/asymptotic"))
}
START = {"initial weights omitted": {"init": 0.0}}


def limit_check(dynamics: str, drawn: str, clock: dict[str, Any], wrong: dict[str, Any]) -> Check:
    """The check of one dynamics."""
    return compared(
        id=f"own-limit-{dynamics}",
        title=f"{dynamics} on rows with wine's covariance approaches the limit, with a bias proportional to "
        "1/size",
        ref="two-point formula of an infinite population",
        clocks={dynamics: clock},
        questions=partial(question, as_it_is),
        routes=(drawn, "asymptotic"),
        observables=ERRORS,
        draws=DRAWS,
        effect=Contrast(SHARE, "the effect of the target's position in the spectrum"),
        wrong=LIMIT | wrong,
        slow=True,
    )


# The two curves of the data ------------------------------------------------------------------------------

SETS = ("wine", "breast_cancer", "iris")
CURVE_TIMES = np.array([0.01, 0.1, 1.0, 10.0])
TRAINED: dict[str, Any] = {"n": 40, "noise": 0.3, "ridge": 0.2}


def of_rows(_: Seeds) -> list[np.ndarray]:
    """Evidence: flow by the route that is given rows and classes, (2, T) for every set."""
    found = []
    for name in SETS:
        features, classes = bundled(name)
        rows = {"features": features, "targets": classes, "sampling": "population", "intercept": "pool"}
        found.append(errors("flow", "asymptotic", CURVE_TIMES, **rows, **TRAINED))
    return found


def of_curves(_: object, target: Target = as_it_is, centred: bool = True) -> list[np.ndarray]:
    """The claim: flow of listed modes, with the residual and all outputs' noise as noise of one output."""
    found = []
    for name in SETS:
        values, powers, residual = curves_of(name, centred)
        powers, residual = target(values, powers, residual)
        outputs = np.unique(bundled(name)[1]).size
        noise = np.sqrt(outputs * TRAINED["noise"] ** 2 + residual)
        modes = tuple((1, value, power) for value, power in zip(values, powers, strict=True))
        found.append(errors("flow", "asymptotic", CURVE_TIMES, **{**TRAINED, "noise": noise}, modes=modes))
    return found


@worst_of
def same_curves(evidence: list[np.ndarray], claimed: list[np.ndarray]) -> Any:
    """Both decompositions are exact to rounding times the spread of the spectrum."""
    for found, claim in zip(evidence, claimed, strict=True):
        reason = "eigenvalues to eps times the largest, which is 1e4 times the smallest; a contour to 1e-11"
        yield within_bound((claim - found) / found, 1e-9, reason, "relative")


CURVES = check(
    id="own-curves",
    title="the limit depends on rows only through the eigenvalues and the target's power in each mode",
    ref="lambda_k and theta_k^2 lambda_k",
    evidence=of_rows,
    claim=of_curves,
    judge=same_curves,
    wrong=(
        *(WrongClaim(name, partial(of_curves, target=target)) for name, target in TARGETS.items()),
        WrongClaim("centring omitted", partial(of_curves, centred=False)),
    ),
)

CHECKS = (
    limit_check("flow", "instance", TIMES, START | ONE_TIME),
    # a rate at which no draw of 8 rows diverges
    limit_check("descent", "simulation", {"times": (30, 180), "learning_rate": 0.008}, START | ONE_TIME),
    limit_check("ridge", "instance", TIMES, {}),
    CURVES,
)
