"""Simulated descent and ridge regression against the exact limit, and the print against both.

Descent has a fixed learning rate, because the automatic one follows the spectrum's edge, whose
fluctuations fall like d^(-2/3) only.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Check, Erratum, Tooth
from teacherstudent.paper_checks.judging.finite_size import (
    Changes,
    Family,
    Sized,
    against_limit,
    limit,
    scaled,
)
from teacherstudent.paper_checks.multiscale import check, misprint
from teacherstudent.paper_checks.multiscale.kit.students import HALF_THE_RIDGE, sizes

SHAPE = {"kappa": 3.0, "noise": 0.2, "ridge": 0.01}
CLOCKS: dict[str, dict[str, Any]] = {
    "descent": {"times": (10, 100, 300), "learning_rate": 0.2},
    "ridge": {"times": (3.0, 30.0, 300.0)},
}
VARIABLES = ("R", "Q", "excess_risk")
PARTS = ("bias", "variance")
DRAWS = {10: 40000, 20: 30000, 40: 42000}
"""So many that a bias like 1/d is told from one like d^(-1/2)."""
FEWER = {10: 4000, 20: 2000, 40: 1500}
"""Enough to tell the parts from each other, but not those two exponents."""


def question(dynamics: str, extra: dict[str, Any], d: int) -> dict[str, Any]:
    """The same problem at dimension d."""
    return {**CLOCKS[dynamics], **SHAPE, **sizes(d), **extra}


def family(
    dynamics: str,
    variables: tuple[str, ...] = VARIABLES,
    draws: dict[int, int] = DRAWS,
    large: tuple[int, int] = (100, 600),
    **extra: Any,
) -> Family:
    """The question at every size."""
    return Family(
        "multiscale",
        dynamics,
        variables,
        partial(question, dynamics, extra),
        draws=draws,
        large=large,
    )


PRINTED = partial(limit, "printed", {})
WRONG: dict[str, Changes] = {"noise 10 % larger": {"noise": scaled(1.1)}, "no ridge": {"ridge": scaled(0.0)}}


def limit_check(
    dynamics: str,
    ref: str,
    covers: tuple[str, ...],
    wrong: dict[str, Changes],
    *others: Tooth,
    effect: str,
    further: tuple[str, ...],
    errata: tuple[Erratum, ...] = (),
) -> Check:
    """The check of one dynamics, with the negative controls that all share and its own.

    effect: the wrong claim with the printed formulas.
    """
    return check(
        id=f"ms-limit-{dynamics}",
        title=f"simulated {dynamics} against the exact large-size limit, bias like 1/d",
        ref=ref,
        **against_limit(
            family(dynamics),
            "asymptotic",
            {**WRONG, **wrong},
            *others,
            effect=Contrast(effect, "what the printed formulas change"),
            further=further,
        ),
        errata=errata,
        covers=covers,
    )


def more_steps(times: tuple[int, ...]) -> list[int]:
    """At least one per cent more, in whole steps."""
    return [k + -(-k // 100) for k in times]


def flow_at_same_time(evidence: Sized) -> np.ndarray:
    """Gradient flow at s = eta k, where gradient descent was asked for."""
    keywords = evidence.family.question(evidence.family.large[0])
    rate = keywords.pop("learning_rate")
    keywords["times"] = [rate * k for k in keywords["times"]]
    answer = run("multiscale", "flow", "asymptotic", **keywords)
    return np.concatenate([answer[name].values for name in VARIABLES])


def swapped(evidence: Sized) -> np.ndarray:
    """The parts of the right totals, given to the wrong scales."""
    claimed = limit("asymptotic", {}, evidence).reshape(len(PARTS), -1, 2)
    return claimed[..., ::-1].ravel()


PARTS_CHECK = check(
    id="ms-parts",
    title="bias and variance of each scale, simulated by training on one cause alone",
    ref="Fig. 1, Eqs. 4.2.14-4.2.15",
    **against_limit(
        family("descent", PARTS, FEWER, (100, 150), observable=("parts",), noise=0.4),
        "asymptotic",
        WRONG,
        Tooth("scales swapped", swapped),
        effect=Contrast("scales swapped", "the difference between the two scales"),
    ),
    covers=("Fig. 1",),
)

CHECKS = (
    limit_check(
        "descent",
        "Eqs. 4.2.4, 4.2.9-4.2.16",
        ("Eq. 4.2.4", "Fig. 3 left"),
        {"one per cent more steps": {"times": more_steps}},
        Tooth("flow instead of descent", flow_at_same_time),
        Tooth("a ridge in the place of time, and Eqs. 4.2.14-4.2.16", PRINTED),
        effect="a ridge in the place of time, and Eqs. 4.2.14-4.2.16",
        further=("theory.multiscale.printed:descent", "theory.multiscale.asymptotic:flow"),
    ),
    limit_check(
        "ridge",
        "Eqs. 4.2.11-4.2.16",
        ("Eqs. 4.2.11-4.2.16", "Eqs. .2.37-.2.41", "Fig. 3 right"),
        HALF_THE_RIDGE,
        effect="ms-susceptibilities-ridge",
        errata=(
            misprint(
                "ms-susceptibilities-ridge",
                "Eqs. 4.2.13-4.2.16, .2.39-.2.41",
                "each scale has a susceptibility a_i of its own",
                "both scales share one: chi = sum_k m_k e_k/(rho e_k + lambda), rho = n/(1 + chi)",
                PRINTED,
                held="ms-printed-far-scales",
            ),
        ),
        further=("theory.multiscale.printed:ridge",),
    ),
    PARTS_CHECK,
)
