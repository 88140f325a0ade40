"""Second moments of SGD near a minimum, and the largest stable step, as in mulayoff2024.

Let H_i = x_i x_i^T, H their mean, g_i = r_i x_i, and p the variance of a batch (Thm. 5). A step changes the
mean m and the second moment S of theta - theta* by

    m -> (I - eta H) m,    S -> S - eta (H S + S H) + eta^2 [(1 - p) H S H + (p/n) sum_i H_i S H_i]
                                + (eta^2 p/n) sum_i [g_i g_i^T + H_i m g_i^T + g_i m^T H_i] .

The first line is Eq. 10 (Ma and Ying 2021). The second line is 0 for minima that interpolate (g = 0).
"""

from __future__ import annotations

import numpy as np

from teacherstudent.house.certainty import nan_where

from .problem import Regression, variance


def moments(problem: Regression, times: np.ndarray, *, learning_rate: float) -> dict[str, np.ndarray]:
    """Means of distance and loss over batches, each (T,); NaN if they overflow."""
    x, r, m = problem.drawn()
    H, S, eta, p = x.T @ x / problem.n, np.outer(m, m), learning_rate, variance(problem.n, problem.batch)
    found, k = [], 0
    for time in np.rint(times):
        with np.errstate(over="ignore", invalid="ignore"):
            while k < time:
                noise = (x.T * (r**2 + 2 * (x @ m) * r)) @ x / problem.n
                S = S - eta * (H @ S + S @ H) + eta**2 * (_grown(S, x, H, p, 1 - p) + p * noise)
                m, k = m - eta * H @ m, k + 1
            found.append((np.trace(S), np.trace(H @ S) / 2))
    distance, loss = np.array(found).T
    return nan_where(~np.isfinite(distance), "the mean overflows", {"distance": distance, "loss": loss})


def _grown(S: np.ndarray, x: np.ndarray, H: np.ndarray, p: float, q: float) -> np.ndarray:
    """q H S H + p mean_i H_i S H_i."""
    return q * H @ S @ H + p * (((x @ S) * x).sum(axis=1) * x.T) @ x / len(x)


def sharpness(x: np.ndarray, p: float, q: float | None = None, half: float = 0.5) -> float:
    """lambda_max(C^+ D) of Thm. 5 for rows x (n, d) and the variance p of a batch.

    With p = 1 and q = -1, D is replaced by E of Prop. 8. `half` is the factor of C in Eq. 12. The iterates of
    the power method are positive matrices, like the top eigenvector (Thm. 14).
    """
    h, modes = np.linalg.eigh(x.T @ x / len(x))
    kept = h > 1e-12 * h[-1]
    h, x = h[kept], x @ modes[:, kept]
    S, last, C = np.eye(len(h)), 0.0, half * np.add.outer(h, h)
    for _ in range(100_000):
        S = _grown(S, x, np.diag(h), p, 1 - p if q is None else q) / C
        size = np.linalg.norm(S)
        if abs(size - last) < 1e-13 * size:
            break
        S, last = S / size, size
    return float(size)
