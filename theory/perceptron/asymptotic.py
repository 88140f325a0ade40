"""The exact limit n, d -> infinity at alpha = n/d: what each rule has learned, alpha by alpha.

The answer at one alpha does not depend on the others. Where a fixed point is not certified it is NaN, with a
warning: never a plausible wrong number.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.perceptron import Perceptron
from teacherstudent.theory.perceptron import binary, linear, minimum, stability, version_space
from teacherstudent.theory.perceptron.student_state import Student

Rule = Callable[[Perceptron, np.ndarray], Student]

SPHERICAL: dict[str, Rule] = {
    "square": linear.square,
    "logistic": minimum.minimiser,
    "hinge": minimum.minimiser,
    "hebb": linear.hebb,
    "pseudo-inverse": linear.square,
    "max-stability": stability.max_stability,
    "gibbs": version_space.gibbs,
    "bayes": version_space.bayes,
}

BINARY: dict[str, Rule] = {"gibbs": binary.gibbs, "bayes": binary.bayes}


def examples(problem: Perceptron, alphas: np.ndarray) -> dict[str, np.ndarray]:
    """Every observable of the rule at alpha > 0, (T,)."""
    rules = BINARY if problem.weights == "binary" else SPHERICAL
    with np.errstate(all="ignore"):  # what overflows is not finite, and said to be so
        found = rules.get(str(problem.rule), minimum.minimiser)(problem, alphas)
    return _certain(found, "asymptotic")


def metastable(problem: Perceptron, alphas: np.ndarray) -> dict[str, np.ndarray]:
    """The same of binary weights on the low branch at alpha > 0, (T,); from the spinodal on, the teacher's.

    A search that begins with nothing known follows it. Raises `InputError` for spherical weights.
    """
    if problem.weights != "binary":
        raise InputError("weights", problem.weights, "binary for route metastable")
    student = binary.member if problem.rule == "gibbs" else binary.centre
    return _certain(student(*binary.known_up_to(binary.spinodal(), alphas)), "metastable")


def _certain(found: Student, route: str) -> dict[str, np.ndarray]:
    """Every observable of students, (T,), NaN with the reason where it is not certain."""
    with np.errstate(all="ignore"):
        answer = found.observables()
    known = found.converged & ~np.asarray(found.absent)
    for name, values in answer.items():
        reason = "the student's norm is unbounded" if name == "Q" else f"{name} overflows"
        answer |= nan_where(known & ~np.isfinite(values), f"{route} route: {reason}", {name: values})
    answer = nan_where(found.absent, f"{route} route: {found.why}", answer)
    reason = f"{route} route: no certified fixed point was found, or rounding hides its digits"
    return nan_where(~(found.converged | found.absent), reason, answer)
