r"""What a trained discriminator tells of points: the kernel's witness, and how finite widths depart from it.

Two errors of a relu network fall like W^(-1/2). By chance its kernel before training is not the mean. And
units stop at the points that they are trained on. With c_pq = p . q + beta^2 and a unit's input z at a
point p of the generator and z_q at a sample q, ascent moves it by z' = s (c_pp 1(z > 0) - c_pq 1(z_q > 0)),
where s is its outer weight, with the sign of its half, times (2W)^(-1/2). Where s > 0 no unit changes its
sign at p; where s < 0 those that reach z = 0 slide along it, on for the share c_pq/c_pp of the time if they
are on at q, else off for good. At samples it is the other way round. What those units fail to learn, of the
density (2 pi c_pp)^(-1/2) at z = 0, leaves for one point x and one sample y with 0 <= c_xy <= c_xx, c_yy

    J(t) - t MMD^2 ~ -t^2/(4 pi (2W)^(1/2)) sum_p (2 c_pp^2 - 3 c_pp c_xy + 3 c_xy^2)/c_pp^(1/2),  p = x, y,

with the MMD of the kernel before training. Among m points each pulls by 1/m alone: there this is small, and
hidden at usual widths by chance, that of which units are turned on the way, which should fall like W^(-3/4).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.gan import ask, check, compared
from teacherstudent.paper_checks.gan.kit.rates import NEARING
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.comparison import ABSENT, Found, Values, then
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.exactness import within_operations
from teacherstudent.paper_checks.judging.finite_size import agree_beyond_bias
from teacherstudent.problems.gan import PROBLEM
from teacherstudent.problems.gan.data import points

J = "separation"

# The witness ------------------------------------------------------------------------------------------------

CLOUDS: dict[str, Any] = {
    "target": "gaussian", "n": 8, "particles": 8, "d": 2, "spread": 0.7, "distance": 1.5, "bias": 0.8,
}  # fmt: skip


def outer_alone(found: Found) -> list[Values]:
    """Wrong: the kernel of a network whose outer weights alone learn, the mean of a product of two units."""
    sets = points(PROBLEM.instance(**CLOUDS), found.cases[-1].seeds or [])
    biases = np.full((*sets.data.shape[:2], 1), CLOUDS["bias"])
    x, y = (np.concatenate([each, biases], axis=-1) for each in (sets.generated, sets.data))

    def mean(p: np.ndarray, q: np.ndarray) -> np.ndarray:
        size = np.linalg.norm(p, axis=-1)[:, :, None] * np.linalg.norm(q, axis=-1)[:, None]
        angle = np.arccos(np.clip(p @ q.swapaxes(1, 2) / size, -1, 1))
        values = size * (np.sin(angle) + (np.pi - angle) * np.cos(angle)) / (2 * np.pi)
        found: np.ndarray = values.mean(axis=(1, 2))
        return found

    return [{J: (mean(x, x) - 2 * mean(x, y) + mean(y, y))[:, None]}]


LINEAR = compared(
    id="gan-linear",
    title="on clouds, relu networks approach the kernel's witness function, with an error as W^(-1/2)",
    paper="isis2021",
    ref="Franceschi: IPM and MMD; the discriminator in the kernel regime, franceschi2022",
    clocks={"discriminator": {"times": (1.0,), **CLOUDS}},
    questions={width: {"width": width} for width in (64, 256, 1024, 4096)},
    routes=("simulation", "kernel"),
    observables=(J,),
    draws=300,
    stream="",
    claimed={"width": ABSENT},
    judge=NEARING,
    wrong={
        "J/2, as in (1/2) MMD^2": then(lambda seen: {J: seen[J] / 2}),
        "no bias term": {"bias": 0.0},
        "only the outer weights are trained": outer_alone,
    },
    covers=("Franceschi: IPM and MMD",),
    slow=True,
)

# The kernel of the start ------------------------------------------------------------------------------------

TIMES = np.array([0.5, 1.0])
PAIRS: tuple[dict[str, Any], ...] = (
    {"distance": 2.0, "bias": 1.0, "d": 2},
    {"distance": 1.5, "bias": 0.7, "d": 1},
)
STOPPED = {8: 2000, 16: 1500, 32: 1000, 96: 300}
"""Draws by W^(1/2)."""

Departures = list[dict[int, np.ndarray]]
"""By pair and W^(1/2): W^(1/2) times what J is above that of the start's kernel, at both times, (S, 2)."""


def departures(seeds: Seeds) -> Departures:
    """Evidence: steps are shorter where the width is larger, so that both errors fall like W^(-1/2)."""

    def drawn(root: int, count: int, pair: dict[str, Any], name: str) -> np.ndarray:
        question = {"width": root**2, "discriminator_rate": 0.8 / root, "seeds": seeds(count, name), **pair}
        ends = [ask("discriminator", route, TIMES, J, **question) for route in ("simulation", "instance")]
        return np.asarray(root * (ends[0] - ends[1]))

    return [
        {root: drawn(root, count, pair, f"{k} {root}") for root, count in STOPPED.items()}
        for k, pair in enumerate(PAIRS)
    ]


def stopped(_: object, factor: float = 1.0, power: float = 2.0, against: float = 3.0) -> list[np.ndarray]:
    """The claim: the law above, at both times, (2,) by pair."""
    laws = []
    for pair in PAIRS:
        both = pair["bias"] ** 2
        own = np.array([pair["distance"] ** 2 + both, both])
        terms = (2 * own**2 - against * own * both + against * both**2) / np.sqrt(own)
        laws.append(-factor * TIMES**power / (4 * np.pi * np.sqrt(2)) * terms.sum())
    return laws


@worst_of
def departing(found: Departures, claimed: list[np.ndarray]) -> Iterator[Verdict]:
    """Beyond a bias in proportion to W^(-1/2)."""
    for samples, law in zip(found, claimed, strict=True):
        yield agree_beyond_bias(samples, law, whole=True)


START = check(
    id="gan-start-kernel",
    title="with one point and one sample, relu networks deviate from their initial kernel by about W^(-1/2)",
    ref="units switched off at a sample's kink; derived here",
    evidence=departures,
    claim=stopped,
    judge=departing,
    effect=Contrast("no deviation of order W^(-1/2)", "the deviation of order W^(-1/2)"),
    wrong=(
        WrongClaim("no deviation of order W^(-1/2)", partial(stopped, factor=0.0)),
        WrongClaim("a deviation proportional to t instead of t^2", partial(stopped, power=1.0)),
        WrongClaim("points do not pull back each other's units", partial(stopped, against=0.0)),
        WrongClaim("units of both signs switched off", partial(stopped, factor=2.0)),
    ),
    functions=(ask.entry("discriminator", "simulation"), ask.entry("discriminator", "instance")),
    slow=True,
)

# Waves ------------------------------------------------------------------------------------------------------

WAVES: dict[str, Any] = {**CLOUDS, "discriminator": "fourier", "length_scale": 1.3, "width": 64}
COARSE = 0.5
AT = (0.5, 2.0)
OBSERVED = (J, "slope", "distance_of_means")


def waves(seeds: Seeds) -> tuple[list[int], np.ndarray]:
    """Evidence: seeds, and what waves tell apart in one coarse step and in four, (S, 6)."""
    drawn = seeds(60)
    return drawn, ask("discriminator", "simulation", AT, *OBSERVED, **_coarse(drawn))


def _coarse(seeds: list[int]) -> dict[str, Any]:
    return {**WAVES, "discriminator_rate": COARSE, "seeds": seeds}


Gaussian = tuple[np.ndarray, np.ndarray]
"""By the kernel of the draw, (S, 6), and the separation by that of infinite width, (S, 2)."""


def gaussian(found: tuple[list[int], np.ndarray], factor: float = 1.0, **wrong: Any) -> Gaussian:
    """The claim: the kernel of each draw, without an error of a step, and the mean of all."""
    question = {**_coarse(found[0]), **wrong}
    own, mean = (
        ask("discriminator", route, AT, *names, **question)
        for route, names in (("instance", OBSERVED), ("kernel", (J,)))
    )
    return factor * own, factor * mean


@worst_of
def linear(found: tuple[list[int], np.ndarray], claimed: Gaussian) -> Iterator[Verdict]:
    """Each draw to rounding, and the mean over draws of W waves whatever W is."""
    own, mean = claimed
    scale = np.abs(found[1]).max(axis=0)
    yield within_operations(
        (found[1] - own) / scale,
        WAVES["width"] + 16,
        4,
        reason="rounding of 4 steps with 64 Fourier features and 16 points",
    )
    yield mean_within_errors(found[1][:, : len(AT)] - mean, 0.0)


FOURIER = check(
    id="gan-fourier",
    title="Fourier discriminators follow the kernel of their drawn features, on average the Gaussian kernel",
    ref="random Fourier features with linear training",
    evidence=waves,
    claim=gaussian,
    judge=linear,
    effect=Contrast("a kernel of twice the length scale", "a factor of two in the length scale"),
    wrong=(
        WrongClaim(
            "a kernel of twice the length scale", partial(gaussian, length_scale=2 * WAVES["length_scale"])
        ),
        WrongClaim("J/2, as in (1/2) MMD^2", partial(gaussian, factor=0.5)),
        WrongClaim("the relu kernel", partial(gaussian, discriminator="relu")),
    ),
    functions=tuple(ask.entry("discriminator", route) for route in ("simulation", "instance", "kernel")),
)

CHECKS = (LINEAR, START, FOURIER)
