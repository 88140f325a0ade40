"""Where the tail index is a whole even number: closed moments, and the step size of infinite variance."""

from __future__ import annotations

from functools import partial

import numpy as np

from teacherstudent.paper_checks.heavy_tails import check
from teacherstudent.paper_checks.heavy_tails.kit import laws
from teacherstudent.paper_checks.heavy_tails.kit.asking import ask, entry
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

CHECKS = (MOMENTS, LINE)
