r"""Batches redrawn from given rows: the covariance of the weights over batches, exactly, step by step.

With X = U sqrt(c) V^T and Y = U sqrt(c) the mean over batches descends. About it the weights have, in the
basis V, the covariance

    V' = p p^T o V + eta^2 beta (n Y^T diag(rho) Y - sqrt(c) W sqrt(c)),    beta = (n - b)/(b (n - 1)),

W = U^T E r r^T U that of the rows' residuals, mean ones and those by V, and rho the diagonal of E r r^T. It
is exact for batches without repetition: two rows share one with probability b (b - 1)/(n (n - 1)).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from teacherstudent.house.errors import InputError

MOST = 1e10
"""Most multiplications of the steps of a draw: some ten seconds."""

CALLS = 50_000
"""Multiplications in whose time a step's calls are made."""

DIVERGES = "instance route: stochastic gradient descent diverges at this learning rate"


class Residuals(Protocol):
    """The mean over batches of the rows' residuals after some steps: their second moments."""

    def moments(self, p: np.ndarray, missed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Squares of each row, (..., n), and products in the basis U, (..., R, R), summed over outputs.

        p, missed: what is left of the start and of the labels along each mode, (..., R).
        """


def demand_affordable(steps: float, rows: int, modes: int) -> None:
    """Raise `InputError` for more steps than `MOST` allows for these rows and modes."""
    most = int(MOST / (CALLS + 4 * rows * modes**2))
    if steps > most:
        domain = f"at most {most} for these sizes, because this route computes each step"
        raise InputError("times", f"{steps:g}", domain, "use --route asymptotic or simulation")


def covariances(
    left: np.ndarray,
    c: np.ndarray,
    residuals: Residuals,
    steps: np.ndarray,
    eta: float | np.ndarray,
    batch: int,
    ridge: float,
) -> Iterator[np.ndarray]:
    """V, (..., R, R), after each of the whole steps k >= 0, (T,), increasing. Leading axes are draws.

    left: U, (..., n, R); c: eigenvalues, (..., R), above 0; eta: one for all draws, or of each, (...).
    """
    n, root = left.shape[-2], np.sqrt(c)
    beta = (n - batch) / (batch * (n - 1)) if n > batch else 0.0
    rate = np.asarray(eta, dtype=float)[..., None]
    rows, once, kept = left * root[..., None, :], 1 - rate * (c + ridge), ridge / (c + ridge)
    gain = (rate**2 * beta)[..., None]
    shrunk, pulled = _outer(once) - gain * _outer(c), gain * _outer(root)
    repeated = np.swapaxes(rows, -1, -2) * (gain * n)
    found, p, taken = np.zeros_like(shrunk), np.ones_like(c), 0
    for step in steps:
        for _ in range(int(step) - taken if beta else 0):
            missed = kept + (1 - kept) * p
            squares, products = residuals.moments(p, missed)
            squares = squares + np.einsum("...ir,...ir->...i", rows @ found, rows)  # rho
            found = shrunk * found - pulled * products + (repeated * squares[..., None, :]) @ rows
            p = once * p
        taken = int(step)
        yield found


def _outer(each: np.ndarray) -> np.ndarray:
    return each[..., None] * each[..., None, :]
