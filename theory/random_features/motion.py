"""The excess risk of gradient flow and its derivatives by log time (`theory.spectral.motion`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from teacherstudent.theory.random_features.errors import moved, taught
from teacherstudent.theory.random_features.filters import Filter, matrix_of
from teacherstudent.theory.random_features.model import Model, Point
from teacherstudent.theory.random_features.pairs import Pairs
from teacherstudent.theory.spectral.filters import Matrix, once
from teacherstudent.theory.spectral.motion import Moving, doubled, squared


@dataclass(frozen=True)
class Flow(Moving[Point]):
    """Gradient flow on one model: twice its excess risk."""

    model: Model
    matrix: Matrix[Point]
    speed: Any = 1.0

    @classmethod
    def of(cls, model: Model, lowest: Any = None) -> Flow:
        """That on the model; lowest: its smallest eigenvalue other than zero where that is known."""
        return cls(model, matrix_of(model, lowest))

    def rows(self, which: np.ndarray) -> Flow:
        """Those of some of the questions, (R,), of which `at` takes one log time each."""
        return Flow(self.model.rows(which), self.matrix.rows(which))

    def form(self, by: Filter, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """That of the kernels of `errors`."""
        model, pairs = self.model, Pairs.of(self.model, by.at)
        learned = [-once(by.learning * row, by.at.learned) for row in rows[1:]]
        errors = np.stack([once(by.over_v, by.at.eta), *learned])
        power = np.asarray(model.c1)[..., None] ** 2 * model.m
        form, size = squared(errors, power), np.sum(np.abs(errors[0] * errors[1]) * power, axis=-1)
        form[0, 0] += model.hidden
        doubles = [(taught(model, pairs)[1], by.learning)]
        if np.any(model.init):
            doubles.append((moved(model, pairs), by.over_z))
        for kernel, weights in doubles:
            found, parts = doubled(rows, kernel, weights, weights)
            form += found
            size += parts
        return form, size
