"""What a check is about, as the size of an error that would matter: detectable errors are shares of it.

Imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

WEAK = 0.5
"""Share of its effect above which a detectable error is too large.

A claim is accepted when it is within the detectable error of what was found. Up to half of the effect no
evidence is within that of both the claim and one that is wrong by the effect; above, both could be accepted.
"""


@dataclass(frozen=True)
class Effect:
    """What a comparison is about: an error of this `size`, in the unit of the resolution, matters.

    `what` names it: the height of a bump, the distance to the next exponent.
    """

    size: float
    what: str


WHOLE = Effect(1.0, "the quantity itself")
"""The effect of what has a relative error, unless its judge or its check says otherwise."""


@dataclass(frozen=True)
class Measured:
    """An effect whose size follows from the evidence."""

    size: Callable[[Any], float] = field(repr=False)
    what: str


@dataclass(frozen=True)
class Contrast:
    """An effect that is the difference between the claim and one of its wrong claims.

    `wrong` is the name of a negative control or the id of a misprint, `what` names the difference. The
    statistics of means and bounds are in proportion to errors, so that the share of it that is just
    detected is threshold over statistic, in each comparison its own. Where a bias is measured against the
    claim, it grows with the error, and the true share is smaller. Where a comparison does not see that
    claim, the other wrong claim that it sees best takes its place, and is named (`shares.contrasts`).
    """

    wrong: str
    what: str


Declared = Effect | Measured | Contrast | None
"""What a check may say that it is about, for every comparison whose judge does not; None where all know."""

HALF_A_POWER = Effect(0.5, "half a power, the distance to the next exponent")
"""Of rates that are measured: beside errors like the size there may be some like its square root."""

NEXT_ORDER = Effect(1.0, "one order, the distance to the next order")
"""Of rates that can only be whole."""
