"""Inputs of several strengths whose mean square is 1: what the systems that have them share."""

from __future__ import annotations

import math
from dataclasses import replace

from teacherstudent.problems import scales
from teacherstudent.problems.scales import two_scales

STRONG = replace(
    scales.FAST,
    unit="inputs",
    meaning="number of strong inputs, kappa times as strong as the others (default: half of all)",
    default=None,
)
CONDITION = replace(
    scales.CONDITION,
    meaning="condition number sigma_max/sigma_min, the relative strength of the p inputs; sigma^2 has mean 1",
    default=1.0,
)
SCALES = replace(
    scales.SCALES,
    unit="inputs:strength",
    meaning=(
        "any number of input scales as count:sigma, instead of d, p and kappa; sigma is rescaled to mean "
        "square 1"
    ),
)


def normalised(
    d: int, p: int | None, kappa: float, given: tuple[tuple[int, float], ...] | None
) -> tuple[tuple[int, ...], tuple[float, ...], float]:
    """Counts and strengths sigma_k^2 of mean 1 over inputs, and the root mean square of the given sigma_k.

    given: count:sigma, in place of d, p and kappa. Raises `InputError` where p > d.
    """
    if p is None:
        p = d if kappa == 1 else (d + 1) // 2
    counts, sigmas = zip(*(given or two_scales(d, p, kappa)), strict=True)
    largest = max(sigmas)  # relative to it no square overflows, and of those that vanish nothing is seen
    squares = [(sigma / largest) ** 2 for sigma in sigmas]
    mean = math.fsum(count * square for count, square in zip(counts, squares, strict=True)) / sum(counts)
    return counts, tuple(square / mean for square in squares), largest * math.sqrt(mean)


def strong(counts: tuple[int, ...]) -> dict[str, int]:
    """How many inputs are strong, by the name of that parameter; nothing if all are equal."""
    return {STRONG.name: counts[0]} if len(counts) == 2 else {}


def remark(divided: float) -> str:
    """What to say of strengths that were divided by their root mean square; "" where it was 1."""
    return (
        f"--scales: strengths are divided by their root mean square {divided:.6g}"
        if abs(divided - 1) > 1e-9
        else ""
    )
