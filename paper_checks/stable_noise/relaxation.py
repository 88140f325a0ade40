"""Relaxation: the law of the variates, Euler's scheme with its own law, and how that nears the SDE's."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_order, mean_within_errors
from teacherstudent.paper_checks.judging.claims import worst_case
from teacherstudent.paper_checks.judging.comparison import ABSENT, otherwise, then
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.stable_noise import check, compared
from teacherstudent.paper_checks.stable_noise.kit.asking import OBSERVED, ask, entry

# Variates -----------------------------------------------------------------------------------------------

INDICES = (0.3, 0.8, 1.0, 1.4, 2.0)
WAVES = np.array([0.3, 1.0, 2.5])
GROUPS, SIZE = 40, 2000


def waves(seeds: Seeds) -> list[np.ndarray]:
    """Evidence: means of cos(uS) over groups of variates, (GROUPS, 3) by index."""
    import jax

    from teacherstudent.sims.stable_noise.paths import variates

    keys = [jax.random.key(seed) for seed in seeds(len(INDICES))]
    drawn = [
        np.asarray(variates(index, key, GROUPS * SIZE)) for index, key in zip(INDICES, keys, strict=True)
    ]
    return [np.cos(WAVES * each.reshape(GROUPS, SIZE, 1)).mean(axis=1) for each in drawn]


def characteristic(_: object, half: float = 1.0, more: float = 0.0) -> list[np.ndarray]:
    """The claim: exp(-|u|^alpha); wrong with another convention of its scale, or another index."""
    return [np.exp(-half * WAVES ** (index + more)) for index in INDICES]


VARIATES = check(
    id="sn-variates",
    title="drawn stable variates have the characteristic function exp(-|u|^alpha), including alpha = 1 and 2",
    ref="the symmetric case",
    paper="chambers1976",
    evidence=waves,
    claim=characteristic,
    judge=worst_case(mean_within_errors),
    effect=Contrast("variates scaled to variance 1 at alpha = 2", "a factor of two in the exponent"),
    wrong=(
        WrongClaim("variates scaled to variance 1 at alpha = 2", partial(characteristic, half=0.5)),
        WrongClaim("tail index 0.1 larger", partial(characteristic, more=0.1)),
    ),
    functions=("sims.stable_noise.paths:variates",),
    covers=("Variates",),
)

# The scheme ---------------------------------------------------------------------------------------------

COARSE = 0.4
TIMES = (0.4, 1.2, 4.0)
SYSTEMS: tuple[dict[str, Any], ...] = (
    {"stability": 0.8, "drift": 1.0, "noise": 0.7},
    {"stability": 1.5, "drift": 1.0, "noise": 1.3},
    {"stability": 1.5, "drift": 0.0, "noise": 0.5},
    {"stability": 2.0, "drift": 2.0, "noise": 1.0},
)


SCHEME = compared(
    id="sn-relaxation",
    title="paths with steps up to 0.4 relaxation times have the stable distribution of Euler's scheme",
    ref="sums of independent stable variables",
    paper="samorodnitsky1994",
    clocks={"relaxation": {"times": TIMES, "step": COARSE, "walkers": 1000}},
    questions=dict(enumerate(SYSTEMS)),
    routes=("simulation", "euler"),
    observables=OBSERVED["relaxation"],
    draws=32,
    claimed={"walkers": ABSENT},
    effect=Contrast("noise proportional to the root of the step", "noise of h^(1/2) instead of h^(1/alpha)"),
    wrong={
        "noise proportional to the root of the step": otherwise(
            lambda asked: {**asked, "noise": asked["noise"] * COARSE ** (1 / 2 - 1 / asked["stability"])}
        ),
        "the SDE instead of Euler's scheme": {"route": "exact"},
        "noise 5 % larger": then(lambda seen: {**seen, "mean_log": 1.05 * seen["mean_log"]}),
    },
    covers=("Sums",),
    also=(("isis2021", "Simsekli: SGD as a discretisation"),),
)

# Its order ----------------------------------------------------------------------------------------------

STEPS = (0.04, 0.02, 0.01)


DRIFTING = tuple(system for system in SYSTEMS if system["drift"])


def errors(_: Seeds) -> list[np.ndarray]:
    """Evidence: by how much the scheme's moments differ from the SDE's, (steps, 9) by system."""
    return [
        np.stack([ask("relaxation", "euler", TIMES, step=step, **system) - true for step in STEPS])
        for system in DRIFTING
        for true in [ask("relaxation", "exact", TIMES, **system)]
    ]


def slopes(_: object, larger: float = 1.0, factor: float = 1.0) -> list[np.ndarray]:
    """The claim: what a small step adds to the moments, over the step, (9,) by system; wrong with another
    scale of the noise, or another rate.

    E e^(iuX) is e^(-|u|^alpha s), s = sigma^alpha (1 - e^-x)/(alpha a), x = alpha a t; for the scheme s is
    sigma^alpha h (1 - |1 - a h|^(alpha k))/(1 - |1 - a h|^alpha), to first order a factor of
    1 + h a/2 (alpha - 1 + x/(e^x - 1)) more.
    """
    found = []
    for system in DRIFTING:
        alpha, a, noise = (system[name] for name in ("stability", "drift", "noise"))
        x = alpha * a * np.array(TIMES)
        s = (larger * noise) ** alpha * (1 - np.exp(-x)) / (alpha * a)
        added = factor * a / 2 * (alpha - 1 + x / np.expm1(x))
        found.append(np.concatenate([added / alpha, 0 * x, -s * np.exp(-s) * added]))
    return found


@worst_case
def to_second_order(found: np.ndarray, claim: np.ndarray) -> Iterator[Verdict]:
    """The differences fall like the step, and what the claim leaves of them like its square."""
    left = found - np.array(STEPS)[:, None] * claim
    yield at_order(STEPS, np.max(np.abs(found), axis=1), 1.0)
    yield at_order(STEPS, np.max(np.abs(left), axis=1), 2.0)


ORDER = check(
    id="sn-euler-order",
    title="Euler's scheme approaches the distribution of the SDE, with a first-order error given by a series",
    ref="weak order of Euler's scheme for the Ornstein-Uhlenbeck process",
    evidence=errors,
    claim=slopes,
    judge=to_second_order,
    wrong=(
        WrongClaim("a second-order scheme", partial(slopes, factor=0.0)),
        WrongClaim("noise 5 % larger", partial(slopes, larger=1.05)),
        WrongClaim("a first-order error 5 % larger", partial(slopes, factor=1.05)),
    ),
    functions=(entry("relaxation", "exact"), entry("relaxation", "euler")),
)

CHECKS = (VARIATES, SCHEME, ORDER)
