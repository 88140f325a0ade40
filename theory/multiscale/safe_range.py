"""Values at which no double-precision formula of the multi-scale problem can overflow or lose a scale."""

from __future__ import annotations

from teacherstudent.house.errors import InputError
from teacherstudent.problems.multiscale import MultiScale

LARGEST = 1e50
"""Cubes of squares of such numbers, and of their inverses, are numbers."""


def check_representable(problem: MultiScale) -> None:
    """Raises `InputError` where a value, or a feature's strength, is beyond reach."""
    check_strengths(problem)
    for name in ("noise", "ridge", "init", "output_penalty"):
        value = getattr(problem, name)
        if value > LARGEST:
            raise InputError(name, value, f"at most {LARGEST:g}, to avoid overflow")


def check_strengths(problem: MultiScale) -> None:
    """Raises `InputError` where a feature's strength is beyond reach."""
    if min(problem.sigmas) < 1 / LARGEST or max(problem.sigmas) > LARGEST:
        scales = ",".join(f"{m}:{sigma:g}" for m, sigma in zip(problem.counts, problem.sigmas, strict=True))
        domain = f"of strengths from {1 / LARGEST:g} to {LARGEST:g} (--kappa: at most {LARGEST:g})"
        raise InputError("scales", scales, domain)
