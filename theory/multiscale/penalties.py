r"""How the excess risk of ridge regression changes with the ridge: exactly, and by the printed formulas.

D = d/d log ridge. Each scale keeps the share h of its error, and D h = g h (1 - h) by the equation for q,
with 0 < g < 1. Every derivative is so a sum of parts that are as small as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory.multiscale.penalised import unpenalised
from teacherstudent.theory.multiscale.printed import scales
from teacherstudent.theory.multiscale.spectral_task import spectrum_of
from teacherstudent.theory.resolvents import resolvent

ROUNDING = 1024 * np.finfo(float).eps
"""Relative error of a part: some dozens of operations from q, and what is lost near n = d."""


@dataclass(frozen=True)
class Change:
    """The excess risk at some ridges, its derivative by log ridge, the sum of that one's parts without their
    signs, and its error, (T,). NaN where no root was certified."""

    value: np.ndarray
    slope: np.ndarray
    size: np.ndarray
    error: np.ndarray


def exact(problem: MultiScale, ridge: np.ndarray) -> Change:
    """In the limit n, d -> infinity, at ridges (T,)."""
    share = 1 / (1 + problem.output_penalty)
    plain = unpenalised(problem)
    spectrum = spectrum_of(plain)
    mu = spectrum.weights
    at = resolvent(spectrum, ridge * share)
    h, learned = at.h, at.learned
    lost, rate = at.qz, (learned * h) @ mu
    whole = lost + rate  # alpha (1 - T)
    g = (lost / whole)[:, None]
    dh = g * h * learned
    error = 1 - share + share * h  # an output penalty leaves some of the teacher
    kept, fitted = h**2 @ mu + plain.noise**2, learned**2 @ mu
    value = (error**2 @ mu + share**2 * kept * fitted / whole) / 2
    grows = (share * (error * dh) @ mu, share**2 * (h * dh) @ mu * fitted / whole)
    # D whole = q z (1 - g) + g sum mu h (1 - h) (1 - 2 h)
    thinned = (lost * rate / whole + (dh * learned) @ mu, (dh * h) @ mu)  # 1 - g would round to 0
    factor = share**2 * kept / whole / 2
    shrinks = (factor * 2 * ((learned * dh) @ mu), factor * fitted / whole * thinned[0])
    back = factor * fitted / whole * thinned[1]
    slope = sum(grows) + back - sum(shrinks)
    size = sum(grows) + back + sum(shrinks)
    certain = np.where(at.converged, 1.0, np.nan)
    return Change(certain * value, certain * slope, size, ROUNDING * size)


def printed(problem: MultiScale, ridge: np.ndarray) -> Change:
    """As printed, Eqs. 4.2.11-4.2.16. Raises `InputError` as the route of that name."""
    share, h, above, root, left = scales(problem, ridge)
    noise = problem.noise**2
    dh, dabove = h * above * (1 - h) / root, h * above * (1 + above) / root
    beta = ((1 - h) / (1 + above)).sum(axis=0)
    top = noise * beta + (share * h**2).sum(axis=0)
    falls = noise * (dh / (1 + above) + (1 - h) * dabove / (1 + above) ** 2).sum(axis=0)
    grows = (share * 2 * h * dh).sum(axis=0)
    turned = top / left * (share * 2 * (1 - h) * dh).sum(axis=0) * problem.d / problem.n
    sharp = (1 + np.abs(problem.n - problem.d) / problem.n / np.abs(left)) * ROUNDING
    size = (falls + grows + np.abs(turned)) / (2 * np.abs(left))
    return Change(top / (2 * left), (grows - falls - turned) / (2 * left), size, sharp * size)
