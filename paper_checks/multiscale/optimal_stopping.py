"""When to stop, and what that costs: the closed optimum against curves of the resolvent route.

The resolvent route knows neither modes nor their stopping times. Its curves are minimised
numerically; minima are compared, not times, because the minimum is flat.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy import optimize

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.multiscale import check
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.theory import marchenko_pastur
from teacherstudent.theory.multiscale import ends, one_scale
from teacherstudent.theory.multiscale.one_scale import OneScale

D = 1000
SAMPLES = (200, 900, 1000, 1100, 3000)
BOUND = 1e-9, "cancellation on the double contour: 100 e^11 eps"


def problem_at(n: int, sigma: float = 1.0) -> MultiScale:
    """One scale of strength sigma with n samples."""
    return PROBLEM.instance(n=n, scales=((D, sigma),), noise=0.5)


def least(dynamics: str, _: Seeds) -> np.ndarray:
    """The least generalisation error over time (or ridge) of the resolvent route at each n, (n,)."""

    def at(log_time: float, n: int) -> float:
        answer = run(
            "multiscale", dynamics, "asymptotic", [np.exp(log_time)],
            n=n, scales=((D, 1.0),), noise=0.5, observable=["generalisation"],
        )  # fmt: skip
        return float(answer["generalisation_error"][0])

    return np.array(
        [optimize.minimize_scalar(at, bounds=(-2, 4), args=(n,), method="bounded").fun for n in SAMPLES]
    )


def minima_agree(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Judge: the minima of the risk to the accuracy of the search."""
    return within_bound(evidence - claimed, *BOUND)


def claims(_: np.ndarray, formula: Callable[[MultiScale, OneScale], float]) -> np.ndarray:
    """A formula's answer for each number of samples."""
    problems = [problem_at(n) for n in SAMPLES]
    return np.array([formula(problem, one_scale.one_scale(problem)) for problem in problems])


# Flow, stopped --------------------------------------------------------------------------------------


def error_at(problem: MultiScale, time: float) -> float:
    """The generalisation error at one time."""
    answer = one_scale.flow(problem, np.array([time]), observable=["generalisation"])
    return float(answer["generalisation_error"][0])


def stopped(problem: MultiScale, scale: OneScale) -> float:
    """The error at the claimed best time."""
    return error_at(problem, ends.stopping_time(scale))


def stopped_with_a_mode(edge: int, problem: MultiScale, scale: OneScale) -> float:
    """Wrong: all modes at the optimum of the slowest (edge 0) or the fastest (edge 1)."""
    eigenvalue = np.array(marchenko_pastur.edges(scale.alpha)[edge])
    return error_at(problem, float(ends.mode_stopping_times(scale, eigenvalue)))


def floor(_: MultiScale, scale: OneScale) -> float:
    """The claimed floor under any ridge."""
    return ends.floor(scale)


STOPPING = check(
    id="os-early-stopping",
    title="the least error of gradient flow over time",
    ref="Section 2.3.3: early stopping",
    evidence=partial(least, "flow"),
    claim=partial(claims, formula=stopped),
    judge=minima_agree,
    effect=Contrast("every mode at its own time", "what one time for all modes costs"),
    teeth=(
        Tooth("stopped with the slowest mode", partial(claims, formula=partial(stopped_with_a_mode, 0))),
        Tooth("stopped with the fastest mode", partial(claims, formula=partial(stopped_with_a_mode, 1))),
        Tooth("every mode at its own time", partial(claims, formula=floor)),
    ),
)


# The floor -------------------------------------------------------------------------------------------


def one_by_one(noise: float, _: MultiScale, scale: OneScale) -> float:
    """Every mode at its own stopping time, averaged over the law: unlearned plus noise learned."""
    spectrum = marchenko_pastur.quadrature(scale.alpha, scale.signal_to_noise)
    lam = spectrum.eigenvalues
    p = np.exp(-lam * scale.strength * ends.mode_stopping_times(scale, lam))
    modes = scale.mismatch * p**2 + noise * scale.noise * (1 - p) ** 2 / lam
    return float(modes @ spectrum.weights + spectrum.zeros * scale.mismatch + scale.noise)


def both(evidence: np.ndarray) -> np.ndarray:
    """The closed floor, and the average that it stands for, (2, n)."""
    return np.stack([claims(evidence, formula=floor), claims(evidence, formula=partial(one_by_one, 1.0))])


FLOOR = check(
    id="os-ridge-floor",
    title="the least error of ridge regression is that of modes stopped one by one",
    ref="Section 2.3.3: early stopping",
    evidence=partial(least, "ridge"),
    claim=both,
    judge=minima_agree,
    effect=Contrast("all modes stopped together", "what one time for all modes costs"),
    teeth=(
        Tooth("all modes stopped together", partial(claims, formula=stopped)),
        Tooth("half the noise learned", partial(claims, formula=partial(one_by_one, 0.5))),
    ),
)

CHECKS = (STOPPING, FLOOR)
