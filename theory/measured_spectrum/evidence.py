"""On which rows the formulas were compared with exact draws, and how far they were off.

`cases` lists the questions: features that scikit-learn installs, random ReLU features of them and a Gaussian
kernel on them; few, some and half of the rows; ridge regression and gradient flow, from where little is
learned to where most is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from teacherstudent.house.tables import Table, table
from teacherstudent.problems.measured_spectrum import PROBLEM, MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.sources import OrBundled
from teacherstudent.theory.measured_spectrum.decomposition import decomposition

LEARNED = (1.0, 10.0, 100.0, 1e3, 1e4)
"""Times, beside the one in which the largest eigenvalue of the training rows is learned."""

SHARES = (16, 6, 2)
"""Rows of the pool for each training row."""

RELU = 100
"""Random features."""


@dataclass(frozen=True)
class Case:
    """A question: which rows, in a phrase; the problem; and its dynamics and times."""

    name: str
    problem: MeasuredSpectrum
    dynamics: str
    times: np.ndarray


def cases() -> Iterator[Case]:
    """Every question, one at a time: the decomposition of rows is kept from one to the next."""
    for name, values in _rows():
        for share in SHARES:
            rows = len(values["targets"].values)
            problem = PROBLEM.instance(n=rows // share, **values)
            top = problem.n * decomposition(problem).eigenvalues[0]
            for dynamics in ("ridge", "flow"):
                yield Case(f"{name}, n = {problem.n}", problem, dynamics, np.array(LEARNED) / top)


def _rows() -> Iterator[tuple[str, dict[str, Any]]]:
    for name in ("digits", "breast_cancer", "diabetes", "wine"):
        features, targets = _bundled(name)
        for kind, columns in (
            ("columns", features),
            ("columns that vary", _varied(features)),
            (f"{RELU} ReLU features", _relu(features)),
        ):
            if kind == "columns" or columns.shape != features.shape:
                yield f"{name}, {kind}", {"features": table(columns), "targets": targets}
        if len(features) < 1000:  # of more rows a kernel takes long
            yield (
                f"{name}, Gaussian kernel",
                {"features": table(features), "targets": targets, "kernel": "rbf"},
            )


@cache
def _bundled(name: str) -> tuple[np.ndarray, Table]:
    """Features of unit variance, and targets of zero mean and unit variance: of digits their parity."""
    features, targets = (OrBundled(part).parse(name).values for part in (0, 1))
    values = (targets % 2 if name == "digits" else targets).astype(float)
    return _standard(features.astype(float)), table((values - values.mean()) / values.std())


def _standard(values: np.ndarray) -> np.ndarray:
    spread = values.std(axis=0)
    return (values - values.mean(axis=0))[:, spread > 0] / spread[spread > 0]


def _varied(values: np.ndarray) -> np.ndarray:
    """Columns that differ from their most frequent value in a fifth of the rows at least."""
    most = np.array([np.unique(column, return_counts=True)[1].max() for column in values.T])
    return values[:, most <= 0.8 * len(values)]


def _relu(values: np.ndarray) -> np.ndarray:
    drawn = np.random.default_rng(0).standard_normal((values.shape[1], RELU))
    return np.maximum(values @ drawn / np.sqrt(values.shape[1]), 0.0)
