"""First exit: without a well, in a well, and at little noise, where one large jump leads out.

Diffusion would have to climb, and wait exponentially long. The time of one jump grows like a power of r, and
is free of the curvature a; what corrects it is a constant times 1/a, so relatively of the order r^-alpha.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import gamma
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_rate, mean_within_errors
from teacherstudent.paper_checks.judging.cases import stated, worst_case
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.stable_noise import check
from teacherstudent.paper_checks.stable_noise.kit.asking import ask, entry, without_step

STEPS = (0.08, 0.02, 0.005)
DRAWS = 32
RADIUS, START, NOISE = 1.3, 0.5, 1.2


@dataclass(frozen=True)
class Exits:
    """Drawn times at an index and a radius, by step: (S, 1) each."""

    stability: float
    times: Mapping[float, np.ndarray]


def drawn(
    seeds: Seeds, indices: tuple[float, ...], steps: tuple[float, ...], walkers: int, **system: Any
) -> list[Exits]:
    """Evidence: exits in each of these steps, of as many paths."""
    return [
        Exits(
            index,
            {
                step: ask(
                    "exit", "simulation", (RADIUS,), step=step, walkers=walkers, stability=index,
                    seeds=seeds(DRAWS, f"{index} {step}"), **system,
                )
                for step in steps
            },
        )
        for index in indices
    ]  # fmt: skip


@worst_case
def reached(found: Exits, claimed: np.ndarray) -> Verdict:
    """Without a step the time is the claimed one."""
    return mean_within_errors(without_step(found.times, found.stability), claimed)


@worst_case
def nearing(found: Exits, claimed: np.ndarray) -> Iterator[Verdict]:
    """The same, and steps widen the interval of a drift-free motion in proportion to h^(1/alpha).

    The widening w is the one with which the claim gives the drawn time. Its next order stems from how widely
    paths overshoot: at alpha = 2, by Wald's identity, 0.37 w/r relatively. Half of w/r is allowed for, which
    moves the log-log slope by 1/(2 alpha) w/r at the middle step.
    """
    yield mean_within_errors(without_step(found.times, found.stability), claimed)
    means = [drawn_mean(each[:, 0]) for each in found.times.values()]
    alpha, right = found.stability, float(claimed[0])
    off, ends = (START * RADIUS) ** 2, (1 - START**2) * RADIUS**2
    squares = [ends * (each.mean / right) ** (2 / alpha) for each in means]
    widened = [np.sqrt(off + square) for square in squares]
    errors = [
        square / (alpha * edge) * each.stderr / each.mean
        for square, edge, each in zip(squares, widened, means, strict=True)
    ]
    widths = [edge - RADIUS for edge in widened]
    yield at_rate(STEPS, widths, 1 / alpha, errors, abs(widths[1]) / (2 * alpha * RADIUS))


# Without a well ---------------------------------------------------------------------------------------

FREE = (1.2, 1.6, 2.0)
PLACE: dict[str, Any] = {"drift": 0.0, "start": START, "noise": NOISE}


def getoor(_: object, **wrong: float) -> list[np.ndarray]:
    """The claim, (1,) by index."""
    return [ask("exit", "getoor", (RADIUS,), **{"stability": index, **PLACE, **wrong}) for index in FREE]


def diffusive(_: object) -> list[np.ndarray]:
    """Wrong: the power 2 of Brownian motion in the numerator, the constant of alpha."""
    return [np.array([(RADIUS / NOISE) ** index * (1 - START**2) / gamma(1 + index)]) for index in FREE]


LEVY = check(
    id="sn-exit-levy",
    title="stable motion leaves an interval after Getoor's time, and steps h widen that like h^(1/alpha)",
    ref="mean of the first passage time, in one dimension",
    paper="getoor1961",
    evidence=partial(drawn, indices=FREE, steps=STEPS, walkers=2400, **PLACE),
    claim=getoor,
    judge=nearing,
    effect=Contrast("a start in the middle", "half a radius off the middle"),
    teeth=(
        Tooth("a start in the middle", partial(getoor, start=0.0)),
        Tooth("noise 10 % larger", partial(getoor, noise=1.1 * NOISE)),
        Tooth("the profile of Brownian motion", diffusive),
    ),
    functions=(entry("exit", "simulation"), entry("exit", "getoor")),
    covers=("Mean exit time",),
    slow=True,
)

# In a well --------------------------------------------------------------------------------------------

BOUND = (1.2, 1.5, 1.8)
FINE = (0.04, 0.01, 0.0025)
"""Steps so short that what a well adds in proportion to them leaves less than half a percent."""
WELL: dict[str, Any] = {"drift": 1.0, "start": 0.6, "noise": 1.0}


def spectral(_: object, **wrong: float) -> list[np.ndarray]:
    """The claim, (1,) by index."""
    return [ask("exit", "spectral", (RADIUS,), **{"stability": index, **WELL, **wrong}) for index in BOUND]


INSIDE = check(
    id="sn-exit-well",
    title="in a well, times of exit are those of the integral equation, between free motion and small noise",
    ref="mean exit time of an Ornstein-Uhlenbeck process with stable noise, at noise of any size",
    evidence=partial(drawn, indices=BOUND, steps=FINE, walkers=2000, **WELL),
    claim=spectral,
    judge=reached,
    effect=Contrast("no well", "what the well adds to the time"),
    teeth=(
        Tooth("no well", partial(spectral, drift=0.0)),
        Tooth("a start in the middle", partial(spectral, start=0.0)),
        Tooth("a well twice as steep", partial(spectral, drift=2.0)),
    ),
    functions=(entry("exit", "simulation"), entry("exit", "spectral")),
    slow=True,
)

# At little noise --------------------------------------------------------------------------------------

LARGE_JUMPS = (1.5, 1.8)
FAR = (8.0, 11.0, 16.0)
"""Radii over the scale of noise, where the correction is 7 % to 2 %."""


def corrections(_: Seeds) -> list[np.ndarray]:
    """Evidence: by how much exact times are off the power law, relatively, by index and radius."""
    return [
        1 - ask("exit", "spectral", FAR, stability=index) / ask("exit", "small-noise", FAR, stability=index)
        for index in LARGE_JUMPS
    ]


@worst_case
def falling(found: np.ndarray, exponent: float) -> Verdict:
    """The correction of one index against that power of the radius, with half of half a power of slack."""
    return at_rate(FAR, found, exponent, slack=0.25)


ORDER = check(
    id="sn-exit-power-law",
    title="the time of exit at little noise is the power law of one large jump, but for the order r^-alpha",
    ref="main term of the mean exit time; the order of its correction is measured here",
    paper="imkeller2006",
    evidence=corrections,
    claim=lambda _: [-index for index in LARGE_JUMPS],
    judge=falling,
    teeth=(
        Tooth("a correction of order 1/r", stated([-1.0, -1.0])),
        Tooth("a correction that stays", stated([0.0, 0.0])),
    ),
    functions=(entry("exit", "spectral"), entry("exit", "small-noise")),
    covers=("Mean exit time",),
    also=(("isis2021", "Simsekli: exit from minima"),),
    slow=True,
)

# Drawn ------------------------------------------------------------------------------------------------

RADII = (3.0, 6.0)
CURVATURES = (0.5, 2.0)
UNIT_STEPS = (0.32, 0.08, 0.02)
"""In units of the time of relaxation."""
INDEX = 1.5


@dataclass(frozen=True)
class Wells:
    """Drawn times of exit at `RADII`, (S, 2), without the error of a step, of a well."""

    curvature: float
    times: np.ndarray


def from_wells(seeds: Seeds) -> list[Wells]:
    """Evidence: exits from wells of each curvature."""
    found = []
    for curvature in CURVATURES:
        times = {
            step: ask(
                "exit", "simulation", RADII, stability=INDEX, drift=curvature, step=step / curvature,
                walkers=200, seeds=seeds(32, f"{curvature} {step}"),
            )
            for step in UNIT_STEPS
        }  # fmt: skip
        found.append(Wells(curvature, without_step(times, INDEX)))
    return found


def exact(found: list[Wells], power: float = 0.0, route: str = "spectral") -> list[np.ndarray]:
    """The claim, (2,) by curvature; wrong in proportion to a power of the curvature, or by another route."""
    return [
        well.curvature**power * ask("exit", route, RADII, stability=INDEX, drift=well.curvature)
        for well in found
    ]


@worst_case
def same_times(found: Wells, claimed: np.ndarray) -> Iterator[Verdict]:
    """Times of one well."""
    yield mean_within_errors(found.times, claimed)


CURVATURE = check(
    id="sn-exit-curvature",
    title="paths leave wells of curvature 1/2 and 2 after times that differ by the correction alone",
    ref="main term free of the curvature",
    paper="imkeller2006",
    evidence=from_wells,
    claim=exact,
    judge=same_times,
    effect=Contrast("times in inverse proportion to the curvature", "a time of relaxation as the unit"),
    teeth=(
        Tooth("times in inverse proportion to the curvature", partial(exact, power=-1.0)),
        Tooth("the power law without its correction", partial(exact, route="small-noise")),
    ),
    functions=tuple(entry("exit", route) for route in ("simulation", "spectral", "small-noise")),
    covers=("Times free of the curvature",),
    slow=True,
)

# The law of the times at little noise -----------------------------------------------------------------
#
# One jump at a constant rate makes them exponential: of two one is more than c times the other with the
# chance 1/(1 + c), whatever their mean, and so whatever the step of Euler's scheme adds to it.

LAW_INDEX, LAW_RADIUS, LAW_STEP = 1.5, 12.0, 0.04
"""So far out the mean time is a hundred times that of relaxation."""
GROUPS, PATHS = 90, 20
RATIOS = np.array([2.0, 4.0, 8.0])


def ratios(seeds: Seeds) -> np.ndarray:
    """Evidence: share of ordered pairs of paths whose times differ by more than c, by group, (groups, 3)."""
    asked = {"stability": LAW_INDEX, "step": LAW_STEP, "walkers": 1, "seeds": seeds(GROUPS * PATHS)}
    times = ask("exit", "simulation", (LAW_RADIUS,), **asked).reshape(GROUPS, PATHS)
    longer = times[:, :, None, None] > RATIOS * times[:, None, :, None]
    return longer.sum(axis=(1, 2)) / (PATHS * (PATHS - 1))


def exponential(_: object) -> np.ndarray:
    """The claim, (3,)."""
    return 1 / (1 + RATIOS)


def twice(_: object) -> np.ndarray:
    """Wrong: two exponential times, one after the other; a share of their sum has the law Beta(2, 2)."""
    x = 1 / (1 + RATIOS)
    return x**2 * (3 - 2 * x)


def uniform(_: object) -> np.ndarray:
    """Wrong: times that are uniform up to twice their mean."""
    return 1 / (2 * RATIOS)


def same(found: np.ndarray, claim: np.ndarray) -> Verdict:
    """Each share is the mean of its groups."""
    return mean_within_errors(found, claim)


LAW = check(
    id="sn-exit-law",
    title="times of exit at little noise are exponential: ratios of the times of drawn paths",
    ref="law of the exit time over its mean",
    paper="imkeller2006",
    evidence=ratios,
    claim=exponential,
    judge=same,
    effect=Contrast("two jumps, one after the other", "a wait for a second jump"),
    teeth=(
        Tooth("two jumps, one after the other", twice),
        Tooth("any time up to a last one", uniform),
    ),
    functions=(entry("exit", "simulation"),),
    covers=("Law of the exit time",),
)

CHECKS = (LEVY, INSIDE, ORDER, CURVATURE, LAW)
