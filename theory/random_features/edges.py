r"""Edges of the spectrum of Phi^T Phi in the limit: closed equations, each with a single root.

lambda = -(psi1 - E)(psi2 - E)/(psi1 y) is stationary over real y where D of `pairs`, of y with itself, is 0:

    D = (psi1 - P)(psi2 - P) - (E - P)^2,   P = sum m (1 - eta)^2,   E - P = y mustar^2 + sum m (1 - eta) eta.

Above the spectrum y < 0, from -0 down: P and (E - P)^2 grow. Below it y begins at y0, where E is the smaller
of psi1 and psi2 and lambda = 0. While D > 0 it falls there as well: E - P <= (psi1 + psi2 - 2 P)/2, and so

    y D'/2 <= -(psi1 + psi2 - 2 P)/2 sum m (1 - eta)^2 eta - (E - P) y mustar^2 < 0.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from teacherstudent.theory.random_features.equation import at_zero
from teacherstudent.theory.random_features.model import Model

LOG_LARGEST = 300.0

TINY = -float(np.finfo(float).eps)


def upper(model: Model) -> Any:
    """Largest eigenvalue; 0 of features that are 0. Of many models one each, (B,)."""
    return _each(model, _upper)


def lower(model: Model) -> Any:
    """Smallest eigenvalue other than zero; 0 where the least of n, N and the rank of the features' limit is
    attained twice: the spectrum begins at 0 there. Of many models one each, (B,)."""
    return _each(model, _lower)


def _each(model: Model, of: Callable[[Model], np.ndarray]) -> Any:
    return of(model) if model.many else float(of(Model.stacked([model]))[0])


def _some(model: Model, which: np.ndarray) -> Model:
    """Those of the questions, without a copy where these are all."""
    return model if which.size == len(model.u) else model.rows(which)


def _upper(model: Model) -> np.ndarray:
    with np.errstate(divide="ignore"):
        end = np.minimum(1 / model.u.max(axis=-1), 2 * np.sqrt(model.psi1 * model.psi2) / model.rest)
    found = np.zeros(end.size)
    (some,) = np.nonzero(np.isfinite(end))

    def sums(of: Model, first: np.ndarray, log: np.ndarray) -> tuple[np.ndarray, ...]:
        """y, P, and E - P."""
        y = -first * np.exp(log)
        t = y[:, None] * of.u
        eta = 1 / (1 + t)
        return y, (of.m * (t * eta) ** 2).sum(axis=-1), y * of.rest + (of.m * t * eta * eta).sum(axis=-1)

    def tilt(log: np.ndarray, which: np.ndarray) -> np.ndarray:
        of = _some(model, some[which])
        _, used, rising = sums(of, end[some[which]], log)
        left = np.minimum(of.psi1, of.psi2) - used
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(left > 0, left - rising**2 / (left + of.gap), left - 1.0)

    if some.size:
        of = _some(model, some)
        y, used, rising = sums(of, end[some], roots(tilt, -LOG_LARGEST, TINY, some.size))
        found[some] = -(of.psi1 - used - rising) * (of.psi2 - used - rising) / (of.psi1 * y)
    return found


def _lower(model: Model) -> np.ndarray:
    found = np.zeros(len(model.u))
    few = model.beyond > 0
    others = ~few & (model.gap > 0) & (model.beyond != 0)
    for some, of in ((few, _lower_of_few_inputs), (others, _lower_of_many_inputs)):
        if some.any():
            found[some] = of(model.rows(np.flatnonzero(some)))
    return found


def _lower_of_many_inputs(model: Model) -> np.ndarray:
    """That where the smaller of n and N is below the rank of the features' limit."""
    start = at_zero(model)
    y0, learned0 = start.y[:, 0], start.learned[:, 0]

    def sums(which: Any, log: np.ndarray) -> tuple[np.ndarray, ...]:
        """y, min(psi1, psi2) - E, and E - P."""
        more, of = np.exp(log), _some(model, which)
        y = y0[which] * (1 + more)
        t = y[:, None] * of.u
        eta = 1 / (1 + t)
        least = -more * (y0[which] * of.rest + (of.m * learned0[which] * eta).sum(axis=-1))
        return y, least, y * of.rest + (of.m * t * eta * eta).sum(axis=-1)

    def tilt(log: np.ndarray, which: np.ndarray) -> np.ndarray:
        _, least, rising = sums(which, log)
        gap = model.gap[which]
        return np.asarray((np.maximum(least + gap, 0.0) * least + (2 * least + gap) * rising) / rising)

    every = np.arange(y0.size)
    y, least, _ = sums(every, roots(tilt, -LOG_LARGEST, LOG_LARGEST, y0.size))
    return np.asarray(-least * (least + model.gap) / (model.psi1 * y))


def _lower_of_few_inputs(model: Model) -> np.ndarray:
    """That of features linear in fewer inputs than n and N: y is infinite at 0, and negative below."""
    seen = model.u > 0
    m, u = np.where(seen, model.m, 0.0), np.where(seen, model.u, np.inf)

    def sums(which: Any, log: np.ndarray) -> tuple[np.ndarray, ...]:
        """-1/y, min(psi1, psi2) - E, and E - P."""
        x = u[which].min(axis=-1) * np.exp(log)
        eta = -x[:, None] / (u[which] - x[:, None])
        own = m[which]
        return x, model.beyond[which] + (own * eta).sum(axis=-1), (own * (1 - eta) * eta).sum(axis=-1)

    def tilt(log: np.ndarray, which: np.ndarray) -> np.ndarray:
        _, least, rising = sums(which, log)
        gap = model.gap[which]
        return np.where(least <= 0, rising, least * (least + gap) + (2 * least + gap) * rising)

    every = np.arange(len(u))
    x, least, _ = sums(every, roots(tilt, -LOG_LARGEST, TINY, len(u)))
    return np.asarray(least * (least + model.gap) * x / model.psi1)


def roots(
    of: Callable[[np.ndarray, np.ndarray], np.ndarray], low: float, high: float, count: int
) -> np.ndarray:
    """Where functions of a number and of their own number change their signs, (count,).

    Raises `ArithmeticError` where one does not.
    """
    if count == 1:
        every = np.zeros(1, dtype=int)
        return np.array([root(lambda x: float(of(np.array([x]), every)[0]), low, high)])
    from scipy.optimize import elementwise  # slow to import

    ends, close = (np.full(count, low), np.full(count, high)), {"xatol": 1e-15, "xrtol": 1e-15}
    with np.errstate(over="ignore", invalid="ignore"):
        found = elementwise.find_root(
            lambda x, which: of(x, which.astype(int)), ends, args=(np.arange(count),), tolerances=close
        )
    if np.any(found.status == -1):
        raise ArithmeticError("an edge of the spectrum overflows")
    return np.asarray(found.x)


def root(of: Callable[[float], float], low: float, high: float) -> float:
    """Where a function changes its sign. Raises `ArithmeticError` where it does not."""
    from scipy import optimize  # slow to import

    if not of(low) * of(high) < 0:
        raise ArithmeticError("an edge of the spectrum overflows")
    return float(optimize.brentq(of, low, high, xtol=1e-15, rtol=1e-15, maxiter=500))
