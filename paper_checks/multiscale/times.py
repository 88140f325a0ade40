"""Ridge regression at 1/s for gradient flow at time s: measured and bounded, not assumed.

How many times faster the fast features are learned: kappa^2, times what sharing examples adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_rate, jackknife, within_bound, within_errors
from teacherstudent.paper_checks.judging.claims import constant_claim
from teacherstudent.paper_checks.judging.effects import NEXT_ORDER, Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim, worst_verdict
from teacherstudent.paper_checks.judging.finite_size import agree_beyond_bias, agree_extrapolated
from teacherstudent.paper_checks.multiscale import check, misprints
from teacherstudent.paper_checks.multiscale.kit.students import sizes
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw
from teacherstudent.theory.multiscale.ridge_as_time import largest_gap, largest_ratio, ratio_bound
from teacherstudent.theory.multiscale.spectral_task import spectrum_of, task_of
from teacherstudent.theory.spectral import filters, parts

# How far apart -----------------------------------------------------------------------------------

ALPHAS = (0.5, 1.1, 4.0)
RATE = 0.02
"""Small enough for descent to follow the flow; claims are made for descent at this rate."""

MILD, STRONG = (1.0,), (5.0, 50.0)
"""Condition numbers at which the finite-size bias falls like 1/d from d = 10 on and stands out of its noise,
and those at which it does so at larger sizes, or not."""

DRAWS = {10: 3000, 20: 2000, 40: 3000, 80: 240}
TWO_SIZES = {40: 400, 80: 480}
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
    """Both students of a draw see the same data. At all but the largest size: exact averages given X."""

    def drawn(kappas: tuple[float, ...], draws: dict[int, int]) -> dict[int, np.ndarray]:
        routes = {d: "simulation" if d == max(draws) else "instance" for d in draws}
        return {d: gaps(routes[d], d, kappas, seeds=seeds(count, f"d={d}")) for d, count in draws.items()}

    return Gaps(drawn(MILD, DRAWS), drawn(STRONG, TWO_SIZES))


def gaps_in_the_limit(share: float, _: Any) -> tuple[np.ndarray, np.ndarray]:
    """The claim: the same gaps between ridge and flow, in the limit."""
    mild, strong = (gaps("asymptotic", max(DRAWS), kappas, share) for kappas in (MILD, STRONG))
    return mild, strong


def same_gaps(evidence: Gaps, claimed: tuple[np.ndarray, np.ndarray]) -> Verdict:
    """Mild gaps agree at the largest size but for a bias whose exponent they show, strong ones in 1/d."""
    mild, strong = claimed
    return worst_verdict(agree_beyond_bias(evidence.mild, mild), agree_extrapolated(evidence.strong, strong))


PROXY = check(
    id="ms-ridge-as-time",
    title="ridge 1/s in place of time: the risks differ as predicted by the limit, by up to 0.2",
    ref="Eq. 4.2.22, Section 4.2.3",
    evidence=simulated_gaps,
    claim=partial(gaps_in_the_limit, 1.0),
    judge=same_gaps,
    effect=Contrast("ms-ridge-matches", "the difference between ridge regression and descent"),
    wrong=(
        WrongClaim("ridge at 2/s", partial(gaps_in_the_limit, 0.5)),
        WrongClaim("ridge at 1/(1.2 s)", partial(gaps_in_the_limit, 1.2)),
    ),
    errata=misprints(
        {
            "ms-ridge-matches": constant_claim(
                tuple(np.zeros(len(ALPHAS) * len(kappas)) for kappas in (MILD, STRONG))
            )
        }
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
    return worst_verdict(
        within_bound(above, 1e-9, "accuracy of the risks", "ratio"),
        within_bound(1 - evidence.max() / claimed, 0.01, "attainment of the factor within 1 %", "ratio"),
    )


BOUND = check(
    id="ms-early-stopping-bound",
    title="the risk of gradient flow at s is at most 1.686 times the ridge risk at 1/s, a sharp factor",
    ref="Section 4.2.3 (Ali et al. 2019)",
    evidence=ratios,
    claim=lambda _: ratio_bound(),
    judge=least_bound,
    effect=Contrast("a factor of 2", "the distance to a bound of 2"),
    wrong=(
        WrongClaim("a factor of 1.6", constant_claim(1.6)),
        WrongClaim("a factor of 2", constant_claim(2.0)),
    ),
    errata=misprints({"ms-bounded-by-ridge": constant_claim(1.0)}),
)

# How many times faster fast features are learned ---------------------------------------------------------

KAPPAS = (25.0, 50.0, 100.0)
BY_SIZE, GROUPS = {50: 500, 100: 250}, 50

SMALL_RATE = 0.02
"""Learning rate: half of the fast features takes some twenty steps."""


def steps(kappa: float) -> np.ndarray:
    """Steps around both half-times, those of the slow features in proportion to kappa^2."""
    fast, slow = np.geomspace(0.2, 0.9, 7), kappa**2 * np.geomspace(0.4, 2, 7)
    return np.unique(np.rint(np.concatenate([fast, slow]) / SMALL_RATE))


def half_times(steps: np.ndarray, learned: np.ndarray) -> np.ndarray:
    """When each column of shares (T, 2) first reaches one half, linear in log time between steps, (2,)."""
    found = []
    for share in learned.T:
        after = int(np.argmax(share >= 0.5))
        before = after - 1
        weight = (0.5 - share[before]) / (share[after] - share[before])
        found.append(np.exp((1 - weight) * np.log(steps[before]) + weight * np.log(steps[after])))
    return np.array(found)


def in_the_limit(kappa: float) -> np.ndarray:
    """The half-times of fast and slow features in the exact limit, n = 1.5 d, p = .6 d, (2,) in steps."""
    problem = PROBLEM.instance(**sizes(100), kappa=kappa)
    task, times = task_of(problem), steps(kappa)
    pieces = filters.descent(task, times, SMALL_RATE, spectrum_of(problem).upper_edge())
    whole = filters.overwritten(parts.untrained(task, times.size), pieces, partial(parts.filtered, task))
    return half_times(times, whole.alignment * problem.d / np.array(problem.counts))


Ratios = tuple[np.ndarray, np.ndarray]
"""Logarithms of (half-time of the slow features)/(that of the fast), (3,), and one standard error."""


def learned(kappa: float, d: int, seeds: list[int]) -> np.ndarray:
    """The share of the teacher that fast and slow features of each draw have learned, (S, T, 2)."""
    from teacherstudent.sims.multiscale.descent import student_trajectory

    problem = PROBLEM.instance(**sizes(d), kappa=kappa)
    draws = draw(problem, seeds)
    weights = student_trajectory(draws, steps(kappa), SMALL_RATE)
    along = weights * (draws.teacher * draws.strengths)[:, None]
    scales = np.split(np.arange(problem.d), problem.counts[:1])
    whole = np.stack([np.sum(draws.teacher[:, each] ** 2, axis=-1) for each in scales], axis=-1)
    return np.stack([along[..., each].sum(axis=-1) for each in scales], axis=-1) / whole[:, None]


def simulated(seeds: Seeds) -> Ratios:
    """Evidence: extrapolated in 1/d from two sizes; condition numbers share their draws."""
    found, errors = [], []
    (small, few), (large, many) = BY_SIZE.items()
    step = small / (large - small)
    for kappa in KAPPAS:

        def ratio(shares: np.ndarray, kappa: float = kappa) -> float:
            fast, slow = half_times(steps(kappa), shares.mean(axis=0))
            return float(np.log(slow / fast))

        at = [learned(kappa, d, seeds(count, f"d={d}")) for d, count in ((small, few), (large, many))]
        near, far = (jackknife(ratio, shares, GROUPS) for shares in at)
        found.append((1 + step) * ratio(at[1]) - step * ratio(at[0]))
        errors.append(np.hypot((1 + step) * far, step * near))
    return np.array(found), np.array(errors)


Claim = tuple[np.ndarray, float]
"""The ratios, and the power of kappa with which they grow."""


def in_limit(_: object, share: float = 1.0) -> Claim:
    """The half-times of the exact limit, and the square."""
    return np.array([np.divide(*in_the_limit(kappa)[::-1]) for kappa in KAPPAS]) * share, 2.0


def power(exponent: float, _: object) -> Claim:
    """Wrong: a power of kappa without what sharing examples adds."""
    return np.array(KAPPAS) ** exponent, exponent


def as_simulated(evidence: Ratios, claimed: Claim) -> Verdict:
    """The ratios, and their power of kappa."""
    (logarithms, stderr), (ratios, exponent) = evidence, claimed
    found = np.exp(logarithms)
    return worst_verdict(
        within_errors(logarithms, np.log(ratios), stderr, degrees=GROUPS - 1),
        at_rate(KAPPAS, found, exponent, found * stderr, effect=NEXT_ORDER),
    )


RATIO = check(
    id="ms-rate-ratio",
    title="the slow features take 1.7 kappa^2 times as long as the fast ones to be half learned (n = 1.5 d)",
    ref="captions of Figs. 3, 4 and 5, remark on Eq. 4.2.12",
    evidence=simulated,
    claim=in_limit,
    judge=as_simulated,
    effect=Contrast(
        "exactly kappa^2, as if the scales did not share examples", "the effect of sharing examples"
    ),
    wrong=(
        WrongClaim("exactly kappa^2, as if the scales did not share examples", partial(power, 2.0)),
        WrongClaim("kappa^3", partial(power, 3.0)),
        WrongClaim("slow features 50 % later", partial(in_limit, share=1.5)),
    ),
    errata=misprints({"ms-rate-ratio": partial(power, 1.0)}),
    slow=True,
)

CHECKS = (PROXY, BOUND, RATIO)
