"""First exit: without a well, in a well, and at little noise, where one large jump leads out.

Diffusion would have to climb, and wait exponentially long. The time of one jump grows like a power of r, and
is free of the curvature a; what corrects it is a constant times 1/a, so relatively of the order r^-alpha.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import gamma
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_rate, mean_within_errors
from teacherstudent.paper_checks.judging.claims import constant_claim, worst_case, worst_of
from teacherstudent.paper_checks.judging.comparison import ABSENT, Found, Judge, Values, scaled
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Check, Seeds, Verdict, WrongClaim
from teacherstudent.paper_checks.judging.judges import InGroups
from teacherstudent.paper_checks.stable_noise import check, compared
from teacherstudent.paper_checks.stable_noise.kit.asking import ask, entry, without_step

STEPS = (0.08, 0.02, 0.005)
RADIUS, START, NOISE = 1.3, 0.5, 1.2


def exits(
    id: str,
    indices: tuple[float, ...],
    steps: tuple[float, ...],
    route: str,
    judge: Judge,
    walkers: int,
    place: dict[str, float],
    **more: Any,
) -> Check:
    """A check of mean times of exit, of as many paths at each index and step, against a route of theory."""
    return compared(
        id=id,
        clocks={"exit": {"times": (RADIUS,), "walkers": walkers, **place}},
        questions={(i, step): {"stability": i, "step": step} for i in indices for step in steps},
        routes=("simulation", route),
        observables=("exit_time",),
        draws=32,
        stream="{0[0]} {0[1]}",
        claimed={"walkers": ABSENT, "step": ABSENT},
        judge=InGroups(judge),
        slow=True,
        **more,
    )  # fmt: skip


def reached(found: Found, claimed: list[Values]) -> Verdict:
    """the exit times, extrapolated to zero step, agree"""
    alpha = found.cases[0].question["stability"]
    return mean_within_errors(without_step(found.along(), alpha), claimed[-1]["exit_time"])


@worst_of
def nearing(found: Found, claimed: list[Values]) -> Iterator[Verdict]:
    """the extrapolated exit times agree, and steps h widen the interval in proportion to h^(1/alpha)

    The widening w is the one with which the claim gives the drawn time. Its next order stems from how widely
    paths overshoot: at alpha = 2, by Wald's identity, 0.37 w/r relatively. Half of w/r is allowed for, which
    moves the log-log slope by 1/(2 alpha) w/r at the middle step.
    """
    yield reached(found, claimed)
    means = [drawn_mean(case.flat[:, 0]) for case in found.cases]
    alpha, right = found.cases[0].question["stability"], float(claimed[-1]["exit_time"][0])
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


def diffusive(found: Found) -> list[Values]:
    """Wrong: the power 2 of Brownian motion in the numerator, the constant of alpha."""
    indices = [case.question["stability"] for case in found.cases]
    times = [(RADIUS / NOISE) ** index * (1 - START**2) / gamma(1 + index) for index in indices]
    return [{"exit_time": np.array([time])} for time in times]


LEVY = exits(
    "sn-exit-levy",
    (1.2, 1.6, 2.0),
    STEPS,
    "getoor",
    nearing,
    2400,
    {"drift": 0.0, "start": START, "noise": NOISE},
    title="stable motion leaves an interval after Getoor's mean time; steps h widen it like h^(1/alpha)",
    ref="mean of the first passage time, in one dimension",
    paper="getoor1961",
    effect=Contrast("a start in the middle", "a start half a radius off the middle"),
    wrong={
        "a start in the middle": {"start": 0.0},
        "noise 10 % larger": {"noise": scaled(1.1)},
        "the exit-time profile of Brownian motion": diffusive,
    },
    covers=("Mean exit time",),
)

# In a well --------------------------------------------------------------------------------------------

INSIDE = exits(
    "sn-exit-well",
    (1.2, 1.5, 1.8),
    (0.04, 0.01, 0.0025),  # so short that what a well adds in proportion to them is less than half a percent
    "spectral",
    reached,
    2000,
    {"drift": 1.0, "start": 0.6, "noise": 1.0},
    title="exit times from a well solve the integral equation, from free motion to small noise",
    ref="mean exit time of an Ornstein-Uhlenbeck process with stable noise, at noise of any size",
    effect=Contrast("no well", "the effect of the well on the exit time"),
    wrong={
        "no well": {"drift": 0.0},
        "a start in the middle": {"start": 0.0},
        "a well twice as steep": {"drift": 2.0},
    },
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


ORDER = check(
    id="sn-exit-power-law",
    title="at small noise, the exit time is the power law of one large jump, up to order r^-alpha",
    ref="main term of the mean exit time; the order of its correction is measured here",
    paper="imkeller2006",
    evidence=corrections,
    claim=lambda _: [-index for index in LARGE_JUMPS],
    judge=worst_case(partial(at_rate, FAR, slack=0.25)),  # half of half a power
    wrong=(
        WrongClaim("a correction of order 1/r", constant_claim([-1.0, -1.0])),
        WrongClaim("a correction that does not vanish", constant_claim([0.0, 0.0])),
    ),
    functions=(entry("exit", "spectral"), entry("exit", "small-noise")),
    covers=("Mean exit time",),
    also=(("isis2021", "Simsekli: exit from minima"),),
    slow=True,
)

# Drawn ------------------------------------------------------------------------------------------------

INDEX = 1.5


def same_times(found: Found, claimed: list[Values]) -> Verdict:
    """times, extrapolated to zero step, agree within standard errors"""
    return mean_within_errors(without_step(found.along(), INDEX), claimed[-1]["exit_time"])


def relaxing(found: Found) -> list[Values]:
    """Wrong: times in units of that of relaxation."""
    claims = found.asked.claims(found, {})
    curvatures = [case.question["drift"] for case in found.cases]
    return [{"exit_time": c["exit_time"] / a} for c, a in zip(claims, curvatures, strict=True)]


CURVATURE = compared(
    id="sn-exit-curvature",
    title="exit times from wells of curvature 1/2 and 2 differ only by the correction to the main term",
    ref="the main term is independent of the curvature",
    paper="imkeller2006",
    clocks={"exit": {"times": (3.0, 6.0), "stability": INDEX, "walkers": 200}},
    questions={
        (curvature, step): {"drift": curvature, "step": step / curvature}
        for curvature in (0.5, 2.0)
        for step in (0.32, 0.08, 0.02)  # in units of the time of relaxation
    },
    routes=("simulation", "spectral"),
    draws=32,
    stream="{0[0]} {0[1]}",
    observables=("exit_time",),
    claimed={"walkers": ABSENT, "step": ABSENT},
    judge=InGroups(same_times),
    effect=Contrast("exit times proportional to 1/curvature", "exit times in units of the relaxation time"),
    wrong={
        "exit times proportional to 1/curvature": relaxing,
        "the power law without its correction": {"route": "small-noise"},
    },
    functions=(entry("exit", "small-noise"),),
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


def twice(_: object) -> np.ndarray:
    """Wrong: two exponential times, one after the other; a share of their sum has the law Beta(2, 2)."""
    x = 1 / (1 + RATIOS)
    return x**2 * (3 - 2 * x)


LAW = check(
    id="sn-exit-law",
    title="exit times at small noise are exponentially distributed: ratios of drawn times agree",
    ref="distribution of the exit time divided by its mean",
    paper="imkeller2006",
    evidence=ratios,
    claim=constant_claim(1 / (1 + RATIOS)),
    judge=mean_within_errors,
    effect=Contrast("exit after two jumps in succession", "the effect of waiting for a second jump"),
    wrong=(
        WrongClaim("exit after two jumps in succession", twice),
        WrongClaim("uniformly distributed exit times", constant_claim(1 / (2 * RATIOS))),
    ),
    functions=(entry("exit", "simulation"),),
    covers=("Law of the exit time",),
)

CHECKS = (LEVY, INSIDE, ORDER, CURVATURE, LAW)
