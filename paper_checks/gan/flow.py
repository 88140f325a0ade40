"""Clouds: networks against steps of their kernel, these against its flow, and by what MMD^2 falls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.gan import ask, check, compared
from teacherstudent.paper_checks.gan.kit.rates import NEARING
from teacherstudent.paper_checks.judging.agreement import at_order, within_bound
from teacherstudent.paper_checks.judging.claims import constant_claim, worst_case
from teacherstudent.paper_checks.judging.comparison import ABSENT
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.judges import InGroups
from teacherstudent.problems.gan import PROBLEM

RING: dict[str, Any] = {"target": "ring", "n": 8, "particles": 4, "d": 2, "distance": 1.5, "spread": 0.4}
KINDS: tuple[dict[str, Any], ...] = (
    {"discriminator": "relu", "bias": 0.8, **RING},
    {"discriminator": "fourier", "length_scale": 1.2, **RING},
)

# Widths -----------------------------------------------------------------------------------------------------

TIMES = (0.8, 2.4)

FLOW = compared(
    id="gan-flow",
    title="points moved by drawn networks approach points moved by the kernel, with an error as W^(-1/2)",
    ref="the generator's dynamics in the kernel regime",
    clocks={
        "generator": {
            "times": TIMES, "learning_rate": 0.2, "discriminator_time": 0.5, "discriminator_rate": 0.25
        }
    },
    questions={
        (kind["discriminator"], width): {**kind, "width": width}
        for kind in KINDS
        for width in (128, 512, 2048)
    },
    routes=("simulation", "steps"),
    observables=("separation", "distance_of_means"),
    draws=80,
    stream="{0[0]}",
    claimed={"width": ABSENT},
    judge=InGroups(NEARING),
    wrong={
        "discriminators trained for twice the time": {"discriminator_time": 1.0},
        "another relu bias and another kernel length": {"bias": 1.6, "length_scale": 2.0},
        "one point instead of four": {"particles": 1},
    },
    slow=True,
)  # fmt: skip

# Steps ------------------------------------------------------------------------------------------------------

SIZES = (0.04, 0.02, 0.01)
CLOUDS = 2


def steps(seeds: Seeds) -> list[list[float]]:
    """Evidence: by how much steps miss the flow, at most, by kind and size of the step."""
    places = ("position", "separation")

    def missed(kind: dict[str, Any]) -> list[float]:
        question = {"discriminator_time": 0.5, "seeds": seeds(CLOUDS), **kind}
        flow = ask("generator", "kernel", TIMES, *places, **question)
        return [
            float(np.abs(ask("generator", "steps", TIMES, *places, learning_rate=h, **question) - flow).max())
            for h in SIZES
        ]

    return [missed(kind) for kind in KINDS]


STEPS = check(
    id="gan-steps",
    title="until points reach the data, steps approach the flow with an error proportional to the step",
    ref="Euler's scheme for the generator's flow",
    evidence=steps,
    claim=constant_claim([1.0] * len(KINDS)),
    judge=worst_case(partial(at_order, SIZES)),
    wrong=(
        WrongClaim("a second-order scheme", constant_claim([2.0] * len(KINDS))),
        WrongClaim("steps that converge to another flow", constant_claim([0.0] * len(KINDS))),
    ),
    functions=(ask.entry("generator", "steps"), ask.entry("generator", "kernel")),
)

# What falls -------------------------------------------------------------------------------------------------

NODES, ENDS = 24, (0.2, 0.8)
SLOW: dict[str, Any] = {"discriminator_time": 0.7}


@dataclass(frozen=True)
class Fall:
    """Along the flow of one cloud: J at `ENDS`, (2,), and the slope G at Gauss's nodes between, (NODES,)."""

    J: np.ndarray
    G: np.ndarray
    points: int


def falls(seeds: Seeds) -> list[Fall]:
    """Evidence: two clouds of each kind, before they arrive at data."""
    nodes, _ = _gauss()

    def fallen(kind: dict[str, Any], seed: int) -> Fall:
        question = {"seeds": [seed], **SLOW, **kind}
        ends = ask("generator", "kernel", ENDS, "separation", **question)[0]
        return Fall(ends, ask("generator", "kernel", nodes, "slope", **question)[0], kind["particles"])

    return [fallen(kind, seed) for kind in KINDS for seed in seeds(CLOUDS)]


def _gauss() -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights between `ENDS`, (NODES,) each."""
    x, weight = np.polynomial.legendre.leggauss(NODES)
    half = (ENDS[1] - ENDS[0]) / 2
    return ENDS[0] + half * (1 + x), half * weight


def dissipated(found: list[Fall], factor: float = 2.0, summed: bool = False) -> list[float]:
    """The claim: J falls by 2 int G^2 dt. Wrong with another factor, or a sum over points for a mean."""
    weight = _gauss()[1]
    return [factor * float(weight @ each.G**2) * (each.points if summed else 1) for each in found]


@worst_case
def falling(found: Fall, claimed: float) -> Iterator[Verdict]:
    """Relative to J, within the declared accuracy of both its ends and of the slopes."""
    scale = float(np.abs(found.J).max())
    reason = "declared accuracies of J at both ends and of the slopes between them"
    yield within_bound(
        (found.J[0] - found.J[1] - claimed) / scale, 4 * ask.accuracy("generator", "kernel"), reason
    )


DISSIPATION = check(
    id="gan-dissipation",
    title="the separation J falls at twice the discriminator's mean square slope: dJ/dt = -2 G^2",
    ref="the generator's flow is a gradient flow of MMD^2; J = tau MMD^2, with the discriminator's slope G",
    evidence=falls,
    claim=dissipated,
    judge=falling,
    effect=Contrast("dJ/dt = -G^2", "a factor of two"),
    wrong=(
        WrongClaim("dJ/dt = -G^2", partial(dissipated, factor=1.0)),
        WrongClaim("a sum over points instead of a mean", partial(dissipated, summed=True)),
        WrongClaim("a decrease 0.1 % larger", partial(dissipated, factor=2.002)),
    ),
    functions=(ask.entry("generator", "kernel"),),
)

# Kinks ----------------------------------------------------------------------------------------------------
#
# How smooth a trained discriminator is: waves are, relu has a kink at each point that it has seen.
#
# Of the kernel of relu what the outer weights learn is sin p + (pi - p) cos p, smooth but for terms in p^3,
# and what the inner weights learn x~ . y~ (pi - p)/(2 pi), linear in the angle p ~ |x~ ^ y~|/|y~|^2. Along a
# unit vector e the slope jumps at y by -|e~ ^ y~|/pi with e~ = (e, 0): by -beta/pi in one dimension, any y.


BIAS, LENGTH = 0.8, 1.3
ORDERS = {"relu": 2, "fourier": 1}
"""Of what is left beside the jump, in the distance: curvature, which of relu is alike on both sides."""

SIDES = (1e-2, 3e-3, 1e-3)
PLACES = (
    (np.array([1.5]), np.array([1.0])),
    (np.array([0.0]), np.array([1.0])),
    (np.array([0.6, -1.1]), np.array([0.6, 0.8])),
)
"""A point that was seen, and a unit vector e."""


def jumps(_: Seeds) -> list[np.ndarray]:
    """Evidence: slopes h before and after the point, their difference, (3,) by kernel and place."""
    from teacherstudent.theory.gan.kernels import Kernel, kernel_of

    def jump(kernel: Kernel, y: np.ndarray, e: np.ndarray, h: float) -> float:
        sides = np.stack([y + h * e, y - h * e])
        after, before = kernel.slopes(sides, y[None])[:, 0] @ e
        return float(after - before)

    problems = [PROBLEM.instance(discriminator=kind, bias=BIAS, length_scale=LENGTH) for kind in ORDERS]
    kernels = [kernel_of(problem) for problem in problems]
    return [np.array([jump(kernel, *place, h) for h in SIDES]) for kernel in kernels for place in PLACES]


def kinks(_: object, factor: float = 1.0, gaussian: float = 0.0) -> list[tuple[float, int]]:
    """The claim: the law above for relu, none for waves, and the order of what is left."""

    def crossed(y: np.ndarray, e: np.ndarray) -> float:
        seen = np.append(y, BIAS)
        return float(np.sqrt(seen @ seen - (e @ y) ** 2))

    relu = [(-factor * crossed(*place) / np.pi, ORDERS["relu"]) for place in PLACES]
    return [*relu, *[(gaussian, ORDERS["fourier"])] * len(PLACES)]


@worst_case
def left(found: np.ndarray, claimed: tuple[float, int]) -> Verdict:
    """What is left beside the jump falls like that power of the distance from the point."""
    jump, order = claimed
    return at_order(SIDES, np.abs(found - jump), order)


KINK = check(
    id="gan-kink",
    title="an infinitely wide relu discriminator has kinks at training points, a Fourier discriminator none",
    paper="isis2021",
    ref="Franceschi: trained discriminator; the jump of the slope is derived here",
    evidence=jumps,
    claim=kinks,
    judge=left,
    wrong=(
        WrongClaim("relu discriminators without a kink", partial(kinks, factor=0.0)),
        WrongClaim("half the jump of the slope", partial(kinks, factor=0.5)),
        WrongClaim("Fourier discriminators with a small kink", partial(kinks, gaussian=-0.01)),
    ),
    functions=("theory.gan.kernels:kernel_of",),
    covers=("Franceschi: trained discriminator",),
)

CHECKS = (FLOW, STEPS, DISSIPATION, KINK)
