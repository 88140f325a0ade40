r"""How one step multiplies the length of a vector, for inputs of one strength: exact, by quadrature.

With X ~ chi2_b, Y ~ chi2_{d-1} (0 where d = 1) and k = eta/b,

    |M u|^2 = V = (1 - k X)^2 + k^2 X Y     for every unit vector u,

so the moments of products are powers: E |M_k ... M_1 u|^s = h(s)^k, h(s) = E V^{s/2}, and rho = E ln V / 2.
ln V is singular where X = 1/k and Y = 0. Its values at the nodes are kept, and each order is a sum of powers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from teacherstudent.theory.heavy_tails import chi

NEGLIGIBLE = 60.0
"""Logarithm of how much less likely than the rest a part is that is left out."""


@dataclass(frozen=True)
class Growth:
    """ln V at nodes, (N,), and the logarithms of their probabilities, some of which no number holds."""

    logarithms: np.ndarray
    likely: np.ndarray

    def lyapunov(self) -> float:
        """rho, of a step."""
        return float(np.exp(self.likely) @ self.logarithms) / 2

    def log_moment(self, order: float) -> float:
        """ln h(s) of an order s >= 0; without loss where it is small."""
        exponents = order / 2 * self.logarithms
        if exponents.max() < 1:
            change = float(np.exp(self.likely) @ np.expm1(exponents))
            if change > -0.5:
                return float(np.log1p(change))
        exponents += self.likely
        most = exponents.max()
        return float(most + np.log(np.sum(np.exp(exponents - most))))


@lru_cache(maxsize=64)
def of(learning_rate: float, batch: int, d: int, order: float) -> Growth:
    """Of steps of eta on b examples of d inputs of variance 1, for orders up to `order`."""
    k = learning_rate / batch
    low, high = reach(1 / k, batch, d, order)
    apart, weights = chi.nodes(low, high, np.sqrt(1 / k))
    likely = _likely(batch, apart + np.sqrt(1 / k), weights)
    q, others = np.zeros(1), np.zeros(1)
    if d > 1:
        low = max(0.0, np.sqrt(d - 1) - chi.MARGIN)
        q, weights = chi.nodes(low, np.sqrt(d - 1 + order) + chi.MARGIN, 0.0 if low == 0 else None)
        others = _likely(d - 1, q, weights)
    relative, y = (apart / np.sqrt(1 / k))[:, None], k * q**2
    x = (1 + relative) ** 2  # k X
    change = x * (x + y - 2)  # V - 1
    remaining = (relative * (2 + relative)) ** 2 + x * y
    near = np.abs(change) < 0.5
    logarithms = np.where(near, np.log1p(np.where(near, change, 0.0)), np.log(remaining))
    joint = likely[:, None] + others
    joint -= np.log(np.sum(np.exp(joint)))
    return Growth(logarithms.ravel(), joint.ravel())


def _likely(nu: int, r: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Logarithms of what nodes of a chi variable have of its law, relative to its peak."""
    found = chi.log_density(nu, np.maximum(r, np.finfo(float).tiny))
    return found - found.max() + np.log(weights)


def reach(zero: float, batch: int, d: int, order: float) -> tuple[float, float]:
    """The range of sqrt(X) that matters for orders from 0 to `order`; zero = b/eta.

    x^(b/2) e^(-x/2) |x - zero|^s has a peak on each side of zero. Y moves neither outwards by more than s
    does the law of X. A peak below e^-NEGLIGIBLE of the largest is left out: it may be far away.
    """
    total = zero + batch + 2 * order
    upper = (total + np.sqrt(total**2 - 4 * batch * zero)) / 2
    lower = batch * zero / upper

    def height(x: float, y: float) -> float:
        V = (1 - x / zero) ** 2 + x * y / zero**2
        return float(chi.log_density(batch, np.sqrt(x))) + (order / 2 * np.log(V) if V > 0 else -np.inf)

    likely = height(batch, d - 1) - NEGLIGIBLE
    if zero > batch and height(upper, d - 1 + order) < likely:
        upper = batch + order
    if zero < batch and height(lower, d - 1 + order) < likely:
        lower = batch
    return max(0.0, np.sqrt(lower) - chi.MARGIN), np.sqrt(upper) + chi.MARGIN
