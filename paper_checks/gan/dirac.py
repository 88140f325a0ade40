"""One point against one sample: it falls by the law of its kernel, which decides how long that takes.

Steps eta of the generator err in proportion to eta, a finite width W at most by W^(-1/2): both fall like 1/d
where eta does and W grows like d^2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from teacherstudent.paper_checks.gan import ask, check, compared
from teacherstudent.paper_checks.judging.claims import worst_of
from teacherstudent.paper_checks.judging.comparison import ABSENT, Found, Question, Values
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.finite_size import agree_extrapolated
from teacherstudent.paper_checks.judging.judges import AtSizes, InGroups
from teacherstudent.problems.gan import PROBLEM

Cases = list[dict[int, np.ndarray]]
"""By question and d, drawn values, (S, P)."""


# Where it is ------------------------------------------------------------------------------------------------

TIMES = (1.0, 3.0)
TRAINED = 0.5
FALLS: tuple[dict[str, Any], ...] = (
    {"discriminator": "relu", "distance": 2.0, "bias": 0.8, "d": 2},
    {"discriminator": "fourier", "distance": 2.0, "length_scale": 1.1, "d": 1},
)
OBSERVED = ("distance_of_means", "slope")
UNITS = (128, 512)
"""Hidden units over d^2, by question: steps of waves err less, and chance must be less yet to see it."""


def fallen(name: tuple[int, int]) -> dict[str, Any]:
    """A question, in steps of 0.2/d."""
    k, d = name
    return {**FALLS[k], "learning_rate": 0.2 / d, "width": UNITS[k] * d**2}


def integrated(found: Found, kind: str, speed: Callable[..., float]) -> list[Values]:
    """Wrong: distance and slope by a law of another speed, of a distance and the question, of that kernel."""
    claims = found.asked.claims(found, {})
    for claim, case in zip(claims, found.cases, strict=True):
        asked = case.question
        if asked["discriminator"] == kind:
            solved = solve_ivp(
                lambda _, at, asked=asked: [-TRAINED * speed(float(at[0]), asked)], (0, TIMES[-1]),
                [asked["distance"]], t_eval=TIMES, rtol=1e-9,
            )  # fmt: skip
            theta = solved.y[0]
            slope = np.array([TRAINED * abs(speed(float(each), asked)) for each in theta])
            claim.update(distance_of_means=theta, slope=slope)
    return claims


def one_sided(theta: float, asked: Question, side: int) -> float:
    """relu's slope at the point itself from one side, beta/(2 pi) off the mean of both."""
    bias = asked["bias"]
    turned = bias / (2 * np.pi)
    return float(theta + side * turned - turned * (theta**2 - bias**2) / (theta**2 + bias**2))


def without_width(theta: float, asked: Question) -> float:
    """The Gaussian's slope as near its centre, at any distance."""
    return float(theta / asked["length_scale"] ** 2)


DIRAC = compared(
    id="gan-dirac",
    title="the distance of one point from one sample follows the closed forms of the relu and Fourier "
    "discriminators (without determining the order of the finite-width correction)",
    ref="the flow of one point under either kernel; derived here",
    clocks={
        "generator": {
            "times": TIMES, "discriminator_time": TRAINED, "discriminator_rate": TRAINED / 2
        }
    },
    questions=fallen,
    routes=("simulation", "closed-form"),
    observables=OBSERVED,
    draws={(k, d): count for k in range(2) for d, count in ((1, 800), (2, 300), (4, 100), (6, 50))},
    stream="{0[0]} {0[1]}",
    claimed={"discriminator_rate": ABSENT, "learning_rate": ABSENT, "width": ABSENT},
    judge=InGroups(AtSizes(whole=True)),
    effect=Contrast("discriminators trained for twice the time", "a factor of two in the speed"),
    wrong={
        "discriminators trained for twice the time": {"discriminator_time": 2 * TRAINED},
        "the one-sided relu slope on the sample's side of the point": partial(
            integrated, kind="relu", speed=partial(one_sided, side=-1)
        ),
        "the one-sided relu slope on the far side of the point": partial(
            integrated, kind="relu", speed=partial(one_sided, side=1)
        ),
        "the Gaussian kernel's slope near its centre, used at all distances": partial(
            integrated, kind="fourier", speed=without_width
        ),
        "the Fourier closed form for relu discriminators too": {"discriminator": "fourier"},
    },
    slow=True,
)  # fmt: skip

# How long it takes ------------------------------------------------------------------------------------------

HALVED = (
    ("relu", 1.0, 0.7, 128),
    ("relu", 4.0, 0.7, 128),
    ("fourier", 1.0, 1.0, 128),
    ("fourier", 2.0, 2.0, 128),
    ("fourier", 3.0, 12.0, 512),
)
"""Discriminator, distance, the unit of its clock, 1/(5 d) of which is a step, and hidden units over d^2."""

PATHS = {2: 150, 4: 60}
LAST = 2.5
"""Units of the clock that are followed: means of halving times are .9 to 1.2, single ones at large distances
longer."""


def halved(seeds: Seeds) -> Cases:
    """Evidence: when the distance is first below half, between steps along a line; (S, 1)."""

    def drawn(kind: str, distance: float, unit: float, units: int, d: int) -> np.ndarray:
        step = unit / (5 * d)
        paths = ask(
            "generator", "simulation", step * np.arange(LAST * 5 * d + 1), "distance_of_means",
            discriminator=kind, distance=distance, learning_rate=step, width=units * d**2,
            discriminator_rate=0.5, seeds=seeds(PATHS[d], f"{kind} {distance} {d}"),
        )  # fmt: skip
        return np.array([[step * _first_below(path / distance, 0.5)] for path in paths])

    return [{d: drawn(*case, d) for d in PATHS} for case in HALVED]


def _first_below(path: np.ndarray, level: float) -> float:
    """Steps until the path is first at that level, a fraction of one; NaN where it never is."""
    below = path <= level
    if not below.any():
        return np.nan
    k = int(np.argmax(below))
    return float(k - 1 + (path[k - 1] - level) / (path[k - 1] - path[k]))


def halving(_: object, kinds: dict[str, str] | None = None, factor: float = 1.0) -> list[np.ndarray]:
    """The claim: halving times, (1,) by case; wrong with other kernels, or faster discriminators."""
    from teacherstudent.theory.gan.dirac import halving_time

    kinds = kinds or {}
    asked = [PROBLEM.instance(discriminator=kinds.get(kind, kind), distance=far) for kind, far, *_ in HALVED]
    return [np.array([factor * halving_time(problem)]) for problem in asked]


def scale_free(_: object) -> list[np.ndarray]:
    """Wrong: distances of both kernels fall exponentially, as those of either do somewhere."""
    return [np.array([np.log(2)])] * len(HALVED)


@worst_of
def extrapolated(found: Cases, claimed: list[np.ndarray]) -> Iterator[Verdict]:
    """Means of each case at two sizes, extrapolated in 1/d: `gan-dirac` measures that power."""
    for samples, time in zip(found, claimed, strict=True):
        yield agree_extrapolated(samples, time)


HALVING = check(
    id="gan-halving",
    title="relu discriminators halve any distance beyond their bias in about the same time; Fourier "
    "discriminators need longer at larger distances",
    paper="isis2021",
    ref="Franceschi: ReLU; halving times of one point against one sample, derived here",
    evidence=halved,
    claim=halving,
    judge=extrapolated,
    effect=Contrast("the two kernels exchanged", "the difference between the two kernels"),
    wrong=(
        WrongClaim(
            "the two kernels exchanged", partial(halving, kinds={"fourier": "relu", "relu": "fourier"})
        ),
        WrongClaim("halving times of ln 2 for both kernels", scale_free),
        WrongClaim("halving times twice as long", partial(halving, factor=2.0)),
    ),
    functions=(ask.entry("generator", "simulation"), "theory.gan.dirac:halving_time"),
    covers=("Franceschi: ReLU",),
    slow=True,
)

CHECKS = (DIRAC, HALVING)
