"""Solvable cases of the approximate dynamics 6.3.10, and its distance to the exact ones (Sect. 6.3.3).

The other witness solves 6.3.10 as printed with SciPy's `root`, from U and S alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy import optimize

from teacherstudent.paper_checks.judging.agreement import at_rate, within_bound
from teacherstudent.paper_checks.judging.evidence import Check, Erratum, Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.starvation.primal import orthonormal
from teacherstudent.problems.starvation import PROBLEM, Starvation
from teacherstudent.theory.starvation import duality, ends, uncoupled

ASKED = 1e-12
"""Accuracy asked of Lambert's forms, relative to the largest entry: rounding at condition 1e4."""


@dataclass(frozen=True)
class Settled:
    """A problem, and alpha and z of its fixed point of 6.3.10, (n,)."""

    problem: Starvation
    alpha: np.ndarray
    z: np.ndarray


def settled(problem: Starvation) -> Settled:
    """log alpha = -U (S^2 + ridge) U^T alpha/ridge, solved in log alpha."""
    U, s, ridge = problem.U, problem.s, problem.ridge

    def excess(log_alpha: np.ndarray) -> np.ndarray:
        return log_alpha + U @ ((s**2 + ridge) * (U.T @ np.exp(log_alpha))) / ridge

    def slope(log_alpha: np.ndarray) -> np.ndarray:
        return np.eye(problem.n) + (U * (s**2 + ridge)) @ U.T * np.exp(log_alpha) / ridge

    start = -np.log1p(s.max() ** 2 / ridge) * np.ones(problem.n)
    alpha = np.exp(optimize.root(excess, start, jac=slope, tol=1e-15).x)
    return Settled(problem, alpha, s**2 / ridge * (U.T @ alpha))


# Eqs. 6.3.12-6.3.13 ------------------------------------------------------------------------------------

Ends = list[tuple[np.ndarray, np.ndarray]]


def solvable(seeds: Seeds) -> list[Settled]:
    """Equal strengths under any U, and signed permutations with all strengths different."""
    found = []
    for seed in seeds(10):
        random = np.random.default_rng(seed)
        n, ridge = int(random.integers(3, 9)), 10 ** random.uniform(-3, 1)
        equal = {"vectors": orthonormal(n, random), "strengths": np.full(n, 10 ** random.uniform(-1, 1))}
        # A cycle is a permutation under which no example keeps the feature of its own number.
        signed = np.roll(np.diag(random.choice([-1.0, 1.0], n)), 1, axis=0)
        apart = {"vectors": signed, "strengths": 10 ** random.uniform(-1, 1, n)}
        found += [settled(PROBLEM.instance(ridge=ridge, **asked)) for asked in (equal, apart)]
    return found


def by_lambert(evidence: list[Settled], one: float = 1.0) -> Ends:
    """6.3.12 where strengths are equal, 6.3.13 where each example has a feature of its own.

    `one` is the 1 in W(1 + s^2/ridge), for a tooth.
    """
    return [case(shifted(each.problem, one)) for each in evidence for case in [case_of(each.problem)]]


def shifted(problem: Starvation, one: float) -> Starvation:
    """The problem whose 1 + s^2/ridge is `one` + s^2/ridge of the given one."""
    squared = problem.s**2 + (one - 1) * problem.ridge
    return replace(problem, strengths=tuple(np.sqrt(squared))) if one != 1 else problem


def case_of(problem: Starvation) -> Callable[[Starvation], tuple[np.ndarray, np.ndarray]]:
    """The solvable case that a problem belongs to."""
    equal = min(problem.strengths) == max(problem.strengths)
    return uncoupled.equal_strengths if equal else uncoupled.one_example_each


def exactly(evidence: list[Settled]) -> Ends:
    """The fixed point of the exact dynamics 6.3.9."""
    alphas = [ends.fixed_point(duality.of_ridge(each.problem)).alpha for each in evidence]
    return [(a, duality.responses(each.problem, a)) for a, each in zip(alphas, evidence, strict=True)]


def printed_permutation(evidence: list[Settled]) -> Ends:
    """6.3.13 with its indices and signs: alpha_i from s_i, z_j positive."""
    answers = []
    for each in evidence:
        if case_of(each.problem) is uncoupled.equal_strengths:
            answers.append(uncoupled.equal_strengths(each.problem))
            continue
        answers.append(as_if_identity(each.problem))
    return answers


def as_if_identity(problem: Starvation) -> tuple[np.ndarray, np.ndarray]:
    """6.3.13 knows nothing of U: it prints what holds for U = 1."""
    return uncoupled.one_example_each(replace(problem, vectors=tuple(map(tuple, np.eye(problem.n)))))


def same_ends(evidence: list[Settled], claimed: Ends) -> Verdict:
    """Judge: alpha and z, to the accuracy asked of Lambert's forms."""
    verdicts = []
    for each, claim in zip(evidence, claimed, strict=True):
        for found, value in zip((each.alpha, each.z), claim, strict=True):
            error = np.max(np.abs(value - found)) / np.max(np.abs(found))
            verdicts.append(within_bound(error, ASKED, "accuracy asked of Lambert's forms", "relative"))
    return worst(*verdicts)


LAMBERT = Check(
    id="gs-lambert",
    problem="starvation",
    title="Lambert's W solves 6.3.10 for equal strengths and for one example a feature",
    paper="pezeshki2022",
    ref="Eqs. 6.3.12-6.3.13, .5.21-.5.35",
    evidence=solvable,
    claim=by_lambert,
    judge=same_ends,
    teeth=(
        Tooth("W(1.001 + s^2/ridge)", partial(by_lambert, one=1.001)),
        Tooth("of the exact dynamics", exactly),
    ),
    errata=(
        Erratum(
            "gs-permutation-index",
            "pezeshki2022",
            "Eqs. 6.3.13, .5.29",
            "alpha_i from s_i, z_j > 0",
            "alpha_i from s_{j(i)}, the feature of example i; z_j has the sign of its entry of U",
            printed_permutation,
        ),
    ),
    covers=("Eq. 6.3.12", "Eq. 6.3.13", "Eqs. .5.21-.5.28", "Eqs. .5.29-.5.35"),
)


def experiment(_: Seeds) -> list[Settled]:
    """App. .4.1: U = [[.8, -.6], [.6, .8]] and S = [2, 2], at the script's ridge."""
    return [settled(PROBLEM.instance(s1=2.0, s2=2.0, delta=0.6, ridge=0.01))]


def by_case(case: Callable[[Starvation], tuple[np.ndarray, np.ndarray]], evidence: list[Settled]) -> Ends:
    """The claimed end of every problem by one of the cases."""
    return [case(each.problem) for each in evidence]


EQUAL = Check(
    id="gs-equal-strengths",
    problem="starvation",
    title="the published experiment decouples at S = [2, 2] because strengths are equal",
    paper="pezeshki2022",
    ref="App. .4.1",
    evidence=experiment,
    claim=partial(by_case, uncoupled.equal_strengths),
    judge=same_ends,
    teeth=(Tooth("of the exact dynamics", exactly),),
    errata=(
        Erratum(
            "gs-equal-strengths-case",
            "pezeshki2022",
            "App. .4.1",
            "at S = [2, 2] the dynamics decouple according to Eq. 6.3.13",
            "according to Eq. 6.3.12: U = [[.8, -.6], [.6, .8]] (the script has delta .5) is no permutation",
            partial(by_case, as_if_identity),
        ),
    ),
    covers=("App. .4.1",),
)


# How far 6.3.10 is from 6.3.9 -----------------------------------------------------------------------------

RATIOS = np.geomspace(1e-5, 1e-3, 5)
"""ridge/s^2, small: alpha falls like it, up to a logarithm."""


@dataclass(frozen=True)
class Gap:
    """alpha of 6.3.10 and its relative distance to that of 6.3.9, one feature an example, (R,)."""

    alpha: np.ndarray
    distance: np.ndarray


def gaps(_: Seeds) -> Gap:
    """One feature, one example: log((1-a)/a) = a/r, by bracketing in log a."""

    def exact(ratio: float) -> float:
        return optimize.brentq(
            lambda w: w + np.log1p(-np.exp(-w)) - np.exp(-w) / ratio, 0.7, 40.0, xtol=1e-15, rtol=1e-15
        )

    problems = [PROBLEM.instance(vectors=((1.0,),), strengths=(1.0,), ridge=r) for r in RATIOS]
    approximate = np.array([settled(problem).alpha[0] for problem in problems])
    return Gap(approximate, 1 - np.exp(-np.array([exact(r) for r in RATIOS])) / approximate)


def leading(evidence: Gap, half: float = 0.5, own: float = 1.0) -> np.ndarray:
    """alpha^2/(2 (1 + W)); factors for the teeth."""
    return half * evidence.alpha**2 / (1 + own * uncoupled.lambert(1 / RATIOS))


def next_order(evidence: Gap, claimed: np.ndarray) -> Verdict:
    """What the leading term leaves is of relative order alpha; its slope in alpha bends by another."""
    left = np.abs(evidence.distance / claimed - 1)
    return at_rate(evidence.alpha, left, 1.0, slack=10 * float(evidence.alpha.max()))


ORDER = Check(
    id="gs-approximation-order",
    problem="starvation",
    title="the approximation log(1-alpha) ~ -alpha costs alpha^2/(2(1+W)) to leading order",
    paper="pezeshki2022",
    ref="Eqs. 6.3.10, .5.14",
    evidence=gaps,
    claim=leading,
    judge=next_order,
    teeth=(
        Tooth("without the one-half", partial(leading, half=1.0)),
        Tooth("without W", partial(leading, own=0.0)),
        Tooth("W one per cent large", partial(leading, own=1.01)),
    ),
    covers=("Eq. 6.3.10", "Eqs. .5.13-.5.17"),
)


CHECKS = (LAMBERT, EQUAL, ORDER)
