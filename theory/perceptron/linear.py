r"""Rules that are linear in the labels: Hebb's, and least squares with or without ridge.

For them a label is c sqrt(2/pi) u and a rest that is uncorrelated with all inputs: label noise of variance
1 - 2 c^2/pi. Least squares is then ridge regression, whose resolvent is that of `theory.resolvents`. An
example's own output adds to what the student would make of it: with V the response, t becomes
(t + V)/(1 + V) under least squares and t + 1 under Hebb's rule; it is wrong where that is negative.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.problems.perceptron import Perceptron
from teacherstudent.theory.perceptron import labels
from teacherstudent.theory.perceptron.labels import inputs
from teacherstudent.theory.perceptron.student_state import Student
from teacherstudent.theory.resolvents import Spectrum, resolvent
from teacherstudent.theory.spectral.kernels import Alone
from teacherstudent.theory.spectral.tasks import Task


def hebb(problem: Perceptron, alphas: np.ndarray) -> Student:
    """w = sum y x, whose part along the teacher is alpha c1 v_k w*_k, plus noise of variance alpha v_k.

    So along = alpha c1 <v^2> and across^2 = (alpha c1)^2 (<v^3> - <v^2>^2) + alpha <v^2>, means over inputs.
    """
    weights, v = inputs(problem)
    square, c1 = weights @ v**2, labels.linear(problem)
    spread = np.sqrt((weights * v) @ (v - square) ** 2)  # the student's coefficients differ by v
    along = alphas * c1 * square
    across = np.hypot(alphas * c1 * spread, np.sqrt(alphas * square))
    wrong = labels.below(-1 / np.hypot(along, across), labels.skew(problem, along, across))
    return Student(along, across, wrong, np.ones(alphas.size, dtype=bool))


def square(problem: Perceptron, alphas: np.ndarray) -> Student:
    """Least squares on the labels: loss (1 - y h)^2/2 and ridge. Without ridge it is the pseudo-inverse.

    That is of all students that meet every label the smallest (alpha < 1), or the best one (alpha > 1). At
    alpha = 1 it is infinite, and its direction is across.
    """
    c1 = labels.linear(problem)
    along, across, response, converged = np.array([_regression(problem, alpha) for alpha in alphas]).T
    at = -response / np.hypot(along, across)
    wrong = labels.below(at, labels.skew(problem, along, across))
    loss = (1 - c1**2 + (along - c1) ** 2 + across**2) / (1 + response) ** 2 / 2
    met = np.isinf(response)
    loss = np.where(met, 0.0, loss) if problem.rule == "square" else None
    return Student(along, across, np.where(met, 0.0, wrong), converged > 0, training_loss=loss)


def _regression(problem: Perceptron, alpha: float) -> tuple[float, float, float, bool]:
    """along, across, V, and whether they are certified."""
    c1, ridge = labels.linear(problem), problem.ridge
    if not ridge and alpha >= 1:
        return _overdetermined(c1, alpha)
    weights, v = inputs(problem)
    task = Task(
        spectrum=Spectrum(alpha * problem.d, np.array(problem.counts, dtype=float), v),
        power=c1**2 * weights * v,
        start=np.zeros(v.size),
        noise=1 - c1**2,
        ridge=ridge,
    )
    at = resolvent(task.spectrum, np.array([ridge]))
    learned, missed = at.learned[0], at.h[0]
    taken = float(learned @ weights) / alpha  # 1 - g, g = 1/(1 + V)
    own = float(at.qz[0]) / alpha
    unexplained = task.noise + missed**2 @ task.power
    mutual = unexplained * Alone.of(task, at).amplified[0] * (weights @ learned**2) / alpha
    mean = (weights * v) @ learned
    spread = c1**2 * ((weights * v) @ (learned - mean) ** 2)
    response = taken / own if own else np.inf
    return c1 * mean, float(np.sqrt(spread + mutual)), response, bool(at.converged[0])


def _overdetermined(c1: float, alpha: float) -> tuple[float, float, float, bool]:
    """Without ridge and with more examples than inputs, which only their metric enters: errors of the best
    linear student grow by 1/(alpha - 1)."""
    if alpha == 1:
        return 0.0, np.inf, np.inf, True
    return c1, float(np.sqrt((1 - c1**2) / (alpha - 1))), 1 / (alpha - 1), True
