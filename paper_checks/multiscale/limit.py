"""Simulated descent and ridge regression against the exact limit, and the print against both.

Descent has a fixed learning rate, because the automatic one follows the spectrum's edge, whose
fluctuations fall like d^(-2/3) only.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_order
from teacherstudent.paper_checks.judging.claims import worst_case
from teacherstudent.paper_checks.judging.comparison import Values, in_flow_time, otherwise, scaled, then
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.judges import AtSizes
from teacherstudent.paper_checks.multiscale import check, compared, misprints
from teacherstudent.paper_checks.multiscale.kit.students import HALF_THE_RIDGE, sizes

SHAPE = {"kappa": 3.0, "noise": 0.2, "ridge": 0.01}
DESCENT = {"times": (10, 100, 300), "learning_rate": 0.2}
WRONG: dict[str, Any] = {"noise 10 % larger": {"noise": scaled(1.1)}, "no ridge": {"ridge": 0.0}}
PRINTED = "a ridge in place of time, and Eqs. 4.2.14-4.2.16"


def question(d: int) -> dict[str, Any]:
    """The same problem at dimension d."""
    return {**SHAPE, **sizes(d)}


limit = partial(
    compared,
    questions=question,
    routes=("simulation", "asymptotic"),
    observables=("R", "Q", "excess_risk"),
    averaged="instance",
    draws={10: 4000, 20: 4000, 40: 8000, 100: 600},  # a bias like 1/d is told from one like d^(-1/2)
    slow=True,
)


def more_steps(times: tuple[int, ...]) -> list[int]:
    """At least one per cent more, in whole steps."""
    return [k + -(-k // 100) for k in times]


def swapped(parts: Values) -> Values:
    """The parts of the right totals, given to the wrong scales."""
    return {name: each[:, ::-1] for name, each in parts.items()}


# Where the print is right -----------------------------------------------------------------------------------

KAPPAS = (100.0, 200.0, 400.0, 800.0)
APART: tuple[dict[str, Any], ...] = (
    {"n": 150, "d": 100, "p": 60, "noise": 0.3},
    {"n": 80, "d": 100, "p": 60, "noise": 0.5},
    {"n": 50, "d": 100, "p": 70, "noise": 0.0},
)
ADDED = np.array([3.0, 1.0, 0.3])
"""Ridges, of the order of the fast scale's eigenvalues and far above the slow one's."""

ByKappa = dict[float, np.ndarray]
"""R, Q and excess risk, (3 T,), by kappa."""


def asked(dynamics: str, route: str, question: dict[str, Any], times: np.ndarray, **clock: float) -> ByKappa:
    """A route's answers at every kappa."""
    found = {}
    for kappa in KAPPAS:
        whole: dict[str, Any] = {**question, **clock, "kappa": kappa}
        answer = run("multiscale", dynamics, route, times, **whole)
        found[kappa] = np.concatenate([answer[name].values for name in ("R", "Q", "excess_risk")])
    return found


def limits(_: Seeds) -> list[ByKappa]:
    """Ridge regression in the exact limit, for every shape."""
    return [asked("ridge", "asymptotic", question, 1 / ADDED) for question in APART]


def as_printed(_: Any, late: float = 1.0, **changed: float) -> list[tuple[ByKappa, ...]]:
    """The print on its three clocks, where time is 1/ridge; `late` divides the ridge in Eq. 4.2.12."""
    found: list[tuple[ByKappa, ...]] = []
    for shape in APART:
        question = shape | {name: type(shape[name])(f * shape[name]) for name, f in changed.items()}
        found.append(
            (
                asked("ridge", "printed", question, late / ADDED),
                asked("flow", "printed", question, late / ADDED),
                asked("descent", "printed", question, np.array([10.0, 30, 100]), learning_rate=late / 30),
            )
        )
    return found


@worst_case
def approached(exact: ByKappa, claim: tuple[ByKappa, ...]) -> Iterator[Verdict]:
    """Each of R, Q and risk misses the limit by an error like kappa^-2: what the slow scale learns."""
    for clock in claim:
        errors = np.array([np.abs(clock[kappa] - exact[kappa]) for kappa in KAPPAS])
        for column in errors.T:
            yield at_order(KAPPAS, column, -2)


FAR_SCALES = check(
    id="ms-printed-far-scales",
    title="the printed formulas approach the exact limit as the scales separate, for ridges above the "
    "slow one",
    ref="Eqs. 4.2.11-4.2.16",
    evidence=limits,
    claim=as_printed,
    judge=approached,
    wrong=(
        WrongClaim("Eq. 4.2.12 times 1.01", partial(as_printed, late=1 / 1.01)),
        WrongClaim("one fast feature too many", partial(as_printed, p=1.02)),
        WrongClaim("2 % more examples", partial(as_printed, n=1.02)),
    ),
    covers=("Eqs. 4.2.11-4.2.16",),
)

CHECKS = (
    FAR_SCALES,
    limit(
        id="ms-limit-descent",
        title="simulated descent approaches the exact large-system limit with a bias like 1/d",
        ref="Eqs. 4.2.4, 4.2.9-4.2.16",
        clocks={"descent": DESCENT},
        wrong={
            **WRONG,
            "1 % more steps": {"times": more_steps},
            "gradient flow instead of descent": otherwise(in_flow_time("flow/asymptotic")),
            PRINTED: {"route": "printed"},
        },
        effect=Contrast(PRINTED, "the effect of using the printed formulas"),
        covers=("Eq. 4.2.4", "Fig. 3 left"),
    ),
    limit(
        id="ms-limit-ridge",
        title="simulated ridge regression approaches the exact large-system limit with a bias like 1/d",
        ref="Eqs. 4.2.11-4.2.16",
        clocks={"ridge": {"times": (3.0, 30.0, 300.0)}},
        wrong=WRONG | HALF_THE_RIDGE,
        effect=Contrast("ms-susceptibilities-ridge", "the effect of using the printed formulas"),
        errata=misprints({"ms-susceptibilities-ridge": otherwise({"route": "printed"})}),
        covers=("Eqs. 4.2.11-4.2.16", "Eqs. .2.37-.2.41", "Fig. 3 right"),
    ),
    limit(
        id="ms-parts",
        title="bias and variance of each scale agree with simulations that contain only one source of error",
        ref="Fig. 1, Eqs. 4.2.14-4.2.15",
        clocks={"descent": {**DESCENT, "observable": ("parts",), "noise": 0.4}},
        questions=lambda d: {"kappa": 3.0, "ridge": 0.01, **sizes(d)},
        observables=("bias", "variance"),
        draws={10: 16000, 20: 8000, 40: 4000, 100: 150},
        averaged="instance",
        judge=AtSizes(whole=True),
        wrong=WRONG | {"scales exchanged": then(swapped)},
        effect=Contrast("scales exchanged", "the difference between the two scales"),
        covers=("Fig. 1",),
    ),
)
