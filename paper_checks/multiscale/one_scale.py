"""When to stop, and what that costs: the closed optimum against curves of the resolvent route.

The resolvent route knows neither modes nor their stopping times. Its curves are minimised
numerically; minima are compared, not times, because the minimum is flat.

The ends of one scale's dynamics: infinite time, and the growth at alpha = 1.

Infinite time is reached in a simulation when e^{-lambda t} is below rounding. Its finite size is
known and taken off: the mean of an inverse Wishart matrix has |n - d| - 1 in the place of |n - d|.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy import optimize

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import at_rate, within_bound
from teacherstudent.paper_checks.judging.comparison import Changes, Own, Values, scaled
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.judges import Means
from teacherstudent.paper_checks.multiscale import check, compared
from teacherstudent.paper_checks.multiscale.kit.students import problem_of
from teacherstudent.problems.multiscale import PROBLEM, MultiScale
from teacherstudent.theory import marchenko_pastur
from teacherstudent.theory.multiscale import one_scale, one_scale_ends
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
    return error_at(problem, one_scale_ends.stopping_time(scale))


def stopped_with_a_mode(edge: int, problem: MultiScale, scale: OneScale) -> float:
    """Wrong: all modes at the optimum of the slowest (edge 0) or the fastest (edge 1)."""
    eigenvalue = np.array(marchenko_pastur.edges(scale.alpha)[edge])
    return error_at(problem, float(one_scale_ends.mode_stopping_times(scale, eigenvalue)))


def floor(_: MultiScale, scale: OneScale) -> float:
    """The claimed floor under any ridge."""
    return one_scale_ends.floor(scale)


STOPPING = check(
    id="os-early-stopping",
    title="the smallest error of gradient flow over time",
    ref="Section 2.3.3: early stopping",
    evidence=partial(least, "flow"),
    claim=partial(claims, formula=stopped),
    judge=minima_agree,
    effect=Contrast("each mode stopped at its own best time", "the cost of one stopping time for all modes"),
    wrong=(
        WrongClaim(
            "the best time of the slowest mode", partial(claims, formula=partial(stopped_with_a_mode, 0))
        ),
        WrongClaim(
            "the best time of the fastest mode", partial(claims, formula=partial(stopped_with_a_mode, 1))
        ),
        WrongClaim("each mode stopped at its own best time", partial(claims, formula=floor)),
    ),
)


# The floor -------------------------------------------------------------------------------------------


def one_by_one(noise: float, _: MultiScale, scale: OneScale) -> float:
    """Every mode at its own stopping time, averaged over the law: unlearned plus noise learned."""
    spectrum = marchenko_pastur.quadrature(scale.alpha, scale.signal_to_noise)
    lam = spectrum.eigenvalues
    p = np.exp(-lam * scale.strength * one_scale_ends.mode_stopping_times(scale, lam))
    modes = scale.mismatch * p**2 + noise * scale.noise * (1 - p) ** 2 / lam
    return float(modes @ spectrum.weights + spectrum.zeros * scale.mismatch + scale.noise)


def both(evidence: np.ndarray) -> np.ndarray:
    """The closed floor, and the average that it stands for, (2, n)."""
    return np.stack([claims(evidence, formula=floor), claims(evidence, formula=partial(one_by_one, 1.0))])


FLOOR = check(
    id="os-ridge-floor",
    title="the smallest ridge error equals the error with every mode stopped at its own best time",
    ref="Section 2.3.3: early stopping",
    evidence=partial(least, "ridge"),
    claim=both,
    judge=minima_agree,
    effect=Contrast("all modes stopped at one time", "the cost of one stopping time for all modes"),
    wrong=(
        WrongClaim("all modes stopped at one time", partial(claims, formula=stopped)),
        WrongClaim("half the noise learned", partial(claims, formula=partial(one_by_one, 0.5))),
    ),
)

# The ends of training ------------------------------------------------------------------------------------

SETTING = {"noise": 0.7, "init": 0.5}
ERRORS = ("generalisation_error", "training_error")

# Infinite time ------------------------------------------------------------------------------------

LONG = 1e9  # steps of the automatic learning rate: flow times beyond 1e8, eigenvalues above .03


def final(_: str, asked: dict[str, Any], __: list[int], frozen: float = 1.0, fitted: float = 1.0) -> Values:
    """The closed form with its finite size, with factors on its ingredients for the negative controls."""
    problem = problem_of(asked)
    scale, fewer, gap = one_scale.one_scale(problem), min(problem.n, problem.d), abs(problem.n - problem.d)
    generalisation, training = one_scale_ends.final_errors(scale)
    forgotten = (1 - frozen) * max(1 - problem.alpha, 0.0) * scale.mismatch
    bias = problem.noise**2 * (fewer / (gap - 1) - fewer / gap)
    return dict(
        zip(ERRORS, np.array([[generalisation - forgotten + bias], [fitted * training]]), strict=True)
    )


def finally_wrong(**factor: Any) -> Changes:
    """Other ends."""
    return {"route": Own(partial(final, **factor), sampled=False)}


END = compared(
    id="os-infinite-time",
    title="errors after 1e9 simulated steps agree with the closed limits of infinite training",
    ref="Section 2.3.3, Eqs. 2.3.14 and 2.3.29 at t -> infinity",
    clocks={"descent": {"times": (LONG,), "observable": ("generalisation", "training")}},
    questions={str(n / 100): {"n": n, "scales": ((100, 1.0),), **SETTING} for n in (50, 150)},
    routes=("simulation", Own(final, sampled=False)),
    observables=ERRORS,
    draws=400,
    judge=Means(),
    effect=Contrast("frozen modes omitted", "the error that remains in frozen modes"),
    wrong={
        "frozen modes omitted": finally_wrong(frozen=0.0),
        "training error without noise": finally_wrong(fitted=0.0),
        "noise 3 % larger": {"noise": scaled(1.03)},
    },
    functions=("theory.multiscale.one_scale_ends:final_errors", "theory.multiscale.one_scale:one_scale"),
    slow=True,
)


# Growth at alpha = 1 ------------------------------------------------------------------------------

LATE = np.geomspace(1e2, 1e6, 9)
EQUAL: MultiScale = PROBLEM.instance(n=100, scales=((100, 1.0),), **SETTING)


def averaged(_: Seeds) -> np.ndarray:
    """E_g at alpha = 1 by quadrature, (T,)."""
    return np.asarray(one_scale.flow(EQUAL, LATE, observable=["generalisation"])["generalisation_error"])


def law(_: np.ndarray, slope: float = 1.0, constant: float = 1.0) -> np.ndarray:
    """The law of growth with factors on its two terms, (T,)."""
    scale = one_scale.one_scale(EQUAL)
    second = scale.noise / 2
    root = one_scale_ends.growth_at_equality(scale, LATE) - second
    return slope * root + constant * second


def remainder(evidence: np.ndarray, claimed: np.ndarray) -> Verdict:
    """What is left falls like t^(-1/2); the order after it, t^(-3/2), changes that by 1/t."""
    return at_rate(LATE, np.abs(evidence - claimed), -0.5, slack=float(1 / LATE[0]))


GROWTH = check(
    id="os-growth",
    title="at alpha = 1 the error grows like sqrt(t): both terms of the law have the predicted order",
    ref="Section 2.3.3, Ch. 2 Fig. 4 right",
    evidence=averaged,
    claim=law,
    judge=remainder,
    wrong=(
        WrongClaim("2 instead of 2(2 - sqrt 2)", partial(law, slope=1 / (2 - np.sqrt(2)))),
        WrongClaim("without the constant term", partial(law, constant=0.0)),
    ),
)

CHECKS = (STOPPING, FLOOR, END, GROWTH)
