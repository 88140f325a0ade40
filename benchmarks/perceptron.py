"""The perceptron: its state evolution against plain iteration, and its students against scikit-learn."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from teacherstudent.benchmarks.declaration import Job, Pair, Side
from teacherstudent.house.extras import importing_extra
from teacherstudent.problems.perceptron import PROBLEM
from teacherstudent.problems.perceptron.data import draw, numbers

SHAPE: dict[str, Any] = {"rule": "logistic", "ridge": 0.01, "noise": 0.3}


def alphas() -> np.ndarray:
    """Thirty, across the threshold of separability."""
    return np.geomspace(0.3, 30, 30)


def curve(quick: bool) -> Job:
    """The asymptotic route at all of them."""
    from teacherstudent.theory.perceptron import asymptotic

    problem, at = PROBLEM.instance(**SHAPE), alphas()
    return Job(lambda: asymptotic.examples(problem, at)["generalisation_error"])


def iterated(quick: bool) -> Job:
    """Each alpha by iteration until nothing changes by 1e-9, averages on a grid of 400 points."""
    x = np.linspace(-8, 8, 400)
    weight = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi) * (x[1] - x[0])
    return Job(lambda: np.array([plain(alpha, x, weight) for alpha in alphas()]))


def plain(alpha: float, x: np.ndarray, weight: np.ndarray) -> float:
    """The generalisation error of logistic regression, as plain NumPy has it."""
    from scipy.special import expit, ndtr

    ridge, noise = SHAPE["ridge"], SHAPE["noise"]
    m = q = V = 1.0
    for _ in range(100_000):
        spread = np.sqrt(1 + noise**2 - m * m / q)
        t = np.sqrt(q) * x
        h = np.maximum(t, 0)  # Newton's method in h, damped where it would overshoot
        for _ in range(50):
            force = expit(-h)
            step = (h - t - V * force) / (1 + V * force * (1 - force))
            h = h - np.clip(step, -1, 1)
            if np.max(np.abs(step)) < 1e-12:
                break
        force = expit(-h)
        bend = force * (1 - force)
        mean = m * x / np.sqrt(q) / spread
        seen = 2 * weight * ndtr(mean)
        turning = 2 * weight * np.exp(-(mean**2) / 2) / np.sqrt(2 * np.pi) / spread
        m_hat, q_hat = alpha * turning @ force, alpha * seen @ force**2
        V_hat = alpha * seen @ (bend / (1 + V * bend))
        kept = 1 / (ridge + V_hat)
        new = m_hat * kept, (m_hat**2 + q_hat) * kept**2, kept
        change = max(abs(a / b - 1) for a, b in zip(new, (m, q, V), strict=True))
        m, q, V = new
        if change < 1e-9:
            break
    return float(np.arccos(m / np.sqrt(q)) / np.pi)


STUDENTS: dict[str, Any] = {**SHAPE, "d": 200}
DRAWS, SURE = range(4), 1e-8


def sizes() -> np.ndarray:
    """Eight numbers of examples for each input."""
    return np.geomspace(0.5, 8, 8)


def students(quick: bool) -> Job:
    """Students of 4 draws at all sizes, by the simulation."""
    from teacherstudent.sims.perceptron.simulation import examples

    problem = PROBLEM.instance(**STUDENTS)
    return Job(lambda: examples(problem, sizes(), seeds=DRAWS)["generalisation_error"].ravel())


def by_sklearn(solver: str, quick: bool) -> Job:
    """The same students, each fitted alone until it is known to about 1e-6."""
    with importing_extra("this benchmark"):
        from sklearn.linear_model import LogisticRegression

    problem = PROBLEM.instance(**STUDENTS)
    counts = numbers(problem, sizes())
    draws = draw(problem, DRAWS, int(counts[-1]))

    def fitted(inputs: np.ndarray, labels: np.ndarray) -> np.ndarray:
        settings: dict[str, Any] = {"C": 1 / problem.ridge, "fit_intercept": False, "max_iter": 1000}
        return np.asarray(
            LogisticRegression(solver=solver, tol=SURE, **settings).fit(inputs, labels).coef_[0]
        )

    def theirs() -> list[float]:
        found = []
        for inputs, labels, teacher in zip(draws.inputs, draws.labels, draws.teacher, strict=True):
            for count in counts:
                w = fitted(inputs[:count], labels[:count])
                cosine = w @ teacher / np.linalg.norm(w) / np.linalg.norm(teacher)
                found.append(float(np.arccos(cosine) / np.pi))
        return found

    return Job(theirs)


def without_sklearn(quick: bool) -> str:
    """That scikit-learn is missing, if it is."""
    return "" if find_spec("sklearn") else "needs scikit-learn"


def _against(solver: str, about: str) -> Pair:
    return Pair(
        f"perceptron-students-{solver}",
        "logistic students of 100 to 1,600 examples, d = 200, 8 sizes of each of 4 draws",
        Side("simulation, each student certified", students),
        Side(f"scikit-learn, {solver}, tol = {SURE:g}{about}", partial(by_sklearn, solver)),
        within=1e-5,
        why="scikit-learn stops at its tolerance",
        lacks=without_sklearn,
    )


BENCHMARKS = (
    _against("newton-cholesky", ""),
    _against(
        "lbfgs",
        ". It needs gradients alone and stops at errors near 1e-6; the simulation needs the curvature, which "
        "certifies a student to 1e-10",
    ),
    Pair(
        "perceptron-logistic",
        "logistic regression on a noisy teacher for 30 numbers of examples, asymptotic route",
        Side("state evolution by Newton's method, certified", curve),
        Side(
            "fixed point of the Gaussian covariate model (loureiro2021), by plain iteration on a grid until "
            "all changes are below 1e-9",
            iterated,
        ),
        within=1e-5,
        why="plain iteration stops too early where it converges slowly, about 1e-7 from its limit",
    ),
)
