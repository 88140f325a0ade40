"""Features of a network from the Jacobian of its outputs (pezeshki2022 Def. 6.3.1)."""

from __future__ import annotations

import numpy as np

from teacherstudent.problems.starvation import PROBLEM, Starvation


def features(jacobian: np.ndarray, labels: np.ndarray, ridge: float) -> Starvation:
    """The problem that the linearised network poses: thin SVD of Y Phi0 = U S V^T.

    jacobian: Phi0, (n, m), of each example's output by each parameter. labels: +1 or -1, (n,).
    Signs and order of features are the decomposition's; compare K = U S^2 U^T or |z|. Where
    m < n, the missing features have strength 0.
    """
    n = len(labels)
    U, s, _ = np.linalg.svd(labels[:, None] * jacobian, full_matrices=jacobian.shape[1] < n)
    return PROBLEM.instance(vectors=U, strengths=np.pad(s, (0, n - s.size)), ridge=ridge)
