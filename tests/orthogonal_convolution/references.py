"""Orthogonal convolutions by other means: gradient descent on the kernel as a matrix, without its modes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.problems.orthogonal_convolution import OrthogonalConvolution
from teacherstudent.problems.orthogonal_convolution.data import kernels


def recursion(
    problem: OrthogonalConvolution, times: np.ndarray, *, learning_rate: float, seeds: Sequence[int]
) -> dict[str, np.ndarray]:
    """W <- W - 4 eta (W W^T - I) W where windows do not overlap and W has full rank, M <= C k^D."""
    answers = []
    for kernel in kernels(problem, seeds):
        W, taken, found = kernel.reshape(len(kernel), -1), 0, []
        for count in times:
            for _ in range(taken, int(count)):
                W = W - 4 * learning_rate * (W @ W.T @ W - W)
            taken, squares = int(count), np.linalg.eigvalsh(W @ W.T)
            error = np.sum((W @ W.T - np.eye(len(W))) ** 2)
            found.append((error, error, np.sqrt(squares[-1]), np.sqrt(squares[0])))
        answers.append(found)
    names = ("regulariser", "orthogonality_error", "largest_singular_value", "smallest_singular_value")
    return dict(zip(names, np.moveaxis(np.array(answers), -1, 0), strict=True))


REFERENCES = {"orthogonal-convolution/descent/recursion": recursion}
