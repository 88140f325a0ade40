"""Mean square stability of SGD on linear regression, near its minimum.

The n rows x_i have d standard normal entries, drawn once from the seed `design`. The labels are the outputs
of a teacher plus noise. The loss is the mean of (x_i . theta - y_i)^2/2. theta starts at distance 1 from a
minimum, in the span of the rows. The source is Mulayoff and Michaeli, "Exact mean square linear stability
analysis for SGD", COLT 2024 (PMLR 247).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.house.declarations import Dynamics, Observable, Problem, Route
from teacherstudent.house.domains import Number, Whole
from teacherstudent.house.parameters import Parameter

ID = "sgd-stability"


def variance(n: int, batch: int) -> float:
    """p of Thm. 5: variance of the mean over a batch drawn without repetition, relative to a single row."""
    return max(0.0, (n - batch) / (batch * (n - 1)))


@dataclass(frozen=True)
class Regression:
    """A validated instance."""

    n: int
    d: int
    noise: float
    batch: int
    design: int

    def drawn(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """x (n, d), offsets x_i . theta* - y_i (n,), start theta_0 - theta* (d,)."""
        random = np.random.default_rng(self.design)
        x, noise = random.standard_normal((self.n, self.d)), self.noise * random.standard_normal(self.n)
        start = x.T @ random.standard_normal(self.n)
        return x, x @ np.linalg.lstsq(x, noise)[0] - noise, start / np.linalg.norm(start)


RATE = Parameter("learning_rate", "eta", "1/curvature", Number(0, 1e6, low_open=True), "step size", 0.1)
STEPS = Parameter("time", "t", "steps", Whole(0, 100_000), "steps")
PROBLEM = Problem(
    id=ID,
    title="Mean square stability of SGD on linear regression",
    source="mulayoff2024",
    parameters=(
        Parameter("n", "n", "rows", Whole(2, 10_000), "training rows", 12),
        Parameter("d", "d", "features", Whole(1, 200), "features", 4),
        Parameter("noise", "sigma", "output", Number(0, 1e3), "label noise", 0.0),
        Parameter("batch", "B", "rows", Whole(1, 10_000), "rows per step, at most n", 1),
        Parameter("design", "X", "1", Whole(0, 2**53), "seed of rows, noise and initial weights", 0),
    ),
    dynamics=(Dynamics("sgd", STEPS, whole_time=True, options=(RATE,)),),
    observables=(
        Observable("distance", "D", "weight^2", "squared distance from the minimum", nonnegative=True),
        Observable("loss", "L", "output^2", "loss above its minimum", nonnegative=True),
    ),
    build=Regression,
    examples=({"n": 5, "d": 3}, {"n": 6, "d": 2, "noise": 0.3, "batch": 2}),
)
ROUTES = (
    Route(ID, "sgd", "moments", "theory:moments", "exact means over batches", "mulayoff2024", accuracy=1e-9),
    Route(ID, "sgd", "simulation", "sims:sgd", "a new random batch in each step", "the update rule",
          sampled=True, exact_for="question", needs="sims:memory"),
)  # fmt: skip
