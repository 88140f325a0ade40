"""Margins under spectral decoupling: one number, whatever the features (Eqs. 6.3.17-6.3.18, .5.11-.5.12)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import FIXED_POINT, relatively_equal
from teacherstudent.paper_checks.starvation import check
from teacherstudent.paper_checks.starvation.kit.drawn import drawn_problems
from teacherstudent.paper_checks.starvation.kit.primal import Loss, decoupled_loss, response_slopes
from teacherstudent.problems.starvation import Starvation
from teacherstudent.theory.starvation import duality, ends, starving


@dataclass(frozen=True)
class Decoupled:
    """A problem, labels, ridge and shift of each example, (n,), and the minimum's margins and slopes.

    Margins are (n,), slopes dz_j/d(s_i^2), (n, n).
    """

    problem: Starvation
    labels: np.ndarray
    ridges: np.ndarray
    shifts: np.ndarray
    margins: np.ndarray
    slopes: np.ndarray


PRINTED = (0.012, 0.088), (2.5, 0.44)
"""Ridges and shifts of App. .4.5.1, of class 1 and of class 0 (label -1)."""


def decoupled(shifted: bool, seeds: Seeds) -> list[Decoupled]:
    """Minima of the loss with ridge/2 |yhat - shift|^2, as printed: labels +1 and -1 at random.

    shifted: each class has a ridge and a shift, in the first case those of `PRINTED`, else drawn.
    """
    own = seeds(15)
    found: list[Decoupled] = []
    for seed, problem in zip(own, drawn_problems(own), strict=True):
        random = np.random.default_rng([seed, 1])
        labels = random.choice([-1.0, 1.0], problem.n)
        labels[:2] = 1, -1
        ridge, shift = np.full(2, problem.ridge), np.zeros(2)
        if shifted:
            drawn = ridge * random.uniform(0.5, 2, 2), random.uniform(0.5, 3, 2)
            ridge, shift = drawn if found else map(np.array, PRINTED)
        ridges, shifts = (np.where(labels > 0, each[0], each[1]) for each in (ridge, shift))
        # |yhat - shift|^2 = |margin - label shift|^2, yhat = label margin
        z, slopes = response_slopes(problem, partial(at_strengths, problem, ridges, labels * shifts))
        found.append(Decoupled(problem, labels, ridges, shifts, problem.U @ z, slopes))
    return found


def at_strengths(problem: Starvation, ridges: np.ndarray, target: np.ndarray, s: np.ndarray) -> Loss:
    """The decoupled loss of a problem at other strengths."""
    return decoupled_loss(problem.U * s, ridges, target)


End = tuple[np.ndarray, np.ndarray]
"""Margins (n,), and dz_j/d(s_i^2), (n, n)."""


def by_theory(
    evidence: list[Decoupled], labelled: bool = True, factor: float = 1.0, classes: bool = True
) -> list[End]:
    """Margins with ridge (m - label shift) = sigma(-m); as no strength is in them, none moves a response.

    `labelled`: else without the label; `classes`: else one ridge for both.
    """
    claims = []
    for case in evidence:
        dual = duality.of_decoupling(case.problem, case.shifts * (case.labels if labelled else 1))
        ridges = case.ridges if classes else np.full(case.problem.n, case.ridges.mean())
        weighted = factor * dual.A * (case.problem.ridge / ridges)  # A is diagonal
        margins = ends.fixed_point(duality.Dual(weighted, dual.offset)).margins
        claims.append((margins, np.zeros_like(case.slopes)))
    return claims


def of_ridge(evidence: list[Decoupled]) -> list[End]:
    """Wrong: the end of the ridge loss, which does depend on the features."""
    alphas = [ends.fixed_point(duality.of_ridge(case.problem)) for case in evidence]
    return [
        (end.margins, starving.starvation_jacobian(case.problem, end.alpha))
        for case, end in zip(evidence, alphas, strict=True)
    ]


def starving_still(evidence: list[Decoupled]) -> list[End]:
    """Wrong: these margins, but responses that strengths move as under the ridge loss."""
    pairs = zip(by_theory(evidence), of_ridge(evidence), strict=True)
    return [(margins, slopes) for (margins, _), (_, slopes) in pairs]


@worst_case
def same_end(case: Decoupled, claim: End) -> Iterator[Verdict]:
    """The margins; and how strengths move the responses, in units of the largest margin."""
    margins, slopes = claim
    yield relatively_equal(case.margins, margins)
    moved = (case.slopes - slopes) * case.problem.s**2 / np.max(np.abs(case.margins))
    yield within_bound(moved, FIXED_POINT, "accuracy asked of fixed points", "relative")


MARGIN = check(
    id="gs-decoupled-margin",
    title="spectral decoupling ends at ridge m = sigma(-m) for every example, whatever U and S",
    ref="Eqs. 6.3.17-6.3.18, App. .5.11",
    evidence=partial(decoupled, False),
    claim=by_theory,
    judge=same_end,
    teeth=(
        Tooth("ridge one part in 1e8 small", partial(by_theory, factor=1 + 1e-8)),
        Tooth("the end of the ridge loss", of_ridge),
        Tooth("margins alike, but features that starve", starving_still),
    ),
    covers=("Eq. 6.3.18",),
)

SHIFTED = check(
    id="gs-shifted-margin",
    title="the shifted variant ends at ridge_y (m - y shift_y) = sigma(-m): two margins, one a class",
    ref="Sect. 6.4.4, App. .4.5",
    evidence=partial(decoupled, True),
    claim=by_theory,
    judge=same_end,
    teeth=(
        Tooth("ridge one part in 1e8 small", partial(by_theory, factor=1 + 1e-8)),
        Tooth("margins alike, but features that starve", starving_still),
        Tooth("every margin pulled to the shift, whatever the label", partial(by_theory, labelled=False)),
        Tooth("one ridge for both classes", partial(by_theory, classes=False)),
    ),
)

CHECKS = (MARGIN, SHIFTED)
