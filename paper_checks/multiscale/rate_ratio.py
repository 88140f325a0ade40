"""How many times faster the fast features are learned: kappa^2, times what sharing examples adds."""

from __future__ import annotations

from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_rate, jackknife, within_errors
from teacherstudent.paper_checks.judging.effects import NEXT_ORDER, Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.multiscale import check, misprints
from teacherstudent.paper_checks.multiscale.kit.students import sizes
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw
from teacherstudent.theory.multiscale.terms import spectrum_of, task_of
from teacherstudent.theory.spectral import filters, parts

KAPPAS = (25.0, 50.0, 100.0)
DRAWS, GROUPS = {50: 500, 100: 250}, 50

RATE = 0.02
"""Learning rate: half of the fast features takes some twenty steps."""


def steps(kappa: float) -> np.ndarray:
    """Steps around both half-times, those of the slow features in proportion to kappa^2."""
    fast, slow = np.geomspace(0.2, 0.9, 7), kappa**2 * np.geomspace(0.4, 2, 7)
    return np.unique(np.rint(np.concatenate([fast, slow]) / RATE))


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
    pieces = filters.descent(task, times, RATE, spectrum_of(problem).upper_edge())
    whole = filters.overwritten(parts.untrained(task, times.size), pieces, partial(parts.filtered, task))
    return half_times(times, whole.alignment * problem.d / np.array(problem.counts))


Ratios = tuple[np.ndarray, np.ndarray]
"""Logarithms of (half-time of the slow features)/(that of the fast), (3,), and one standard error."""


def learned(kappa: float, d: int, seeds: list[int]) -> np.ndarray:
    """The share of the teacher that fast and slow features of each draw have learned, (S, T, 2).

    It is R over |w|^2/d, each of these features only: what is drawn of |w|^2 moves no half-time.
    """
    from teacherstudent.sims.multiscale.descent import student_trajectory

    problem = PROBLEM.instance(**sizes(d), kappa=kappa)
    draws = draw(problem, seeds)
    weights = student_trajectory(draws, steps(kappa), RATE)
    along = weights * (draws.teacher * draws.strengths)[:, None]
    scales = np.split(np.arange(problem.d), problem.counts[:1])
    whole = np.stack([np.sum(draws.teacher[:, each] ** 2, axis=-1) for each in scales], axis=-1)
    return np.stack([along[..., each].sum(axis=-1) for each in scales], axis=-1) / whole[:, None]


def simulated(seeds: Seeds) -> Ratios:
    """Evidence: extrapolated in 1/d from two sizes; condition numbers share their draws."""
    found, errors = [], []
    (small, few), (large, many) = DRAWS.items()
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
    return worst(
        within_errors(logarithms, np.log(ratios), stderr, degrees=GROUPS - 1),
        at_rate(KAPPAS, found, exponent, found * stderr, effect=NEXT_ORDER),
    )


RATIO = check(
    id="ms-rate-ratio",
    title="half of the slow features is learned 1.7 kappa^2 times as late as half of the fast, n = 1.5 d",
    ref="captions of Figs. 3, 4 and 5, remark on Eq. 4.2.12",
    evidence=simulated,
    claim=in_limit,
    judge=as_simulated,
    effect=Contrast("kappa^2 exactly, as if scales did not share examples", "what sharing examples adds"),
    teeth=(
        Tooth("kappa^2 exactly, as if scales did not share examples", partial(power, 2.0)),
        Tooth("the cube", partial(power, 3.0)),
        Tooth("half as much again", partial(in_limit, share=1.5)),
    ),
    errata=misprints({"ms-rate-ratio": partial(power, 1.0)}),
    slow=True,
)

CHECKS = (RATIO,)
