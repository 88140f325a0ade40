"""What a misprint is to a reader: both formulas set, how wrong the print is, and whether it matters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

CONCLUSIONS = {
    "falls": "A conclusion is wrong as stated",
    "limits": "A conclusion stands with another number or in a narrower range",
    "stands": "No conclusion changes",
}
"""What a misprint does to the paper's conclusions, the worst first."""


@dataclass(frozen=True)
class Reading:
    """A misprint as its reader needs it.

    `printed` and `corrected` are texts with LaTeX between dollars. `error()` computes how wrong the print is:
    |printed - right| over |right| of the quantity `of`, in the setting `at`. It is None for a definition that
    depends on a choice that is free: no number of it is more or less wrong. `conclusion` is one of
    `CONCLUSIONS`, `because` says why in one sentence.
    """

    printed: str
    corrected: str
    error: Callable[[], float] | None = field(repr=False)
    of: str
    at: str
    conclusion: str
    because: str


def relative(printed: Any, right: Any) -> float:
    """Largest |printed - right| of two numbers or arrays of one shape, over the largest |right|."""
    import numpy as np

    return float(np.max(np.abs(np.asarray(printed) - right)) / np.max(np.abs(right)))


Readings = Mapping[str, Reading]
"""The readings of one system's misprints, by their ids."""
