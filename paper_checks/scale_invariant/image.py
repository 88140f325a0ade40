"""Theorem 2: what a step of any scheme does on the unit sphere, against training in R^20."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_rate, within_bound
from teacherstudent.paper_checks.judging.evidence import Check, Erratum, Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.scale_invariant.training import (
    EPS,
    GENERIC,
    D,
    Training,
    start,
    tasks,
    train,
)
from teacherstudent.theory.scale_invariant import sphere
from teacherstudent.theory.scale_invariant.image import Image, image

STEPS = 400
ROUNDING = (D + 12) * EPS
ROUNDINGS = "norms of d entries and a dozen operations, each rounded"


def trainings(seeds: Seeds, epsilon: float = 0.0) -> list[Training]:
    """Every generic scheme on both tasks, with a ridge."""
    found = []
    for seed in seeds(1):
        for task in tasks(seed):
            for scheme in GENERIC:
                eta = 0.1 if scheme.startswith("sgd") else 0.02
                found.append(
                    train(
                        task.gradient, scheme, start(seed), np.full(STEPS, eta), ridge=0.02, epsilon=epsilon
                    )
                )
    return found


# Eqs. 11-13 ----------------------------------------------------------------------------------------

Step = tuple[np.ndarray, np.ndarray]
"""Directions after each step, (K, d), and r'/r, (K,)."""


def seen(training: Training) -> Image:
    """The images of all steps of a training."""
    t = training
    return image(t.x[:-1], t.a, t.b, float(t.learning_rates[0]), t.shrinkage)


def by_theorem_2(evidence: list[Training]) -> list[Step]:
    """Eqs. 12 and 13."""
    return [(seen(t).end, seen(t).growth) for t in evidence]


def normalised_by(length: Callable[[np.ndarray], np.ndarray], evidence: list[Training]) -> list[Step]:
    """Eq. 12 with another function of z in the denominator."""
    answers = []
    for each in map(seen, evidence):
        moved = each.u - each.rate[:, None] * each.direction
        answers.append((moved / length(each.z)[:, None], each.growth))
    return answers


def without(what: str, evidence: list[Training]) -> list[Step]:
    """Eq. 12 with an ingredient of Eq. 11 left out."""
    answers = []
    for t in evidence:
        true = seen(t)
        b = np.ones_like(t.b) * np.linalg.norm(t.b, axis=1, keepdims=True) / np.sqrt(D)
        other = {
            "radial part": Image(true.u, true.rate * true.radial, true.direction, true.radial),
            "deformation": image(t.x[:-1], t.a, b, float(t.learning_rates[0]), t.shrinkage),
            "d^-1/2": Image(true.u, true.rate / np.sqrt(D), true.direction, true.radial),
        }[what]
        answers.append((other.end, other.growth))
    return answers


def same_step(evidence: list[Training], claimed: list[Step]) -> Verdict:
    """Directions and radii of the training itself."""
    verdicts = []
    for t, (end, growth) in zip(evidence, claimed, strict=True):
        worsened = 1 + 1 / np.min(seen(t).radial)  # the bracket of Eq. 11 divides by this
        for error in (np.abs(end - t.u[1:]), np.abs(growth - t.r[1:] / t.r[:-1])):
            verdicts.append(within_bound(np.max(error), worsened * ROUNDING, ROUNDINGS, "direction, ratio"))
    return worst(*verdicts)


IMAGE = Check(
    id="sphere-image",
    problem="scale-invariant",
    title="the image of every step on the unit sphere, and the radius's growth, exactly",
    paper="roburin2020",
    ref="Theorem 2, Eqs. 11-13, 29-37",
    evidence=trainings,
    claim=by_theorem_2,
    judge=same_step,
    teeth=(
        Tooth("no radial part in eta^e", partial(without, "radial part")),
        Tooth("no deformation in c", partial(without, "deformation")),
        Tooth("|b| without d^-1/2", partial(without, "d^-1/2")),
        Tooth("not normalised", partial(normalised_by, np.ones_like)),
    ),
    errata=(
        Erratum(
            "sphere-normalisation",
            "roburin2020",
            "Eqs. 34-35",
            "the denominator sqrt(1 + eta^e |c_perp|)",
            "sqrt(1 + (eta^e |c_perp|)^2), as in Eq. 12",
            partial(normalised_by, lambda z: np.sqrt(1 + z)),
        ),
    ),
    covers=("Theorem 2", "Eqs. 3-6", "Eq. 11", "Eq. 12", "Eq. 13", "Eqs. 29-33", "Eqs. 34-35"),
)


# Eqs. 7-9: where epsilon stands ---------------------------------------------------------------------


def division_vectors(place: str, evidence: list[Training]) -> list[np.ndarray]:
    """b of Adam's variants, (K, d), with epsilon at another place; nothing for SGD's."""
    vectors = []
    for t in evidence:
        if not t.scheme.startswith("adam"):
            continue
        k = np.arange(1, len(t.v) + 1)[:, None]
        vhat = t.v / (1 - t.beta2**k)
        correction = (1 - t.beta1**k) / (1 - t.beta1)
        inside = correction * np.sqrt(vhat + t.epsilon)
        outside = correction * np.sqrt(vhat) + t.epsilon
        bracket = correction * (np.sqrt(vhat) + t.epsilon)
        vectors.append({"root": inside, "outside": outside, "bracket": bracket}[place])
    return vectors


def same_update(evidence: list[Training], claimed: list[np.ndarray]) -> Verdict:
    """x' = s x - eta a/b, with a = m/(1 - beta1), is the step of the algorithm."""
    verdicts = []
    adaptive = [t for t in evidence if t.scheme.startswith("adam")]
    for t, b in zip(adaptive, claimed, strict=True):
        k = np.arange(1, len(t.v) + 1)[:, None]
        mhat, vhat = t.m / (1 - t.beta1**k), t.v / (1 - t.beta2**k)
        true = mhat / (np.sqrt(vhat) + t.epsilon)  # Eq. 7 and Algorithm 1, line 9
        error = np.abs(t.m / (1 - t.beta1) / b - true) / np.abs(true)
        verdicts.append(within_bound(np.max(error), 16 * EPS, "sixteen operations, each rounded", "relative"))
    return worst(*verdicts)


EPSILON = Check(
    id="sphere-epsilon",
    problem="scale-invariant",
    title="the division vector that makes the generic scheme Adam, with its epsilon",
    paper="roburin2020",
    ref="Eqs. 7-9, Algorithm 1",
    evidence=partial(trainings, epsilon=1e-3),
    claim=partial(division_vectors, "bracket"),
    judge=same_update,
    teeth=(Tooth("epsilon inside the root", partial(division_vectors, "root")),),
    errata=(
        Erratum(
            "sphere-epsilon-place",
            "roburin2020",
            "Eq. 9",
            "b = (1 - beta1^(k+1))/(1 - beta1) sqrt(vhat) + epsilon",
            "b = (1 - beta1^(k+1))/(1 - beta1) (sqrt(vhat) + epsilon)",
            partial(division_vectors, "outside"),
        ),
    ),
    covers=("Eqs. 7-8", "Eq. 9"),
)


# Eq. 10: the exponential map ------------------------------------------------------------------------

LENGTHS = 0.4 / 2.0 ** np.arange(6)


@dataclass(frozen=True)
class Geodesics:
    """Steps of lengths z in the tangent plane, and where Eq. 12 takes them, each (T, d)."""

    u: np.ndarray
    w: np.ndarray
    end: np.ndarray


def steps_of_all_lengths(seeds: Seeds) -> Geodesics:
    """Random tangent steps -z c/|c| by Eq. 12."""
    rng = np.random.default_rng(seeds(1))
    u = sphere.exponential(np.eye(D)[0], np.zeros(D))
    c = rng.standard_normal((len(LENGTHS), D)) * (np.arange(D) > 0)
    w = -LENGTHS[:, None] * c / np.linalg.norm(c, axis=1, keepdims=True)
    u = np.tile(u, (len(LENGTHS), 1))
    return Geodesics(u, w, (u + w) / np.sqrt(1 + LENGTHS**2)[:, None])


@dataclass(frozen=True)
class Exponential:
    """A claim: the geodesic's velocity is `bracket(z)` w, off by z**order (None: not at all)."""

    bracket: Callable[[np.ndarray], np.ndarray]
    order: float | None


def exponential(
    bracket: Callable[[np.ndarray], np.ndarray], order: float | None, _: Any
) -> list[Exponential]:
    """The exact bracket, and the paper's with a claim about its error."""
    return [Exponential(lambda z: np.arctan(z) / z, None), Exponential(bracket, order)]


def along_geodesics(evidence: Geodesics, claimed: list[Exponential]) -> Verdict:
    """Exact to rounding, or off at the claimed rate; z^2 more at the next order of arctan."""
    verdicts = []
    for claim in claimed:
        end = sphere.exponential(evidence.u, claim.bracket(LENGTHS)[:, None] * evidence.w)
        errors = np.linalg.norm(end - evidence.end, axis=1)
        if claim.order is None:
            verdicts.append(within_bound(np.max(errors), ROUNDING, ROUNDINGS, "direction"))
        else:
            slack = float(np.max(LENGTHS) ** 2)
            verdicts.append(at_rate(LENGTHS, errors, claim.order, slack=slack))
    return worst(*verdicts)


def plain(z: np.ndarray) -> np.ndarray:
    """The bracket of Eq. 10 dropped, as Eq. 43 does."""
    return np.ones_like(z)


EXPONENTIAL = Check(
    id="sphere-exponential",
    problem="scale-invariant",
    title="a step is an exponential map of velocity arctan(z)/z eta^e c_perp; Eq. 43 is off by z^3/3",
    paper="roburin2020",
    ref="Eqs. 10, 36-43",
    evidence=steps_of_all_lengths,
    claim=partial(exponential, plain, 3.0),
    judge=along_geodesics,
    teeth=(
        Tooth("off at second order", partial(exponential, plain, 2.0)),
        Tooth(
            "bracket 1 - z^2/3 still off at third order", partial(exponential, lambda z: 1 - z**2 / 3, 3.0)
        ),
    ),
    errata=(
        Erratum(
            "sphere-order",
            "roburin2020",
            "Theorem 2",
            "velocity eta^e c_perp at order 3, read as right through order 3",
            "right through order 2: the error is of order 3",
            partial(exponential, plain, 4.0),
        ),
    ),
    covers=("Eq. 10", "Eqs. 36-38", "Eqs. 39-42", "Eq. 43"),
)

CHECKS = (IMAGE, EPSILON, EXPONENTIAL)
