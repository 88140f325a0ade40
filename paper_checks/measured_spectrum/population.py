"""Gaussian rows of a measured covariance: drawn sets against the limit, with a bias like 1/size.

The covariance and the target's share in it are those of wine, each eigenvalue many times; three outputs
become one output for each mode, which leaves the limit as it is and makes errors fluctuate less.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import worst_of
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Tooth
from teacherstudent.paper_checks.judging.finite_size import Changes, Family, Sized, against_limit, scaled
from teacherstudent.paper_checks.measured_spectrum import check
from teacherstudent.paper_checks.measured_spectrum.kit.asking import ERRORS, errors
from teacherstudent.paper_checks.measured_spectrum.kit.curves import (
    SHARE,
    TARGETS,
    Target,
    as_it_is,
    curves_of,
)
from teacherstudent.paper_checks.measured_spectrum.kit.tables import bundled, spread_target

# Drawn sets ---------------------------------------------------------------------------------------------

WINE = "wine"
ROWS_A_COPY = 8
"""Training rows for each copy of the 13 modes."""
CLOCKS: dict[str, dict[str, Any]] = {  # a rate at which no draw of 8 rows diverges
    "flow": {"times": (0.3, 1.0, 3.0, 10.0)},
    "descent": {"times": (30, 180), "learning_rate": 0.008},
    "ridge": {"times": (0.3, 1.0, 3.0, 10.0)},
}
DRAWS = {1: 5000, 2: 2000, 4: 4000}
LARGE = (8, 300)


def question(dynamics: str, target: Target, copies: int) -> dict[str, Any]:
    """The same spectrum in so many copies; sums over outputs of noise and start stay as they are."""
    values, powers, residual = curves_of(WINE)
    powers, residual = target(values, powers, residual)
    outputs = copies * values.size
    rows = spread_target(np.repeat(values / copies, copies), np.repeat(powers / copies, copies), residual)
    training = {"noise": 0.5 / outputs**0.5, "init": 0.3 / outputs**0.5, "ridge": 0.25}
    return {**rows, **training, **CLOCKS[dynamics], "sampling": "population", "n": ROWS_A_COPY * copies}


def family(dynamics: str, drawn: str, target: Target = as_it_is) -> Family:
    """The question in every number of copies."""
    return Family(
        "measured-spectrum", dynamics, ERRORS, partial(question, dynamics, target), DRAWS, LARGE, drawn
    )


def of_another(target: Target, evidence: Sized) -> np.ndarray:
    """The claim about another target."""
    own = evidence.family
    return family(own.dynamics, own.drawn, target).answer("asymptotic", own.large[0])


def ridge_in_place(evidence: Sized) -> np.ndarray:
    """Wrong: one time in place of two, ridge regression at 1/s or 1/(eta k)."""
    keywords = evidence.family.question(evidence.family.large[0])
    rate = keywords.pop("learning_rate", 1.0)
    times = rate * np.array(keywords.pop("times"))
    return errors("ridge", "asymptotic", times, **keywords).ravel()


def from_the_pool(_: str) -> str:
    """Wrong: without replacement from the rows that give the covariance, 1/n - 1/P for 1/n."""
    return "pool"


WRONG: dict[str, Changes] = {
    "noise a quarter larger": {"noise": scaled(1.25)},
    "no ridge": {"ridge": scaled(0.0)},
    "start forgotten": {"init": scaled(0.0)},
    "1/n - 1/pool for 1/n": {"sampling": from_the_pool},
}


def limit_check(dynamics: str, drawn: str, without: tuple[str, ...] = (), one_time: bool = True) -> Check:
    """The check of one dynamics."""
    others = [Tooth(name, partial(of_another, target)) for name, target in TARGETS.items()]
    if one_time:
        others.append(Tooth("one time in place of two: ridge regression at 1/s", ridge_in_place))
    return check(
        id=f"own-limit-{dynamics}",
        title=f"{dynamics} on Gaussian rows of wine's covariance against the limit, bias like 1/size",
        ref="two-point formula of an infinite population",
        **against_limit(
            family(dynamics, drawn),
            "asymptotic",
            {name: changes for name, changes in WRONG.items() if name not in without},
            *others,
            effect=Contrast(SHARE, "what the target's place in the spectrum changes"),
            further=("theory.measured_spectrum.asymptotic:ridge",) if one_time else (),
        ),
    )


# The two curves of the data ------------------------------------------------------------------------------

SETS = ("wine", "breast_cancer", "iris")
TIMES = np.array([0.01, 0.1, 1.0, 10.0])
TRAINED: dict[str, Any] = {"n": 40, "noise": 0.3, "ridge": 0.2}


def of_rows(_: Seeds) -> list[np.ndarray]:
    """Evidence: flow by the route that is given rows and classes, (2, T) for every set."""
    found = []
    for name in SETS:
        features, classes = bundled(name)
        rows = {"features": features, "targets": classes, "sampling": "population", "intercept": "pool"}
        found.append(errors("flow", "asymptotic", TIMES, **rows, **TRAINED))
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
        found.append(errors("flow", "asymptotic", TIMES, **{**TRAINED, "noise": noise}, modes=modes))
    return found


@worst_of
def same_curves(evidence: list[np.ndarray], claimed: list[np.ndarray]) -> Any:
    """Both decompositions are exact to rounding times the spread of the spectrum."""
    for found, claim in zip(evidence, claimed, strict=True):
        reason = "eigenvalues to eps lambda_1, over the smallest: 1e4 of them, and a contour's 1e-11"
        yield within_bound((claim - found) / found, 1e-9, reason, "relative")


CURVES = check(
    id="own-curves",
    title="the limit knows of rows what the covariance's eigenvalues and the target's share in them say",
    ref="lambda_k and theta_k^2 lambda_k",
    evidence=of_rows,
    claim=of_curves,
    judge=same_curves,
    teeth=(
        *(Tooth(name, partial(of_curves, target=target)) for name, target in TARGETS.items()),
        Tooth("centring dropped", partial(of_curves, centred=False)),
    ),
    functions=("theory.measured_spectrum.asymptotic:flow",),
)

CHECKS = (
    limit_check("flow", "instance"),
    limit_check("descent", "simulation"),
    limit_check("ridge", "instance", without=("start forgotten",), one_time=False),
    CURVES,
)
