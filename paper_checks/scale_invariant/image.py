"""Theorem 2: what a step of any scheme does on the unit sphere, against training in R^20."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_rate, mean_within_errors, within_bound
from teacherstudent.paper_checks.judging.claims import per_case, worst_case, worst_of
from teacherstudent.paper_checks.judging.effects import Contrast, Effect
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.scale_invariant import check, misprints
from teacherstudent.paper_checks.scale_invariant.kit.training import (
    GENERIC,
    D,
    Training,
    seen,
    train,
    trainings,
)
from teacherstudent.theory.scale_invariant import sphere
from teacherstudent.theory.scale_invariant.equilibria import Equilibrium, equilibrium
from teacherstudent.theory.scale_invariant.sphere_step import SphereStep, image

ROUNDING = (D + 12) * EPS
ROUNDINGS = "norms of d entries and a dozen operations, each rounded"


# Eqs. 11-13 ----------------------------------------------------------------------------------------

Step = tuple[np.ndarray, np.ndarray]
"""Directions after each step, (K, d), and r'/r, (K,)."""


@per_case
def normalised_by(length: Callable[[np.ndarray], np.ndarray], t: Training) -> Step:
    """Eq. 12 with another function of z in the denominator."""
    true = seen(t)
    moved = true.u - true.rate[:, None] * true.direction
    return moved / length(true.z)[:, None], true.growth


@per_case
def without(what: str, t: Training) -> Step:
    """Eq. 12 with an ingredient of Eq. 11 left out."""
    true = seen(t)
    b = np.ones_like(t.b) * np.linalg.norm(t.b, axis=1, keepdims=True) / np.sqrt(D)
    other = {
        "radial part": SphereStep(true.u, true.rate * true.radial, true.direction, true.radial),
        "deformation": image(t.x[:-1], t.a, b, float(t.learning_rates[0]), t.shrinkage),
        "d^-1/2": SphereStep(true.u, true.rate / np.sqrt(D), true.direction, true.radial),
    }[what]
    return other.end, other.growth


@worst_case
def same_step(t: Training, claim: Step) -> Iterator[Verdict]:
    """Directions and radii of the training itself."""
    end, growth = claim
    worsened = 1 + 1 / np.min(seen(t).radial)  # the bracket of Eq. 11 divides by this
    for error in (np.abs(end - t.u[1:]), np.abs(growth - t.r[1:] / t.r[:-1])):
        yield within_bound(np.max(error), worsened * ROUNDING, ROUNDINGS, "direction, ratio")


IMAGE = check(
    id="sphere-image",
    title="closed forms give the image of every step on the unit sphere and the radius's growth exactly",
    ref="Theorem 2, Eqs. 11-13, 29-37",
    evidence=trainings,
    claim=per_case(lambda t: (seen(t).end, seen(t).growth)),
    judge=same_step,
    effect=Effect(1.0, "length 1 for a direction, otherwise the size of the quantity"),
    wrong=(
        WrongClaim("no radial part in eta^e", partial(without, "radial part")),
        WrongClaim("no deformation in c", partial(without, "deformation")),
        WrongClaim("|b| without the factor d^-1/2", partial(without, "d^-1/2")),
        WrongClaim("a direction that is not normalised", partial(normalised_by, np.ones_like)),
    ),
    errata=misprints({"sphere-normalisation": partial(normalised_by, lambda z: np.sqrt(1 + z))}),
)


# Eqs. 7-9: where epsilon stands ---------------------------------------------------------------------


@per_case
def division_vectors(place: str, t: Training) -> np.ndarray:
    """b, (K, d), with epsilon at another place."""
    k = np.arange(1, len(t.v) + 1)[:, None]
    vhat = t.v / (1 - t.beta2**k)
    correction = (1 - t.beta1**k) / (1 - t.beta1)
    inside = correction * np.sqrt(vhat + t.epsilon)
    outside = correction * np.sqrt(vhat) + t.epsilon
    bracket = correction * (np.sqrt(vhat) + t.epsilon)
    return {"root": inside, "outside": outside, "bracket": bracket}[place]


@worst_case
def same_update(t: Training, b: np.ndarray) -> Verdict:
    """x' = s x - eta a/b, with a = m/(1 - beta1), is the step of the algorithm."""
    k = np.arange(1, len(t.v) + 1)[:, None]
    mhat, vhat = t.m / (1 - t.beta1**k), t.v / (1 - t.beta2**k)
    true = mhat / (np.sqrt(vhat) + t.epsilon)  # Eq. 7 and Algorithm 1, line 9
    error = np.abs(t.m / (1 - t.beta1) / b - true) / np.abs(true)
    return within_bound(np.max(error), 16 * EPS, "sixteen operations, each rounded", "relative")


EPSILON = check(
    id="sphere-epsilon",
    title="with Adam's epsilon, the division vector turns the generic scheme into Adam",
    ref="Eqs. 7-9, Algorithm 1",
    evidence=lambda seeds: [t for t in trainings(seeds, epsilon=1e-3) if t.scheme.startswith("adam")],
    claim=partial(division_vectors, "bracket"),
    judge=same_update,
    wrong=(WrongClaim("epsilon added after the product", partial(division_vectors, "outside")),),
    errata=misprints({"sphere-epsilon-place": partial(division_vectors, "root")}),
)


# Eq. 10: the exponential map ------------------------------------------------------------------------

LENGTHS = 0.4 / 2.0 ** np.arange(6)
POINTS = 20


@dataclass(frozen=True)
class Geodesics:
    """Steps of T lengths z in tangent planes at S points, and where Eq. 12 takes them, each (S, T, d)."""

    u: np.ndarray
    w: np.ndarray
    end: np.ndarray


def steps_of_all_lengths(seeds: Seeds) -> Geodesics:
    """Tangent steps -z c/|c| by Eq. 12, in random directions from random points and from one on an axis."""
    rng = np.random.default_rng(seeds(1))
    points = np.vstack([np.eye(D)[:1], rng.standard_normal((POINTS - 1, D))])[:, None]
    u = np.repeat(points / np.linalg.norm(points, axis=-1, keepdims=True), len(LENGTHS), axis=1)
    c = rng.standard_normal(u.shape)
    for _ in range(2):  # once more for what rounding leaves
        c = c - np.sum(c * u, axis=-1, keepdims=True) * u
    w = -LENGTHS[:, None] * c / np.linalg.norm(c, axis=-1, keepdims=True)
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


@worst_of
def along_geodesics(evidence: Geodesics, claimed: list[Exponential]) -> Iterator[Verdict]:
    """Exact to rounding, or off at the claimed rate; z^2 more at the next order of arctan."""
    for claim in claimed:
        end = sphere.exponential(evidence.u, claim.bracket(LENGTHS)[:, None] * evidence.w)
        errors = np.linalg.norm(end - evidence.end, axis=-1)
        if claim.order is None:
            yield within_bound(np.max(errors), ROUNDING, ROUNDINGS, "direction")
        else:
            yield at_rate(LENGTHS, np.max(errors, axis=0), claim.order, slack=float(np.max(LENGTHS) ** 2))


def plain(z: np.ndarray) -> np.ndarray:
    """The bracket of Eq. 10 dropped, as Eq. 43 does."""
    return np.ones_like(z)


EXPONENTIAL = check(
    id="sphere-exponential",
    title="a step is an exponential map of velocity arctan(z)/z eta^e c_perp; Eq. 43 has an error of z^3/3",
    ref="Eqs. 10, 36-43",
    evidence=steps_of_all_lengths,
    claim=partial(exponential, plain, 3.0),
    judge=along_geodesics,
    effect=Effect(1.0, "a unit vector"),
    wrong=(
        WrongClaim("an error of second order", partial(exponential, plain, 2.0)),
        WrongClaim("an error of fourth order", partial(exponential, plain, 4.0)),
        WrongClaim(
            "an error of third order with the bracket 1 - z^2/3",
            partial(exponential, lambda z: 1 - z**2 / 3, 3.0),
        ),
    ),
)


# Where radius and speed settle: every scheme on pure noise, trained step by step in R^200 --------------

D, G, MEMORY, BETA2 = 200, 3.0, 0.5, 0.999
BURNT, KEPT, BLOCKS = 1500, 5000, 10
POWER = {"sgd": 4, "sgd-momentum": 4, "sgd-mrt": 4, "adam": 3, "adam-s": 3, "adam-srt": 3, "adamw": 2}
"""The power of r whose mean the closed form gives."""


def rates(scheme: str) -> tuple[float, float]:
    """Learning rate and ridge: a step loses some .002 of the radius to the ridge."""
    if scheme.startswith("sgd"):
        return 0.2, 0.01
    return (0.005, 0.4) if scheme == "adamw" else (0.005, 0.1)


@dataclass(frozen=True)
class Settled:
    """Radius and root mean square angle of a step over blocks of steps, (BLOCKS,) each."""

    radius: np.ndarray
    angle: np.ndarray


def settled(seeds: Seeds) -> dict[str, Settled]:
    """Every scheme from 1.3 times its radius, burnt in, on isotropic noise for gradients."""
    found = {}
    for scheme, seed in zip(GENERIC, seeds(len(GENERIC)), strict=True):
        rng = np.random.default_rng(seed)

        def gradient(_: int, x: np.ndarray, rng: np.random.Generator = rng) -> np.ndarray:
            r = np.linalg.norm(x)
            return np.sqrt(G / (D - 1)) * sphere.tangent(x / r, rng.standard_normal(D)) / r

        eta, ridge = rates(scheme)
        x = rng.standard_normal(D)
        x *= 1.3 * by_theory(scheme).radius / np.linalg.norm(x)
        slower = 2 if scheme == "adam-srt" else 1  # it relaxes (1 - beta1) times as fast
        t = train(
            gradient, scheme, x, np.full(slower * (BURNT + KEPT), eta), ridge=ridge, beta1=MEMORY, beta2=BETA2
        )
        angles = sphere.angle(t.u[1:], t.u[:-1])[slower * BURNT :]
        found[scheme] = Settled(block_means(t.r[slower * BURNT + 1 :], POWER[scheme]), block_means(angles, 2))
    return found


def block_means(values: np.ndarray, power: int) -> np.ndarray:
    """Power means of blocks of steps, (BLOCKS,)."""
    return np.mean(values.reshape(BLOCKS, -1) ** power, axis=1) ** (1 / power)


def by_theory(scheme: str) -> Equilibrium:
    """The closed forms."""
    return equilibrium(scheme, *rates(scheme), G, D, 0.0 if scheme == "sgd" else MEMORY)


def neglected(scheme: str) -> float:
    """Relatively, what the closed forms leave out: the radius lost while the momentum remembers.

    A step loses half the square of its accumulated angle; second moments fluctuate by 2 (1 - beta2).
    """
    if scheme == "sgd":
        return float(np.prod(rates(scheme)))
    loss = by_theory(scheme).angle ** 2 / 2
    if scheme not in ("sgd-mrt", "adam-srt"):  # untransported steps add up to more than their squares
        loss *= (1 + MEMORY) / (1 - MEMORY)
    return loss / (1 - MEMORY) + (2 * (1 - BETA2) if scheme.startswith("adam") else 0.0)


Law = Callable[[str], Equilibrium]


def claimed(law: Law, _: dict[str, Settled]) -> dict[str, Equilibrium]:
    """Radius and angle of every scheme."""
    return {scheme: law(scheme) for scheme in GENERIC}


def settle_there(evidence: dict[str, Settled], laws: dict[str, Equilibrium]) -> Verdict:
    """Means over blocks, all schemes at once, within their errors and what the closed forms leave out."""
    shares, bias = [], []
    for scheme, found in evidence.items():
        shares += [found.radius / laws[scheme].radius, found.angle / laws[scheme].angle]
        bias += [neglected(scheme)] * 2
    return mean_within_errors(np.stack(shares, axis=-1), 1.0, np.array(bias))


def instead(scheme: str, radius: float = 1.0, angle: float = 1.0) -> Law:
    """The theory with one scheme's radius and angle multiplied."""

    def law(name: str) -> Equilibrium:
        true = by_theory(name)
        return Equilibrium(true.radius * radius, true.angle * angle) if name == scheme else true

    return law


EQUILIBRIA = check(
    id="sphere-equilibria",
    title="the radius and the angle per step of seven schemes settle at the values of the closed forms",
    ref="Theorem 2 under noise",
    evidence=settled,
    claim=partial(claimed, by_theory),
    judge=settle_there,
    effect=Contrast("AdamW's radius a factor sqrt(2) too large", "the factor sqrt 2 in AdamW's radius"),
    wrong=(
        WrongClaim(
            "momentum without the factor 1/(1 - beta)",
            partial(claimed, instead("sgd-momentum", (1 - MEMORY) ** 0.25)),
        ),
        WrongClaim(
            "momentum's angle without the factor 1/(1 + beta)",
            partial(claimed, instead("sgd-momentum", angle=(1 + MEMORY) ** 0.5)),
        ),
        WrongClaim("SGD-MRT settling like SGD-M", partial(claimed, instead("sgd-mrt", (1 + MEMORY) ** 0.25))),
        WrongClaim(
            "Adam-SRT settling like Adam", partial(claimed, instead("adam-srt", (1 + MEMORY) ** (1 / 3)))
        ),
        WrongClaim("Adam's radius a factor 2^(1/4) too large", partial(claimed, instead("adam", 2**0.25))),
        WrongClaim("AdamW's radius a factor sqrt(2) too large", partial(claimed, instead("adamw", 2**0.5))),
        WrongClaim("SGD's radius 2 % too large", partial(claimed, instead("sgd", 1.02))),
        WrongClaim("Adam-S 4 % slower", partial(claimed, instead("adam-s", angle=0.96))),
    ),
)

CHECKS = (
    IMAGE,
    EPSILON,
    EXPONENTIAL,
    EQUILIBRIA,
)
