r"""How smooth a trained discriminator is: waves are, relu has a kink at each point that it has seen.

Of the kernel of relu what the outer weights learn is sin p + (pi - p) cos p, smooth but for terms in p^3, and
what the inner weights learn x~ . y~ (pi - p)/(2 pi), linear in the angle p ~ |x~ ^ y~|/|y~|^2. Along a
unit vector e the slope jumps at y by -|e~ ^ y~|/pi with e~ = (e, 0): by -beta/pi in one dimension, for any y.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from teacherstudent.paper_checks.gan import check
from teacherstudent.paper_checks.judging.agreement import at_order
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict
from teacherstudent.problems.gan import PROBLEM

BIAS, LENGTH = 0.8, 1.3
ORDERS = {"relu": 2, "fourier": 1}
"""Of what is left beside the jump, in the distance: curvature, which of relu is alike on both sides."""

STEPS = (1e-2, 3e-3, 1e-3)
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
    return [np.array([jump(kernel, *place, h) for h in STEPS]) for kernel in kernels for place in PLACES]


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
    return at_order(STEPS, np.abs(found - jump), order)


KINK = check(
    id="gan-kink",
    title="an infinitely wide relu discriminator has a kink at each point that it has seen, waves have none",
    paper="isis2021",
    ref="Franceschi: trained discriminator; the jump derived here",
    evidence=jumps,
    claim=kinks,
    judge=left,
    teeth=(
        Tooth("no kink", partial(kinks, factor=0.0)),
        Tooth("from one side to the mean", partial(kinks, factor=0.5)),
        Tooth("a kink of waves too", partial(kinks, gaussian=-0.01)),
    ),
    functions=("theory.gan.kernels:kernel_of",),
    covers=("Franceschi: trained discriminator",),
)

CHECKS = (KINK,)
