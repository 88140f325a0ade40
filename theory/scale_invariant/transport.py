"""Hinge-KR over all 1-Lipschitz functions, and the transport that it is the dual of, as linear programs.

Two classes with masses p and q at given points, each of sum 1 (labels +1 and -1; q, p >= 0):

    L(f) = sum_i (q_i - p_i) f_i + lambda sum_i (p_i max(gamma - f_i, 0) + q_i max(gamma + f_i, 0)),

|f_i - f_j| <= |x_i - x_j|. A function on the points with that property has a 1-Lipschitz extension to the
whole space (McShane 1934), so the least L is that over all 1-Lipschitz functions. It equals

    -min over plans pi >= 0 of sum_ij |x_i - x_j| pi_ij - gamma (sum_i a_i + sum_j b_j - 2)

with marginals a_i = sum_j pi_ij, b_j = sum_i pi_ij free between p <= a <= (1 + lambda) p and
q <= b <= (1 + lambda) q. For -f + lambda max(gamma - f, 0) is the largest of -a f + (a - 1) gamma over
1 <= a <= 1 + lambda, and for given a and b the least sum (b - a) f is minus their Wasserstein distance. At
lambda = 0 that of the classes is left. Both programs are solved by HiGHS, at the tolerance `TOLERANCE`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linprog
from scipy.special import ndtr

from teacherstudent.theory.scale_invariant import optimum
from teacherstudent.theory.scale_invariant.hinge import HingeKR

TOLERANCE = 1e-10
"""Of constraints and of reduced costs: the smallest that HiGHS takes."""

TAIL = 8.0
"""Standard deviations from the mean of a class to the last cell, which holds all that is beyond: 1e-15."""


@dataclass(frozen=True)
class Classes:
    """Points (n, d), and the masses of the classes +1 and -1 there, (n,) each, of sum 1."""

    points: np.ndarray
    plus: np.ndarray
    minus: np.ndarray

    def loss(self, f: np.ndarray, hinge_weight: float, margin: float) -> float:
        """L of values f at the points, (n,)."""
        hinge = self.plus @ np.maximum(margin - f, 0) + self.minus @ np.maximum(margin + f, 0)
        return float((self.minus - self.plus) @ f + hinge_weight * hinge)


def of_samples(inputs: np.ndarray, labels: np.ndarray) -> Classes:
    """Samples (n, d) of labels +-1, (n,): the mean over each class."""
    plus, minus = (np.where(labels == label, 1.0, 0.0) for label in (1, -1))
    return Classes(np.asarray(inputs), plus / plus.sum(), minus / minus.sum())


def gaussian_classes(law: HingeKR, cells: int) -> Classes:
    """N(+-mu, sigma^2) on a line, in at least this number of cells: their middles, (n, 1), and masses.

    Where the slope of the optimum changes (`optimum.flat_end`) two cells meet: sums over cells up to there
    are those of the Gaussians themselves, and the optimum of the cells is that of the line, at their middles.
    """
    flat = optimum.flat_end(law)
    corners = [0.0, law.margin, flat, max(law.class_mean, flat) + TAIL * law.class_noise]
    width = 2 * corners[-1] / cells
    parts = [
        np.linspace(low, high, math.ceil((high - low) / width) + 1)[1:]
        for low, high in pairwise(corners)
        if high > low
    ]
    half = np.concatenate(parts)
    edges = np.concatenate([-half[::-1], [0.0], half])
    inner = np.concatenate([[-np.inf], edges[1:-1], [np.inf]])
    minus = np.diff(ndtr((inner + law.class_mean) / law.class_noise))
    return Classes(((edges[1:] + edges[:-1]) / 2)[:, None], minus[::-1].copy(), minus)


@dataclass(frozen=True)
class Critic:
    """The least L and a function that attains it: values at the points, (n,), arbitrary where is no mass."""

    loss: float
    values: np.ndarray


def critic(classes: Classes, hinge_weight: float, margin: float) -> Critic:
    """The best 1-Lipschitz function on these points. Raises `ArithmeticError` where HiGHS gives none.

    Unknowns: f and the two hinges. On a line neighbours are compared, in space all pairs.
    """
    n = len(classes.points)
    above, below, apart = _compared(classes.points)
    rows = np.arange(len(above))
    ones = np.ones(len(above))
    differences = sparse.csr_matrix(
        (np.concatenate([ones, -ones]), (np.concatenate([rows, rows]), np.concatenate([above, below]))),
        shape=(len(above), n),
    )
    one, none = sparse.identity(n), sparse.csr_matrix((len(above), 2 * n))
    answer = _solved(
        np.concatenate(
            [classes.minus - classes.plus, hinge_weight * classes.plus, hinge_weight * classes.minus]
        ),
        sparse.vstack(
            [
                sparse.hstack([differences, none]),
                sparse.hstack([-differences, none]),
                sparse.hstack([-one, -one, 0 * one]),  # gamma - f <= the hinge of class +1
                sparse.hstack([one, 0 * one, -one]),
            ]
        ),
        np.concatenate([apart, apart, np.full(2 * n, -margin)]),
        [(None, None)] * n + [(0, None)] * (2 * n),
    )
    return Critic(float(answer.fun), answer.x[:n])


@dataclass(frozen=True)
class Plan:
    """The loss that a transport certifies, and the masses moved, (points of +1, points of -1)."""

    loss: float
    moved: np.ndarray


def plan(classes: Classes, hinge_weight: float, margin: float) -> Plan:
    """The best transport between the classes, from masses to points. Raises `ArithmeticError` as `critic`."""
    starts, ends = classes.plus > 0, classes.minus > 0
    p, q = classes.plus[starts], classes.minus[ends]
    gaps = classes.points[starts][:, None] - classes.points[ends][None]
    price = np.linalg.norm(gaps, axis=-1) - 2 * margin  # each unit moved counts in both marginals
    first = sparse.kron(sparse.identity(len(p)), np.ones((1, len(q))))
    second = sparse.kron(np.ones((1, len(p))), sparse.identity(len(q)))
    answer = _solved(
        price.ravel(),
        sparse.vstack([first, -first, second, -second]),
        np.concatenate([(1 + hinge_weight) * p, -p, (1 + hinge_weight) * q, -q]),
        (0, None),
    )
    return Plan(-(float(answer.fun) + 2 * margin), answer.x.reshape(price.shape))


def _compared(points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which points bound each other's values, two indices and their distance."""
    if points.shape[1] == 1:
        order = np.argsort(points[:, 0])
        above, below = order[1:], order[:-1]
    else:
        above, below = np.triu_indices(len(points), 1)
    return above, below, np.linalg.norm(points[above] - points[below], axis=1)


def _solved(cost: np.ndarray, matrix: Any, limits: np.ndarray, bounds: Any) -> Any:
    """The least cost x with matrix x <= limits."""
    options = {"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE}
    answer = linprog(cost, matrix, limits, bounds=bounds, method="highs", options=options)
    if answer.x is None or answer.status != 0:
        raise ArithmeticError(answer.message)
    return answer
