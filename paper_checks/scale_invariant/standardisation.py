"""Division by coordinate bends directions; standardisation keeps its schedule alone (Section 4.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.evidence import Check, Erratum, Seeds, Tooth, Verdict, worst
from teacherstudent.paper_checks.scale_invariant.training import EPS, D, Training, start, tasks, train


@dataclass(frozen=True)
class Standardised:
    """Adam-S, and Adam's division vectors, (K, d), after the same gradients."""

    training: Training
    by_coordinate: np.ndarray


def adam_s(seeds: Seeds) -> list[Standardised]:
    """Both tasks, with a ridge."""
    found = []
    for seed in seeds(1):
        for task in tasks(seed):
            t = train(task.gradient, "adam-s", start(seed), np.full(200, 0.02), ridge=0.02)
            v, rows = np.zeros(D), []
            for k, g in enumerate(t.gradients + t.ridge * t.x[:-1]):
                v = t.beta2 * v + (1 - t.beta2) * g**2  # Eq. 8
                vhat = v / (1 - t.beta2 ** (k + 1))
                rows.append((1 - t.beta1 ** (k + 1)) / (1 - t.beta1) * np.sqrt(vhat))
            found.append(Standardised(t, np.array(rows)))
    return found


Standard = Callable[[np.ndarray], np.ndarray]
"""S(b), (K, d), of b, (K, d)."""


def standardised(law: Standard, evidence: list[Standardised]) -> list[np.ndarray]:
    """S of Adam's division vectors."""
    return [law(each.by_coordinate) for each in evidence]


def scaled_norm(power: float) -> Standard:
    """d^power |b| in every entry."""
    return lambda b: D**power * np.linalg.norm(b, axis=1, keepdims=True) * np.ones(D)


def schedule_without_deformation(evidence: list[Standardised], claimed: list[np.ndarray]) -> Verdict:
    """Eqs. 51-52, and the division vectors of Adam-S (Eqs. 57-63)."""
    verdicts = []
    for each, S in zip(evidence, claimed, strict=True):
        b = each.by_coordinate
        scheduling = np.linalg.norm(S, axis=1) / np.linalg.norm(b, axis=1) - 1
        deformation = S / np.linalg.norm(S, axis=1, keepdims=True) * np.sqrt(D) - 1
        for error in (scheduling, deformation, S / each.training.b - 1):
            bound = (D + len(b)) * EPS
            verdicts.append(
                within_bound(np.max(np.abs(error)), bound, "k updates and a norm of d entries", "relative")
            )
    return worst(*verdicts)


STANDARDISATION = Check(
    id="sphere-standardisation",
    problem="scale-invariant",
    title="S(b) = d^-1/2 |b| 1 keeps Adam's schedule without its deformation, and is Adam-S",
    paper="roburin2020",
    ref="Section 4.1, Eqs. 15, 51-63",
    evidence=adam_s,
    claim=partial(standardised, scaled_norm(-0.5)),
    judge=schedule_without_deformation,
    teeth=(
        Tooth("the mean of b", partial(standardised, lambda b: b.mean(axis=1, keepdims=True) * np.ones(D))),
        Tooth("b itself", partial(standardised, lambda b: b)),
        Tooth("|b|", partial(standardised, scaled_norm(0.0))),
    ),
    errata=(
        Erratum(
            "sphere-standardised-scale",
            "roburin2020",
            "Section 4.1",
            "S(b) = d^1/2 |b| 1",
            "S(b) = d^-1/2 |b| 1",
            partial(standardised, scaled_norm(0.5)),
        ),
    ),
    covers=("Section 4.1: S", "Eq. 15", "Eqs. 51-52", "Eqs. 54-56", "Eqs. 61-63"),
)


# The first step ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class First:
    """The first step of Adam and of Adam-S: c by Eq. 11, the gradient on the sphere and u, (d,) each."""

    u: np.ndarray
    gradient: np.ndarray
    adam: np.ndarray
    adam_s: np.ndarray


def first_steps(seeds: Seeds) -> list[First]:
    """From several points on the sphere, one step without ridge or momentum."""
    found = []
    for seed in seeds(4):
        for task in tasks(seed):
            cs = []
            for scheme in ("adam", "adam-s"):
                t = train(task.gradient, scheme, start(seed), np.full(1, 0.02), beta1=0.0)
                cs.append(t.r[0] * t.a[0] / t.b[0] * np.linalg.norm(t.b[0]) / np.sqrt(D))
            found.append(First(t.u[0], t.gradients_on_sphere[0], *cs))
    return found


Deformation = Callable[[np.ndarray], np.ndarray]


def deformed(psi: Deformation, straight: Deformation, evidence: list[First]) -> list[tuple[np.ndarray, ...]]:
    """Adam's c and its radial part, and those of Adam-S, from the gradient on the sphere."""
    answers: list[tuple[np.ndarray, ...]] = []
    for each in evidence:
        c, s = psi(each.gradient), straight(each.gradient)
        answers.append((c, c @ each.u, s, np.zeros(())))
    return answers


def signs(gradient: np.ndarray) -> np.ndarray:
    """psi of Fig. 2 (b): the gradient over its absolute values, of the same norm."""
    return np.sign(gradient) * np.linalg.norm(gradient) / np.sqrt(D)


def as_it_is(gradient: np.ndarray) -> np.ndarray:
    """Eq. 53."""
    return gradient


def same_directions(evidence: list[First], claimed: list[tuple[np.ndarray, ...]]) -> Verdict:
    """c of the first steps, and how far they leave the tangent space."""
    verdicts = []
    for each, claims in zip(evidence, claimed, strict=True):
        true = (each.adam, each.adam @ each.u, each.adam_s, each.adam_s @ each.u)
        size = np.linalg.norm(each.gradient)
        for claim, value in zip(claims, true, strict=True):
            error = np.max(np.abs(claim - value)) / size
            verdicts.append(within_bound(error, (D + 12) * EPS, "norms of d entries", "relative"))
    return worst(*verdicts)


DEFORMATION = Check(
    id="sphere-deformation",
    problem="scale-invariant",
    title="Adam's first step goes along the gradient's signs, out of the tangent space; that of Adam-S stays",
    paper="roburin2020",
    ref="Fig. 2 (b), Eq. 53",
    evidence=first_steps,
    claim=partial(deformed, signs, as_it_is),
    judge=same_directions,
    teeth=(
        Tooth("no deformation by Adam", partial(deformed, as_it_is, as_it_is)),
        Tooth("deformation by Adam-S", partial(deformed, signs, signs)),
    ),
    covers=("Fig. 2 (b)", "Eq. 53", "Section 4.1: deformation"),
)

CHECKS = (STANDARDISATION, DEFORMATION)
