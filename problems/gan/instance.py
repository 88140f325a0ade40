"""An instance of a generator and its discriminator, and how it is built from validated values."""

from __future__ import annotations

from dataclasses import dataclass

from teacherstudent.house.errors import InputError


@dataclass(frozen=True)
class Gan:
    """All fields are validated: build it through `PROBLEM.instance`. Names as in its parameters."""

    discriminator: str
    width: int
    bias: float
    length_scale: float
    d: int
    target: str
    n: int
    particles: int
    distance: float
    spread: float


def build(**given: object) -> Gan:
    """The instance of these values, each of which is in its domain. Raises `InputError`."""
    problem = Gan(**given)  # type: ignore[arg-type]
    if problem.target == "ring" and problem.d < 2:
        raise InputError("d", problem.d, "at least 2 for target ring, a circle")
    return problem
