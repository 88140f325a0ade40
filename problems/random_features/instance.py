"""An instance of random features, and how it is built from validated values."""

from __future__ import annotations

from dataclasses import dataclass

from teacherstudent.house.errors import InputError
from teacherstudent.problems.random_features.parameters import MOST

Function = str | tuple[float, ...]
"""A function of one number: by name, or by its Hermite coefficients."""


@dataclass(frozen=True)
class RandomFeatures:
    """n samples of inputs of `counts` and `strengths` sigma_k^2 (mean 1 over inputs), scale by scale, seen through
    `width` features.

    All fields are already validated; build it through `PROBLEM.instance`.
    """

    n: int
    width: int
    counts: tuple[int, ...]
    strengths: tuple[float, ...]
    activation: Function
    teacher: Function
    noise: float = 0.0
    ridge: float = 0.0
    init: float = 0.0

    @property
    def d(self) -> int:
        """Input dimension: the sum of the multiplicities."""
        return sum(self.counts)

    @property
    def psi1(self) -> float:
        """Features per input, N/d."""
        return self.width / self.d

    @property
    def psi2(self) -> float:
        """Samples per input, n/d."""
        return self.n / self.d


def build(
    *, n, psi2, width, psi1, d, scales, activation, hermite, teacher, teacher_hermite, noise, ridge, init
) -> RandomFeatures:
    counts, sigmas = zip(*(scales or ((d, 1.0),)), strict=True)
    d = sum(counts)
    mean = sum(m * s**2 for m, s in zip(counts, sigmas, strict=True)) / d
    return RandomFeatures(
        n if psi2 is None else _nearest("psi2", psi2, d),
        width if psi1 is None else _nearest("psi1", psi1, d),
        counts, tuple(s**2 / mean for s in sigmas), hermite or activation, teacher_hermite or teacher, noise, ridge, init,
    )  # fmt: skip


def _nearest(name: str, ratio: float, d: int) -> int:
    if not 0.5 < ratio * d <= MOST:
        raise InputError(name, ratio, f"such that {name} d (here {ratio * d:g}) rounds to 1 to {MOST:g}")
    return round(ratio * d)
