"""The answers of random features by other means.

The limit: its formulas as they are derived, term by term. Moments by quadrature; roots by bisection and
Newton's method along an arc; one hyperbola or circle that encloses the whole spectrum and all poles. The
draws: averages over inputs by quadrature in the plane, and the exponential of a matrix, or its steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from scipy import linalg

from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.problems.random_features.data import draw
from teacherstudent.problems.random_features.instance import Function
from tests.algorithms.stepping import RECURSIONS, of_modes, rate_of, stepped
from tests.random_features.test_instance import centred, pair

Answer = dict[str, np.ndarray]
POINTS = 18
"""On half a hyperbola about the negative axis: more lose digits again."""
CIRCLE = 96
ARC = 12


# The limit ----------------------------------------------------------------------------------------


def split(function: Function) -> tuple[float, float]:
    """E[G s], and what is left of Var s."""
    s = centred(function)
    linear = _first(s)
    rest = pair(lambda u: (s(u) - linear * u) ** 2, np.ones_like, np.eye(2))
    return linear, rest if rest > 1e-20 else 0.0  # of a linear function the square of a rounding


def _first(s: Callable[[np.ndarray], np.ndarray]) -> float:
    return pair(lambda u: u * s(u), np.ones_like, np.eye(2))


class Limit:
    """The kernels of the limit at points z, (J,), and their sums."""

    def __init__(self, problem: RandomFeatures) -> None:
        mu1, self.rest = split(problem.activation)
        self.c1, self.hidden = split(problem.teacher)
        self.m = np.array(problem.counts) / problem.d
        self.u = mu1**2 * np.array(problem.strengths)
        self.psi1, self.psi2 = problem.psi1, problem.psi2
        self.noise, self.init, self.ridge = problem.noise**2, problem.init**2, problem.ridge

    def used(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """E and its derivative."""
        eta = 1 / (1 + np.multiply.outer(y, self.u))
        return y * self.rest + (1 - eta) @ self.m, self.rest + eta**2 @ (self.m * self.u)

    def root(self, z: np.ndarray) -> np.ndarray:
        """y at z: on the axis by bisection, then along an arc."""
        low, high, least = np.full(z.size, -200.0), np.full(z.size, 200.0), min(self.psi1, self.psi2)
        for _ in range(60):
            middle = (low + high) / 2
            E, _ = self.used(np.exp(middle))
            left = (self.psi1 - E) * (self.psi2 - E) - self.psi1 * np.abs(z) * np.exp(middle)
            above = (least <= E) | (left < 0)
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        y = np.exp((low + high) / 2) + 0j
        for step in range(1, ARC + 1):
            here = np.abs(z) * np.exp(1j * np.angle(z) * step / ARC)
            for _ in range(2 if step < ARC else 6):
                E, slope = self.used(y)
                left = (self.psi1 - E) * (self.psi2 - E) - self.psi1 * here * y
                y = y + left / (slope * (self.psi1 + self.psi2 - 2 * E) + self.psi1 * here)
        return y

    def edge(self) -> float:
        """The largest eigenvalue: the least of z(y) over negative y."""
        ends = [1 / max(self.u.max(), 1e-300), 10 * np.sqrt(self.psi1 * self.psi2) / max(self.rest, 1e-300)]
        y = -min(ends) * np.geomspace(1e-6, 1 - 1e-6, 4001)
        for _ in range(8):
            E, _ = self.used(y)
            level = -(self.psi1 - E) * (self.psi2 - E) / (self.psi1 * y)
            best = level.argmin()
            y = np.linspace(y[max(best - 1, 0)], y[min(best + 1, y.size - 1)], 201)
        return float(level.min())

    def answer(self, z: np.ndarray, target: np.ndarray, start: np.ndarray) -> dict[str, float]:
        """Of a student that has weights `target` for M and `start` for p at points z, (J,) each."""
        y, m, psi1, psi2 = self.root(z), self.m, self.psi1, self.psi2
        E, _ = self.used(y)
        eta = 1 / (1 + np.multiply.outer(y, self.u))
        c, hidden, noise = self.c1**2, self.hidden, self.noise
        P, both, mean = ((1 - eta) * m) @ (1 - eta).T, (eta * m) @ eta.T, eta @ m
        E1, E2, mean1, mean2 = E[:, None], E, mean[:, None], mean
        D = psi1 * psi2 - E1 * E2 - P * (psi1 + psi2 - E1 - E2)
        B = c * ((E1 - P) * mean1 + (psi1 - E1) * both)
        seen = self.rest + (eta * m * self.u) @ eta.T
        begun = self.init * psi2 * (psi1 - E1) * (psi1 - E2) * seen / psi1 / D
        twice, moved = np.outer(target, target), np.outer(start, start)
        test = psi2 * (B + (hidden + noise) * (psi1 - P)) / D
        own = np.outer(1 - E / psi2, 1 - E / psi2)

        def summed(weights: np.ndarray, kernel: np.ndarray) -> float:
            return float(np.sum(weights * kernel).real)

        learned = c * float((target @ (1 - mean)).real)
        started = summed(moved, begun)
        whole = summed(twice, test) + started
        alike = c * (1 - mean1 - mean2)
        of_noise = noise * (psi2 * (psi1 - P) / D - 1)
        Q_FXe = test - noise - c - hidden + c * (2 - mean1 - mean2)
        Q_FX = Q_FXe - of_noise
        Q_F = B / (psi1 - P) + alike

        def of_samples(u: float) -> np.ndarray:
            return (c * both + u * P / psi2) / (1 - P / psi2) + alike

        Q_X, Q_Xe = of_samples(hidden), of_samples(hidden + noise)
        Q_0 = c * P
        parts = {
            "variance_features": Q_F - Q_0,
            "variance_samples": Q_X - Q_0,
            "variance_features_samples": Q_FX - Q_F - Q_X + Q_0,
            "variance_noise": Q_Xe - Q_X,
            "variance_features_noise": Q_FXe - Q_FX - Q_Xe + Q_X,
        }
        return {
            "R": learned,
            "Q": whole - noise - c - hidden + 2 * learned,
            "excess_risk": (whole - noise) / 2,
            "generalisation_error": whole,
            "training_error": summed(twice * own, test) + summed(moved * own, begun),
            "bias": c * float(np.sum(m * np.abs(target @ eta) ** 2)) / 2,
            "unlearnable": hidden / 2,
            **{name: summed(twice, kernel) / 2 for name, kernel in parts.items()},
            "variance_start": started / 2,
        }


def limit(dynamics: str, problem: RandomFeatures, times: np.ndarray, **options: Any) -> Answer:
    """The observables that are asked for, (T,) each."""
    of = Limit(problem)
    ridge, edge, found = of.ridge, of.edge(), []
    eta = rate_of(dynamics, options, edge, ridge)
    for time in times:
        if dynamics == "ridge":
            z, target, start = np.array([ridge + 1 / time]), np.ones(1), np.zeros(1)
        elif dynamics == "flow":  # Weideman and Trefethen 2007: a hyperbola
            theta = (np.arange(-POINTS, POINTS) + 0.5) * 1.0818 / POINTS
            scale = 4.4921 * POINTS / time
            v = scale * (1 + np.sin(1j * theta - 1.1721))
            slope = 1j * scale * np.cos(1j * theta - 1.1721) * 1.0818 / POINTS
            weights = np.exp(time * v) * slope / (2j * np.pi)
            z, target, start = v + ridge, weights / v, weights / (v + ridge)
        else:
            turned = (edge + ridge) * np.exp(2j * np.pi * (np.arange(CIRCLE) + 0.5) / CIRCLE)
            v = -(edge + ridge) / 2 + turned
            weights = of_modes(dynamics, -v, eta, time, options)[1] * turned / CIRCLE
            z, target, start = v + ridge, weights / v, weights / (v + ridge)
        found.append(of.answer(z, target, start))
    names = [*found[0]][:5] if not options.get("observable") else [*found[0]]
    return {name: np.array([each[name] for each in found]) for name in names}


# Draws --------------------------------------------------------------------------------------------


def drawn(
    dynamics: str, problem: RandomFeatures, times: np.ndarray, *, seeds: Sequence[int], **options: Any
) -> Answer:
    """Every observable of each draw, (S, T), averaged over noise, start and a linear teacher."""
    draws, n, d, width = draw(problem, seeds), problem.n, problem.d, problem.width
    s, g = centred(problem.activation), centred(problem.teacher)
    found = []
    for z, w, F in zip(draws.inputs, draws.teacher, draws.features, strict=True):
        rows = F * draws.strengths / np.sqrt(d)  # of inputs with variance 1
        phi = s(np.sqrt(d) * z @ rows.T) / np.sqrt(width)
        C, A = rows @ rows.T, np.zeros((width, width))
        for i in range(width):
            A[i, i] = pair(lambda u: s(u) ** 2, np.ones_like, np.diag([C[i, i], 1.0]))
            for j in range(i):
                A[i, j] = A[j, i] = pair(s, s, C[np.ix_([i, j], [i, j])])
        if problem.teacher == "linear":  # the mean over all teachers
            slopes = [_first(lambda u, r=r: s(np.sqrt(r) * u)) / np.sqrt(r) for r in np.diag(C)]
            taught, shared, power = z, np.array(slopes)[:, None] * rows / np.sqrt(d), 1.0
        else:
            unit = w / np.sqrt(d)
            overlaps = [
                pair(s, g, np.array([[r, b], [b, 1.0]])) for r, b in zip(np.diag(C), rows @ unit, strict=True)
            ]
            taught, shared = g(z @ w)[:, None], np.array(overlaps)[:, None]
            power = pair(lambda u: g(u) ** 2, np.ones_like, np.eye(2))
        A, shared, gram = A / width, shared / np.sqrt(width), phi.T @ phi
        matrix, answers = gram + problem.ridge * np.eye(width), []
        eta = rate_of(dynamics, options, np.linalg.norm(phi, 2) ** 2, problem.ridge)
        for time in times:
            f, p = _filter(dynamics, matrix, time, eta, options)
            a = [f @ phi.T @ taught, problem.noise * f @ phi.T, problem.init * p]
            y = [taught, problem.noise * np.eye(n), np.zeros((n, width))]
            R, Q = float(np.sum(shared * a[0])), float(sum(np.sum(each * (A @ each)) for each in a))
            excess = (power - 2 * R + Q) / 2
            trained = sum(np.sum((each - phi @ b) ** 2) for each, b in zip(y, a, strict=True)) / n
            answers.append([R, Q, excess, 2 * excess + problem.noise**2, trained])
        found.append(answers)
    names = ("R", "Q", "excess_risk", "generalisation_error", "training_error")
    return dict(zip(names, np.moveaxis(np.array(found), -1, 0), strict=True))


def _filter(
    dynamics: str, matrix: np.ndarray, time: float, eta: float, options: Mapping[str, Any]
) -> tuple[np.ndarray, np.ndarray]:
    """f and p of the matrix: of the labels, and of the start."""
    one = np.eye(len(matrix))
    if dynamics == "ridge":
        return np.linalg.inv(matrix + one / time), 0 * one
    if dynamics == "flow":
        both = linalg.expm(time * np.block([[-matrix, one], [0 * one, 0 * one]]))
        return both[: len(one), len(one) :], both[: len(one), : len(one)]
    return stepped(dynamics, lambda each: eta * (matrix @ each), one, eta, int(time), options)


REFERENCES: Mapping[str, Callable[..., Answer]] = {
    f"random-features/{dynamics}/{route}": partial(by_other_means, dynamics)
    for dynamics in ("descent", "flow", "ridge", *RECURSIONS)
    for route, by_other_means in (("asymptotic", limit), ("instance", drawn))
}
