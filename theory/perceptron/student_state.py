"""What a rule makes of alpha d examples: the student's overlaps, and what is measured on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Student:
    """A student at T numbers of examples, (T,) each.

    along, across: its output is along u + across g, with u the teacher's field and g independent of it, both
    of variance 1; so no digit of a small angle is lost. unit: the size of output in which they are
    measured: infinite where it has a direction only. Its errors on the training examples follow, and what
    only some rules have. converged: where a solver certifies it. absent: where there is none, and `why`.
    """

    along: np.ndarray
    across: np.ndarray
    training_error: np.ndarray
    converged: np.ndarray
    unit: float | np.ndarray = 1.0
    training_loss: np.ndarray | None = None
    margin: np.ndarray | None = None
    entropy: np.ndarray | None = None
    absent: np.ndarray | bool = False
    why: str = ""

    def observables(self) -> dict[str, np.ndarray]:
        """All of them, by name."""
        size = np.hypot(self.along, self.across)
        angle = np.arctan2(self.across, self.along)
        found = {
            "R": self.along / size,
            "angle": angle,
            "generalisation_error": angle / np.pi,
            "training_error": self.training_error,
            "Q": (self.unit * size) ** 2,
        }
        own = {name: getattr(self, name) for name in ("training_loss", "margin", "entropy")}
        return found | {name: each for name, each in own.items() if each is not None}
