"""Solvable cases of the approximate dynamics 6.3.10, and its distance to the exact ones (Sect. 6.3.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy import optimize

from teacherstudent.paper_checks.judging.agreement import at_rate
from teacherstudent.paper_checks.judging.claims import per_case, worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import relatively_equal
from teacherstudent.paper_checks.starvation import check, misprints
from teacherstudent.paper_checks.starvation.kit.drawn import coupled, drawn_turns, orthonormal
from teacherstudent.paper_checks.starvation.kit.primal import Settled, settled
from teacherstudent.problems.starvation import PROBLEM, Starvation
from teacherstudent.theory.starvation import duality, ends, starving, uncoupled

ACCURACY = 1e-12
"""Asked of Lambert's forms, relative to the largest entry: rounding at condition 1e4."""


# Eqs. 6.3.12-6.3.13 ------------------------------------------------------------------------------------

Ends = tuple[np.ndarray, np.ndarray]
"""alpha and z at the end, (n,) each."""


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
        found += [settled(PROBLEM.instance(ridge=ridge, **values)) for values in (equal, apart)]
    return found


@per_case
def by_lambert(end: Settled, one: float = 1.0) -> Ends:
    """6.3.12 where strengths are equal, 6.3.13 where each example has a feature of its own.

    `one` is the 1 in W(1 + s^2/ridge), for a negative control.
    """
    return solvable_case(end.problem)(shifted(end.problem, one))


def shifted(problem: Starvation, one: float) -> Starvation:
    """The problem whose 1 + s^2/ridge is `one` + s^2/ridge of the given one."""
    squared = problem.s**2 + (one - 1) * problem.ridge
    return replace(problem, strengths=tuple(np.sqrt(squared))) if one != 1 else problem


def solvable_case(problem: Starvation) -> Callable[[Starvation], Ends]:
    """The solvable case that a problem belongs to."""
    equal = min(problem.strengths) == max(problem.strengths)
    return uncoupled.equal_strengths if equal else uncoupled.one_example_each


@per_case
def exactly(end: Settled) -> Ends:
    """The fixed point of the exact dynamics 6.3.9."""
    alpha = ends.fixed_point(duality.of_ridge(end.problem)).alpha
    return alpha, duality.responses(end.problem, alpha)


@per_case
def unnumbered(end: Settled) -> Ends:
    """Wrong: 6.3.13 without the renumbering of examples by which its proof takes U for 1."""
    equal = solvable_case(end.problem) is uncoupled.equal_strengths
    return uncoupled.equal_strengths(end.problem) if equal else as_if_identity(end.problem)


def as_if_identity(problem: Starvation) -> Ends:
    """6.3.13 knows nothing of U: it prints what holds for U = 1."""
    return uncoupled.one_example_each(replace(problem, vectors=tuple(map(tuple, np.eye(problem.n)))))


@worst_case
def same_ends(end: Settled, claim: Ends) -> Iterator[Verdict]:
    """Judge: alpha and z, to the accuracy asked of Lambert's forms."""
    for found, claimed in zip((end.alpha, end.z), claim, strict=True):
        yield relatively_equal(found, claimed, ACCURACY, "accuracy requested of the Lambert solutions")


LAMBERT = check(
    id="gs-lambert",
    title="Lambert's W solves 6.3.10 for equal strengths and for one example per feature",
    ref="Eqs. 6.3.12-6.3.13, .5.21-.5.35",
    evidence=solvable,
    claim=by_lambert,
    judge=same_ends,
    wrong=(
        WrongClaim("W(1.001 + s^2/ridge)", partial(by_lambert, one=1.001)),
        WrongClaim("the fixed point of the exact dynamics", exactly),
        WrongClaim("alpha_i from s_i and z_j > 0 under any permutation", unnumbered),
    ),
)


@per_case
def by_formula(formula: Callable[[Starvation], Ends], end: Settled) -> Ends:
    """The claimed end by one of the solvable cases."""
    return formula(end.problem)


EQUAL = check(
    id="gs-equal-strengths",
    title="the published experiment decouples at S = [2, 2] because the strengths are equal",
    ref="App. .4.1",
    evidence=lambda _: [settled(PROBLEM.instance(s1=2.0, s2=2.0, delta=0.6, ridge=0.01))],
    claim=partial(by_formula, uncoupled.equal_strengths),
    judge=same_ends,
    wrong=(WrongClaim("the fixed point of the exact dynamics", exactly),),
    errata=misprints({"gs-equal-strengths-case": partial(by_formula, as_if_identity)}),
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
    """alpha^2/(2 (1 + W)); factors for the negative controls."""
    return half * evidence.alpha**2 / (1 + own * uncoupled.lambert(1 / RATIOS))


def next_order(evidence: Gap, claimed: np.ndarray) -> Verdict:
    """What the leading term leaves is of relative order alpha; its slope in alpha bends by another."""
    left = np.abs(evidence.distance / claimed - 1)
    return at_rate(evidence.alpha, left, 1.0, slack=10 * float(evidence.alpha.max()))


ORDER = check(
    id="gs-approximation-order",
    title="the approximation log(1-alpha) ~ -alpha has an error of alpha^2/(2(1+W)) to leading order",
    ref="Eqs. 6.3.10, .5.14",
    evidence=gaps,
    claim=leading,
    judge=next_order,
    wrong=(
        WrongClaim("without the factor 1/2", partial(leading, half=1.0)),
        WrongClaim("without W", partial(leading, own=0.0)),
        WrongClaim("W 1 % too large", partial(leading, own=1.01)),
    ),
)


# Weakly coupled features under 6.3.10: Lemma 6.3.4, and the expansion that proves the theorem ----------

# Both are first orders in the coupling, so both must err at second order.

COUPLINGS = np.geomspace(1e-4, 1e-3, 4)
PAIRS = ((4.0, 2.0, 0.01), (2.0, 3.0, 0.1), (6.0, 2.0, 1.0))


def pairs(_: Seeds) -> list[list[Settled]]:
    """For each pair of strengths and ridge, the fixed point at each coupling."""
    return [
        [settled(PROBLEM.instance(s1=s1, s2=s2, ridge=ridge, delta=delta)) for delta in COUPLINGS]
        for s1, s2, ridge in PAIRS
    ]


def pairs_and_more(seeds: Seeds) -> list[list[Settled]]:
    """The same, and for three to eight features under drawn couplings, strengths 1 to 6 and ridges."""
    found = pairs(seeds)
    for n, seed in zip((3, 5, 8), seeds(3), strict=True):
        random = np.random.default_rng(seed)
        turns, ridge = drawn_turns(n, random), 10 ** random.uniform(-2, 0)
        strengths = random.uniform(1, 6, n)
        rows = [{"vectors": coupled(turns, delta), "strengths": strengths} for delta in COUPLINGS]
        found.append([settled(PROBLEM.instance(ridge=ridge, **row)) for row in rows])
    return found


@per_case
def lemma(row: list[Settled], ridge: float = 1.0) -> list[np.ndarray]:
    """6.3.14; a factor on the ridge for a negative control."""
    return [uncoupled.perturbed(replace(end.problem, ridge=ridge * end.problem.ridge)) for end in row]


@per_case
def uncoupled_start(row: list[Settled]) -> list[np.ndarray]:
    """alpha_0 itself, without the lemma's step."""
    diagonals = [1 + np.diag(duality.of_ridge(end.problem).A) for end in row]
    return [uncoupled.lambert(d - 1) / d for d in diagonals]


@per_case
def neighbours(row: list[Settled]) -> list[np.ndarray]:
    """Wrong: 6.3.14 with the couplings of neighbouring features alone, which is right for two."""
    near = np.abs(np.subtract.outer(range(row[0].problem.n), range(row[0].problem.n))) < 2
    return [
        uncoupled.perturbed(replace(end.problem, vectors=tuple(map(tuple, end.problem.U * near))))
        for end in row
    ]


@worst_case
def second_order(
    found: Callable[[Settled], np.ndarray], row: list[Settled], claims: list[np.ndarray]
) -> Verdict:
    """Errors fall like delta^2, the next order like delta^3: at delta <= 1e-3 the slope bends by less
    than .05 where the coefficients' ratio is below 20."""
    errors = [np.max(np.abs(claim - found(end))) for end, claim in zip(row, claims, strict=True)]
    return at_rate(COUPLINGS, errors, 2.0, slack=0.05)


PERTURBATION = check(
    id="gs-perturbation",
    title="the error of the lemma's fixed point is of second order in the coupling of two to eight features",
    ref="Lemma 6.3.4, Eqs. 6.3.14-6.3.15, .5.36-.5.42",
    evidence=pairs_and_more,
    claim=lemma,
    judge=partial(second_order, lambda end: end.alpha),
    wrong=(
        WrongClaim("without the correction", uncoupled_start),
        WrongClaim("ridge 1e-4 (relative) too large", partial(lemma, ridge=1.0001)),
        WrongClaim("without couplings between features that are not neighbours", neighbours),
    ),
)


def response_and_slope(end: Settled) -> np.ndarray:
    """z_2 and dz_2/d(s_1^2) of 6.3.10."""
    jacobian = starving.approximate_starvation_jacobian(end.problem, end.alpha)
    return np.array([end.z[1], jacobian[1, 0]])


@per_case
def weak(row: list[Settled], ridge: float = 1.0, factor: float = 1.0) -> list[np.ndarray]:
    """First order in delta; factors on the ridge and on the slope for the negative controls."""
    found = []
    for end, delta in zip(row, COUPLINGS, strict=True):
        z2, slope = uncoupled.weak_coupling(replace(end.problem, ridge=ridge * end.problem.ridge), delta)
        found.append(np.array([z2, factor * slope]))
    return found


WEAK = check(
    id="gs-weak-coupling",
    title="the printed z_2 and dz_2/d(s_1^2) are correct to first order in the coupling",
    ref="Eqs. .5.44-.5.48",
    evidence=pairs,
    claim=weak,
    judge=partial(second_order, response_and_slope),
    wrong=(
        WrongClaim("slope with the wrong sign", partial(weak, factor=-1.0)),
        WrongClaim("ridge 1e-4 (relative) too large", partial(weak, ridge=1.0001)),
    ),
)

CHECKS = (LAMBERT, EQUAL, ORDER, PERTURBATION, WEAK)
