"""Weakly coupled features under 6.3.10: Lemma 6.3.4, and the expansion that proves the theorem.

Both are first orders in the coupling, so both must err at second order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_rate
from teacherstudent.paper_checks.judging.cases import per_case, worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.starvation import check
from teacherstudent.paper_checks.starvation.kit.approximation import Settled, settled
from teacherstudent.paper_checks.starvation.kit.drawn import coupled, drawn_turns
from teacherstudent.problems.starvation import PROBLEM
from teacherstudent.theory.starvation import duality, starving, uncoupled

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
    title="the lemma's fixed point errs at second order in the coupling of two to eight features",
    ref="Lemma 6.3.4, Eqs. 6.3.14-6.3.15, .5.36-.5.42",
    evidence=pairs_and_more,
    claim=lemma,
    judge=partial(second_order, lambda end: end.alpha),
    teeth=(
        Tooth("without the correction", uncoupled_start),
        Tooth("ridge one part in 1e4 large", partial(lemma, ridge=1.0001)),
        Tooth("without the couplings of features that are no neighbours", neighbours),
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
    title="z_2 and dz_2/d(s_1^2) to first order in the coupling",
    ref="Eqs. .5.44-.5.48",
    evidence=pairs,
    claim=weak,
    judge=partial(second_order, response_and_slope),
    teeth=(
        Tooth("slope of the other sign", partial(weak, factor=-1.0)),
        Tooth("ridge one part in 1e4 large", partial(weak, ridge=1.0001)),
    ),
)

CHECKS = (PERTURBATION, WEAK)
