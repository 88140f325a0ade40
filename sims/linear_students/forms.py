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

from teacherstudent.sims.step_limits import LONGEST


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


class Students(NamedTuple):
    """How the students of each draw move; all arrays have the axes (S, P) first."""

    strengths: np.ndarray
    """(S, P, m) or (S, P, 1): of which all coordinates are multiplied"""
    pull: np.ndarray
    """(S, P, c, m)"""
    start: np.ndarray
    """coordinates at time 0, (S, P, c, m)"""
    rate: np.ndarray
    """learning rate, (S, P)"""
    ridge: np.ndarray
    """(S, P)"""
    share: np.ndarray
    """1 + output penalty: the share of X^T yhat in the gradient, (S, P)"""


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
    strengths: np.ndarray | None = None
    """(S, m): then `matrix` are rows Z, (S, n, m), and M = X^T X of X = Z diag(strengths)"""

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
        return np.linalg.eigvalsh(self._moving())[:, -1]  # on the host: faster than XLA's

    def trace(self) -> np.ndarray:
        """The sum of those eigenvalues, (S,)."""
        return np.trace(self._moving(), axis1=1, axis2=2)

    def last(self, precision: str) -> float:
        """The last step that is answered for: where rows hold every direction, that of whole numbers."""
        rows, width = self.matrix.shape[1:]
        return LONGEST[precision] if self.strengths is None or rows < width else 2.0**62

    def students(
        self, rate: np.ndarray | float, ridge: np.ndarray | float, share: np.ndarray | float = 1.0
    ) -> Students:
        """The one student of each draw; numbers are one for all draws or one a draw, (S,)."""
        draws = len(self.matrix)
        strengths = np.ones((draws, 1)) if self.strengths is None else self.strengths
        numbers = (np.broadcast_to(each, draws).astype(float)[:, None] for each in (rate, ridge, share))
        return Students(strengths[:, None], self.pull[:, None], self.start[:, None], *numbers)

    def _moving(self) -> np.ndarray:
        """M, or a matrix of its nonzero eigenvalues, without shares of weights at time 0."""
        if self.strengths is not None:
            x = self.matrix * self.strengths[:, None]
            return x @ x.swapaxes(1, 2) if x.shape[1] < x.shape[2] else x.swapaxes(1, 2) @ x
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
