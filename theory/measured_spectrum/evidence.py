"""On which rows the formulas were compared with exact draws, and how far they were off.

`cases` lists the questions: features that scikit-learn installs, random ReLU features of them and a Gaussian
kernel on them; few, some and half of the rows; ridge regression and gradient flow, from where little is
learned to where most is. The means of 200 draws of each were taken for the truth. Their own errors are 0.4 %
of them at small spread and 1.5 % at large: errors below that are not resolved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

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


DRAWS = 200
"""Draws of each question, whose mean is taken for the truth."""

RESOLVED = 1e-3
"""Mean squares below this, beside the targets' own of 1, are 0 for all that anybody asks of them."""


@dataclass(frozen=True)
class Case:
    """A question: which rows, in a phrase; the problem; and its dynamics and times."""

    name: str
    problem: MeasuredSpectrum
    dynamics: str
    times: np.ndarray

    @property
    def slow(self) -> bool:
        """Whether theory row by row takes seconds a time."""
        return self.dynamics == "flow" and (self.problem.rows > 500 or self.problem.kernel != "linear")


class Errors(NamedTuple):
    """Relative errors of a formula: of half of the comparisons, and of nine in ten, smaller ones."""

    half: float
    most: float


@dataclass(frozen=True)
class Measured:
    """Relative errors of three formulas at spreads below that, and not below the entry before.

    comparisons: how many numbers were compared; of theory row by row only those that are not `Case.slow`.
    """

    below: float
    comparisons: int
    asymptotic: Errors
    leverage: Errors
    per_row: Errors


TEST = (
    Measured(0.05, 92, Errors(0.003, 0.009), Errors(0.003, 0.008), Errors(0.003, 0.008)),
    Measured(0.1, 40, Errors(0.009, 0.029), Errors(0.005, 0.021), Errors(0.005, 0.011)),
    Measured(0.2, 42, Errors(0.015, 0.056), Errors(0.007, 0.024), Errors(0.004, 0.021)),
    Measured(0.4, 50, Errors(0.037, 0.092), Errors(0.023, 0.080), Errors(0.006, 0.012)),
    Measured(1.0, 84, Errors(0.071, 0.210), Errors(0.058, 0.230), Errors(0.009, 0.037)),
    Measured(np.inf, 52, Errors(0.220, 0.350), Errors(0.160, 0.310), Errors(0.022, 0.065)),
)
"""Of the test error, as measured on `cases`."""

TRAINING = (
    Measured(0.05, 92, Errors(0.005, 0.016), Errors(0.004, 0.013), Errors(0.005, 0.011)),
    Measured(0.1, 40, Errors(0.016, 0.034), Errors(0.008, 0.012), Errors(0.008, 0.015)),
    Measured(0.2, 42, Errors(0.016, 0.054), Errors(0.010, 0.045), Errors(0.007, 0.027)),
    Measured(0.4, 50, Errors(0.037, 0.110), Errors(0.026, 0.110), Errors(0.019, 0.056)),
    Measured(1.0, 59, Errors(0.097, 0.680), Errors(0.064, 0.290), Errors(0.019, 0.210)),
    Measured(np.inf, 44, Errors(0.053, 0.590), Errors(0.059, 0.300), Errors(0.005, 0.035)),
)
"""Of the training error, where it is above `RESOLVED`."""


def expected(spread: float, table: tuple[Measured, ...] = TEST) -> Measured:
    """What was measured at such a spread; at NaN the worst."""
    return next((each for each in table if spread < each.below), table[-1])


def summary(spread: np.ndarray, relative: np.ndarray, edges: Sequence[float]) -> list[tuple[int, Errors]]:
    """How many relative errors (N,) there are at spreads between `edges`, and their quantiles."""
    places = np.searchsorted(edges, spread, side="right")
    groups = [np.abs(relative[places == place]) for place in range(len(edges))]
    return [(each.size, Errors(*(float(np.quantile(each, q)) for q in (0.5, 0.9)))) for each in groups]


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
