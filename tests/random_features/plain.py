"""A student of random features by plain loops, whose numbers the simulations must give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import special

from teacherstudent.problems.random_features import PROBLEM
from teacherstudent.problems.random_features.data import draw, fresh
from teacherstudent.sims.random_features import gaussian_equivalent, measures, simulation
from teacherstudent.sims.random_features.functions import moments
from teacherstudent.sims.random_features.sights import (
    TEST_FEATURES,
    TEST_LABELS,
    TRAINING_FEATURES,
    TRAINING_LABELS,
    own,
)

instance = PROBLEM.instance

EPS = np.finfo(float).eps
SEEDS = [3, 8]
STEPS = np.array([0.0, 1.0, 2.0, 11.0])
PARTS = ("parts",)
CASES: dict[str, dict[str, Any]] = {
    "more samples": {"n": 12, "width": 5, "d": 4, "noise": 0.3, "init": 0.4, "activation": "erf"},
    "more features": {"n": 5, "width": 12, "d": 4, "noise": 0.3, "init": 0.4, "ridge": 0.2},
    "from zero": {"n": 5, "width": 9, "d": 7, "noise": 0.3, "teacher": "sign", "activation": "tanh"},
    "two scales": {
        "n": 8,
        "width": 8,
        "scales": ((2, 1.0), (4, 0.3)),
        "hermite": (0.5, 0.7, 0.0, 0.4),
        "teacher_hermite": (0.1, 1.0, 0.5),
    },
    "one of each": {"n": 1, "width": 1, "d": 1, "noise": 0.3, "init": 0.4, "activation": "sign"},
}
ROUTES = pytest.mark.parametrize("route", [simulation, gaussian_equivalent], ids=lambda route: route.__name__)
ROUNDED = "one rounding a term and step, and no step enlarges them"


def by_scipy(function: Any, u: Any) -> Any:
    if isinstance(function, tuple):
        return sum(
            a * special.eval_hermitenorm(k, u) / np.sqrt(special.factorial(k)) for k, a in enumerate(function)
        )
    named = {"relu": lambda u: u * (u > 0), "tanh": np.tanh, "erf": special.erf, "sign": np.sign}
    return named.get(function, lambda u: u)(u)


class Plain:
    """One student by loops over steps: features `i`, samples `j`, signs of label noise and first weights."""

    def __init__(self, route: Any, case: str, seed: int, i: int = 0, j: int = 0) -> None:
        self.problem, asked = instance(**CASES[case]), CASES[case]
        self.moments = [moments(each) for each in (self.problem.teacher, self.problem.activation)]
        self.noise, self.ridge = asked.get("noise", 0.0), asked.get("ridge", 0.0)
        copies = [draw(self.problem, [seed], copy) for copy in range(2)]
        self.real, self.w = route is simulation, copies[0].teacher[0]
        self.rows, self.start = copies[i].features[0], copies[i].initial[0]
        self.strengths, self.eps = copies[0].strengths, copies[j].noise[0]
        z = copies[j].inputs[0]
        self.y = self.taught(z, own(seed, TRAINING_LABELS, j))
        self.phi = self.seen(z, own(seed, TRAINING_FEATURES, i, j))
        tests = np.split(fresh(self.problem, [seed], measures.BLOCK * measures.BLOCKS)[0], measures.BLOCKS)
        self.z = np.concatenate(tests)
        self.truth = np.concatenate(
            [self.taught(z, own(seed, TEST_LABELS, block)) for block, z in enumerate(tests)]
        )
        self.tested = np.concatenate(
            [self.seen(z, own(seed, TEST_FEATURES, i, block)) for block, z in enumerate(tests)]
        )

    def taught(self, z: np.ndarray, chance: np.random.Generator) -> np.ndarray:
        mean, slope, rest = self.moments[0]
        if self.real:
            return np.asarray(by_scipy(self.problem.teacher, z @ self.w) - mean)
        return slope * (z @ self.w) + rest * chance.standard_normal(len(z))

    def seen(self, z: np.ndarray, chance: np.random.Generator) -> np.ndarray:
        mean, slope, rest = self.moments[1]
        u = np.einsum("bd,Nd,d->bN", z, self.rows, self.strengths)
        if self.real:
            return np.asarray(by_scipy(self.problem.activation, u) - mean) / np.sqrt(len(self.rows))
        return np.asarray(slope * u + rest * chance.standard_normal(u.shape)) / np.sqrt(len(self.rows))

    def weights(self, rate: float, clean: float = 1.0, noise: float = 1.0, start: float = 1.0) -> np.ndarray:
        """Those of a student at each of `STEPS`, (T, N): labels and first weights times these numbers."""
        a, found = start * self.start, []
        for k in range(int(STEPS[-1]) + 1):
            if k in STEPS:
                found.append(a)
            missed = clean * self.y + noise * self.eps - self.phi @ a
            a = a + rate * (self.phi.T @ missed - self.ridge * a)
        return np.array(found)

    def observables(self, weights: np.ndarray, noise: float = 1.0) -> dict[str, np.ndarray]:
        out = weights @ self.tested.T
        missed = self.y + noise * self.eps - weights @ self.phi.T
        excess = np.mean((self.truth - out) ** 2, axis=1) / 2
        return {
            "R": out @ self.truth / len(self.z),
            "Q": np.mean(out**2, axis=1),
            "excess_risk": excess,
            "generalisation_error": 2 * excess + self.noise**2,
            "training_error": np.mean(missed**2, axis=1),
        }
