r"""Both weight matrices at once: the matrix Riccati solution for lambda-balanced weights.

For W_1 W_1^T - W_2^T W_2 = c on the hidden directions in use, Q = [W_1^T; W_2] obeys tau Q' = F Q -
Q Q^T Q/2, F = [[c/2, C^T], [C, -c/2]], C = Y X^T: pezeshki2022 Eqs. 2.2.5-2.2.6 with 2.2.7 (Fukumizu
1998; Braun et al. 2022, whose lambda is -c). With F = O Lam O^T and B = O^T Q,

    Q(t) ~ O e^(Lam t) B S^-1/2,   S = I + B^T diag(w) B,   w = (e^(2 Lam t) - 1)/(2 Lam),

up to a rotation of the hidden units, which W_2 W_1 does not see. That freedom reduces Q to as many columns as
hidden directions are used: rounding in the others would grow like e^(|c| t/2). S is singular to rounding long
before the weights converge. It is never formed: for M = [diag(sqrt w) B; I] = Z R with orthonormal
columns Z, the upper rows of Z are diag(sqrt w) B R^-1. Householder's reduction keeps every row's own
digits if the largest rows come first and columns are pivoted (Cox and Higham 1998).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr

LONGEST = 300.0
"""Largest Lam t of one piece: sqrt(w) stays far inside the range of float64."""

PIECES = 2_000
"""Pieces after which an answer is given up, at t/tau = 6e5 divided by the largest rate."""

SINGULAR = 1e-10
"""Relative singular value below which the weights lack a growing direction but for rounding."""

VISIBLE = 1e-5
"""Rounding that has grown to this, 1e-10 in the product of the weights, ends such an answer."""


@dataclass(frozen=True)
class Flow:
    """The eigensystem of F, largest eigenvalue first: rates (m,), frame (m, m), m = N_in + N_out."""

    rates: np.ndarray
    frame: np.ndarray
    inputs: int

    @classmethod
    def of(cls, correlation: np.ndarray, balance: float) -> Flow:
        """For C = Y X^T, (N_out, N_in), and c = balance."""
        outputs, inputs = correlation.shape
        own = balance / 2 * np.concatenate([np.ones(inputs), -np.ones(outputs)])
        matrix = np.diag(own)
        matrix[inputs:, :inputs], matrix[:inputs, inputs:] = correlation, correlation.T
        rates, frame = np.linalg.eigh(matrix)
        return cls(rates[::-1], frame[:, ::-1], inputs)

    def certain_until(self, B: np.ndarray) -> float:
        """Time t/tau from which rounding decides where these weights go; infinite as a rule.

        Rounding of the largest weights hides those that are much smaller, and grows at any rate.
        Weights that miss a growing direction go to a saddle, where a mode is never learned: so do
        half of the balanced networks without spare units, those whose W_2 W_1 has the wrong sign of
        determinant. Rounding leaves the saddle at the rate of the slowest mode.
        """
        growing = self.rates > len(self.rates) * np.finfo(float).eps * self.rates[0]
        present, used = (np.linalg.svd(part, compute_uv=False) for part in (B[growing], B))
        if used[-1] <= SINGULAR * used[0]:
            rate = self.rates[0]
        elif present[-1] <= SINGULAR * used[0]:
            rate = self.rates[growing][-1]
        else:
            return np.inf
        return float(np.log(VISIBLE / np.finfo(float).eps) / rate)

    def advance(self, B: np.ndarray, time: float) -> np.ndarray:
        """B = O^T Q, (m, N_hid), after t/tau = time > 0, up to a rotation of the hidden units."""
        growing = np.where(self.rates == 0, 1.0, self.rates)
        w = np.where(self.rates == 0, time, np.expm1(2 * growing * time) / (2 * growing))
        scale = np.sqrt(np.where(self.rates == 0, 1 / time, -2 * growing / np.expm1(-2 * growing * time)))
        stacked = np.concatenate([np.sqrt(w)[:, None] * B, np.eye(B.shape[1])])
        order = np.argsort(-np.abs(stacked).max(axis=1), kind="stable")
        columns = qr(stacked[order], mode="economic", pivoting=True)[0]
        upper = np.empty_like(columns)
        upper[order] = columns
        return scale[:, None] * upper[: len(B)]


def network(
    first: np.ndarray,
    second: np.ndarray,
    correlation: np.ndarray,
    times: np.ndarray,
    balance: float,
    used: int,
) -> np.ndarray:
    """W_2 W_1 at increasing times t/tau >= 0, (T, N_out, N_in), from W_1 and W_2 of `used` hidden directions.

    NaN where the time is more than `PIECES` pieces late, or where rounding decides. Raises
    `ValueError` unless W_1 W_1^T - W_2^T W_2 is `balance` on the hidden directions in use.
    """
    Q = np.concatenate([first.T, second])
    size = float(np.linalg.norm(Q, 2))
    excess = Q @ (first @ first.T - second.T @ second) - balance * Q
    if np.abs(excess).max() > 1e-12 * size * max(size**2, abs(balance)):
        raise ValueError(f"weights are not lambda-balanced at {balance}")
    flow = Flow.of(correlation, balance)
    directions, sizes, _ = np.linalg.svd(Q, full_matrices=False)
    B = flow.frame.T @ (directions[:, :used] * sizes[:used])
    answer = np.full((len(times), len(second), first.shape[1]), np.nan)
    now, spent, last = 0.0, 0, flow.certain_until(B)
    for i, time in enumerate(times):
        pieces = int(np.ceil((time - now) * flow.rates[0] / LONGEST))
        spent += pieces
        if spent > PIECES or time > last:
            break
        for _ in range(pieces):
            B = flow.advance(B, (time - now) / pieces)
        now = time
        Q = flow.frame @ B
        answer[i] = Q[flow.inputs :] @ Q[: flow.inputs].T
    return answer
