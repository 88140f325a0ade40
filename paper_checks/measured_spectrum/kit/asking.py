"""Questions put to the routes of measured spectra, answers side by side, and laws that are wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from teacherstudent.house.running import run

ERRORS = ("generalisation_error", "training_error")

Modes = tuple[tuple[int, float, float], ...]
"""Count, eigenvalue, and power of the target, of each group of modes."""


def errors(dynamics: str, route: str, times: np.ndarray | Sequence[float], **question: Any) -> np.ndarray:
    """Generalisation and training error, (2, T), of a sampled route (S, 2, T)."""
    answer = run("measured-spectrum", dynamics, route, times, **question)
    return np.stack([answer[name].values for name in ERRORS], axis=-2)


def permuted(modes: Modes) -> Modes:
    """Wrong: the target's powers in reverse order of the eigenvalues."""
    return tuple(
        (count, value, power) for (count, value, _), (*_, power) in zip(modes, reversed(modes), strict=True)
    )


def isotropic(modes: Modes) -> Modes:
    """Wrong: the same power in total, of a target with no direction of its own."""
    total, trace = sum(power for *_, power in modes), sum(count * value for count, value, _ in modes)
    return tuple((count, value, total * count * value / trace) for count, value, _ in modes)


WRONG_TARGETS: dict[str, Callable[[Modes], Modes]] = {
    "target power permuted among modes": permuted,
    "isotropic target": isotropic,
}
