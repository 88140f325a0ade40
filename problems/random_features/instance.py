"""An instance of random features, and how it is built from validated values."""

from __future__ import annotations

import math
from dataclasses import dataclass

from teacherstudent.house.errors import InputError
from teacherstudent.house.functions import UserFunction
from teacherstudent.problems.peak import heavy_tailed
from teacherstudent.problems.random_features.parameters import COEFFICIENTS, MAGNITUDES
from teacherstudent.problems.scales import whole
from teacherstudent.problems.strengths import normalised, remark

Function = str | tuple[float, ...] | UserFunction
"""A function of one number: by name, by its Hermite coefficients, or as one of Python."""


@dataclass(frozen=True)
class RandomFeatures:
    """n samples seen through `width` features of inputs whose `counts` have the `strengths` sigma_k^2.

    strengths: scale by scale; their mean over inputs is 1. divided: the root mean square by which the sigma_k
    were divided for that, where they were given one by one, else 1.
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
    divided: float = 1.0

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
    *,
    n: int,
    psi2: float | None,
    width: int,
    psi1: float | None,
    d: int,
    p: int | None,
    kappa: float,
    scales: tuple[tuple[int, float], ...] | None,
    activation: str | UserFunction,
    hermite: tuple[float, ...] | None,
    teacher: str | UserFunction,
    teacher_hermite: tuple[float, ...] | None,
    noise: float,
    ridge: float,
    init: float,
) -> RandomFeatures:
    """The instance of these values, each of which is in its domain. Raises `InputError`."""
    counts, strengths, size = normalised(d, p, kappa, scales)
    d = sum(counts)
    return RandomFeatures(
        n=n if psi2 is None else whole("psi2", psi2, d),
        width=width if psi1 is None else whole("psi1", psi1, d),
        counts=counts,
        strengths=strengths,
        activation=activation if hermite is None else _learnable("hermite", hermite),
        teacher=teacher if teacher_hermite is None else _learnable("teacher_hermite", teacher_hermite),
        noise=noise,
        ridge=ridge,
        init=init,
        divided=size if scales else 1.0,
    )


def remarks(problem: RandomFeatures) -> str:
    """What was read otherwise than it may be meant: strengths that were divided, means that are left out."""
    said = [remark(problem.divided), heavy_tailed(problem.n, problem.width, problem.ridge)]
    for name, function in (("hermite", problem.activation), ("teacher-hermite", problem.teacher)):
        if isinstance(function, tuple) and function[0]:
            said.append(
                f"--{name}: the first coefficient {function[0]:g} is the mean of the function and is ignored"
            )
    return "; ".join(filter(None, said))


def _learnable(name: str, coefficients: tuple[float, ...]) -> tuple[float, ...]:
    """The coefficients, without zeros at the end. Raises `InputError` for a constant, or too many."""
    typed, (low, high) = ",".join(f"{each:g}" for each in coefficients), MAGNITUDES
    if len(coefficients) > COEFFICIENTS:
        raise InputError(name, typed, f"at most {COEFFICIENTS} coefficients, not {len(coefficients)}")
    size = math.hypot(*coefficients[1:])
    if size == 0:
        domain = "nonzero in a coefficient after the first: otherwise the function is constant"
        raise InputError(name, typed, domain)
    if not low <= size <= high:
        raise InputError(name, typed, f"of norm {low:g} to {high:g} without the first, not {size:g}")
    last = max(k for k, each in enumerate(coefficients) if each)
    return coefficients[: last + 1]
