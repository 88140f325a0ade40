"""Errors of a finite width: chance, by which drawn networks differ from their limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_rate
from teacherstudent.paper_checks.judging.comparison import Found, Values, flat
from teacherstudent.paper_checks.judging.evidence import Verdict


@dataclass(frozen=True)
class Nearing:
    """Relative errors of draws (S, P), as root mean squares over draws, fall like W^(-1/2) along widths W.

    Of a wrong limit they would stay. Draws differ in their clouds, and have claims of their own, (S, P).
    """

    once: ClassVar[bool] = True
    says: ClassVar[str] = "relative errors are proportional to width^(-1/2)"

    def __call__(self, found: Found, claimed: list[Values]) -> Verdict:
        (claim,) = claimed
        squares = {
            width: np.mean((values / flat(claim, True) - 1) ** 2, axis=-1)
            for width, values in found.along().items()
        }
        errors = [np.sqrt(each.mean()) for each in squares.values()]
        chance = [
            each.std(ddof=1) / np.sqrt(each.size) / (2 * error)
            for each, error in zip(squares.values(), errors, strict=True)
        ]
        return at_rate(list(squares), errors, -0.5, chance)


NEARING = Nearing()
