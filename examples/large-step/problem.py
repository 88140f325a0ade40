"""Logistic regression on separable data by gradient descent with a large constant step.

Rows z_i = y_i x_i; the loss is the mean of ln(1 + exp(-z_i . w)), and w starts at 0. After Wu, Bartlett,
Telgarsky and Yu, "Large stepsize gradient descent for logistic loss", COLT 2024 (PMLR 247).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.house.declarations import Dynamics, Observable, Problem, Route
from teacherstudent.house.domains import Choice, Number, Whole
from teacherstudent.house.parameters import Parameter

ID = "large-step"
TOY = np.array([(1, 0.2), (-2, 0.2), (1, 0.2), (-2, 0.2)])
"""The four samples of Fig. 1, times their labels."""


@dataclass(frozen=True)
class Separable:
    """One question."""

    data: str
    gamma: float
    n: int
    d: int

    def rows(self, seed: int) -> np.ndarray:
        """The rows z (n, d); those of `toy` and `pair` are the same for every seed."""
        if self.data == "toy":
            return TOY
        if self.data == "pair":  # Thm. 3
            height = np.sqrt(1 - self.gamma**2)
            return np.array([(self.gamma, height), (self.gamma, -height / 2)])
        random = np.random.default_rng(seed)
        z = random.standard_normal((self.n, self.d))
        return z * (np.sign(z @ random.standard_normal(self.d)) / np.linalg.norm(z, axis=1))[:, None]


STEP = Parameter("learning_rate", "eta", "1/curvature", Number(0, 1e6, low_open=True), "step size", 8.0)
PROBLEM = Problem(
    id=ID,
    title="Logistic regression with large steps",
    source="wu2024",
    parameters=(
        Parameter(
            "data", "z", "1", Choice(("toy", "pair", "cloud")), "Fig. 1; Thm. 3; drawn unit rows", "toy"
        ),
        Parameter("gamma", "gamma", "1", Number(0, 0.1, low_open=True), "margin of the pair", 0.09),
        Parameter("n", "n", "rows", Whole(1, 1000), "rows of the cloud", 12),
        Parameter("d", "d", "features", Whole(1, 1000), "features of the cloud", 6),
    ),
    dynamics=(
        Dynamics("descent", Parameter("time", "t", "steps", Whole(0, 10**6), "steps"), True, options=(STEP,)),
    ),
    observables=(Observable("loss", "L", "1", "mean logistic loss", nonnegative=True),),
    build=Separable,
    examples=({"data": "toy"}, {"data": "cloud", "n": 5, "d": 3}),
)
ROUTES = (
    Route(ID, "descent", "late", "theory:late", "1/(margin^2 eta t)", "checks.py", sampled=True,
          approximate="holds late: relatively off by a power of t", needs="sims:memory"),
    Route(ID, "descent", "simulation", "sims:descent", "every step", "the update", sampled=True,
          needs="sims:memory"),
)  # fmt: skip
