r"""Published formulas of ridge regression: those of mei2022, at a ridge and in its limits.

With zeta = mu1/mustar and lambda' = lambda/mustar^2 (lambda of mei2022: `ridge` is psi2 lambda), nu1 = i a1
and nu2 = i a2 on the imaginary axis solve, with xi = sqrt(psi1 psi2 lambda') and u = a1 a2,

    a1 = psi1/(xi + a2 + zeta^2 a2/(1 + zeta^2 u)),   a2 = psi2/(xi + a1 + zeta^2 a1/(1 + zeta^2 u)),

so that (psi1 - g)(psi2 - g) = xi^2 u with g = u + zeta^2 u/(1 + zeta^2 u). chi = nu1 nu2 = -u.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import optimize

from teacherstudent.paper_checks.judging.exactness import EPS
from teacherstudent.paper_checks.random_features.kit.asking import Nonlinearity


@dataclass(frozen=True)
class Regression:
    """Ridge regression as mei2022 states it."""

    psi1: float
    psi2: float
    own: Nonlinearity
    lam: float

    @property
    def zeta(self) -> float:
        return self.own.mu1 / self.own.rest**0.5

    @property
    def scaled(self) -> float:
        """lambda/mustar^2."""
        return self.lam / self.own.rest


Parts = tuple[float, float]
"""B and V: what F1^2 and F*^2 + tau^2 are multiplied by."""
Formula = Callable[[Regression], Parts]


def coupling(case: Regression) -> float:
    """u = a1 a2 at a ridge."""
    least = min(case.psi1, case.psi2)

    def equation(log: float) -> float:
        g, u = absorbed(case, np.exp(log)), np.exp(log)
        return (case.psi1 - g) * (case.psi2 - g) - case.psi1 * case.psi2 * case.scaled * u

    highest = optimize.brentq(
        lambda log: absorbed(case, np.exp(log)) - least, -200.0, np.log(least), rtol=4 * EPS
    )
    return float(np.exp(optimize.brentq(equation, -200.0, highest, xtol=1e-300, rtol=4 * EPS)))


def absorbed(case: Regression, u: float) -> float:
    """g(u)."""
    return float(u + case.zeta**2 * u / (1 + case.zeta**2 * u))


def at_ridge(case: Regression) -> Parts:
    """Theorem 2: E1/E0 and E2/E0."""
    return of_chi(case, -coupling(case))


def ridgeless(case: Regression) -> Parts:
    """Ridgeless limit: the same with chi at lambda -> 0."""
    square = case.zeta**2
    half = min(case.psi1, case.psi2) * square - square - 1
    return of_chi(case, -(np.sqrt(half**2 + 4 * square * min(case.psi1, case.psi2)) + half) / (2 * square))


def of_chi(case: Regression, x: float) -> Parts:
    """E1/E0 and E2/E0 by powers of chi and zeta^2."""
    z, psi1, psi2 = case.zeta**2, case.psi1, case.psi2
    common = x**5 * z**3 - 3 * x**4 * z**2 + 2 * x**3 * z**2 + 3 * x**3 * z - 2 * x**2 * z - x**2
    e0 = (
        -common + (psi1 * psi2 - psi2 - psi1 + 1) * x**3 * z**3
        + (psi1 + psi2 - 3 * psi1 * psi2 + 1) * x**2 * z**2 + 3 * psi1 * psi2 * x * z - psi1 * psi2
    )  # fmt: skip
    e1 = psi2 * x**3 * z**2 - psi2 * x**2 * z + psi1 * psi2 * x * z - psi1 * psi2
    e2 = common + (psi1 - 1) * x**3 * z**3 - (psi1 + 1) * x**2 * z**2
    return e1 / e0, e2 / e0


def wide(case: Regression) -> Parts:
    """Highly overparametrised limit, psi1 -> infinity."""
    psi, w = case.psi2, omega(case, case.psi2)
    below = (psi - 1) * w**3 + (1 - 3 * psi) * w**2 + 3 * psi * w - psi
    return (psi * w - psi) / below, (w**3 - w**2) / below


def many_samples(case: Regression) -> Parts:
    """Large sample limit, psi2 -> infinity at fixed lambda."""
    psi, w = case.psi1, omega(case, case.psi1)
    below = (psi - 1) * w**3 + (1 - 3 * psi) * w**2 + 3 * psi * w - psi
    return ((w**3 - w**2) / case.zeta**2 + psi * w - psi) / below, 0.0


def omega(case: Regression, psi: float) -> float:
    """The root of both limits."""
    square, ridge = case.zeta**2, case.scaled * psi + 1
    half = psi * square - square - ridge
    return float(-(np.sqrt(half**2 + 4 * psi * square * ridge) + half) / (2 * ridge))
