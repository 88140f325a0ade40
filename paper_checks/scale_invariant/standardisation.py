"""Division by coordinate bends directions; standardisation keeps its schedule alone (Section 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import per_case, worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import EPS, within_operations
from teacherstudent.paper_checks.scale_invariant import check, misprints
from teacherstudent.paper_checks.scale_invariant.kit.tasks import D, both_tasks, start
from teacherstudent.paper_checks.scale_invariant.kit.training import Training, train, train_on


@dataclass(frozen=True)
class Standardised:
    """Adam-S, and Adam's division vectors, (K, d), after the same gradients."""

    training: Training
    by_coordinate: np.ndarray


def adam_s(seeds: Seeds) -> list[Standardised]:
    """Both tasks, with a ridge."""
    found = []
    for task in both_tasks(seeds):
        t = train_on(task, "adam-s", 0.02, 200, ridge=0.02)
        v, rows = np.zeros(D), []
        for k, g in enumerate(t.gradients + t.ridge * t.x[:-1]):
            v = t.beta2 * v + (1 - t.beta2) * g**2  # Eq. 8
            vhat = v / (1 - t.beta2 ** (k + 1))
            rows.append((1 - t.beta1 ** (k + 1)) / (1 - t.beta1) * np.sqrt(vhat))
        found.append(Standardised(t, np.array(rows)))
    return found


Standard = Callable[[np.ndarray], np.ndarray]
"""S(b), (K, d), of b, (K, d)."""


@per_case
def standardised(law: Standard, case: Standardised) -> np.ndarray:
    """S of Adam's division vectors."""
    return law(case.by_coordinate)


def scaled_norm(power: float) -> Standard:
    """d^power |b| in every entry."""
    return lambda b: D**power * np.linalg.norm(b, axis=1, keepdims=True) * np.ones(D)


@worst_case
def schedule_without_deformation(case: Standardised, S: np.ndarray) -> Iterator[Verdict]:
    """Eqs. 51-52, and the division vectors of Adam-S (Eqs. 57-63)."""
    b = case.by_coordinate
    scheduling = np.linalg.norm(S, axis=1) / np.linalg.norm(b, axis=1) - 1
    deformation = S / np.linalg.norm(S, axis=1, keepdims=True) * np.sqrt(D) - 1
    for error in (scheduling, deformation, S / case.training.b - 1):
        bound = (D + len(b)) * EPS
        yield within_bound(np.max(np.abs(error)), bound, "k updates and a norm of d entries", "relative")


STANDARDISATION = check(
    id="sphere-standardisation",
    title="S(b) = d^-1/2 |b| 1 keeps Adam's schedule without its deformation, and is Adam-S",
    ref="Section 4.1, Eqs. 15, 51-63",
    evidence=adam_s,
    claim=partial(standardised, scaled_norm(-0.5)),
    judge=schedule_without_deformation,
    teeth=(
        Tooth("the mean of b", partial(standardised, lambda b: b.mean(axis=1, keepdims=True) * np.ones(D))),
        Tooth("b itself", partial(standardised, lambda b: b)),
        Tooth("|b|", partial(standardised, scaled_norm(0.0))),
    ),
    errata=misprints({"sphere-standardised-scale": partial(standardised, scaled_norm(0.5))}),
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
    """On each loss from several points on the sphere, one step without ridge or momentum."""
    found = []
    for task in both_tasks(seeds):
        for seed in seeds(4, "points"):
            cs = []
            for scheme in ("adam", "adam-s"):
                t = train(task.gradient, scheme, start(seed), np.array([0.02]), beta1=0.0)
                cs.append(t.r[0] * t.a[0] / t.b[0] * np.linalg.norm(t.b[0]) / np.sqrt(D))
            found.append(First(t.u[0], t.gradients_on_sphere[0], *cs))
    return found


Deformation = Callable[[np.ndarray], np.ndarray]


@per_case
def deformed(psi: Deformation, straight: Deformation, case: First) -> tuple[np.ndarray, ...]:
    """Adam's c and its radial part, and those of Adam-S, from the gradient on the sphere."""
    c, s = psi(case.gradient), straight(case.gradient)
    return c, c @ case.u, s, np.zeros(())


def everywhere_alike(evidence: list[First]) -> list[tuple[np.ndarray, ...]]:
    """Wrong: Adam's c leaves the tangent space by one share of its length, wherever u is."""
    right = deformed(signs, as_it_is, evidence)
    shares = [radial / np.linalg.norm(c) for c, radial, _, _ in right]
    return [(c, np.mean(shares) * np.linalg.norm(c), s, none) for c, _, s, none in right]


def signs(gradient: np.ndarray) -> np.ndarray:
    """psi of Fig. 2 (b): the gradient over its absolute values, of the same norm."""
    return np.sign(gradient) * np.linalg.norm(gradient) / np.sqrt(D)


def as_it_is(gradient: np.ndarray) -> np.ndarray:
    """Eq. 53."""
    return gradient


@worst_case
def same_directions(case: First, claims: tuple[np.ndarray, ...]) -> Iterator[Verdict]:
    """c of the first steps, and how far they leave the tangent space."""
    true = (case.adam, case.adam @ case.u, case.adam_s, case.adam_s @ case.u)
    size = np.linalg.norm(case.gradient)
    for claim, value in zip(claims, true, strict=True):
        error = np.max(np.abs(claim - value)) / size
        yield within_operations(error, D, reason="norms of d entries")


DEFORMATION = check(
    id="sphere-deformation",
    title="Adam's first step follows the gradient's signs, off the tangent space by place; Adam-S's stays",
    ref="Fig. 2 (b), Eq. 53",
    evidence=first_steps,
    claim=partial(deformed, signs, as_it_is),
    judge=same_directions,
    teeth=(
        Tooth("no deformation by Adam", partial(deformed, as_it_is, as_it_is)),
        Tooth("deformation by Adam-S", partial(deformed, signs, signs)),
        Tooth("out of the tangent space by as much everywhere", everywhere_alike),
    ),
)

CHECKS = (STANDARDISATION, DEFORMATION)
