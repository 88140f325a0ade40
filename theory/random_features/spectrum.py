r"""The limiting spectrum of Phi^T Phi: bands, density, and the share of eigenvalues below.

Between two bands y is real. With w = -1/y, T = mustar^2 + sum m u w^2/(w - u)^2 the D of `edges` is above 0
where T < w sqrt((psi1 - P)(psi2 - P)). Between two neighbouring poles u, P and T are convex in w, and the
right side is concave where P < min(psi1, psi2): there is one gap at most, and `_open` has one summit.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.theory import spectra
from teacherstudent.theory.random_features.edges import lower, root, upper
from teacherstudent.theory.random_features.equation import continue_to_axis
from teacherstudent.theory.random_features.model import Model
from teacherstudent.theory.spectra import Bands

POLE, ZERO = 40.0, 300.0
"""Places between two poles go from e^-POLE to 1 - e^-POLE of the way, to rounding; from zero, e^-ZERO."""

LOOKED_AT = 200
"""Of these places the best is where a summit is looked for."""

NEAR = 1e-3
"""Angle to the axis up to which roots are followed."""


def limit(problem: RandomFeatures, eigenvalues: np.ndarray | None) -> Mapping[str, np.ndarray | float]:
    """Density and share below at eigenvalues > 0, (J,), the bands, the share of zeros, and n/N.

    eigenvalues: None for a grid in each band, its ends included. The density (1/curvature) is that of all N
    eigenvalues.
    """
    model = Model.of(problem)
    where = bands(model)
    at = spectra.along(where.edges, spectra.PER_BAND) if eigenvalues is None else eigenvalues
    density, share = laws(model, where, at)
    return {
        "eigenvalue": at,
        "density": density,
        "share_below": share,
        "band_edge": where.edges,
        "zeros": where.below[0],
        "alpha": model.samples / model.width,
    }


def bands(model: Model) -> Bands:
    """Where the eigenvalues other than zero lie."""
    poles = np.unique(model.u[model.u > 0])
    if model.rest:
        poles = np.concatenate([[0.0], poles])
    gaps = [gap for low, high in pairwise(poles) if (gap := _gap(model, low, high))]
    rank = min(model.psi1, model.psi2) - max(model.beyond, 0.0)
    below = [1 - rank / model.psi1, *(1 - model.m[model.u > low].sum() / model.psi1 for low, *_ in gaps), 1.0]
    edges = [lower(model), *(end for _, *ends in gaps for end in ends), upper(model)]
    return Bands(np.array(edges).reshape(-1, 2), np.array(below))


def _gap(model: Model, low: float, high: float) -> tuple[float, float, float] | None:
    """The gap with w between two neighbouring poles: the lower pole, and both ends, if there is one."""
    from scipy import optimize

    def open_at(place: float) -> float:
        return float(_open(model, low, high, np.array([place]))[0])

    first = -POLE if low else -ZERO
    places = np.linspace(first, POLE, LOOKED_AT)
    best = np.clip(np.argmax(_open(model, low, high, places)), 1, LOOKED_AT - 2)
    around = (places[best - 1], places[best + 1])
    top = optimize.minimize_scalar(
        lambda x: -open_at(x), bounds=around, method="bounded", options={"xatol": 1e-10}
    ).x
    if open_at(top) <= 0:
        return None
    ends = np.array([root(open_at, first, top), root(open_at, top, POLE)])
    w, apart, m, u = _between(model, low, high, ends)
    used = -model.rest / w - (u / apart) @ m
    levels = (model.psi1 - used) * (model.psi2 - used) * w / model.psi1
    return low, float(levels[0]), float(levels[1])


def _between(
    model: Model, low: float, high: float, places: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """w at places between two poles, (J,), w - u, (J, K), and the m and u that are not zero, (K,)."""
    some = model.u > 0
    m, u = model.m[some], model.u[some]
    step, rest = (high - low) / (1 + np.exp(-places)), (high - low) / (1 + np.exp(places))
    w = low + step
    apart = np.where(u == low, step[:, None], np.where(u == high, -rest[:, None], w[:, None] - u))
    return w, apart, m, u


def _open(model: Model, low: float, high: float, places: np.ndarray) -> np.ndarray:
    """Above 0 in a gap with w at places between two poles, (J,); it rises and falls once."""
    w, apart, m, u = _between(model, low, high, places)
    used = (u / apart) ** 2 @ m
    spread = model.rest + (w[:, None] / apart) ** 2 @ (m * u)
    least = min(model.psi1, model.psi2)
    left = np.maximum(least - used, 0.0)
    return np.where(left > 0, w * np.sqrt(left * (left + model.gap)) / spread - 1, -used / least)


def laws(model: Model, where: Bands, eigenvalues: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    r"""The density and the share of eigenvalues below, at eigenvalues > 0, (J,) each.

    The mean resolvent of features is (psi1 - E)/(psi1 z). Its integral over z, a mean of log(lambda + z), is

        [(psi1 - psi2) log(psi2 - E) - 2 E - psi1 log y + y mustar^2 + sum m log(1 + y u)]/psi1

    and a constant; at z = -lambda + 0i its imaginary part is pi for each eigenvalue below lambda.
    """
    inside, ended = spectra.locate_in_bands(where, eigenvalues)
    lam, density, share = eigenvalues[inside], np.zeros(eigenvalues.shape), where.below[ended]
    y = continue_to_axis(model, lam, NEAR)
    t = np.multiply.outer(y, model.u)
    used = y * model.rest + (t / (1 + t)) @ model.m
    density[inside] = -used.imag / (np.pi * model.psi1 * lam)
    turned = (model.psi1 - model.psi2) * np.angle(model.psi2 - used) - model.psi1 * np.angle(y)
    seen = model.rest * y.imag + np.angle(1 + t) @ model.m
    share[inside] = (turned + seen - 2 * used.imag) / (np.pi * model.psi1)
    return density, share
