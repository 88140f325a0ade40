"""The independent calculation of these checks: the loss itself, minimised over parameters by Newton.

It knows of no dual and no features: only of X = Y Phi0, the losses 6.3.5 and 6.3.17, and their
first two derivatives. It also runs in complex numbers, where a step i h in a strength gives the
derivative of the minimum without cancellation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import optimize

from teacherstudent.problems.starvation import Starvation

COMPLEX_STEP = 1e-30


@dataclass(frozen=True)
class Loss:
    """sum_k l(X theta + offset)_k + theta.H.theta/2 - g.theta, with l(m) = log(1 + e^-m)."""

    X: np.ndarray
    H: np.ndarray
    g: np.ndarray
    offset: float | np.ndarray = 0.0

    def value(self, theta: np.ndarray) -> float:
        fit = np.logaddexp(0, -self.X @ theta - self.offset).sum()
        return float(fit + theta @ self.H @ theta / 2 - self.g @ theta)

    def derivatives(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gradient and Hessian."""
        wrong = 1 / (1 + np.exp(self.X @ theta + self.offset))
        gradient = -self.X.T @ wrong + self.H @ theta - self.g
        return gradient, (self.X.T * (wrong * (1 - wrong))) @ self.X + self.H


def ridge_loss(X: np.ndarray, ridge: float, offset: float | np.ndarray = 0.0) -> Loss:
    """6.3.5, the output at theta = 0 being `offset` in margins."""
    return Loss(X, ridge * np.eye(X.shape[1]), np.zeros(X.shape[1]), offset)


def decoupled_loss(X: np.ndarray, ridge: float | np.ndarray, target: float | np.ndarray = 0.0) -> Loss:
    """6.3.17, with margins pulled to `target` instead of 0, the constant |target|^2 left out.

    ridge and target: a number or one an example, (n,).
    """
    pulled = X.T * np.broadcast_to(ridge, len(X))
    return Loss(X, pulled @ X, pulled @ np.broadcast_to(target, len(X)))


def minimum(loss: Loss) -> np.ndarray:
    """Damped Newton on the convex loss, then undamped steps to the floor of rounding."""
    theta = np.zeros(loss.X.shape[1])
    for _ in range(200):
        gradient, hessian = loss.derivatives(theta)
        step = -np.linalg.solve(hessian, gradient)
        value, descent = loss.value(theta), gradient @ step
        if -descent < np.finfo(float).eps * abs(value):
            break
        while loss.value(theta + step) > value + descent / 4:
            step, descent = step / 2, descent / 2
        theta = theta + step
    return polished(loss, theta)


def polished(loss: Loss, theta: np.ndarray) -> np.ndarray:
    """A few undamped Newton steps, real or complex."""
    for _ in range(5):
        gradient, hessian = loss.derivatives(theta)
        theta = theta - np.linalg.solve(hessian, gradient)
    return theta


def response_slopes(problem: Starvation, loss: Callable[[np.ndarray], Loss]) -> tuple[np.ndarray, np.ndarray]:
    """z (n,) at the minimum of a loss, and dz_j/d(s_i^2), (n, n), by complex steps.

    `loss(s)` is the loss at strengths s, (n,), real or complex.
    """
    theta = minimum(loss(problem.s))
    slopes = np.empty((problem.n, problem.n))
    for i in range(problem.n):
        s = problem.s.astype(complex)
        s[i] += 1j * COMPLEX_STEP / (2 * problem.s[i])  # so that s_i^2 moves by i COMPLEX_STEP
        slopes[:, i] = (s * polished(loss(s), theta.astype(complex))).imag / COMPLEX_STEP
    return problem.s * theta, slopes


def ridge_slopes(problem: Starvation) -> tuple[np.ndarray, np.ndarray]:
    """z and its slopes at the minimum of the ridge loss, as `response_slopes`."""
    return response_slopes(problem, lambda s: ridge_loss(problem.U * s, problem.ridge))


# The fixed point of 6.3.10 as printed, by SciPy's `root`, from U and S alone ---------------------------


@dataclass(frozen=True)
class Settled:
    """A problem, and alpha and z of its fixed point of 6.3.10, (n,)."""

    problem: Starvation
    alpha: np.ndarray
    z: np.ndarray


def settled(problem: Starvation) -> Settled:
    """log alpha = -U (S^2 + ridge) U^T alpha/ridge, solved in log alpha."""
    U, s, ridge = problem.U, problem.s, problem.ridge

    def excess(log_alpha: np.ndarray) -> np.ndarray:
        return log_alpha + U @ ((s**2 + ridge) * (U.T @ np.exp(log_alpha))) / ridge

    def slope(log_alpha: np.ndarray) -> np.ndarray:
        return np.eye(problem.n) + (U * (s**2 + ridge)) @ U.T * np.exp(log_alpha) / ridge

    start = -np.log1p(s.max() ** 2 / ridge) * np.ones(problem.n)
    alpha = np.exp(optimize.root(excess, start, jac=slope, tol=1e-15).x)
    return Settled(problem, alpha, s**2 / ridge * (U.T @ alpha))
