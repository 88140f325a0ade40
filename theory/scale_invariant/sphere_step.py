"""The image on the unit sphere of a step in R^d (roburin2020 Theorem 2), exact.

A step x' = s x - eta a/b of weights x = r u, with a and b of shape (..., d), quotient by element, and
a shrinkage s (1, or 1 - eta ridge where weight decay is decoupled).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.theory.scale_invariant.sphere import exponential, tangent


@dataclass(frozen=True)
class SphereStep:
    """A step seen from the sphere.

    u: where it starts, (..., d). rate: effective learning rate eta^e, (...). direction: effective
    direction c_perp, (..., d), tangent at u. radial: s - A <c, u>, (...), positive in Theorem 2.
    """

    u: np.ndarray
    rate: np.ndarray
    direction: np.ndarray
    radial: np.ndarray

    @property
    def z(self) -> np.ndarray:
        """Length eta^e |c_perp| of the step in the tangent plane, (...)."""
        return self.rate * np.linalg.norm(self.direction, axis=-1)

    @property
    def end(self) -> np.ndarray:
        """u', (..., d), Eq. 12."""
        return (self.u - self.rate[..., None] * self.direction) / np.sqrt(1 + self.z**2)[..., None]

    @property
    def geodesic_end(self) -> np.ndarray:
        """u' by the exponential map, (..., d): Eq. 10 with its bracket in closed form, arctan(z)/z."""
        bracket = np.where(self.z > 0, np.arctan(self.z) / np.where(self.z > 0, self.z, 1), 1)
        return exponential(self.u, -(bracket * self.rate)[..., None] * self.direction)

    @property
    def growth(self) -> np.ndarray:
        """r'/r, (...), Eq. 13."""
        return self.radial * np.sqrt(1 + self.z**2)


def image(
    x: np.ndarray, a: np.ndarray, b: np.ndarray, learning_rate: float, shrinkage: float = 1.0
) -> SphereStep:
    """The image of x' = shrinkage x - learning_rate a/b (Eqs. 3, 11).

    Exact wherever `radial` is positive; where it is negative, Eq. 12 gives the antipode of u'.
    """
    r = np.linalg.norm(x, axis=-1)
    u = x / r[..., None]
    scheduling = np.linalg.norm(b, axis=-1) / np.sqrt(x.shape[-1])  # B = d^-1/2 |b|
    c = (r * scheduling)[..., None] * a / b  # Eq. 11
    A = learning_rate / (r**2 * scheduling)  # Eq. 29
    radial = shrinkage - A * np.sum(c * u, axis=-1)
    return SphereStep(u, A / radial, tangent(u, c), radial)  # Eq. 11
