"""Moments of Gaussian fields through an activation g: what the order parameters move by.

Fields a, b, c, ... are jointly Gaussian with mean 0 and covariance C, (N, N), which may be singular. `a` and
`b` are indices of fields, (P,) each. `Linear` and `Erf` take many covariances as well, (..., N, N). With g'
the derivative of g:

    second       E g(a) g(b)              of all pairs
    derivatives  E g'(a) g'(b)            of the given pairs
    third        E g'(a) b g(c)           of the given pairs and all c
    fourth       E g'(a) g'(b) g(c) g(e)  of the given pairs and all c, e

Source: saad1995 for g = erf(x/sqrt 2); of max(x, 0) see `rectified`.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from teacherstudent.house.functions import UserFunction
from teacherstudent.theory.committee import rectified
from teacherstudent.theory.committee.quadrature import TOP, Sampled

TINY = float(np.finfo(float).tiny)


class Moments(Protocol):
    """The four moments of one activation."""

    def second(self, C: np.ndarray) -> np.ndarray: ...
    def derivatives(self, C: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray: ...
    def third(self, C: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray: ...
    def fourth(self, C: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray: ...


class Linear:
    """g(x) = x."""

    def second(self, C: np.ndarray) -> np.ndarray:
        return C

    def derivatives(self, C: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.ones((*C.shape[:-2], a.size))

    def third(self, C: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return C[..., b, :]

    def fourth(self, C: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.broadcast_to(C[..., None, :, :], (*C.shape[:-2], a.size, *C.shape[-2:]))


class Erf:
    """g(x) = erf(x/sqrt 2), in c_ab = C_ab/sqrt(d_a d_b) with d_a = 1 + C_aa, which stay below 1."""

    def second(self, C: np.ndarray) -> np.ndarray:
        _, c = _scaled(C)
        return 2 / np.pi * np.arcsin(np.clip(c, -1, 1))

    def derivatives(self, C: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        d, c = _scaled(C)
        return 2 / np.pi / np.sqrt(d[..., a] * d[..., b] * _left(c[..., a, b]))

    def third(self, C: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        d, c = _scaled(C)
        slope = (c[..., b, :] - c[..., a, b][..., None] * c[..., a, :]) / np.sqrt(_left(c[..., a, :]))
        return 2 / np.pi * np.sqrt(d[..., b] / d[..., a])[..., None] * slope

    def fourth(self, C: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """The arc sine of the fields that are left of c and e given a and b."""
        d, c = _scaled(C)
        left = _left(c[..., a, b])
        along = c[..., a, :]
        beside = (c[..., b, :] - c[..., a, b][..., None] * along) / np.sqrt(left)[..., None]
        given = c[..., None, :, :] - along[..., None] * along[..., None, :]
        given = given - beside[..., None] * beside[..., None, :]
        sizes = np.sqrt(np.maximum(1 - along**2 - beside**2, TINY))
        angle = np.arcsin(np.clip(given / (sizes[..., None] * sizes[..., None, :]), -1, 1))
        return 4 / np.pi**2 / np.sqrt(d[..., a] * d[..., b] * left)[..., None, None] * angle


def _scaled(C: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    # slopes at 0 need the values next to it
    d = 1 + np.maximum(np.diagonal(C, axis1=-2, axis2=-1), -0.5)
    size = np.sqrt(d)
    return d, C / size[..., None, :] / size[..., None]


def _left(c: np.ndarray) -> np.ndarray:
    return np.maximum(1 - c**2, TINY)


OF: dict[str, Moments] = {"erf": Erf(), "linear": Linear(), "relu": rectified.Rectified()}
"""By the name of the activation."""


def of(activation: Any) -> Moments:
    """The moments of an activation: by name, of a user's function at its finest level, or as they are."""
    if isinstance(activation, str):
        return OF[activation]
    return Sampled(activation, TOP) if isinstance(activation, UserFunction) else activation
