"""Exit from a well at little noise: one large jump leads out, after a time that grows like a power of r.

Diffusion would have to climb, and wait exponentially long. The time is free of the curvature a; what corrects
it is a constant times 1/a, so relatively of the order r^-alpha.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_rate, mean_within_errors
from teacherstudent.paper_checks.judging.cases import stated, worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.paper_checks.stable_noise import check
from teacherstudent.paper_checks.stable_noise.kit.asking import ask, entry, without_step

INDICES = (1.5, 1.8)
FAR = (8.0, 11.0, 16.0)
"""Radii over the scale of noise, where the correction is 7 % to 2 %."""


def corrections(_: Seeds) -> list[np.ndarray]:
    """Evidence: by how much exact times are off the power law, relatively, by index and radius."""
    return [
        1 - ask("exit", "spectral", FAR, stability=index) / ask("exit", "small-noise", FAR, stability=index)
        for index in INDICES
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
    claim=lambda _: [-index for index in INDICES],
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

# Drawn --------------------------------------------------------------------------------------------------

RADII = (3.0, 6.0)
CURVATURES = (0.5, 2.0)
STEPS = (0.32, 0.08, 0.02)
"""In units of the time of relaxation."""
INDEX = 1.5


@dataclass(frozen=True)
class Wells:
    """Drawn times of exit at `RADII`, (S, 2), without the error of a step, of a well."""

    curvature: float
    times: np.ndarray


def drawn(seeds: Seeds) -> list[Wells]:
    """Evidence: exits from wells of each curvature."""
    found = []
    for curvature in CURVATURES:
        times = {
            step: ask(
                "exit", "simulation", RADII, stability=INDEX, drift=curvature, step=step / curvature,
                walkers=200, seeds=seeds(32, f"{curvature} {step}"),
            )
            for step in STEPS
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
def same(found: Wells, claimed: np.ndarray) -> Iterator[Verdict]:
    """Times of one well."""
    yield mean_within_errors(found.times, claimed)


FREE = check(
    id="sn-exit-curvature",
    title="paths leave wells of curvature 1/2 and 2 after times that differ by the correction alone",
    ref="main term free of the curvature",
    paper="imkeller2006",
    evidence=drawn,
    claim=exact,
    judge=same,
    effect=Contrast("times in inverse proportion to the curvature", "a time of relaxation as the unit"),
    teeth=(
        Tooth("times in inverse proportion to the curvature", partial(exact, power=-1.0)),
        Tooth("the power law without its correction", partial(exact, route="small-noise")),
    ),
    functions=tuple(entry("exit", route) for route in ("simulation", "spectral", "small-noise")),
    covers=("Times free of the curvature",),
    slow=True,
)

CHECKS = (ORDER, FREE)
