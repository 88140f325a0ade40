"""Where radius and speed settle: every scheme on pure noise, trained step by step in R^200."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.scale_invariant import check
from teacherstudent.paper_checks.scale_invariant.kit.training import GENERIC, train
from teacherstudent.theory.scale_invariant import sphere
from teacherstudent.theory.scale_invariant.equilibria import Equilibrium, equilibrium

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
    title="radius and angle per step of seven schemes settle where the closed forms say",
    ref="Theorem 2 under noise",
    evidence=settled,
    claim=partial(claimed, by_theory),
    judge=settle_there,
    effect=Contrast("AdamW's radius without its 2", "the factor sqrt 2 in AdamW's radius"),
    teeth=(
        Tooth(
            "momentum without 1/(1 - beta)", partial(claimed, instead("sgd-momentum", (1 - MEMORY) ** 0.25))
        ),
        Tooth(
            "momentum's angle without 1/(1 + beta)",
            partial(claimed, instead("sgd-momentum", angle=(1 + MEMORY) ** 0.5)),
        ),
        Tooth("SGD-MRT like SGD-M", partial(claimed, instead("sgd-mrt", (1 + MEMORY) ** 0.25))),
        Tooth("Adam-SRT like Adam", partial(claimed, instead("adam-srt", (1 + MEMORY) ** (1 / 3)))),
        Tooth("Adam's radius by a fourth root of two", partial(claimed, instead("adam", 2**0.25))),
        Tooth("AdamW's radius without its 2", partial(claimed, instead("adamw", 2**0.5))),
        Tooth("SGD's radius 2% large", partial(claimed, instead("sgd", 1.02))),
        Tooth("Adam-S 4% slower", partial(claimed, instead("adam-s", angle=0.96))),
    ),
)

CHECKS = (EQUILIBRIA,)
