"""Logistic regression on separable data by gradient descent with a large constant step.

The rows are z_i = y_i x_i. The loss is the mean of ln(1 + exp(-z_i . w)), and w starts at 0. The source is
Wu, Bartlett, Telgarsky and Yu, "Large stepsize gradient descent for logistic loss", COLT 2024 (PMLR 247).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.house.declarations import Dynamics, Observable, Problem, Route
from teacherstudent.house.domains import Choice, Number, Whole
from teacherstudent.house.parameters import Parameter

ID = "large-step"
TOY = np.array([(1, 0.2), (-2, 0.2), (1, 0.2), (-2, 0.2)])
"""The four samples of Fig. 1, multiplied by their labels."""
GAMMA = 0.09
"""The margin of the pair of Thm. 3."""


@dataclass(frozen=True)
class Separable:
    """The choice of rows: `toy` (Fig. 1), `pair` (Thm. 3) or `cloud` (12 drawn unit rows in 6 dimensions)."""

    data: str

    def rows(self, seed: int) -> np.ndarray:
        """The rows z (n, d). The rows of `toy` and `pair` are the same for every seed."""
        if self.data == "toy":
            return TOY
        if self.data == "pair":  # Thm. 3
            return np.array([(GAMMA, height := np.sqrt(1 - GAMMA**2)), (GAMMA, -height / 2)])
        random = np.random.default_rng(seed)
        z = random.standard_normal((12, 6))
        return z * (np.sign(z @ random.standard_normal(6)) / np.linalg.norm(z, axis=1))[:, None]


STEP = Parameter("learning_rate", "eta", "1/curvature", Number(0, 1e6, low_open=True), "step size", 8.0)
PROBLEM = Problem(
    id=ID,
    title="Logistic regression with large steps",
    source="wu2024",
    parameters=(Parameter("data", "z", "1", Choice(("toy", "pair", "cloud")), "training rows", "toy"),),
    dynamics=(
        Dynamics("descent", Parameter("time", "t", "steps", Whole(0, 10**6), "steps"), True, options=(STEP,)),
    ),
    observables=(Observable("loss", "L", "1", "mean logistic loss", nonnegative=True),),
    build=Separable,
    examples=({"data": "toy"}, {"data": "cloud"}),
)
ROUTES = (
    Route(ID, "descent", "late", "theory:late", "loss 1/(margin^2 eta t) at late times", "checks.py",
          sampled=True, approximate="the relative error falls as a power of t", needs="sims:memory"),
    Route(ID, "descent", "simulation", "sims:descent", "every step of training", "the update rule",
          sampled=True, needs="sims:memory"),
)  # fmt: skip
