"""Errors of a finite width: chance, by which drawn networks differ from their limit."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from teacherstudent.paper_checks.judging.agreement import at_rate
from teacherstudent.paper_checks.judging.evidence import Verdict


def nearing(found: Mapping[int, np.ndarray], claimed: np.ndarray) -> Verdict:
    """Relative errors of drawn values (S, P) by width, as root mean squares over draws, fall like W^(-1/2).

    Of a wrong limit they would stay. Draws differ in their clouds, and have claims of their own, (S, P).
    """
    squares = [np.mean((values / claimed - 1) ** 2, axis=-1) for values in found.values()]
    errors = [np.sqrt(each.mean()) for each in squares]
    chance = [
        each.std(ddof=1) / np.sqrt(each.size) / (2 * error)
        for each, error in zip(squares, errors, strict=True)
    ]
    return at_rate(list(found), errors, -0.5, chance)
