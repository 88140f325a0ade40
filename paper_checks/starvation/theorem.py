"""Theorem 6.3.5: when the stronger of two features starves the weaker, and when it feeds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product

import numpy as np

from teacherstudent.paper_checks.judging.agreement import none_wrong, within_bound
from teacherstudent.paper_checks.judging.claims import per_case, worst_of
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import FIXED_POINT
from teacherstudent.paper_checks.starvation import check, misprints
from teacherstudent.paper_checks.starvation.kit.drawn import coupled, drawn_problems, drawn_turns
from teacherstudent.paper_checks.starvation.kit.primal import ridge_slopes
from teacherstudent.problems.starvation import PROBLEM, Starvation
from teacherstudent.theory.starvation import duality, ends, starving

STRENGTHS = (0.5, 1.0, 2.0, 4.0, 6.0)
COUPLINGS = (0.01, 0.1, 0.3, 0.5, 0.69, 0.72, 0.9, 0.99)
RIDGES = (1e-3, 1e-1, 10.0)
TURN = float(np.sqrt(0.5))
DRAWN = 100
"""Points drawn between those of the grid."""


@dataclass(frozen=True)
class Signed:
    """A question to two features, with z (2,) and dz_2/d(s_1^2) by complex steps of the primal."""

    problem: Starvation
    delta: float
    z: np.ndarray
    slope: float

    @property
    def bends(self) -> np.ndarray:
        """1/l'' at either margin, (2,)."""
        return 2 + 2 * np.cosh(self.problem.U @ self.z)


def signs(couplings: tuple[float, ...], seeds: Seeds) -> list[Signed]:
    """Over the grid of unequal strengths, couplings and ridges, and points drawn between its ends."""
    random, found = np.random.default_rng(seeds(1)), []
    grid = [each for each in product(STRENGTHS, STRENGTHS, couplings, RIDGES) if each[0] != each[1]]
    ends = (STRENGTHS, STRENGTHS, RIDGES)
    between = [10 ** random.uniform(np.log10(end[0]), np.log10(end[-1]), DRAWN) for end in ends]
    coupled = random.uniform(min(couplings), max(couplings), DRAWN)
    drawn = zip(*between[:2], coupled, between[2], strict=True)
    for s1, s2, delta, ridge in (*grid, *drawn):
        problem = PROBLEM.instance(s1=float(s1), s2=float(s2), delta=float(delta), ridge=float(ridge))
        z, slopes = ridge_slopes(problem)
        found.append(Signed(problem, float(delta), z, float(slopes[1, 0])))
    return found


Rule = Callable[[Starvation, float], float]


def by_rule(rule: Rule, evidence: list[Signed]) -> np.ndarray:
    """A rule's sign at each point of the grid."""
    return np.array([rule(point.problem, point.delta) for point in evidence])


def stronger_starves(problem: Starvation, delta: float) -> float:
    """The theorem, for 0 < delta < 1/sqrt 2; beyond, z_2 and its derivative are of the other sign."""
    s1, s2 = problem.strengths
    return -np.sign(s1 - s2) * np.sign(TURN - delta)


def whatever_the_coupling(problem: Starvation, delta: float) -> float:
    """Negative where s_1 > s_2, and by the same proof positive where s_1 < s_2, at every coupling."""
    return -float(np.sign(problem.strengths[0] - problem.strengths[1]))


def whatever_the_strengths(problem: Starvation, delta: float) -> float:
    """Wrong: a sign that does not ask which feature is stronger."""
    return -np.sign(TURN - delta)


def by_margins(problem: Starvation, delta: float) -> float:
    """The exact line behind it, at any coupling of either sign."""
    return starving.two_feature_starvation(problem, ends.fixed_point(duality.of_ridge(problem)).alpha)


def same_signs(evidence: list[Signed], claimed: np.ndarray, of_size: bool = False) -> Verdict:
    """Judge: how many signs of the grid are wrong; `of_size`: of d|z_2| in place of dz_2."""
    found = [np.sign(point.slope * (point.z[1] if of_size else 1)) for point in evidence]
    wrong = np.count_nonzero(np.sign(claimed) != found)
    return none_wrong(wrong, len(evidence), "points with a wrong sign", "points")


@worst_of
def same_slopes(evidence: list[Signed], claimed: np.ndarray) -> Iterator[Verdict]:
    """Judge: the signs, and the slopes, relatively to what is subtracted in them."""
    yield same_signs(evidence, claimed)
    found = np.array([point.slope for point in evidence])
    bends = np.array([point.bends for point in evidence])
    bound = FIXED_POINT * bends.sum(axis=1) / np.abs(np.diff(bends)[:, 0])
    yield within_bound(
        claimed / found - 1,
        bound,
        "accuracy requested of fixed points, amplified by cancellation",
        "relative",
    )


THEOREM = check(
    id="gs-theorem",
    title="the stronger of two features starves the weaker exactly if 0 < delta < 1/sqrt 2",
    ref="Thm. 6.3.5, Eqs. 6.3.16, .5.43, .5.48",
    evidence=partial(signs, COUPLINGS),
    claim=partial(by_rule, stronger_starves),
    judge=same_signs,
    wrong=(WrongClaim("feature 1 always starves feature 2", partial(by_rule, whatever_the_strengths)),),
    errata=misprints({"gs-theorem-domain": partial(by_rule, whatever_the_coupling)}),
)

SIZE = check(
    id="gs-theorem-size",
    title="judged by |z_2|, the stronger of two features starves the weaker at every 0 < delta < 1",
    ref="Thm. 6.3.5 with Def. 6.3.2 for |z_j|",
    evidence=partial(signs, COUPLINGS),
    # Exchanging the examples and the sign of the second singular vector turns delta into
    # sqrt(1 - delta^2) and z_2 into -z_2: beyond 1/sqrt 2 lies the same problem again.
    claim=partial(by_rule, whatever_the_coupling),
    judge=partial(same_signs, of_size=True),
    wrong=(
        WrongClaim("the sign changes at 1/sqrt 2, as for dz_2", partial(by_rule, stronger_starves)),
        WrongClaim("feature 1 always starves feature 2", partial(by_rule, whatever_the_strengths)),
    ),
    covers=("Thm. 6.3.5",),
)

BOTH_SIGNS = check(
    id="gs-theorem-exact",
    title="dz_2/d(s_1^2) is proportional to -delta (c alpha_1 + delta alpha_2) (1/l''(m_1) - 1/l''(m_2))",
    ref="Thm. 6.3.5, any coupling",
    evidence=partial(signs, (-0.9, -0.3, -0.01, 0.01, 0.3, 0.9)),
    claim=partial(by_rule, by_margins),
    judge=same_slopes,
    wrong=(
        WrongClaim("1e-6 larger", partial(by_rule, lambda p, d: (1 + 1e-6) * by_margins(p, d))),
        WrongClaim("the theorem's rule applied to negative delta", partial(by_rule, stronger_starves)),
        WrongClaim("odd in delta", partial(by_rule, lambda p, d: np.sign(d) * stronger_starves(p, abs(d)))),
    ),
)


# More than two features ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Crowd:
    """A problem with n features and the sign of d|z_j|/d(s_i^2), (n, n), by complex steps."""

    problem: Starvation
    signs: np.ndarray


def crowd(problem: Starvation) -> Crowd:
    """A problem with the signs of all its slopes."""
    z, slopes = ridge_slopes(problem)
    return Crowd(problem, np.sign(slopes * z[:, None]))


def weakly_coupled(seeds: Seeds) -> list[Crowd]:
    """The same among features that are weakly coupled, each 1.3 to 3 times as strong as the next."""
    found = []
    for seed in seeds(20):
        random = np.random.default_rng(seed)
        strengths = np.cumprod(random.uniform(1.3, 3, 5))[::-1]
        vectors, ridge = coupled(drawn_turns(5, random), 1e-4), 10 ** random.uniform(-3, 1)
        found.append(crowd(PROBLEM.instance(vectors=vectors, strengths=strengths, ridge=ridge)))
    return found


@per_case
def from_the_jacobian(case: Crowd) -> np.ndarray:
    """The claim: the signs of the exact starvation Jacobian."""
    alpha = ends.fixed_point(duality.of_ridge(case.problem)).alpha
    jacobian = starving.starvation_jacobian(case.problem, alpha)
    return np.sign(jacobian * duality.responses(case.problem, alpha)[:, None])


@per_case
def by_strength(sign: float, case: Crowd) -> np.ndarray:
    """The theorem's rule for every pair: the stronger starves the weaker (`sign` -1)."""
    return sign * (1 - 2 * np.eye(case.problem.n))


@per_case
def by_weight(case: Crowd) -> np.ndarray:
    """The theorem's rule where the weight U_ji of the stronger feature i is positive, else its opposite."""
    return -np.sign(case.problem.U)


def signs_below(evidence: list[Crowd], claimed: list[np.ndarray]) -> Verdict:
    """Pairs (i stronger, j weaker) with a wrong sign."""
    wrong, pairs = 0, 0
    for case, claim in zip(evidence, claimed, strict=True):
        weaker = case.problem.s[:, None] < case.problem.s[None, :]
        wrong += int(np.count_nonzero((claim != case.signs) & weaker))
        pairs += int(np.count_nonzero(weaker))
    return none_wrong(wrong, pairs, "pairs of features with a wrong sign", "pairs")


CROWD = check(
    id="gs-many-features",
    title="the Jacobian, not the strength, determines which of five features starve which",
    ref="Sect. 6.3.3, after Thm. 6.3.5",
    evidence=lambda seeds: [crowd(problem) for problem in drawn_problems(seeds(40), n=5)],
    claim=from_the_jacobian,
    judge=signs_below,
    wrong=(WrongClaim("the stronger feature always strengthens the weaker", partial(by_strength, 1.0)),),
    errata=misprints({"gs-higher-dimensions": partial(by_strength, -1.0)}),
)

WEAK = check(
    id="gs-weak-pairs",
    title="of five weakly coupled features, the stronger starves those whose example gives it weight > 0",
    ref="Sect. 6.3.3, after Thm. 6.3.5",
    evidence=weakly_coupled,
    claim=by_weight,
    judge=signs_below,
    wrong=(
        WrongClaim("the stronger starves the weaker for any sign of its weight", partial(by_strength, -1.0)),
        WrongClaim(
            "the stronger starves those whose example gives it a negative weight",
            lambda found: [-each for each in by_weight(found)],
        ),
    ),
    covers=("Sect. 6.3.3 higher dimensions",),
)

CHECKS = (THEOREM, SIZE, BOTH_SIGNS, CROWD, WEAK)
