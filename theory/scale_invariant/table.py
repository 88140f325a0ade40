"""Table 1: effective learning rates and directions from what happened on the sphere.

Histories run over steps i = 0..k, the last one the present: radii r, (k+1,); directions u and gradients
there, grad L(u_i), (k+1, d). ridge is the L2 coefficient lambda. Division by epsilon = 0.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.theory.scale_invariant.sphere import coplanar_transport


def rate(learning_rate: float, r: float, nu: float, radial: float, shrinkage: float = 1.0) -> float:
    """eta^e = eta/(r nu) (1 - eta <c, u>/(r nu))^-1 (Table 1); nu = r for SGD's variants.

    radial: <c, u>: 0 for SGD, ridge r^2 for SGD + L2 and all transported momenta. shrinkage: what takes
    the place of the 1 where weight decay is decoupled, 1 - learning_rate ridge.
    """
    return learning_rate / (r * nu) / (shrinkage - learning_rate * radial / (r * nu))


def momentum_on_sphere(
    r: np.ndarray, u: np.ndarray, gradients: np.ndarray, beta: float, ridge: float
) -> np.ndarray:
    """c_grad + ridge r_k^2 c_L2, (d,): c of SGD-M, and of Adam before deformation (Eqs. 16-17)."""
    fading = beta ** np.arange(len(r) - 1, -1, -1)
    from_gradients = (fading * r[-1] / r) @ gradients  # Eq. 17
    from_weights = (fading * r / r[-1]) @ u  # Eq. 17
    return from_gradients + ridge * r[-1] ** 2 * from_weights  # Eq. 16


def transported_momentum(u: np.ndarray, gradients: np.ndarray, beta: float) -> np.ndarray:
    """c_RT, (d,): gradients carried along the sphere, free of radii and ridge (Eq. 77)."""
    carried = np.zeros_like(u[0])
    for i, gradient in enumerate(gradients):
        if i:
            carried = coplanar_transport(u[i - 1], u[i], carried)
        carried = beta * carried + gradient  # Eq. 77
    return carried


def second_moment(
    r: np.ndarray, u: np.ndarray, gradients: np.ndarray, beta1: float, beta2: float, ridge: float
) -> float:
    """nu_k = r_k d^-1/2 |b_k| of Adam and Adam-S (Eq. 64): depends on all past radii."""
    return _scheduling(r, u, gradients, beta1, beta2, ridge, (r[-1] / r) ** 2)


def rescaled_second_moment(
    r: np.ndarray, u: np.ndarray, gradients: np.ndarray, beta1: float, beta2: float, ridge: float
) -> float:
    """nu^R_k = r_k d^-1/2 |b_k| of Adam-SRT: radii enter only with the ridge.

    The sum of squares is of grad L(u_i) + ridge r_i^2 u_i; the papers print ridge r_i and ridge r_i r_k.
    """
    return _scheduling(r, u, gradients, beta1, beta2, ridge, np.ones_like(r))


def _scheduling(
    r: np.ndarray,
    u: np.ndarray,
    gradients: np.ndarray,
    beta1: float,
    beta2: float,
    ridge: float,
    ratio: np.ndarray,
) -> float:
    count, d = gradients.shape
    squares = np.sum((gradients + ridge * (r**2)[:, None] * u) ** 2, axis=1)
    fading = beta2 ** np.arange(count - 1, -1, -1)
    corrections = (1 - beta1**count) / (1 - beta1) * np.sqrt((1 - beta2) / (1 - beta2**count))
    return float(corrections * np.sqrt(np.sum(fading * ratio * squares) / d))  # Eq. 64
