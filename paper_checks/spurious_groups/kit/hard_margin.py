"""The independent calculation of the max-margin checks: the exact max-margin direction of drawn examples.

The direction is the point of smallest norm in the convex hull of the signed inputs z_i = y_i gamma x_i: with
weights a >= 0, the least |Z^T a|^2 + (1.a - 1)^2 up to a factor. That is least squares without negative
weights, which the method of Lawson and Hanson ends exactly, in finitely many steps, whatever is nearly
degenerate. (A solver that stops at a tolerance misjudges the support of one draw in a thousand.) The
support is solved again to rounding, and the conditions of Karush, Kuhn and Tucker certify the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from teacherstudent.problems.spurious_groups import SpuriousGroups
from teacherstudent.problems.spurious_groups.data import draw, kept

ROUNDING = 1e-9
"""Slack of the certificate, relative to the margin: rounding of a solve with the support's Gram matrix."""


@dataclass(frozen=True)
class Direction:
    """w/|w|, (dimension,), the smallest margin at it, and the share of examples that are support vectors."""

    weights: np.ndarray
    margin: float
    support: float


def hard_margin(signed: np.ndarray) -> Direction:
    """The direction of largest margin of signed inputs (n, dimension), without a constant.

    Raises `ArithmeticError` where it is not certified: chiefly where no direction has a margin above 0.
    """
    n, dimension = signed.shape
    size = np.sqrt(np.mean(np.sum(signed**2, axis=1)))
    shares, _ = nnls(np.vstack([signed.T / size, np.ones(n)]), np.eye(dimension + 1)[-1])
    found = np.flatnonzero(shares > 0)
    dual = np.linalg.lstsq(signed[found] @ signed[found].T, np.ones(found.size), rcond=None)[0]
    weights = dual @ signed[found]  # margin 1 on the support
    if np.any(dual < 0) or np.any(signed @ weights < 1 - ROUNDING):
        raise ArithmeticError("no max-margin direction could be certified")
    norm = float(np.linalg.norm(weights))
    return Direction(weights / norm, 1 / norm, found.size / n)


def effective(problem: SpuriousGroups, weights: np.ndarray) -> np.ndarray:
    """(e_s, e_c, r) of a direction: logits of the features at 1, standard deviation over noise."""
    scaled = problem.scales * weights
    return np.array([*scaled[:2], problem.noise_std * np.linalg.norm(scaled[2:])])


def signed_inputs(problem: SpuriousGroups, seed: int) -> np.ndarray:
    """y gamma x of the examples that the problem's method keeps, (kept, dimension)."""
    drawn = draw(problem, [seed])
    keeps = kept(problem, drawn, [seed])[0]
    return (drawn.labels[0, :, None] * drawn.inputs[0] * problem.scales)[keeps]


def drawn_limits(problem: SpuriousGroups, seeds: Sequence[int]) -> np.ndarray:
    """e_s, e_c, r, margin and share of support vectors of each draw, (S, 5)."""
    rows = []
    for seed in seeds:
        end = hard_margin(signed_inputs(problem, seed))
        rows.append([*effective(problem, end.weights), end.margin, end.support])
    return np.array(rows)
