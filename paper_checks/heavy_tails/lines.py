"""Closed forms and limits of the tail index: even orders, small steps, large dimensions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.catalogue import find_problem
from teacherstudent.paper_checks.heavy_tails import check, compared
from teacherstudent.paper_checks.heavy_tails.kit import laws
from teacherstudent.paper_checks.heavy_tails.kit.asking import ID, ask, entry
from teacherstudent.paper_checks.judging.agreement import at_order, within_bound
from teacherstudent.paper_checks.judging.claims import worst_case, worst_of
from teacherstudent.paper_checks.judging.comparison import then
from teacherstudent.paper_checks.judging.effects import WHOLE
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import relatively
from teacherstudent.paper_checks.judging.judges import AtOrder, InGroups
from teacherstudent.theory.heavy_tails.exact import largest_rate

POINTS = ((0.3, 1, 1), (1.2, 1, 1), (0.45, 1, 2), (0.7124, 2, 3), (0.16, 10, 100), (0.9, 6, 4))
"""Step size, batch, dimension."""

SOLVED = 1e-11
"""Quadrature to 1e-13, of logarithms as small as a hundredth."""


def moments(_: Seeds) -> list[np.ndarray]:
    """Evidence: h(2) and h(4) by quadrature."""
    return [
        np.exp(ask("orders", "exact", "log_growth", (2.0, 4.0), learning_rate=c, batch=b, d=d))
        for c, b, d in POINTS
    ]


def closed(_: object, factor: float = 1.0, cross: float = 2.0) -> list[np.ndarray]:
    """The claim: polynomials in c; wrong with another second order, or another mixed term."""
    return [np.array([laws.second(*case, factor), laws.fourth(*case, cross)]) for case in POINTS]


MOMENTS = check(
    id="ht-moments",
    title="second and fourth moments of a step, computed by quadrature, equal polynomials in the step size",
    ref="|M u|^2 = (1 - kX)^2 + k^2 XY with X ~ chi2_b, Y ~ chi2_{d-1}",
    evidence=moments,
    claim=closed,
    judge=worst_case(relatively(SOLVED, "quadrature over two chi variables", WHOLE)),
    wrong=(
        WrongClaim("second-order term 1e-9 (relative) too large", partial(closed, factor=1 + 1e-9)),
        WrongClaim("mixed term of the fourth moment counted once, not twice", partial(closed, cross=1.0)),
    ),
    functions=(entry("orders", "exact"),),
)

# Infinite variance -------------------------------------------------------------------------------------

LINES = ((1, 1), (1, 2), (2, 3), (4, 10), (10, 100))
"""Batch, dimension."""


def at_the_line(_: Seeds) -> list[np.ndarray]:
    """Evidence: the step sizes at which the tail index is 2, between which the index is asked for."""
    found = []
    for b, d in LINES:
        at = laws.critical(b, d) * np.array([1 - NEAR, 1 + NEAR])
        found.append(ask("stationary", "exact", "tail_index", at, batch=b, d=d))
    return found


NEAR = 1e-6
"""Relative distance of two step sizes between which the index passes through 2."""


def bracketed(_: object, slope: int = 1) -> list[float]:
    """The claim: 2b/(b + d + 1), relative to which they were asked; wrong without the 1."""
    return [laws.critical(b, d, slope) / laws.critical(b, d) for b, d in LINES]


@worst_case
def crosses(found: np.ndarray, claimed: float) -> Verdict:
    """The index is linear over so small a distance: where it is 2 follows."""
    place = 1 + NEAR * (1 - 2 * (2 - found[1]) / (found[0] - found[1]))
    return within_bound(claimed / place - 1, 1e-10, "interpolation between two indices", "relative", WHOLE)


LINE = check(
    id="ht-critical",
    title="the tail index passes through 2 at the step size 2b/(b + d + 1)",
    ref="infinite variance",
    paper="gurbuzbalaban2021",
    evidence=at_the_line,
    claim=bracketed,
    judge=crosses,
    wrong=(WrongClaim("critical step size 2b/(b + d)", partial(bracketed, slope=0)),),
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


TRANSFER = check(
    id="ht-transfer",
    title="for two input strengths, the transfer operator and covariances give the same second moment",
    ref="h(2) as an eigenvalue",
    evidence=second_moment,
    claim=by_covariances,
    judge=relatively(RESOLVED, "quadrature over four variables", WHOLE),
    wrong=(WrongClaim("fourth moments of an example's own inputs omitted", partial(by_covariances, own=-1)),),
    functions=(entry("orders", "transfer"),),
    slow=True,
)

# Small steps, where only eta/b counts --------------------------------------------------------------------

STEPS = np.array([0.00375, 0.0075, 0.015, 0.03])
"""eta/b."""

ALIKE = ((1, 1), (3, 1), (1, 2), (2, 5))
"""Batch, dimension."""


def small_steps(_: Seeds) -> list[np.ndarray]:
    """Evidence: alpha eta/b."""
    return [STEPS * ask("stationary", "exact", "tail_index", STEPS * b, batch=b, d=d) for b, d in ALIKE]


def constants(_: object, factor: float = 1.0, of_eta: bool = False) -> list[float]:
    """The claim: the least of x/(2 ln(x - 1)), x > 2, which is exp(1 + W(1/e))/2, of all b and d.

    A step that lengthens is rarest by the least x = kX, over ln V = 2 ln(x - 1); more inputs do not help.
    Wrong by a factor, or if alpha eta, without b, came to it.
    """
    found = [ask("stationary", "small-step", "tail_index", STEPS[:1] * b, batch=b, d=d) for b, d in ALIKE]
    constants = [factor * STEPS[0] * float(each[0]) for each in found]
    return [each / b if of_eta else each for each, (b, _) in zip(constants, ALIKE, strict=True)]


@worst_of
def at_first_order(found: list[np.ndarray], claimed: list[float]) -> Iterator[Verdict]:
    """What a step c changes is like c of one example, and like c (A ln(1/c) + B) of a batch.

    Of these the logarithm is left where half of the change at twice the step is taken off: A c ln 2.
    """
    for (b, _), index, constant in zip(ALIKE, found, claimed, strict=True):
        change = np.abs(index - constant)
        yield at_order(STEPS, change, 1) if b == 1 else at_order(STEPS[:-1], change[:-1] - change[1:] / 2, 1)


SMALL = check(
    id="ht-small-step",
    title="for small steps, alpha eta/b approaches one constant with an error of first order (for b > 1, "
    "times a logarithm)",
    ref="alpha c/b as c goes to 0",
    evidence=small_steps,
    claim=constants,
    judge=at_first_order,
    wrong=(
        WrongClaim("constant 1 % too large", partial(constants, factor=1.01)),
        WrongClaim("alpha eta, not alpha eta/b, approaches the constant", partial(constants, of_eta=True)),
    ),
    functions=(entry("stationary", "exact"), entry("stationary", "small-step")),
)

# Large dimensions --------------------------------------------------------------------------------------

SIZES = np.array([200.0, 400.0, 800.0, 1600.0])
BATCHES = (1, 5)


def windows(_: Seeds) -> list[np.ndarray]:
    """Evidence: by how much the largest step size exceeds that of infinite variance, relatively."""
    return [
        np.array([largest_rate(b, round(d)) / laws.critical(b, round(d)) - 1 for d in SIZES]) for b in BATCHES
    ]


def widths(_: object, more: int = 2, power: int = 2) -> list[np.ndarray]:
    """The claim: 4(b + 2)/(b + d + 1)^2; wrong with b instead of b + 2, or another power."""
    return [4 * (b + more) / (b + SIZES + 1) ** power for b in BATCHES]


@worst_case
def like_one_over_d(found: np.ndarray, claimed: np.ndarray) -> Verdict:
    """What is missing falls like 1/d."""
    return at_order(SIZES, np.abs(found / claimed - 1), -1)


WINDOW = check(
    id="ht-window",
    title="in large dimensions, 0 < alpha < 2 holds in a window of 4(b + 2)/d^2 of the critical step size",
    ref="between infinite variance and no stationary distribution",
    evidence=windows,
    claim=widths,
    judge=like_one_over_d,
    wrong=(
        WrongClaim("4b instead of 4(b + 2)", partial(widths, more=0)),
        WrongClaim("a fraction of order 1/d", partial(widths, power=1)),
    ),
    functions=("theory.heavy_tails.exact:largest_rate",),
)

# Tail indices within that window ------------------------------------------------------------------------

PLACES = (0.3, 0.7)
"""Between infinite variance and no stationary law."""


def rate_within(b: int, d: int, place: float) -> float:
    """The step size at that place of the window."""
    low = laws.critical(b, d)
    return low + place * (largest_rate(b, d) - low)


LARGE = compared(
    id="ht-large-d",
    title="in large dimensions, mean and variance of the length change give alpha and rho to order 1/d^2",
    ref="ln h(s) to second order in changes of length",
    clocks={"stationary": {}},
    questions=lambda: {
        ((b, place), d): {"batch": b, "d": d, "times": [rate_within(b, d, place)]}
        for b in BATCHES
        for place in PLACES
        for d in SIZES.astype(int).tolist()
    },
    routes=("exact", "diffusive"),
    observables=("tail_index", "lyapunov"),
    judge=InGroups(AtOrder(-2, each=True, relative=True)),
    wrong={
        "variance 2 % too large": then(
            lambda seen: {**seen, "tail_index": 2 + (seen["tail_index"] - 2) / 1.02}
        )
    },
    functions=("theory.heavy_tails.exact:largest_rate",),
)

CHECKS = (MOMENTS, LINE, TRANSFER, SMALL, WINDOW, LARGE)
