"""Weights of -1 and 1: overlap, entropy, transition, spinodal and storage by a computation of its own."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy import special

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.perceptron import check
from teacherstudent.paper_checks.perceptron.kit import formulas
from teacherstudent.paper_checks.perceptron.kit.asking import limit
from teacherstudent.theory.perceptron import binary

SOLVED = 1e-9
"""Fixed points, brackets and a maximum, each of 1e-10 or better."""
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


@worst_case
def same(found: np.ndarray, claimed: np.ndarray) -> Verdict:
    """Relative, one by one."""
    return within_bound((claimed - found) / found, SOLVED, "two solvers, each of 1e-10 or better", "relative")


LANDMARKS = check(
    id="pc-binary-landmarks",
    title="binary weights: transition at 1.245, spinodal at 1.493, storage of .833, by a computation along q",
    ref="replica symmetric entropies",
    paper="krauth1989",
    evidence=landmarks,
    claim=own_iteration,
    judge=same,
    teeth=(
        Tooth("landmarks off by 1e-7", partial(own_iteration, factor=1 + 1e-7)),
        Tooth("pairs of replicas counted twice", partial(own_iteration, pairs=1.0)),
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
    """The claim: an example tells -2 of the mean of H ln H, the entropy of its label given those before.

    Wrong: of the centre, whose overlap is the root of R (replicas), and a factor.
    """
    found = {}
    for weights, middles in MIDDLES.items():
        R = limit(["R"], middles, rule="gibbs", weights=weights) ** replicas
        log_h = [special.log_ndtr(-np.sqrt(each / (1 - each)) * formulas.NODES) for each in R]
        found[weights] = np.array([factor * formulas.mean(np.exp(each) * each) for each in log_h])
    return found


@worst_case
def same_slope(found: np.ndarray, claimed: np.ndarray) -> Verdict:
    """To the error of differences."""
    return within_bound(
        (claimed - found) / found,
        100 * STEP**4,
        "fourth-order differences: a hundred times step^4",
        "relative",
    )


TOLD = check(
    id="pc-entropy-slope",
    title="the version space shrinks by what each new label tells: slope of the entropy and overlap",
    ref="chain rule of entropies",
    evidence=slopes,
    claim=told,
    judge=same_slope,
    teeth=(
        Tooth("overlap of the centre for that of a member", partial(told, replicas=0.5)),
        Tooth("labels of one sign only", partial(told, factor=1.0)),
    ),
    functions=("theory.perceptron.asymptotic:examples",),
)

CHECKS = (LANDMARKS, TOLD)
