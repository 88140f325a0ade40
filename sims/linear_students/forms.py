"""A linear student in the smaller of two forms: its weights, or a coefficient for each training row.

In both, its coordinates u (c, m) move by u -> u + eta (pull - u M) - eta ridge u, and the least loss is
where u (M + ridge) = pull.

- Weights (n >= q): u = w_hat^T, M = X^T X, pull = y^T X.
- Coefficients (n < q, and every kernel): w_hat = X^T u^T, M = X X^T or the kernel, pull = y^T. From
  weights w_0 at time 0 the student also keeps a share of these: w_hat = X^T a^T + w_0 g^T with u = (a, g),
  of which the share g only decays, and a takes steps by what labels leave over, y - X X^T a^T - X w_0 g^T.

Axes: S draws, n training rows, q features, c outputs, m coordinates.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class TrainingSets(NamedTuple):
    """What the students of S draws are trained on, and from where."""

    inputs: np.ndarray
    """features of the training rows X, (S, n, q), or their kernel with each other, (S, n, n)"""
    labels: np.ndarray
    """with noise, (S, n, c)"""
    initial: np.ndarray | None
    """weights at time 0, (S, q, c), or None where all are zero"""
    kernel: bool
    """whether students are sums of the kernel over training rows, not of features"""


class Form(NamedTuple):
    """How students move, and what their coordinates stand for; draws first."""

    matrix: np.ndarray
    """M, (S, m, m)"""
    pull: np.ndarray
    """(S, c, m)"""
    start: np.ndarray
    """coordinates at time 0, (S, c, m)"""
    basis: np.ndarray | None
    """the weights for which each coordinate stands, (S, m, q); None where it is one weight"""
    kept: int = 0
    """how many of the coordinates, the last, are shares of weights at time 0"""

    def weights(self, coordinates: np.ndarray) -> np.ndarray:
        """w_hat^T (S, T, c, q) of students (S, T, c, m)."""
        if self.basis is None:
            return coordinates
        with np.errstate(over="ignore", invalid="ignore"):  # of a diverged student
            return coordinates @ self.basis[:, None]

    def curvature(self) -> np.ndarray:
        """The largest eigenvalue of X^T X, or of the kernel, of each draw, (S,).

        X X^T has the same nonzero eigenvalues.
        """
        matrix = self._moving()
        return np.linalg.eigvalsh(matrix)[:, -1]  # on the host: faster than XLA's

    def trace(self) -> np.ndarray:
        """The sum of those eigenvalues, (S,)."""
        return np.trace(self._moving(), axis1=1, axis2=2)

    def _moving(self) -> np.ndarray:
        """M without shares of weights at time 0."""
        moving = self.matrix.shape[-1] - self.kept
        return self.matrix[:, :moving, :moving]


def smaller(sets: TrainingSets) -> Form:
    """The smaller form of these students."""
    inputs, labels, initial, kernel = sets
    count, n, q = inputs.shape
    c = labels.shape[-1]
    transposed = inputs.swapaxes(1, 2)
    pull = labels.swapaxes(1, 2)
    if kernel:
        return Form(inputs, pull, np.zeros_like(pull), None)
    kept = 0 if initial is None else c
    if n + kept >= q:
        start = np.zeros((count, c, q)) if initial is None else initial.swapaxes(1, 2)
        return Form(transposed @ inputs, pull @ inputs, start, None)
    if initial is None:
        return Form(inputs @ transposed, pull, np.zeros_like(pull), inputs)
    basis = np.concatenate([inputs, initial.swapaxes(1, 2)], axis=1)
    matrix = np.zeros((count, n + c, n + c))
    matrix[:, :, :n] = basis @ transposed
    start = np.zeros((count, c, n + c))
    start[:, :, n:] = np.eye(c)
    return Form(matrix, np.concatenate([pull, np.zeros((count, c, c))], axis=2), start, basis, kept)
