"""The classical rules in the limit: closed forms, published equations, and the laws of many examples."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_order, within_bound
from teacherstudent.paper_checks.judging.cases import worst_case, worst_of
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.perceptron import check
from teacherstudent.paper_checks.perceptron.kit import formulas
from teacherstudent.paper_checks.perceptron.kit.asking import limit

ALPHAS = (0.2, 0.7, 1.5, 4.0, 40.0)
SOLVED = 1e-9
"""Accuracy of an angle by the published equations: bracketing to rounding, quadrature to 1e-13, each
magnified by 1/(1 - R) or less."""
RULES = ("hebb", "pseudo-inverse", "gibbs", "bayes", "max-stability")


def angles(_: Seeds) -> dict[str, np.ndarray]:
    """Evidence: by rule the angle of student and teacher in the limit, (P,)."""
    return {rule: limit(["angle"], ALPHAS, rule=rule) for rule in RULES}


def by_equations(
    _: object, square: float = 2.0, power: float = 0.5, slack: float = 1.0
) -> dict[str, np.ndarray]:
    """The claim: the same by closed forms and published equations.

    Wrong: labels of another mean square along the teacher (square, 2 where right), factors of equations.
    """
    scale = square / 2
    gibbs = [formulas.gibbs(a, power) for a in ALPHAS]
    overlaps: dict[str, list[float]] = {
        "hebb": [formulas.hebb(scale * a) for a in ALPHAS],
        "pseudo-inverse": [formulas.pseudo_inverse(a) * scale**0.5 for a in ALPHAS],
        "gibbs": gibbs,
        "bayes": [R**0.5 for R in gibbs],
        "max-stability": [formulas.largest_margin(a, slack)[0] for a in ALPHAS],
    }
    return {rule: np.arccos(values) for rule, values in overlaps.items()}


def gibbs_for_bayes(evidence: object) -> dict[str, np.ndarray]:
    """Wrong: the centre of the version space errs as often as one of its members."""
    right = by_equations(evidence)
    return {**right, "bayes": right["gibbs"]}


@worst_case
def same_angles(found: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Relative to the angle: it goes to 0 with many examples."""
    return within_bound((claimed - found) / found, SOLVED, "two solvers, each of 1e-10 or better", "relative")


EQUATIONS = check(
    id="pc-equations",
    title="angles of all classical rules in the limit, by their closed forms and published equations",
    ref="learning curves of the perceptron",
    paper="engel2001",
    evidence=angles,
    claim=by_equations,
    judge=same_angles,
    teeth=(
        Tooth("labels a part in 1e7 less along the teacher", partial(by_equations, square=2 * (1 - 1e-7))),
        Tooth("1 - R without its root in the equation of Gibbs learning", partial(by_equations, power=1.0)),
        Tooth("the centre of the version space errs like its members", gibbs_for_bayes),
        Tooth("pull of the examples at the margin off by 1e-7", partial(by_equations, slack=1 + 1e-7)),
    ),
    functions=("theory.perceptron.asymptotic:examples",),
    covers=(
        "Hebb's rule",
        "Pseudo-inverse and Adaline",
        "Gibbs learning",
        "Bayes' rule",
        "Maximal stability",
    ),
    also=(("seung1992", "Gibbs learning of a perceptron with continuous weights"),),
)

# Many examples ------------------------------------------------------------------------------------------

MANY = np.array([100.0, 300.0, 1000.0])


def errors(_: Seeds) -> dict[str, np.ndarray]:
    """Evidence: by rule the generalisation error at `MANY`."""
    return {rule: limit(["generalisation_error"], MANY, rule=rule) for rule in RULES}


def prefactors(_: object, only: str = "", factor: float = 1.0) -> dict[str, np.ndarray]:
    """The claim: c a^-p; wrong with a factor on c (of one rule, or of all)."""
    return {
        rule: c * (factor if only in ("", rule) else 1.0) * MANY**-p
        for rule, (c, p) in formulas.prefactors().items()
    }


ORDERS = {"hebb": -1.0, "pseudo-inverse": -1.0, "gibbs": -2.0, "bayes": -2.0, "max-stability": -2.0}
"""By rule the power of a with which the laws are approached: corrections are of even order in the error."""


@worst_of
def in_the_end(found: dict[str, np.ndarray], claimed: dict[str, np.ndarray]) -> Iterator[Verdict]:
    """What is missing, relatively, falls like the square of the error."""
    for rule, order in ORDERS.items():
        yield at_order(MANY, np.abs(found[rule] / claimed[rule] - 1), order)


LATE = check(
    id="pc-many-examples",
    title="many examples: errors .399/sqrt a, .2405/sqrt a, .6247/a, .4417/a and .5005/a, to second order",
    ref="asymptotics of learning curves",
    paper="engel2001",
    evidence=errors,
    claim=prefactors,
    judge=in_the_end,
    teeth=(
        *(
            Tooth(f"prefactor of {rule} off by one per cent", partial(prefactors, only=rule, factor=1.01))
            for rule in RULES
        ),
    ),
    functions=("theory.perceptron.asymptotic:examples",),
    covers=("Many examples",),
)

CHECKS = (EQUATIONS, LATE)
