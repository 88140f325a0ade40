"""Ridge regression at 1/s for gradient flow at time s: measured and bounded, not assumed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import stated
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.judging.finite_size import agree_beyond_bias, agree_extrapolated
from teacherstudent.paper_checks.multiscale import check, misprints
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.theory.multiscale.ridge_as_time import largest_gap, largest_ratio, ratio_bound

# How far apart -----------------------------------------------------------------------------------

ALPHAS = (0.5, 1.1, 4.0)
RATE = 0.02
"""Small enough for descent to follow the flow; claims are made for descent at this rate."""

MILD, STRONG = (1.0,), (5.0, 50.0)
"""Condition numbers at which the finite-size bias falls like 1/d from d = 10 on and stands out of its noise,
and those at which it does so at larger sizes, or not."""

DRAWS = {10: 24000, 20: 16000, 40: 12000, 80: 240}
TWO_SIZES = {40: 2400, 80: 480}
"""Draws by size, at mild condition numbers and at strong ones, which are extrapolated in 1/d."""


def question(alpha: float, kappa: float, d: int) -> dict[str, Any]:
    """The problem at one alpha, kappa and size."""
    return {"n": round(alpha * d), "d": d, "p": round(0.6 * d), "kappa": kappa}


def worst_steps(alpha: float, kappa: float) -> int:
    """The step of descent at which the limits of both routes lie furthest apart."""
    return max(1, round(largest_gap(PROBLEM.instance(**question(alpha, kappa, 10))).time / RATE))


def gaps(route: str, d: int, kappas: tuple[float, ...], share: float = 1.0, **more: Any) -> np.ndarray:
    """Excess risk of ridge regression at 1/(share s) minus that of descent at s = eta k, (..., P)."""
    found = []
    for alpha in ALPHAS:
        for kappa in kappas:
            steps, keywords = worst_steps(alpha, kappa), {**question(alpha, kappa, d), **more}
            both = (
                run("multiscale", "ridge", route, [share * RATE * steps], **keywords),
                run("multiscale", "descent", route, [steps], learning_rate=RATE, **keywords),
            )
            ridge, descent = (answer["excess_risk"].values[..., 0] for answer in both)
            found.append(ridge - descent)
    return np.stack(found, axis=-1)


@dataclass(frozen=True)
class Gaps:
    """Drawn gaps by size, (S, P), at mild and at strong condition numbers."""

    mild: dict[int, np.ndarray]
    strong: dict[int, np.ndarray]


def simulated_gaps(seeds: Seeds) -> Gaps:
    """Both students of a draw see the same data."""

    def drawn(kappas: tuple[float, ...], draws: dict[int, int]) -> dict[int, np.ndarray]:
        return {d: gaps("simulation", d, kappas, seeds=seeds(count, f"d={d}")) for d, count in draws.items()}

    return Gaps(drawn(MILD, DRAWS), drawn(STRONG, TWO_SIZES))


def gaps_in_the_limit(share: float, _: Any) -> tuple[np.ndarray, np.ndarray]:
    """The claim: the same gaps between ridge and flow, in the limit."""
    mild, strong = (gaps("asymptotic", max(DRAWS), kappas, share) for kappas in (MILD, STRONG))
    return mild, strong


def same_gaps(evidence: Gaps, claimed: tuple[np.ndarray, np.ndarray]) -> Verdict:
    """Mild gaps agree at the largest size but for a bias whose exponent they show, strong ones in 1/d."""
    mild, strong = claimed
    return worst(agree_beyond_bias(evidence.mild, mild), agree_extrapolated(evidence.strong, strong))


PROXY = check(
    id="ms-ridge-as-time",
    title="ridge 1/s in the place of time: the difference that the limit predicts, up to 0.2 in the risk",
    ref="Eq. 4.2.22, Section 4.2.3",
    evidence=simulated_gaps,
    claim=partial(gaps_in_the_limit, 1.0),
    judge=same_gaps,
    effect=Contrast("ms-ridge-matches", "the difference between ridge regression and descent"),
    teeth=(
        Tooth("ridge at 2/s", partial(gaps_in_the_limit, 0.5)),
        Tooth("ridge at 1/(1.2 s)", partial(gaps_in_the_limit, 1.2)),
    ),
    errata=misprints(
        {"ms-ridge-matches": stated(tuple(np.zeros(len(ALPHAS) * len(kappas)) for kappas in (MILD, STRONG)))}
    ),
    slow=True,
)

# How bounded ------------------------------------------------------------------------------------------

NOISES = (0.0, 0.5, 3.0)
EXTREME = PROBLEM.instance(n=100_000, d=100, p=60, kappa=1.0, noise=300.0)
"""Eigenvalues all alike and nothing but noise: here the bound is nearly reached."""


def ratios(_: Seeds) -> np.ndarray:
    """Largest excess risk of flow at s over that of ridge regression at 1/s, over all s, (P,)."""
    grid = [
        PROBLEM.instance(**question(alpha, kappa, 100), noise=noise)
        for alpha in (*ALPHAS, 0.65)
        for kappa in (*MILD, *STRONG, 1e3)
        for noise in NOISES
    ]
    return np.array([largest_ratio(problem).value for problem in [*grid, EXTREME]])


def least_bound(evidence: np.ndarray, claimed: float) -> Verdict:
    """No ratio exceeds the factor by more than rounding, and one comes within 1 % of it."""
    above = np.maximum(evidence - claimed, 0)
    return worst(
        within_bound(above, 1e-9, "accuracy of the risks", "ratio"),
        within_bound(1 - evidence.max() / claimed, 0.01, "the factor is reached within 1 %", "ratio"),
    )


BOUND = check(
    id="ms-early-stopping-bound",
    title="risk of flow at s <= 1.686 times the risk of ridge regression at 1/s, and no smaller factor",
    ref="Section 4.2.3 (Ali et al. 2019)",
    evidence=ratios,
    claim=lambda _: ratio_bound(),
    judge=least_bound,
    effect=Contrast("a factor of 2", "the distance to a bound of 2"),
    teeth=(
        Tooth("a factor of 1.6", stated(1.6)),
        Tooth("a factor of 2", stated(2.0)),
    ),
    errata=misprints({"ms-bounded-by-ridge": stated(1.0)}),
)

CHECKS = (PROXY, BOUND)
