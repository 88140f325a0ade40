"""An instance of motion driven by stable noise, and how it is built from validated values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class StableNoise:
    """All fields are validated: build it through `PROBLEM.instance`. Names as in its parameters."""

    stability: float
    drift: float
    noise: float


def build(*, stability: float, drift: float, noise: float) -> StableNoise:
    """The instance of these values, each of which is in its domain."""
    return StableNoise(stability, drift, noise)
