"""How wrong the misprints about gradient starvation are, each in one setting."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import optimize

from teacherstudent.paper_checks.judging.reading import relative
from teacherstudent.problems.starvation import PROBLEM, Starvation
from teacherstudent.theory.starvation import duality, ends, flow, multiclass, starving, uncoupled

ONE_FEATURE = {"vectors": ((1.0,),)}


def of_decoupled_paths() -> float:
    """How far z (2,) under descent at s1 = 4 and at s1 = 2 are apart at one time, over the end of both."""
    times = np.r_[0, np.geomspace(1e-3, 1e4, 200)]

    def path(s1: float) -> np.ndarray:
        problem = PROBLEM.instance(s1=s1, s2=2.0, delta=0.5, ridge=0.01)
        named = flow.primal_decoupled(problem, times, learning_rate="auto", shift=0.0)
        return np.stack([named["z1"], named["z2"]])

    return relative(path(2.0), path(4.0))


def of_the_case() -> float:
    """z (2,) by 6.3.13 against 6.3.12."""
    problem = PROBLEM.instance(s1=2.0, s2=2.0, delta=0.6, ridge=0.01)
    identity = replace(problem, vectors=((1.0, 0.0), (0.0, 1.0)))
    return relative(uncoupled.one_example_each(identity)[1], uncoupled.equal_strengths(problem)[1])


def of_the_domain() -> float:
    """The share of couplings from 0 to 1 beyond the one at which the derivative changes its sign."""

    def derivative(delta: float) -> float:
        problem = PROBLEM.instance(s1=4.0, s2=2.0, delta=delta, ridge=0.1)
        return starving.two_feature_starvation(problem, optimum(problem))

    return 1 - float(optimize.brentq(derivative, 0.5, 0.9, xtol=1e-3))


def optimum(problem: Starvation, offset: float = 0.0) -> np.ndarray:
    """alpha (n,) at the fixed point of 6.3.9."""
    return np.asarray(ends.fixed_point(duality.of_ridge(problem, offset)).alpha)


def of_pairs() -> float:
    """The share of pairs of a stronger and a weaker feature in which d|z_j|/d(s_i^2) is not negative."""
    from teacherstudent.paper_checks.starvation.kit.drawn import drawn_problems

    wrong, pairs = 0, 0
    for problem in drawn_problems(range(40), n=5):
        alpha = optimum(problem)
        jacobian = starving.starvation_jacobian(problem, alpha)
        weaker = problem.s[:, None] < problem.s[None, :]
        fed = jacobian * duality.responses(problem, alpha)[:, None] >= 0
        wrong += int(np.count_nonzero(fed & weaker))
        pairs += int(np.count_nonzero(weaker))
    return wrong / pairs


def of_shared_parameters() -> float:
    """The dual for a theta of each class, against the loss of one that all share."""
    from teacherstudent.paper_checks.judging.evidence import Seeds
    from teacherstudent.paper_checks.starvation.multiclass import shared

    case, *_ = shared(Seeds("gs-multiclass-dual"))
    return relative(
        multiclass.dual_per_class(case.softmax, case.targets, case.features, case.ridge), case.loss
    )


def of_the_approximation() -> float:
    """z at the fixed point of 6.3.10, against that of 6.3.9."""
    problem = PROBLEM.instance(**ONE_FEATURE, strengths=(1.0,), ridge=1.0)
    approximate = ends.approximate_fixed_point(duality.of_ridge(problem)).alpha
    return relative(approximate, optimum(problem))  # z is in proportion to alpha


def of_the_centre() -> float:
    """z without the output at the start, against that with it."""
    problem = PROBLEM.instance(**ONE_FEATURE, strengths=(2.0,), ridge=0.1)
    return relative(optimum(problem), optimum(problem, 1.0))


def of_the_order() -> float:
    """U^T S^2 U against U S^2 U^T."""
    problem = PROBLEM.instance(s1=4.0, s2=2.0, delta=0.5, ridge=0.01)
    right = (problem.U * problem.s**2) @ problem.U.T
    return float(np.linalg.norm((problem.U.T * problem.s**2) @ problem.U - right) / np.linalg.norm(right))


def of_the_rank() -> float:
    """alpha against U U^T alpha."""
    U, alpha = np.array([[0.6], [0.8]]), np.array([0.5, 0.5])
    return relative(alpha, U @ (U.T @ alpha))


def of_the_jacobian() -> float:
    """1/(alpha (1 - alpha)) against 1/alpha + 1."""
    alpha = 0.5
    return relative(1 / (alpha * (1 - alpha)), 1 / alpha + 1)


def of_the_colour() -> float:
    """68.4 % against the accuracy of the minimum of Eq. 6.3.17, which tells the colour: 10 %."""
    from teacherstudent.problems.colored_digits import FLIPS, NOISE, TEST_FLIP
    from teacherstudent.theory.starvation import pointwise

    told = pointwise.minimum(pointwise.share(float(np.mean(FLIPS)), NOISE), 1.0) > 0  # colour, shape
    assert (told == np.array([[False], [True]])).all()
    return relative(0.684, 1 - TEST_FLIP)
