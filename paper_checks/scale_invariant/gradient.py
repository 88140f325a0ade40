"""Lemma 1, by automatic differentiation: where radial invariance is exact, and what keeps a radius."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.paper_checks.judging.cases import per_case, worst_of
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.exactness import EPS, within_operations
from teacherstudent.paper_checks.scale_invariant import check, misprints
from teacherstudent.paper_checks.scale_invariant.kit.tasks import BATCH, D, Task, both_tasks, start
from teacherstudent.paper_checks.scale_invariant.kit.training import train_on

SCALES = np.array([1.0, 0.01, 30.0])
"""Factors rho on weights of norm 1."""
LIBRARY_EPSILON = 1e-5


@dataclass(frozen=True)
class Gradients:
    """Gradients at u and at rho u, (len(SCALES), d), of one loss, and the size of its backward sums."""

    u: np.ndarray
    at: np.ndarray
    by_hand: np.ndarray


def differentiated(task: Task, epsilon: float, x: np.ndarray) -> np.ndarray:
    """grad L at the rows of x, (len(x), d), by JAX; epsilon is batch normalisation's."""
    import jax
    import jax.numpy as jnp

    import teacherstudent.sims.arrays  # noqa: F401  double precision

    chosen = task.batch(0)
    Z, t = jnp.asarray(task.inputs[chosen]), jnp.asarray(task.targets[chosen])

    def loss(x: Any) -> Any:
        if task.normalised == "weights":
            return jnp.mean((Z @ x / jnp.sqrt(x @ x) - t) ** 2) / 2
        h = Z @ x  # Eqs. 23-25
        hhat = (h - jnp.mean(h)) / jnp.sqrt(jnp.var(h) + epsilon)
        return jnp.mean((jnp.logaddexp(0, hhat) - t) ** 2) / 2

    return np.asarray(jax.vmap(jax.grad(loss))(jnp.asarray(x)))


def gradients(epsilon: float, seeds: Seeds) -> list[Gradients]:
    """Both tasks' gradients along a ray."""
    found = []
    for task in both_tasks(seeds):
        u = start(task.seed, 1.0)
        at = differentiated(task, epsilon, SCALES[:, None] * u)
        by_hand = np.array([task.gradient(0, rho * u) for rho in SCALES])
        found.append(Gradients(u, at, by_hand))
    return found


@dataclass(frozen=True)
class Evidence:
    """Losses that are invariant, and the same with a library's epsilon in batch normalisation."""

    exact: list[Gradients]
    library: list[Gradients]


def both(seeds: Seeds) -> Evidence:
    """With epsilon = 0 and with 1e-5."""
    return Evidence(gradients(0.0, seeds), gradients(LIBRARY_EPSILON, seeds))


@dataclass(frozen=True)
class Homogeneous:
    """The claim that these gradients are tangent and fall like rho^degree."""

    gradients: list[Gradients]
    degree: float


def lemma_1(degree: float, library: bool, evidence: Evidence) -> Homogeneous:
    """Lemma 1 has degree -1 and epsilon = 0."""
    return Homogeneous(evidence.library if library else evidence.exact, degree)


@worst_of
def tangent_and_homogeneous(_: Evidence, claimed: Homogeneous) -> Iterator[Verdict]:
    """<grad L, u> = 0, the claimed degree along the ray, and the gradients that the other checks train on."""
    bound, reason = (BATCH + D) * EPS, "sums over a batch and over d entries"
    for task in claimed.gradients:
        size = np.linalg.norm(task.at, axis=1)
        radial = np.abs(task.at @ task.u) / size
        scaled = np.linalg.norm(task.at / SCALES[:, None] ** claimed.degree - task.at[0], axis=1) / size[0]
        other = np.linalg.norm(task.at - task.by_hand, axis=1) / size
        for error in (radial, scaled, other):
            yield within_bound(np.max(error), bound, reason, "relative")


GRADIENT = check(
    id="sphere-gradient",
    title="gradients of radially invariant losses are tangent and fall like 1/|x|",
    ref="Lemma 1, App. A",
    evidence=both,
    claim=partial(lemma_1, -1.0, False),
    judge=tangent_and_homogeneous,
    teeth=(
        Tooth("degree -2", partial(lemma_1, -2.0, False)),
        Tooth("batch normalisation with epsilon = 1e-5 at |x| = .01", partial(lemma_1, -1.0, True)),
    ),
    errata=misprints({"sphere-lemma-1": partial(lemma_1, 0.0, False)}),
)

# The radius of SGD -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Radii:
    """Radii of SGD, (K+1,), squared gradient norms on the sphere, (K,), learning rate and ridge."""

    r: np.ndarray
    squares: np.ndarray
    learning_rate: float
    ridge: float


def radii(seeds: Seeds) -> list[Radii]:
    """SGD with and without a ridge; the first task is weight normalisation of magnitude 1."""
    found = []
    for task in both_tasks(seeds):
        for ridge in (0.0, 0.05):
            t = train_on(task, "sgd", 0.3, 300, ridge=ridge)
            found.append(Radii(t.r, np.sum(t.gradients_on_sphere**2, axis=1), 0.3, ridge))
    return found


Growth = Callable[[Radii], np.ndarray]


@per_case
def claimed_growth(growth: Growth, t: Radii) -> np.ndarray:
    """r_{k+1}^2 from r_k, (K,)."""
    return growth(t)


def pythagoras(t: Radii) -> np.ndarray:
    """alpha^2 r^2 + eta^2 g^2/r^2: Eq. 46, with L2."""
    r2 = t.r[:-1] ** 2
    return (1 - t.learning_rate * t.ridge) ** 2 * r2 + t.learning_rate**2 * t.squares / r2


def same_radii(evidence: list[Radii], claimed: list[np.ndarray]) -> Verdict:
    """The radii of the training, step by step."""
    errors = [np.max(np.abs(c / e.r[1:] ** 2 - 1)) for e, c in zip(evidence, claimed, strict=True)]
    return within_operations(errors, D, reason="norms of d entries and a dozen operations")


RADIUS = check(
    id="sphere-radius",
    title="the radius of SGD grows by its squared step, also that of a weight-normalised neuron",
    ref="Eq. 46, Sections 2.3, 5",
    evidence=radii,
    claim=partial(claimed_growth, pythagoras),
    judge=same_radii,
    teeth=(
        Tooth(
            "decay alpha in place of alpha^2",
            partial(claimed_growth, lambda t: pythagoras(t) + t.learning_rate * t.ridge * t.r[:-1] ** 2),
        ),
        Tooth(
            "gradients at x in place of u",
            partial(claimed_growth, lambda e: e.r[:-1] ** 2 + e.learning_rate**2 * e.squares),
        ),
    ),
    errata=misprints({"sphere-weight-normalisation": partial(claimed_growth, lambda e: e.r[:-1] ** 2)}),
)

CHECKS = (GRADIENT, RADIUS)
