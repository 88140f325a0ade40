"""The learning rate beyond which equal units leave the teacher that they have found."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import optimize

from teacherstudent.paper_checks.committee import check, misprint
from teacherstudent.paper_checks.committee.kit.asking import ask, entry
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import stated, worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.theory.committee.plateau import critical_rate

CRITICAL = "theory.committee.plateau:critical_rate"

BRACKETS = {1: (4.02, 4.1), 2: (2.28, 2.33), 3: (1.605, 1.64), 4: (1.238, 1.262)}
OFF = 1e-5
"""How far from the teacher units start."""


def growth(K: int, rate: float) -> float:
    """Rate at which units that are almost the teacher's leave it, negative where they come back."""
    times = (80.0, 140.0)
    answer = ask("symmetric", times, width=K, teacher_width=K, learning_rate=rate, init=1.0, overlap=1 - OFF)
    first, last = np.abs(1 - answer["R"].values[:, 0, 0])
    return float(np.log(last / first) / (times[1] - times[0]))


def turned(widths: tuple[int, ...], _: Seeds) -> dict[int, float]:
    """Evidence: the rate from which units leave, by K."""
    return {K: optimize.brentq(partial(growth, K), *BRACKETS[K], rtol=1e-5) for K in widths}


def of_each(formula: Callable[[int], float], found: dict[int, float]) -> dict[int, float]:
    """The claim of a formula of K."""
    return {K: formula(K) for K in found}


def printed(K: int) -> float:
    """sqrt(3) pi/(K - 1 + 3/sqrt(5))."""
    return float(np.sqrt(3) * np.pi / (K - 1 + 3 / np.sqrt(5)))


@worst_case
def within_a_thousandth(found: float, claim: float) -> Verdict:
    """What grows in the times that are watched is not yet free of what decays: a share of 1e-4."""
    return within_bound(claim / found - 1, 2e-4, "what decays until then", "relative")


def critical(id: str, title: str, widths: tuple[int, ...], claim: Callable[[int], float], **more: Any) -> Any:
    """A check of a formula for the learning rate beyond which the teacher is not found."""
    return check(
        id=id,
        title=title,
        paper="saad1995",
        ref="largest learning rate",
        evidence=partial(turned, widths),
        claim=partial(of_each, claim),
        judge=within_a_thousandth,
        **more,
    )


RATE = critical(
    "cm-critical-rate",
    "beyond the rate at which a slope of perfect learning vanishes units leave the teacher, K = 1 to 4",
    (1, 2, 3, 4),
    critical_rate,
    teeth=(Tooth("one per thousand more", partial(of_each, lambda K: 1.001 * critical_rate(K))),),
    errata=(
        misprint(
            "cm-critical-rate-wide",
            "largest learning rate for K units",
            "where eta_c = sqrt(3) pi/(K - 1 + 3/sqrt(5)) is used for every K",
            "the root of det J(eta), which this is at K = 1",
            partial(of_each, printed),
            paper="",
            held="cm-critical-rate-one",
        ),
    ),
    functions=(entry("symmetric"), CRITICAL),
    slow=True,
    covers=("Largest learning rate",),
)
ONE = critical(
    "cm-critical-rate-one",
    "a single unit leaves its teacher beyond eta = pi sqrt(5/3), as the formula for K units says at K = 1",
    (1,),
    printed,
    teeth=(Tooth("pi sqrt(2)", stated({1: np.pi * np.sqrt(2)})),),
    functions=(entry("symmetric"),),
)

CHECKS = (RATE, ONE)
