r"""Triangular factors of Y X^T = [[0, s_2], [s_1, 0]]: a least loss that no weights attain.

W_2 W_1 = [[p, 0], [q, r]] [[a, b], [0, c]] comes as near as one likes. With p = s_2/B, a = s_1/B, q = b = B
and r = -c = B all entries are right but the first one, p a = s_1 s_2/B^2, at the price |theta|^2 ~ 4 B^2. So

    rho |theta|^2 -> 4 s_1 s_2,   rho = |Y - W_2 W_1 X|.

Along gradient flow the small errors D = Y X^T - W_2 W_1 of the other entries follow from how B grows:
tau r' = D_22 c gives D_22 = -tau B'/B, tau q' = D_21 a + D_22 b then D_21 = 2 tau B B'/s_1, b' the like,
and tau p' = D_11 a + D_12 b leaves tau B' = (s_1 s_2)^2/(2 B^5). That is

    tau rho' = -rho^4/(s_1 s_2),   rho = (s_1 s_2/(3 t/tau))^(1/3)

for the loss 1/2 rho^2; without the 1/2 all is twice as fast. The errors of the other entries, and differences
between the lengths of both layers, which the flow keeps, change this relatively by the order of rho^2.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.linear_network import LinearNetwork


def residual(times: ArrayLike, product: float) -> np.ndarray:
    """Residual rho = |Y - W_2 W_1 X| of gradient flow at late times t/tau > 0; product: s_1 s_2."""
    return np.cbrt(product / (3 * np.asarray(times, dtype=float)))


def next_order(residual: ArrayLike, s: float) -> np.ndarray:
    """By how much the residual is above its law, relatively: 7/2 (rho/s)^2, for s_1 = s_2 = s.

    Of layers whose lengths do not differ: p = a, q = b, r = -c. There x = D_12 = D_21 and y = D_22 give, in
    units of s, B' = (1 - 9/2 B^-4)/(2 B^5), 3t = B^6 + 27/2 B^2 and rho = B^-2 - B^-6, but for orders beyond.
    """
    return 3.5 * (np.asarray(residual, dtype=float) / s) ** 2


def squared_norm(residual: ArrayLike, product: float) -> np.ndarray:
    """|theta|^2 = |W_1|^2 + |W_2|^2 along the flow where its residual has become so small."""
    return 4 * product / np.asarray(residual, dtype=float)


def best_residual(squared_norm: ArrayLike, product: float) -> np.ndarray:
    """The least residual of any weights of this squared norm |theta|^2, as that goes to infinity.

    It is less, relatively by the order of 1/|theta|^4. The flow is as good as weights of its size can be.
    """
    return 4 * product / np.asarray(squared_norm, dtype=float)


def last_time(learning_rate: float, product: float) -> float:
    """Time t/tau until which descent follows the flow: its curvature, |theta|^2, is 2/learning_rate then."""
    return 1 / (24 * product**2 * learning_rate**3)


def power_law_flow(problem: LinearNetwork, times: np.ndarray) -> Mapping[str, np.ndarray]:
    """residual and squared_norm, (T,), of any start; NaN at time 0, of which the law says nothing."""
    if problem.support != "triangular":
        raise InputError("support", problem.support, "triangular for route power-law")
    product = float(np.prod(problem.singular_values))
    began = times > 0
    rho = residual(np.where(began, times, 1.0), product)
    found = {"residual": rho, "squared_norm": squared_norm(rho, product)}
    return nan_where(~began, "power-law route: the power law does not hold at early times", found)


def power_law_descent(
    problem: LinearNetwork, times: np.ndarray, *, learning_rate: float
) -> Mapping[str, np.ndarray]:
    """`power_law_flow` at t/tau = learning_rate k; NaN from `last_time` on: weights grow no more there."""
    late = learning_rate * times
    found = dict(power_law_flow(problem, late))
    end = last_time(learning_rate, float(np.prod(problem.singular_values)))
    why = f"power-law route: from step {end / learning_rate:.3g} on gradient descent at this rate is unstable"
    return nan_where(late >= end, why, found)
