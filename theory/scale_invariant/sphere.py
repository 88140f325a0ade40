"""The unit sphere and how vectors move on it: geodesics, transport, and the transport the paper prints.

Points are unit vectors (..., d); all functions act on the last axis. Angles in radians.
"""

from __future__ import annotations

import numpy as np


def tangent(u: np.ndarray, a: np.ndarray) -> np.ndarray:
    """The part of a, (..., d), tangent to the sphere at u: P_u a = a - <a, u> u."""
    return a - np.sum(a * u, axis=-1, keepdims=True) * u


def angle(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Distance on the sphere between unit vectors, (...), accurate at 0 and at pi (cf. Eq. 36)."""
    return 2 * np.arctan2(np.linalg.norm(u - v, axis=-1), np.linalg.norm(u + v, axis=-1))


def exponential(u: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Exp_u(w): the end of the geodesic from u with tangent velocity w, (..., d), after unit time."""
    length = np.linalg.norm(w, axis=-1, keepdims=True)
    return np.cos(length) * u + np.sinc(length / np.pi) * w


def transport(u: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
    """Parallel transport of a, tangent at u, along the geodesic to v != -u: tangent at v, as long as a."""
    share = np.sum(a * v, axis=-1, keepdims=True) / (1 + np.sum(u * v, axis=-1, keepdims=True))
    return a - share * (u + v)


def coplanar_transport(u: np.ndarray, v: np.ndarray, a: np.ndarray) -> np.ndarray:
    """T(a) of roburin2020 Eq. 72: `transport` where a lies in the plane of u and v, as momenta do.

    What is normal to that plane comes out shorter, by <u, v>.
    """
    cosine = np.sum(u * v, axis=-1, keepdims=True)
    return cosine * a - np.sum(a * v, axis=-1, keepdims=True) * u  # Eq. 72


def rescaled_transport(old: np.ndarray, new: np.ndarray, a: np.ndarray) -> np.ndarray:
    """RT(a) of roburin2020 Eqs. 18, 75 for a step of the weights from old to new, (..., d).

    Equal to P_u a at the new point wherever new = old - s a, and to P_u a/alpha for new = alpha old - s a.
    """
    across = np.sum(new * old, axis=-1, keepdims=True) * a
    along = np.sum(new * a, axis=-1, keepdims=True) * old
    return (across - along) / np.sum(new * new, axis=-1, keepdims=True)  # Eq. 75
