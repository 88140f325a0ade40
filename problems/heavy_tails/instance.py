"""An instance of SGD on linear regression, and how it is built from validated values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from teacherstudent.house.errors import InputError
from teacherstudent.problems.heavy_tails.parameters import MOST
from teacherstudent.problems.strengths import normalised, remark, strong


@dataclass(frozen=True)
class HeavyTails:
    """All fields are validated: build it through `PROBLEM.instance`.

    counts, strengths: how many inputs have each variance sigma_k^2, of mean 1 over inputs. n: examples of a
    finite set, None where every step takes new ones. divided: the root mean square by which the sigma_k were
    divided, where they were given one by one, else 1.
    """

    batch: int
    counts: tuple[int, ...]
    strengths: tuple[float, ...]
    n: int | None
    noise: float
    init: float
    divided: float = 1.0

    @property
    def d(self) -> int:
        """Input dimension: the sum of the multiplicities."""
        return sum(self.counts)

    @property
    def isotropic(self) -> bool:
        """All inputs are equally strong, of variance 1."""
        return len(set(self.strengths)) == 1


def build(
    *,
    batch: int,
    d: int,
    p: int | None,
    kappa: float,
    scales: tuple[tuple[int, float], ...] | None,
    n: int | None,
    noise: float,
    init: float,
) -> HeavyTails:
    """The instance of these values, each of which is in its domain. Raises `InputError`."""
    counts, strengths, size = normalised(d, p, kappa, scales)
    if sum(counts) > MOST:
        raise InputError("scales", scales, f"of at most {MOST} inputs in total")
    if n is not None and n < sum(counts):
        raise InputError("n", n, f"at least d = {sum(counts)}, otherwise some directions are never learned")
    if n is not None and batch > n:
        raise InputError("batch", batch, f"at most n = {n}")
    return HeavyTails(batch, counts, strengths, n, noise, init, size if scales else 1.0)


def derived(problem: HeavyTails) -> Mapping[str, Any]:
    """How many inputs are strong, where that is not given."""
    return strong(problem.counts)


def remarks(problem: HeavyTails) -> str:
    """What was read otherwise than it may be meant: strengths that were divided."""
    return remark(problem.divided)
