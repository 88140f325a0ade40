"""How many parameters examples leave free, in float64: ranks by singular values of slopes by finite steps."""

from __future__ import annotations

import math

import numpy as np

from teacherstudent.problems.flexible_activations import FlexibleActivations

STEP = 1e-30
"""An imaginary step of this size has no rounding of its own: f is a polynomial."""


def rank(problem: FlexibleActivations, times: np.ndarray) -> dict[str, np.ndarray]:
    """The rank route, at a teacher of Gaussian numbers."""
    random = np.random.default_rng(5)
    m, n, r = problem.inputs, problem.outputs, problem.units
    powers = list(problem.powers)
    flat = random.standard_normal(problem.parameters)
    x = random.standard_normal((min(int(times[-1]), 2 * problem.parameters), m))

    def told(flat: np.ndarray) -> np.ndarray:
        V, W, c = np.split(flat, [m * r, (m + n) * r])
        terms = (x @ V.reshape(m, r))[..., None] ** powers / [math.factorial(s) for s in powers]
        return np.sum(terms * c.reshape(r, -1), axis=-1) @ W.reshape(n, r).T

    slopes = np.stack([told(flat + 1j * STEP * e).imag / STEP for e in np.eye(flat.size)], axis=-1)
    free, turning = [], []
    for count in times.astype(int):
        whole = slopes[:count].reshape(-1, flat.size)
        free.append(flat.size - 2 * r - _rank(whole))
        turning.append(free[-1] - r * len(powers) + _rank(whole[:, (m + n) * r :]))
    return {"ambiguity": np.array(free, float), "direction_ambiguity": np.array(turning, float)}


def _rank(matrix: np.ndarray) -> int:
    values = np.linalg.svd(matrix, compute_uv=False)
    return int(np.count_nonzero(values > 1e-9 * values[0]))


REFERENCES = {"flexible-activations/examples/rank": rank}
