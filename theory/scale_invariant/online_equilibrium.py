"""Fixed points of the equations of `online`: a radius for every V, and the corresponding alignment."""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq, newton

from teacherstudent.house.errors import InputError
from teacherstudent.problems.scale_invariant import ON_THE_SPHERE, ScaleInvariant
from teacherstudent.theory.scale_invariant.losses import law
from teacherstudent.theory.scale_invariant.online import Laws


def rest(problem: ScaleInvariant, noise: float) -> tuple[float, float, float]:
    """Angle, radius and d eta^e that the online dynamics reaches from its angle0.

    For sgd and 1 - m: r^4 = eta V/(2 lambda) and 1 - m^2 = m sqrt(eta lambda V/2). The angle of
    squared-correlation is pi/2 where noise wins. Raises `InputError` without a ridge, where the radius would
    grow without bound, and `ArithmeticError` where rounding hides it.
    """
    laws, loss = Laws(problem), law(problem)
    if problem.scheme not in ON_THE_SPHERE and problem.ridge == 0:
        raise InputError("ridge", 0, "> 0 for an equilibrium: without L2 the radius grows forever")
    if problem.scheme == "adagradg" and problem.beta2 == 1:
        raise InputError("beta2", 1, "< 1 for an equilibrium: otherwise the second moment grows forever")

    def size(V: np.ndarray) -> np.ndarray:
        """The radius, or adagradg's v, that V leads to."""
        if problem.scheme == "adagradg":
            return problem.d * V / (1 - problem.beta2)
        if problem.scheme in ON_THE_SPHERE:
            return np.ones(())

        def surplus(log_r: float) -> float:  # a power law but for epsilon
            r = np.exp(np.asarray(log_r))
            return float(np.log(laws.growth(r, V)) - np.log(laws.decay(r, V)))

        try:
            return np.exp(np.asarray(newton(surplus, 0.0, x1=0.1, tol=1e-14)))
        except RuntimeError as error:
            raise ArithmeticError(f"no stationary radius was found: {error}") from None

    def restoring(log_n: float) -> float:
        """(n drift - noise)/(1 - n), divided by n to keep it finite."""
        n = np.exp(np.asarray(log_n))
        V = loss.gradient_variance(n, noise)
        e = laws.step(size(V), V)
        drift = loss.alignment_drift(n)
        if problem.loss == "squared-correlation":  # odd in m: m = 0 is always at rest
            return float(2 * (2 - n) - e * V / (2 * n))
        return float((drift - e * V * (1 - n) / 2) / n)

    low, high = -600.0, 0.0
    at_high = restoring(high)
    if not (at_high <= 0 or restoring(low) < 0):  # neither where rounding made them NaN
        raise ArithmeticError("no stationary angle was found")
    n = np.exp(np.asarray(high if at_high <= 0 else brentq(restoring, low, high, xtol=1e-14, rtol=1e-14)))
    V = loss.gradient_variance(n, noise)
    angle, r = 2 * np.arcsin(np.sqrt(n / 2)), size(V)
    if problem.loss == "squared-correlation" and problem.angle0 > np.pi / 2:
        angle = np.pi - angle
    return float(angle), 1.0 if problem.scheme in ON_THE_SPHERE else float(r), float(laws.rate(r, V))
