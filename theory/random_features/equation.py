r"""The scalar equation of random features: (psi1 - E)(psi2 - E) = psi1 z y, E = y mustar^2 + sum m t/(1 + t)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.theory.random_features.nonlinearity import moments


@dataclass(frozen=True)
class Model:
    """What the limit depends on. m, u: shares of the scales, and mu1^2 s_k, (K,)."""

    psi1: float
    psi2: float
    m: np.ndarray
    u: np.ndarray
    rest: float  # mustar^2
    c1: float
    hidden: float  # cstar^2
    noise: float  # variance
    init: float  # variance
    ridge: float

    @classmethod
    def of(cls, problem: RandomFeatures) -> Model:
        student, teacher = moments(problem.activation), moments(problem.teacher)
        m = np.array(problem.counts) / problem.d
        u = student.linear**2 * np.array(problem.strengths)
        return cls(
            problem.psi1, problem.psi2, m, u, student.rest, teacher.linear, teacher.rest, problem.noise**2,
            problem.init**2, problem.ridge,
        )  # fmt: skip

    def edge(self) -> float:
        """Upper edge of Phi^T Phi: min over y in (-1/u_max, 0) of -(psi1 - E)(psi2 - E)/(psi1 y)."""
        from scipy import optimize

        def level(x: float) -> float:
            y = -np.exp(x) / self.u.max() / (1 + np.exp(x)) if self.u.max() else -np.exp(x)
            e = float(y * self.rest + self.m @ (self.u * y / (1 + self.u * y)))
            return -(self.psi1 - e) * (self.psi2 - e) / (self.psi1 * y)

        grid = np.linspace(-30, 30, 400)
        best = grid[np.argmin([level(x) for x in grid])]
        return float(optimize.minimize_scalar(level, bracket=(best - 0.2, best, best + 0.2), tol=1e-12).fun)


@dataclass(frozen=True)
class Point:
    """The equivalent at z (...): y, E, eta_k (..., K)."""

    z: np.ndarray
    y: np.ndarray
    e: np.ndarray
    eta: np.ndarray
    converged: np.ndarray


def solve(model: Model, z: np.ndarray) -> Point:
    """At every z off the spectrum: real and positive, or complex."""
    shape, z = np.shape(z), np.ravel(z)
    size, angle = np.abs(z), np.angle(z)
    y = _real(model, size).astype(complex)
    steps = 24
    for step in range(1, steps + 1):
        at = size * np.exp(1j * angle * step / steps)
        for _ in range(6):
            e, slope = _sums(model, y)
            f = (model.psi1 - e) * (model.psi2 - e) - model.psi1 * at * y
            y = y - f / (-slope * (model.psi1 + model.psi2 - 2 * e) - model.psi1 * at)
    e, slope = _sums(model, y)
    f = (model.psi1 - e) * (model.psi2 - e) - model.psi1 * z * y
    df = -slope * (model.psi1 + model.psi2 - 2 * e) - model.psi1 * z
    good = (np.abs(f / (df * y)) < 1e-11) & (y.imag * z.imag <= 0)
    eta = 1 / (1 + np.multiply.outer(y, model.u))
    if not np.iscomplexobj(z):
        y, e, eta = y.real, e.real, eta.real
    return Point(
        z.reshape(shape), y.reshape(shape), e.reshape(shape), eta.reshape(*shape, -1), good.reshape(shape)
    )


def _sums(model: Model, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    t = np.multiply.outer(y, model.u)
    return y * model.rest + (t / (1 + t)) @ model.m, model.rest + (1 / (1 + t) ** 2) @ (model.m * model.u)


def _real(model: Model, z: np.ndarray) -> np.ndarray:
    """The root with E < min(psi1, psi2), by bisection of log y."""
    low, high = np.full(z.shape, -690.0), np.full(z.shape, 690.0)
    for _ in range(100):
        middle = (low + high) / 2
        y = np.exp(middle)
        e, _ = _sums(model, y)
        above = (e >= min(model.psi1, model.psi2)) | (
            (model.psi1 - e) * (model.psi2 - e) < model.psi1 * z * y
        )
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return np.exp((low + high) / 2)
