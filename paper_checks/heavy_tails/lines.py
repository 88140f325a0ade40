"""Where the tail index is a whole even number: closed moments, and the step size of infinite variance."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.catalogue import find_problem
from teacherstudent.paper_checks.heavy_tails import check
from teacherstudent.paper_checks.heavy_tails.kit import laws
from teacherstudent.paper_checks.heavy_tails.kit.asking import ID, ask, entry
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.effects import WHOLE
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict

CASES = ((0.3, 1, 1), (1.2, 1, 1), (0.45, 1, 2), (0.7124, 2, 3), (0.16, 10, 100), (0.9, 6, 4))
"""Step size, batch, dimension."""

SOLVED = 1e-11
"""Quadrature to 1e-13, of logarithms as small as a hundredth."""


def moments(_: Seeds) -> list[np.ndarray]:
    """Evidence: h(2) and h(4) by quadrature."""
    return [
        np.exp(ask("orders", "exact", "log_growth", (2.0, 4.0), learning_rate=c, batch=b, d=d))
        for c, b, d in CASES
    ]


def closed(_: object, factor: float = 1.0, cross: float = 2.0) -> list[np.ndarray]:
    """The claim: polynomials in c; wrong with another second order, or another mixed term."""
    return [np.array([laws.second(*case, factor), laws.fourth(*case, cross)]) for case in CASES]


@worst_case
def same(found: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Relative to the number."""
    return within_bound(claimed / found - 1, SOLVED, "quadrature of two chi variables", "relative", WHOLE)


MOMENTS = check(
    id="ht-moments",
    title="second and fourth moments of a step: quadrature against polynomials in the step size",
    ref="|M u|^2 = (1 - kX)^2 + k^2 XY with X ~ chi2_b, Y ~ chi2_{d-1}",
    evidence=moments,
    claim=closed,
    judge=same,
    teeth=(
        Tooth("second order off by 1e-9", partial(closed, factor=1 + 1e-9)),
        Tooth("mixed term of the fourth moment once, not twice", partial(closed, cross=1.0)),
    ),
    functions=(entry("orders", "exact"),),
)

# Infinite variance -------------------------------------------------------------------------------------

SIZES = ((1, 1), (1, 2), (2, 3), (4, 10), (10, 100))
"""Batch, dimension."""


def at_the_line(_: Seeds) -> list[np.ndarray]:
    """Evidence: the step sizes at which the tail index is 2, between which the index is asked for."""
    found = []
    for b, d in SIZES:
        at = laws.critical(b, d) * np.array([1 - NEAR, 1 + NEAR])
        found.append(ask("stationary", "exact", "tail_index", at, batch=b, d=d))
    return found


NEAR = 1e-6
"""Relative distance of two step sizes between which the index passes through 2."""


def bracketed(_: object, slope: int = 1) -> list[float]:
    """The claim: 2b/(b + d + 1), relative to which they were asked; wrong without the 1."""
    return [laws.critical(b, d, slope) / laws.critical(b, d) for b, d in SIZES]


@worst_case
def crosses(found: np.ndarray, claimed: float) -> Verdict:
    """The index is linear over so small a distance: where it is 2 follows."""
    place = 1 + NEAR * (1 - 2 * (2 - found[1]) / (found[0] - found[1]))
    return within_bound(claimed / place - 1, 1e-10, "a line through two indices", "relative", WHOLE)


LINE = check(
    id="ht-critical",
    title="the tail index passes through 2 at the step size 2b/(b + d + 1)",
    ref="infinite variance",
    paper="gurbuzbalaban2021",
    evidence=at_the_line,
    claim=bracketed,
    judge=crosses,
    teeth=(Tooth("2b/(b + d)", partial(bracketed, slope=0)),),
    functions=(entry("stationary", "exact"),),
    covers=("Infinite variance",),
)

# Two strengths -----------------------------------------------------------------------------------------

SPECTRUM: dict[str, Any] = {"d": 4, "p": 2, "kappa": 2.0, "batch": 2, "learning_rate": 0.5}
RESOLVED = 1e-9
"""The operator's polynomials are exact at even orders: what is left is that of its quadratures."""


def second_moment(_: Seeds) -> float:
    """Evidence: ln h(2) by the transfer operator."""
    return float(ask("orders", "transfer", "log_growth", 2.0, **SPECTRUM)[0])


def by_covariances(_: object, own: int = 1) -> float:
    """The claim: by the equations of second moments; wrong without those of an input's own."""
    problem = find_problem(ID).instance(d=4, p=2, kappa=2.0, batch=2)
    of = problem.counts, problem.strengths, SPECTRUM["learning_rate"], problem.batch
    return laws.second_of(*of, own)


def alike(found: float, claimed: float) -> Verdict:
    """Relative to the number."""
    return within_bound(claimed / found - 1, RESOLVED, "quadratures in four variables", "relative", WHOLE)


TRANSFER = check(
    id="ht-transfer",
    title="two strengths: the second moment of a step by the transfer operator and by covariances",
    ref="h(2) as an eigenvalue",
    evidence=second_moment,
    claim=by_covariances,
    judge=alike,
    teeth=(Tooth("no fourth moments of an example's own inputs", partial(by_covariances, own=-1)),),
    functions=(entry("orders", "transfer"),),
    slow=True,
)

CHECKS = (MOMENTS, LINE, TRANSFER)
