"""First exit: without a well against Getoor's time, in a well against the integral equation's solution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import gamma
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_rate, mean_within_errors
from teacherstudent.paper_checks.judging.cases import worst_case
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


# Without a well -----------------------------------------------------------------------------------------

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

# In a well ----------------------------------------------------------------------------------------------

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

CHECKS = (LEVY, INSIDE)
