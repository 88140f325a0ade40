"""The answers of the linear network's closed forms, by integrating every layer's gain."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.integrate import solve_ivp

from teacherstudent.problems.linear_network import LinearNetwork, initial_gains


def flow(problem: LinearNetwork, times: np.ndarray) -> Mapping[str, np.ndarray]:
    """tau g_l' = (s - u) u/g_l, u the product of the gains of all layers, mode by mode."""
    s, start = np.asarray(problem.singular_values), initial_gains(problem)

    def slope(_: float, y: np.ndarray) -> np.ndarray:
        gains = y.reshape(start.shape)
        u = gains.prod(axis=0)
        return ((s - u) * u / gains).ravel()

    solved = solve_ivp(slope, (0, times[-1]), start.ravel(), "DOP853", times, rtol=1e-13, atol=1e-14)
    assert solved.success
    return {"u": solved.y.T.reshape(-1, *start.shape).prod(axis=1)}


REFERENCES = {"linear-network/flow/closed-form": flow}
