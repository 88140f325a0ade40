"""Hinge-KR over all 1-Lipschitz functions: programs of the function and of the transport, and the optimum."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import mean_within_errors, within_bound
from teacherstudent.paper_checks.judging.claims import per_case, worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.scale_invariant import check
from teacherstudent.problems.scale_invariant import PROBLEM, draw_samples, draw_start
from teacherstudent.theory.scale_invariant import optimum
from teacherstudent.theory.scale_invariant.hinge import HingeKR
from teacherstudent.theory.scale_invariant.transport import (
    TOLERANCE,
    Classes,
    critic,
    gaussian_classes,
    of_samples,
    plan,
)

# The dual ------------------------------------------------------------------------------------------------

WEIGHTS, MARGIN, SAMPLES = (0.0, 0.5, 2.0, 10.0), 0.7, 40
DIMENSIONS = (2, 5)


@dataclass(frozen=True)
class Solved:
    """Classes with the weight of the hinge, and the loss there of a function that is surely 1-Lipschitz."""

    classes: Classes
    hinge_weight: float
    reached: float


def reached(classes: Classes, hinge_weight: float, margin: float) -> float:
    """The loss, summed here, of the best function, shrunk by what HiGHS's tolerance leaves of steepness."""
    f, points = critic(classes, hinge_weight, margin).values, classes.points
    apart = np.linalg.norm(points[:, None] - points, axis=-1) + np.eye(len(points))
    f = f / max(1.0, float(np.max(np.abs(f[:, None] - f) / apart)))
    plus = -f + hinge_weight * np.maximum(margin - f, 0)
    return float(classes.plus @ plus + classes.minus @ (f + hinge_weight * np.maximum(margin + f, 0)))


def best_functions(seeds: Seeds) -> list[Solved]:
    """Evidence: drawn classes in two dimensions and in five, and on a line, with every weight."""
    cases = []
    for d in DIMENSIONS:
        problem = PROBLEM.instance(loss="hinge-kr", d=d, teacher="random")
        drawn = seeds(1, f"d={d}")
        inputs, labels = (
            each[0] for each in draw_samples(problem, draw_start(problem, drawn)[0], drawn, SAMPLES, 0.0)
        )
        for points in (inputs, inputs[:, :1]):
            classes = of_samples(points, labels)
            cases += [Solved(classes, weight, reached(classes, weight, MARGIN)) for weight in WEIGHTS]
    return cases


@per_case
def transported(case: Solved, sign: float = 1.0, more: float = 0.0, constant: float = 2.0) -> float:
    """The claim: what the best transport costs; otherwise in the negative controls."""
    weight = case.hinge_weight + (more if case.hinge_weight + more >= 0 else 0.0)
    return plan(case.classes, weight, sign * MARGIN).loss + (2 - constant) * MARGIN


@worst_case
def without_gap(case: Solved, claim: float) -> Verdict:
    """Each of 2 n values may be off by the tolerance, at a price of 1 + lambda for one of each class."""
    allowed = 2 * SAMPLES * (1 + case.hinge_weight) * TOLERANCE
    return within_bound(case.reached - claim, allowed, "HiGHS's tolerance at every sample", "output")


DUAL = check(
    id="hk-dual",
    title="the minimum hinge-KR loss equals the cost of an optimal transport with stretched marginals",
    paper="isis2021",
    ref="Serrurier: the loss is still the dual of an optimal transportation problem, and has a solution",
    evidence=best_functions,
    claim=transported,
    judge=without_gap,
    effect=Contrast("the margin's constant 2 omitted", "the contribution of the margin"),
    wrong=(
        WrongClaim("the margin with the opposite sign", partial(transported, sign=-1.0)),
        WrongClaim("marginals up to lambda times the classes", partial(transported, more=-1.0)),
        WrongClaim("marginals up to 2 + lambda times the classes", partial(transported, more=1.0)),
        WrongClaim("the margin's constant 2 omitted", partial(transported, constant=0.0)),
    ),
)


# The optimum of two Gaussian classes -----------------------------------------------------------------------

SETTINGS = ((1.0, 1.0, 1.0), (0.5, 1.0, 1.0), (0.3, 1.0, 0.5), (1.0, 2.0, 1.5), (0.0, 1.0, 1.0))
"""Margin, class mean and class noise."""
SHARES = (0.5, 0.95, 1.05, 3.0, 30.0)
"""Of 1 + lambda in its largest value at which the teacher is optimal."""
CELLS = 120
ACROSS = Classes(np.array([[-1.5], [0.0], [0.7], [2.0]]), np.array([0.2, 0.4, 0.3, 0.1]), np.zeros(4))
"""A second direction, in which the classes are alike."""


@dataclass(frozen=True)
class Best:
    """A law, the cells of its classes on a line, and the least loss there by linear programming."""

    law: HingeKR
    classes: Classes
    least: float


def by_programs(_: Seeds) -> list[Best]:
    """Evidence: every setting below and beyond the threshold, and one of each in the plane."""
    cases = []
    for setting in SETTINGS:
        most = 1 + optimum.largest_hinge_weight(*setting)
        for share in SHARES:
            law = HingeKR(max(share * most - 1, 0.0), *setting)
            cases.append(solved(law, gaussian_classes(law, CELLS)))
    for share in SHARES[1:3]:
        most = 1 + optimum.largest_hinge_weight(*SETTINGS[0])
        law = HingeKR(share * most - 1, *SETTINGS[0])
        line = gaussian_classes(law, 16)
        points = np.stack(np.meshgrid(line.points[:, 0], ACROSS.points[:, 0], indexing="ij"), axis=-1)
        plus, minus = (np.outer(each, ACROSS.plus).ravel() for each in (line.plus, line.minus))
        cases.append(solved(law, Classes(points.reshape(-1, 2), plus, minus)))
    return cases


def solved(law: HingeKR, classes: Classes) -> Best:
    """A case of the evidence."""
    return Best(law, classes, critic(classes, law.hinge_weight, law.margin).loss)


@per_case
def closed_form(case: Best, function: Any = optimum.values) -> float:
    """The claim: the loss of the function that is said to be the best, on the same cells."""
    f = function(case.law, case.classes.points[:, 0])
    return case.classes.loss(f, case.law.hinge_weight, case.law.margin)


def shifted_threshold(law: HingeKR, x: np.ndarray) -> np.ndarray:
    """Wrong: lambda, not 1 + lambda, is held against the quotient."""
    return optimum.values(
        HingeKR(max(law.hinge_weight - 1, 0.0), law.margin, law.class_mean, law.class_noise), x
    )


def folded(law: HingeKR, x: np.ndarray) -> np.ndarray:
    """Wrong: back with slope -1 where the optimum is flat."""
    end, size = optimum.flat_end(law), np.abs(x)
    back = np.clip(size - law.margin, 0, end - law.margin)
    return np.sign(x) * (np.minimum(size, law.margin) - back + np.maximum(size - end, 0))


@worst_case
def least(case: Best, claim: float) -> Verdict:
    """Both are losses on the same cells: the programs' tolerance, at a price of 1 + lambda, parts them."""
    cells = len(case.classes.points)
    allowed = 2 * cells * TOLERANCE * (1 + case.law.hinge_weight)
    return within_bound(case.least - claim, allowed, "HiGHS's tolerance at every cell", "output")


THRESHOLD = check(
    id="hk-threshold",
    title="the best 1-Lipschitz function is the teacher, or flat at the margin for larger hinge weights",
    paper="",
    ref="optimum of hinge-KR (isis2021, Serrurier) for two Gaussian classes, derived in the documentation",
    evidence=by_programs,
    claim=closed_form,
    judge=least,
    effect=Contrast("lambda instead of 1 + lambda", "the effect of a hinge weight larger by 1"),
    wrong=(
        WrongClaim("the teacher for every hinge weight", partial(closed_form, function=lambda _, x: x)),
        WrongClaim("lambda instead of 1 + lambda", partial(closed_form, function=shifted_threshold)),
        WrongClaim("a function folded back beyond the margin", partial(closed_form, function=folded)),
        WrongClaim(
            "a function flat beyond the margin for every hinge weight",
            partial(closed_form, function=lambda law, x: np.clip(x, -law.margin, law.margin)),
        ),
    ),
)

# What the optimum certifies ---------------------------------------------------------------------------------

FINE, DRAWS, FRESH = 2000, 40, 5000
RADII = np.array([0.0, 0.6, 1.4])
"""In units of the margin."""


@dataclass(frozen=True)
class Certified:
    """A law, shares of drawn samples with y f beyond each radius, (S, R), and what the cells blur of them."""

    law: HingeKR
    shares: np.ndarray
    blurred: float


def best_on_samples(seeds: Seeds) -> list[Certified]:
    """Evidence: the programs' function, made odd, between its cells, on fresh samples in five dimensions."""
    cases = []
    for setting in SETTINGS[1], SETTINGS[3]:
        most = 1 + optimum.largest_hinge_weight(*setting)
        margin, mean, noise = setting
        problem = PROBLEM.instance(loss="hinge-kr", d=5, teacher="random", class_mean=mean, class_noise=noise)
        for share in (0.95, 3.0, 30.0):
            law = HingeKR(share * most - 1, *setting)
            classes = gaussian_classes(law, FINE)
            f, x = critic(classes, law.hinge_weight, margin).values, classes.points[:, 0]
            drawn = seeds(DRAWS, f"{setting} {share}")
            teachers = draw_start(problem, drawn)[0]
            inputs, labels = draw_samples(problem, teachers, drawn, FRESH, 0.0)
            along = np.einsum("snd,sd->sn", inputs, teachers)
            signed = labels * np.interp(along, x, (f - f[::-1]) / 2)
            shares = np.mean(signed[..., None] > margin * RADII, axis=1)
            cases.append(Certified(law, shares, float(np.max(np.diff(x))) / (noise * np.sqrt(2 * np.pi))))
    return cases


@per_case
def certificates(case: Certified, teacher: bool = False, kept: float = 1.0) -> np.ndarray:
    """The claim: shares that no move can misclassify, (R,); otherwise in the negative controls."""
    law = replace(case.law, hinge_weight=0.0) if teacher else case.law
    return kept * optimum.certified_accuracy(law, RADII * law.margin)


ACCURACY = check(
    id="hk-accuracy",
    title="the hinge removes many certificates beyond the margin, but none within it, and no accuracy",
    paper="isis2021",
    ref="Serrurier: robustness without any significant accuracy drop, for two Gaussian classes",
    evidence=best_on_samples,
    claim=certificates,
    judge=worst_case(lambda case, claim: mean_within_errors(case.shares, claim, bias=case.blurred)),
    effect=Contrast(
        "certificate radii measured from the end of the flat part", "the effect of the flat part"
    ),
    wrong=(
        WrongClaim("the teacher's certificates for every hinge weight", partial(certificates, teacher=True)),
        WrongClaim(
            "certificate radii measured from the end of the flat part",
            lambda found: [
                optimum.certified_accuracy(
                    case.law, RADII * case.law.margin + optimum.flat_end(case.law) - case.law.margin
                )
                for case in found
            ],
        ),
        WrongClaim("certified accuracy 5 % smaller", partial(certificates, kept=0.95)),
    ),
)

CHECKS = (DUAL, THRESHOLD, ACCURACY)
