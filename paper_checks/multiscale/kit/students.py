"""What several checks of this system share: the question at many sizes, and data in a shorter format."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from teacherstudent.problems.multiscale import PROBLEM, Draws

DETERMINED = PROBLEM.instance(n=30, d=20, p=12, kappa=20.0, noise=0.3, ridge=0.05, init=0.4)
"""A small problem in which every parameter matters, and whose samples determine the student."""


def sizes(d: int) -> dict[str, Any]:
    """The same ratios at any dimension d: n = 1.5 d, p = 0.6 d."""
    return {"n": 3 * d // 2, "d": d, "p": 3 * d // 5}


def rounded_inputs(draws: Draws, bits: int | None) -> Draws:
    """The draws with their inputs rounded to that many bits of mantissa; None: as they are."""
    if bits is None:
        return draws
    mantissa, exponent = np.frexp(draws.inputs)
    return replace(draws, inputs=np.ldexp(np.rint(np.ldexp(mantissa, bits)), exponent - bits))
