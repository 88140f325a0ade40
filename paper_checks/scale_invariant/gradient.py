"""Lemma 1, by automatic differentiation: where radial invariance is exact, and what keeps a radius."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_order, at_rate, within_bound
from teacherstudent.paper_checks.judging.claims import constant_claim, per_case, worst_of
from teacherstudent.paper_checks.judging.effects import Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import EPS, within_operations
from teacherstudent.paper_checks.scale_invariant import check, misprints
from teacherstudent.paper_checks.scale_invariant.kit.training import (
    BATCH,
    D,
    Task,
    both_tasks,
    start,
    train,
    train_on,
)

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


Evidence = dict[str, list[Gradients]]
"""Losses that are "exact"ly invariant, and the same with a "library"'s epsilon in batch normalisation."""
Homogeneous = tuple[list[Gradients], float]
"""The claim that these gradients are tangent and fall like rho^degree."""


def lemma_1(degree: float, of: str, evidence: Evidence) -> Homogeneous:
    """Lemma 1 has degree -1 and epsilon = 0."""
    return evidence[of], degree


@worst_of
def tangent_and_homogeneous(_: Evidence, claimed: Homogeneous) -> Iterator[Verdict]:
    """<grad L, u> = 0, the claimed degree along the ray, and the gradients that the other checks train on."""
    bound, reason = (BATCH + D) * EPS, "sums over a batch and over d entries"
    found, degree = claimed
    for task in found:
        size = np.linalg.norm(task.at, axis=1)
        radial = np.abs(task.at @ task.u) / size
        scaled = np.linalg.norm(task.at / SCALES[:, None] ** degree - task.at[0], axis=1) / size[0]
        other = np.linalg.norm(task.at - task.by_hand, axis=1) / size
        for error in (radial, scaled, other):
            yield within_bound(np.max(error), bound, reason, "relative")


GRADIENT = check(
    id="sphere-gradient",
    title="gradients of radially invariant losses are tangent to the sphere and proportional to 1/|x|",
    ref="Lemma 1, App. A",
    evidence=lambda seeds: {
        "exact": gradients(0.0, seeds),
        "library": gradients(LIBRARY_EPSILON, seeds),
    },
    claim=partial(lemma_1, -1.0, "exact"),
    judge=tangent_and_homogeneous,
    wrong=(
        WrongClaim("gradients proportional to 1/|x|^2", partial(lemma_1, -2.0, "exact")),
        WrongClaim("batch normalisation with epsilon = 1e-5 at |x| = .01", partial(lemma_1, -1.0, "library")),
    ),
    errata=misprints({"sphere-lemma-1": partial(lemma_1, 0.0, "exact")}),
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
    return within_operations(errors, D, reason="rounding of norms of d entries and a dozen operations")


RADIUS = check(
    id="sphere-radius",
    title="the squared radius of SGD grows by its squared step, also for a weight-normalised neuron",
    ref="Eq. 46, Sections 2.3, 5",
    evidence=radii,
    claim=partial(claimed_growth, pythagoras),
    judge=same_radii,
    wrong=(
        WrongClaim(
            "decay alpha instead of alpha^2",
            partial(claimed_growth, lambda t: pythagoras(t) + t.learning_rate * t.ridge * t.r[:-1] ** 2),
        ),
        WrongClaim(
            "gradients at x instead of u",
            partial(claimed_growth, lambda e: e.r[:-1] ** 2 + e.learning_rate**2 * e.squares),
        ),
    ),
    errata=misprints({"sphere-weight-normalisation": partial(claimed_growth, lambda e: e.r[:-1] ** 2)}),
)


# The closed form of the radius, and r^2 + eta L: what SGD keeps to second order ------------------------

# The order-2 radius ------------------------------------------------------------------------------------

STEP = 0.3
"""eta |grad L(u)|."""
RADII = np.array([1.3, 1.7, 2.2, 2.9])


def one_step_errors(_: Seeds) -> np.ndarray:
    """Relative error of r'^2 = sqrt(r^4 + 2 (eta g)^2) after one step by Eq. 46, by radius, (T,)."""
    exact = RADII**2 + STEP**2 / RADII**2  # Eq. 46
    closed = np.sqrt(RADII**4 + 2 * STEP**2)
    return np.abs(closed / exact - 1)


Expansion = tuple[np.ndarray, float]
"""The variable of a Taylor expansion by radius, (T,), and the order at which it stops."""


def right_through_first_order(evidence: np.ndarray, claimed: Expansion) -> Verdict:
    """The error is of the next order in the variable; the one after is smaller by that variable."""
    variable, order = claimed
    return at_rate(variable, evidence, order, slack=float(np.max(variable)))


H = STEP**2 / RADII**4
"""h = (eta g)^2/r^4."""

EXPANSION = check(
    id="sphere-expansion",
    title="the closed form of SGD's radius omits h^2/2 per step, with h = (eta |grad L(u)|)^2/r^4",
    ref="App. C.1.3-C.1.4",
    evidence=one_step_errors,
    claim=constant_claim((H, 2.0)),
    judge=right_through_first_order,
    wrong=(
        WrongClaim("an error of first order in h", constant_claim((H, 1.0))),
        WrongClaim("an error of third order in h", constant_claim((H, 3.0))),
    ),
    errata=misprints({"sphere-expansion-variable": constant_claim((STEP**2 / RADII**2, 2.0))}),
)


# r^2 + eta L -------------------------------------------------------------------------------------------

RATES = (0.08, 0.04, 0.02, 0.01)
SPAN = 8.0


Descent = dict[float, tuple[np.ndarray, np.ndarray]]
"""Squared radii and losses before and after descent for a fixed time, by learning rate, (2,) each."""


def loss_of(task: Task, x: np.ndarray) -> float:
    """L(x) on the batch of step 0."""
    chosen = task.batch(0)
    h = task.inputs[chosen] @ x
    hhat = (h - h.mean()) / h.std()
    return float(np.mean((np.logaddexp(0, hhat) - task.targets[chosen]) ** 2) / 2)


def descents(seeds: Seeds) -> Descent:
    """The batch-normalised neuron on one batch, without L2."""
    task = both_tasks(seeds)[1]
    found = {}
    for eta in RATES:
        t = train(
            lambda _, x: task.gradient(0, x), "sgd", start(task.seed, 1.0), np.full(round(SPAN / eta), eta)
        )
        found[eta] = t.r[[0, -1]] ** 2, np.array([loss_of(task, x) for x in t.x[[0, -1]]])
    return found


def drifts_at_second_order(evidence: Descent, factor: float) -> Verdict:
    """The change of r^2 + factor eta L over the whole descent falls like eta^2."""
    sums = [squares + factor * eta * losses for eta, (squares, losses) in evidence.items()]
    return at_order(RATES, [abs(float(after - before)) for before, after in sums], 2.0)


CONSERVED = check(
    id="sphere-conserved",
    title="gradient descent conserves r^2 + eta L to second order in eta, for any radially invariant loss",
    ref="Eq. 46",
    evidence=descents,
    claim=constant_claim(1.0),
    judge=drifts_at_second_order,
    wrong=(
        WrongClaim("r^2 conserved", constant_claim(0.0)),
        WrongClaim("r^2 + 2 eta L conserved", constant_claim(2.0)),
        WrongClaim("r^2 + .98 eta L conserved", constant_claim(0.98)),
    ),
)


# Which weights form a radially invariant group, by the kind of normalisation that follows them ---------

IMAGES, CHANNELS, FILTERS, PLACES = 7, 6, 4, 5
AXES = {"batch": (0, 3), "instance": (3,), "layer": (1, 2, 3), "group": (2, 3)}
"""Axes (image, channel group, filter in the group, place) over which each layer takes mean and variance."""
PER_GROUP = 2
"""Filters that group normalisation takes together."""

Derivatives = dict[str, tuple[np.ndarray, np.ndarray]]
"""By layer, weights and the loss's gradient, (FILTERS, CHANNELS) each."""


def through_layers(seeds: Seeds) -> Derivatives:
    """Gradients of a convolution by one pixel, normalised without epsilon, by automatic differentiation."""
    import jax
    import jax.numpy as jnp

    import teacherstudent.sims.arrays  # noqa: F401  double precision

    rng = np.random.default_rng(seeds(1))
    inputs = jnp.asarray(rng.standard_normal((IMAGES, CHANNELS, PLACES)))
    targets = jnp.asarray(rng.standard_normal((IMAGES, FILTERS, PLACES)))
    weights = rng.standard_normal((FILTERS, CHANNELS))

    def loss(weights: Any, axes: tuple[int, ...]) -> Any:
        h = jnp.einsum("fc,bcj->bfj", weights, inputs).reshape(IMAGES, -1, PER_GROUP, PLACES)
        mean, variance = h.mean(axes, keepdims=True), h.var(axes, keepdims=True)
        normalised = ((h - mean) / jnp.sqrt(variance)).reshape(targets.shape)
        return jnp.mean((jnp.logaddexp(0, normalised) - targets) ** 2)

    return {
        layer: (weights, np.asarray(jax.grad(loss)(jnp.asarray(weights), axes)))
        for layer, axes in AXES.items()
    }


@worst_of
def tangent_to_each_group(evidence: Derivatives, claimed: dict[str, int]) -> Iterator[Verdict]:
    """<grad L, x> = 0 in every group (Lemma 1)."""
    for layer, (weights, gradient) in evidence.items():
        shape = (-1, claimed[layer] * CHANNELS)
        x, g = weights.reshape(shape), gradient.reshape(shape)
        cosine = np.sum(x * g, axis=1) / (np.linalg.norm(x, axis=1) * np.linalg.norm(g, axis=1))
        bound = (IMAGES * PLACES + CHANNELS * FILTERS) * EPS
        yield within_bound(np.max(np.abs(cosine)), bound, "sums over images, places and weights", "cosine")


TRUE = {"batch": 1, "instance": 1, "group": PER_GROUP, "layer": FILTERS}
"""How many filters form one group, by layer."""

LAYERS = check(
    id="sphere-layers",
    title="one filter is an invariant group before batch or instance normalisation, several filters before "
    "group or layer normalisation",
    ref="App. B",
    evidence=through_layers,
    claim=constant_claim(TRUE),
    judge=tangent_to_each_group,
    effect=Effect(1.0, "the cosine of parallel vectors"),
    wrong=(
        WrongClaim("one filter as a group before layer normalisation", constant_claim({**TRUE, "layer": 1})),
        WrongClaim(
            "half the filters as a group before layer normalisation",
            constant_claim({**TRUE, "layer": PER_GROUP}),
        ),
        WrongClaim("one filter as a group before group normalisation", constant_claim({**TRUE, "group": 1})),
    ),
    slow=True,
)

CHECKS = (
    GRADIENT,
    RADIUS,
    EXPANSION,
    CONSERVED,
    LAYERS,
)
