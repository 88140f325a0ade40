"""Small steps, where only eta/b counts, and large dimensions, where nothing is left between 2 and 0."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from teacherstudent.paper_checks.heavy_tails import check
from teacherstudent.paper_checks.heavy_tails.kit import laws
from teacherstudent.paper_checks.heavy_tails.kit.asking import ask, entry
from teacherstudent.paper_checks.judging.agreement import at_order
from teacherstudent.paper_checks.judging.cases import worst_case, worst_of
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.theory.heavy_tails.exact import largest_rate

STEPS = np.array([0.00375, 0.0075, 0.015, 0.03])
"""eta/b."""

CASES = ((1, 1), (3, 1), (1, 2), (2, 5))
"""Batch, dimension."""


def indices(_: Seeds) -> list[np.ndarray]:
    """Evidence: alpha eta/b."""
    return [STEPS * ask("stationary", "exact", "tail_index", STEPS * b, batch=b, d=d) for b, d in CASES]


def constants(_: object, factor: float = 1.0, of_eta: bool = False) -> list[float]:
    """The claim: the least of x/(2 ln(x - 1)), x > 2, which is exp(1 + W(1/e))/2, of all b and d.

    A step that lengthens is rarest by the least x = kX, over ln V = 2 ln(x - 1); more inputs do not help.
    Wrong by a factor, or if alpha eta, without b, came to it.
    """
    found = [ask("stationary", "small-step", "tail_index", STEPS[:1] * b, batch=b, d=d) for b, d in CASES]
    constants = [factor * STEPS[0] * float(each[0]) for each in found]
    return [each / b if of_eta else each for each, (b, _) in zip(constants, CASES, strict=True)]


@worst_of
def at_first_order(found: list[np.ndarray], claimed: list[float]) -> Iterator[Verdict]:
    """What a step c changes is like c of one example, and like c (A ln(1/c) + B) of a batch.

    Of these the logarithm is left where half of the change at twice the step is taken off: A c ln 2.
    """
    for (b, _), index, constant in zip(CASES, found, claimed, strict=True):
        change = np.abs(index - constant)
        yield at_order(STEPS, change, 1) if b == 1 else at_order(STEPS[:-1], change[:-1] - change[1:] / 2, 1)


SMALL = check(
    id="ht-small-step",
    title="small steps: alpha eta/b comes to one constant, to first order (with batches times a logarithm)",
    ref="alpha c/b as c goes to 0",
    evidence=indices,
    claim=constants,
    judge=at_first_order,
    teeth=(
        Tooth("constant off by one in a hundred", partial(constants, factor=1.01)),
        Tooth("alpha eta comes to it, without the batch", partial(constants, of_eta=True)),
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
def relatively(found: np.ndarray, claimed: np.ndarray) -> Verdict:
    """What is missing falls like 1/d."""
    return at_order(SIZES, np.abs(found / claimed - 1), -1)


WINDOW = check(
    id="ht-window",
    title="large dimensions: step sizes with 0 < alpha < 2 are a share 4(b + 2)/d^2 of the critical one",
    ref="between infinite variance and no stationary law",
    evidence=windows,
    claim=widths,
    judge=relatively,
    teeth=(
        Tooth("4b in place of 4(b + 2)", partial(widths, more=0)),
        Tooth("a share of order 1/d", partial(widths, power=1)),
    ),
    functions=("theory.heavy_tails.exact:largest_rate",),
)

# Tail indices within that window ------------------------------------------------------------------------

PLACES = (0.3, 0.7)
"""Between infinite variance and no stationary law."""


def within_window(_: Seeds) -> list[np.ndarray]:
    """Evidence: (alpha, rho) of each d by quadrature, (sizes, 2), for each batch and place."""
    return [_at(b, place, "exact") for b in BATCHES for place in PLACES]


def _at(b: int, place: float, route: str) -> np.ndarray:
    found = []
    for d in SIZES.astype(int).tolist():
        low, high = laws.critical(b, d), largest_rate(b, d)
        eta = low + place * (high - low)
        found.append(
            [ask("stationary", route, name, eta, batch=b, d=d)[0] for name in ("tail_index", "lyapunov")]
        )
    return np.array(found)


def diffusive(_: object, factor: float = 1.0) -> list[np.ndarray]:
    """The claim: by the mean and the variance of a change of length. Wrong with another variance."""
    found = [_at(b, place, "diffusive") for b in BATCHES for place in PLACES]
    return [2 + (each - 2) * np.array([factor, 1.0]) for each in found]


@worst_case
def like_squares(found: np.ndarray, claimed: np.ndarray) -> list[Verdict]:
    """What is missing falls like 1/d^2, relatively."""
    missing = np.abs(claimed / found - 1)
    return [at_order(SIZES, missing[:, j], -2) for j in range(2)]


LARGE = check(
    id="ht-large-d",
    title="large dimensions: alpha and rho by mean and variance of a change of length, to order 1/d^2",
    ref="ln h(s) to second order in changes of length",
    evidence=within_window,
    claim=diffusive,
    judge=like_squares,
    teeth=(Tooth("a variance off by one in fifty", partial(diffusive, factor=1 / 1.02)),),
    functions=(
        entry("stationary", "diffusive"),
        entry("stationary", "exact"),
        "theory.heavy_tails.exact:largest_rate",
    ),
)

CHECKS = (SMALL, WINDOW, LARGE)
