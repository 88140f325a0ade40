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

from teacherstudent.paper_checks.gan import check
from teacherstudent.paper_checks.gan.kit.asking import ask
from teacherstudent.paper_checks.judging.cases import worst_of
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.judging.finite_size import agree_beyond_bias, agree_extrapolated
from teacherstudent.problems.gan import PROBLEM

Cases = list[dict[int, np.ndarray]]
"""By question and d, drawn values, (S, P)."""


@worst_of
def beyond_bias(found: Cases, claimed: list[np.ndarray]) -> Iterator[Verdict]:
    """Means of each question, beyond a bias that falls like 1/d."""
    for samples, law in zip(found, claimed, strict=True):
        yield agree_beyond_bias(samples, law, whole=True)


# Where it is ------------------------------------------------------------------------------------------------

TIMES = (1.0, 3.0)
TRAINED = 0.5
FALLS: tuple[dict[str, Any], ...] = (
    {"discriminator": "relu", "distance": 2.0, "bias": 0.8, "d": 2},
    {"discriminator": "fourier", "distance": 2.0, "length_scale": 1.1, "d": 1},
)
UNITS = (128, 512)
"""Hidden units over d^2, by question: steps of waves err less, and chance must be less yet to see it."""
OBSERVED = ("distance_of_means", "slope")
COUNTS = {1: 800, 2: 300, 4: 100, 6: 50}
"""Draws by d: steps of 0.2/d."""


def fallen(seeds: Seeds) -> Cases:
    """Evidence: distance and slope of points that move against networks drawn anew."""
    return [
        {
            d: ask(
                "generator", "simulation", TIMES, *OBSERVED, learning_rate=0.2 / d, width=units * d**2,
                discriminator_time=TRAINED, discriminator_rate=TRAINED / 2,
                seeds=seeds(count, f"{k} {d}"), **fall,
            )
            for d, count in COUNTS.items()
        }
        for k, (fall, units) in enumerate(zip(FALLS, UNITS, strict=True))
    ]  # fmt: skip


def law(_: object, trained: float = TRAINED, **wrong: Any) -> list[np.ndarray]:
    """The claim: both laws, in closed form, (4,) by question."""
    return [
        ask("generator", "closed-form", TIMES, *OBSERVED, discriminator_time=trained, **{**fall, **wrong})
        for fall in FALLS
    ]


def integrated(fall: dict[str, Any], speed: Callable[[float], float]) -> np.ndarray:
    """Distance and slope, (4,), of a law of another speed."""
    solved = solve_ivp(
        lambda _, theta: [-TRAINED * speed(float(theta[0]))], (0, TIMES[-1]), [fall["distance"]],
        t_eval=TIMES, rtol=1e-9,
    )  # fmt: skip
    theta = solved.y[0]
    return np.concatenate([theta, [TRAINED * abs(speed(float(each))) for each in theta]])


def one_sided(found: object, side: int) -> list[np.ndarray]:
    """Wrong: relu's slope at the point itself from one side, beta/(2 pi) off the mean of both."""

    def wrong(fall: dict[str, Any]) -> np.ndarray:
        bias = fall["bias"]
        turned = bias / (2 * np.pi)

        def speed(theta: float) -> float:
            return theta + side * turned - turned * (theta**2 - bias**2) / (theta**2 + bias**2)

        return integrated(fall, speed)

    *relu, waves = law(found)
    return [*(wrong(fall) for fall in FALLS[: len(relu)]), waves]


def without_width(found: object) -> list[np.ndarray]:
    """Wrong: the Gaussian's slope as near its centre, at any distance."""
    *relu, _ = law(found)
    return [*relu, integrated(FALLS[-1], lambda theta: theta / FALLS[-1]["length_scale"] ** 2)]


DIRAC = check(
    id="gan-dirac",
    title="one point against one sample falls by relu's kinked law, by waves' exponential integral; "
    "the order of what finite widths add is not told from the next",
    ref="the flow of one point under either kernel, derived here",
    evidence=fallen,
    claim=law,
    judge=beyond_bias,
    effect=Contrast("discriminators trained for twice the time", "twice the speed"),
    teeth=(
        Tooth("discriminators trained for twice the time", partial(law, trained=2 * TRAINED)),
        Tooth("relu's slope from the sample's side of the point", partial(one_sided, side=-1)),
        Tooth("relu's slope from beyond the point", partial(one_sided, side=1)),
        Tooth("a Gaussian without width", without_width),
        Tooth("the Gaussian's law for relu too", partial(law, discriminator="fourier")),
    ),
    functions=(ask.entry("generator", "simulation"), ask.entry("generator", "closed-form")),
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
"""Units of the clock that are followed."""


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
    title="relu halves distances beyond its bias in about one time; waves take the longer the further",
    paper="isis2021",
    ref="Franceschi: ReLU; halving times of one point against one sample, derived here",
    evidence=halved,
    claim=halving,
    judge=extrapolated,
    effect=Contrast("both kernels alike", "the difference of both kernels"),
    teeth=(
        Tooth("both kernels alike", partial(halving, kinds={"fourier": "relu", "relu": "fourier"})),
        Tooth("both without a scale, in ln 2", scale_free),
        Tooth("twice as long", partial(halving, factor=2.0)),
    ),
    functions=(ask.entry("generator", "simulation"), "theory.gan.dirac:halving_time"),
    covers=("Franceschi: ReLU",),
    slow=True,
)

CHECKS = (DIRAC, HALVING)
