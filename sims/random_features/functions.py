"""Activations and teachers: their values, and their first moments by quadrature."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import jax
import numpy as np

import teacherstudent.sims.arrays  # noqa: F401  (double precision)
from teacherstudent.house.functions import UserFunction
from teacherstudent.problems.random_features.instance import Function
from teacherstudent.sims.compilation import compiled

_erf = compiled(jax.lax.erf)


def value(function: Function, u: np.ndarray) -> np.ndarray:
    """The function at each of the numbers u: by name, or sum_k a_k He_k(u)/sqrt(k!) of coefficients a."""
    if isinstance(function, UserFunction):
        return function(u)
    if isinstance(function, tuple):
        factorials = np.cumprod(np.maximum(np.arange(len(function)), 1.0))
        return np.polynomial.hermite_e.hermeval(u, np.array(function) / np.sqrt(factorials))
    match function:
        case "relu":
            return np.maximum(u, 0.0)
        case "tanh":
            return np.tanh(u)
        case "erf":
            return np.asarray(_erf(u))
        case "sign":
            return np.sign(u)
        case "linear":
            return u
    raise AssertionError(function)


def is_linear(function: Function) -> bool:
    """Whether the function without its mean is a multiple of u."""
    if isinstance(function, UserFunction):
        return moments(function).rest == 0
    return not any(function[2:]) if isinstance(function, tuple) else function == "linear"


class Moments(NamedTuple):
    """Of a function s of G ~ N(0, 1): E s, its slope E G s, and the standard deviation of the remainder."""

    mean: float
    slope: float
    rest: float


def moments(function: Function) -> Moments:
    """By Gauss-Legendre quadrature on either side of 0, where functions may have a kink or jump.

    It ends where squares times the density are below 1e-20: beyond the outermost zero of a polynomial.
    """
    degree = len(function) if isinstance(function, tuple) else 1
    half = 5 + np.sqrt(degree)
    nodes, weights = _panels() if isinstance(function, UserFunction) else _gauss_legendre()
    u = half * (nodes + 1)
    density = half * weights * np.exp(-(u**2) / 2) / np.sqrt(2 * np.pi)
    right, left = value(function, u), value(function, -u)
    mean = density @ (right + left)
    slope = density @ (u * (right - left))
    rest = density @ ((right - mean - slope * u) ** 2 + (left - mean + slope * u) ** 2)
    if isinstance(function, UserFunction):
        rest = 0.0 if rest <= 1e-28 * (density @ (right**2 + left**2)) else rest
    elif is_linear(function):
        rest = 0.0  # without the rounding of the quadrature
    return Moments(float(mean), float(slope), float(np.sqrt(rest)))


@cache
def _panels() -> tuple[np.ndarray, np.ndarray]:
    """Nodes on [-1, 1] in narrow panels and their weights, for functions with kinks anywhere."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    return (np.arange(-127, 128, 2)[:, None] + nodes).ravel() / 128, np.tile(weights, 128) / 128


@cache
def _gauss_legendre() -> tuple[np.ndarray, np.ndarray]:
    """Nodes on [-1, 1] and their weights: so many that squares of the longest polynomial are exact."""
    return np.polynomial.legendre.leggauss(160)
