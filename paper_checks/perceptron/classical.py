"""The rules in the limit: closed forms and published equations; weights of -1 and 1 by equations along q."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from scipy import special

from teacherstudent.paper_checks.judging.agreement import at_order
from teacherstudent.paper_checks.judging.claims import worst_case, worst_of
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import relatively
from teacherstudent.paper_checks.perceptron import check
from teacherstudent.paper_checks.perceptron.kit import formulas
from teacherstudent.paper_checks.perceptron.kit.asking import limit
from teacherstudent.theory.perceptron import binary

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
    """The claim: the same by closed forms and published equations."""
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


TWO_SOLVERS = worst_case(relatively(SOLVED, "two solvers, each accurate to 1e-10 or better"))

EQUATIONS = check(
    id="pc-equations",
    title="the large-system angles of all classical rules agree with closed forms and published equations",
    ref="learning curves of the perceptron",
    paper="engel2001",
    evidence=angles,
    claim=by_equations,
    judge=TWO_SOLVERS,
    wrong=(
        WrongClaim("labels 1e-7 less aligned with the teacher", partial(by_equations, square=2 * (1 - 1e-7))),
        WrongClaim("1 - R instead of its root in the Gibbs equation", partial(by_equations, power=1.0)),
        WrongClaim("the centre of the version space has the error of its members", gibbs_for_bayes),
        WrongClaim("pull at the margin 1e-7 (relative) too large", partial(by_equations, slack=1 + 1e-7)),
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
    title="errors for many examples: .399/sqrt a, .2405/sqrt a, .6247/a, .4417/a and .5005/a, to second "
    "order",
    ref="asymptotics of learning curves",
    paper="engel2001",
    evidence=errors,
    claim=prefactors,
    judge=in_the_end,
    wrong=(
        *(
            WrongClaim(f"prefactor of {rule} 1 % too large", partial(prefactors, only=rule, factor=1.01))
            for rule in RULES
        ),
    ),
    functions=("theory.perceptron.asymptotic:examples",),
    covers=("Many examples",),
)

# Weights of -1 and 1 -------------------------------------------------------------------------------------

OVERLAPS = (0.1, 0.3, 0.5, 0.65)
"""On the low branch, below the transition."""


def landmarks(_: Seeds) -> list[np.ndarray]:
    """Evidence: transition, spinodal and storage capacity; R and entropy where `OVERLAPS` are claimed."""
    alphas = [formulas.examples_at(q) for q in OVERLAPS]
    return [
        np.array([binary.transition(), binary.spinodal(), binary.storage_capacity()]),
        limit(["R", "entropy"], alphas, rule="gibbs", weights="binary"),
        np.array([binary.entropy(a) for a in alphas]),
    ]


def own_iteration(_: object, factor: float = 1.0, pairs: float = 0.5) -> list[np.ndarray]:
    """The claim, along overlaps, not alpha; wrong with a factor on landmarks, or pairs counted twice."""
    named = factor * np.array([formulas.transition(), formulas.spinodal(), formulas.binary_capacity()])
    entropies = np.array([formulas.taught_entropy(q, pairs) for q in OVERLAPS])
    return [named, np.append(OVERLAPS, entropies - np.log(2)), entropies]


LANDMARKS = check(
    id="pc-binary-landmarks",
    title="binary weights have a transition at 1.245, a spinodal at 1.493 and a storage capacity of .833",
    ref="replica-symmetric entropies",
    paper="krauth1989",
    evidence=landmarks,
    claim=own_iteration,
    judge=TWO_SOLVERS,
    wrong=(
        WrongClaim("transition, spinodal, capacity 1e-7 too large", partial(own_iteration, factor=1 + 1e-7)),
        WrongClaim("pairs of replicas counted twice", partial(own_iteration, pairs=1.0)),
    ),
    functions=(
        "theory.perceptron.asymptotic:examples",
        *(
            f"theory.perceptron.binary:{each}"
            for each in ("entropy", "spinodal", "storage_capacity", "transition")
        ),
    ),
    covers=("Storage of binary weights",),
    also=(("seung1992", "First-order transition of binary weights"),),
)

# What an example tells ----------------------------------------------------------------------------------

MIDDLES = {"spherical": (0.3, 1.0, 2.5, 6.0), "binary": (0.2, 0.6, 1.0, 1.2)}
STEP = 1e-2


def slopes(_: Seeds) -> dict[str, np.ndarray]:
    """Evidence: by weights, d entropy/d alpha by differences of fourth order."""
    found = {}
    for weights, middles in MIDDLES.items():
        low2, low, high, high2 = (
            limit(["entropy"], [a + shift * STEP * a for a in middles], rule="gibbs", weights=weights)
            for shift in (-2, -1, 1, 2)
        )
        found[weights] = (8 * (high - low) - (high2 - low2)) / (12 * STEP * np.array(middles))
    return found


def told(_: object, replicas: float = 1.0, factor: float = 2.0) -> dict[str, np.ndarray]:
    """The claim: an example tells -2 of the mean of H ln H, the entropy of its label given those before."""
    found = {}
    for weights, middles in MIDDLES.items():
        R = limit(["R"], middles, rule="gibbs", weights=weights) ** replicas
        log_h = [special.log_ndtr(-np.sqrt(each / (1 - each)) * formulas.NODES) for each in R]
        found[weights] = np.array([factor * formulas.mean(np.exp(each) * each) for each in log_h])
    return found


TOLD = check(
    id="pc-entropy-slope",
    title="the entropy of the version space decreases by the information in each new label",
    ref="chain rule of entropies",
    evidence=slopes,
    claim=told,
    judge=worst_case(relatively(100 * STEP**4, "fourth-order differences: 100 step^4")),
    wrong=(
        WrongClaim("the overlap of the centre instead of a member's overlap", partial(told, replicas=0.5)),
        WrongClaim("labels of one sign only", partial(told, factor=1.0)),
    ),
    functions=("theory.perceptron.asymptotic:examples",),
)

CHECKS = (EQUATIONS, LATE, LANDMARKS, TOLD)
