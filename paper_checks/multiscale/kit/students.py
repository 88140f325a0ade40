"""What several checks of this system share: problems, sizes, a negative control, data in a shorter format."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from teacherstudent.paper_checks.judging.comparison import Changes
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import Draws

DETERMINED = PROBLEM.instance(n=30, d=20, p=12, kappa=20.0, noise=0.3, ridge=0.05, init=0.4)
"""A small problem in which every parameter matters, and whose samples determine the student."""

HELD = (
    PROBLEM.instance(n=150, kappa=1.0, noise=0.3, ridge=0.05),
    PROBLEM.instance(n=40, kappa=1.0, ridge=0.2),
    PROBLEM.instance(n=150, kappa=50.0, noise=0.2, ridge=1e-3),
    PROBLEM.instance(n=60, scales=((30, 1.0), (30, 0.3), (40, 0.05)), noise=0.5, ridge=0.01),
)
"""One scale and more, more and fewer samples than features, each with a ridge that holds its weights."""

HALF_THE_RIDGE: dict[str, Changes] = {"half the ridge": {"times": lambda times: [2 * t for t in times]}}
"""A negative control of ridge regression, whose ridge is 1/t."""


def sizes(d: int) -> dict[str, Any]:
    """The same ratios at any dimension d: n = 1.5 d, p = 0.6 d."""
    return {"n": 3 * d // 2, "d": d, "p": 3 * d // 5}


def rounded_inputs(draws: Draws, bits: int | None) -> Draws:
    """The draws with their inputs rounded to that many bits of mantissa; None: as they are."""
    if bits is None:
        return draws
    mantissa, exponent = np.frexp(draws.inputs)
    return replace(draws, inputs=np.ldexp(np.rint(np.ldexp(mantissa, bits)), exponent - bits))
