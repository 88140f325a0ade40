"""What an algorithm makes of each eigenvalue of X^T X: filter, propagator, and what is missed.

A student w_hat = f(C) X^T y + p(C) w_hat_0 with C = X^T X has, along an eigenvector of eigenvalue c, the
propagator p, the filter f = (1 - p)/a, a = (1 + penalty) c + ridge, and misses 1 - f c of what it is taught;
penalty is that of its outputs. Each is computed without a difference of two of the others, because early and
late in training that keeps no digit.

Rules take eigenvalues c >= 0, (..., R), and times, (T,), and return modes (..., T, R). Values beyond float64
are infinite or NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.house.declarations import Algorithm, Recursion, load
from teacherstudent.house.schedules import Schedule
from teacherstudent.house.step_sizes import of_draws

LOST = 1e100
"""Growth of the start after which nothing is said of a draw: squares of it are still numbers."""


class Modes(NamedTuple):
    """filter f, propagator p and missed 1 - f c, each (..., T, R)."""

    filter: np.ndarray
    propagator: np.ndarray
    missed: np.ndarray


def flow(c: np.ndarray, times: np.ndarray, ridge: float, penalty: float = 0.0) -> Modes:
    """Gradient flow: p = e^{-s a}."""
    exponent = -times[:, None] * _curvature(c, ridge, penalty)
    return _from_gain(c, ridge, penalty, -np.expm1(exponent), np.exp(exponent), times[:, None])


def descent(
    c: np.ndarray,
    times: np.ndarray,
    ridge: float,
    penalty: float = 0.0,
    *,
    learning_rate: np.ndarray | float,
) -> Modes:
    """Gradient descent of whole steps k: p = (1 - eta a)^k, which grows where eta a > 2.

    learning_rate: one, or one for each (...).
    """
    k, eta = times[:, None], np.asarray(learning_rate)[..., None, None]
    taken = eta * _curvature(c, ridge, penalty)
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):  # diverges; 0 inf at a step of 1
        smooth = k * np.log1p(-np.minimum(taken, 1.0))
        smooth = np.where(k == 0, 0.0, smooth)
        kept = np.where(taken < 1, np.exp(smooth), (1 - taken) ** k)
        gained = np.where(taken < 1, -np.expm1(smooth), 1 - kept)
        return _from_gain(c, ridge, penalty, gained, kept, eta * k)


def scheduled(
    c: np.ndarray,
    times: np.ndarray,
    ridge: float,
    penalty: float = 0.0,
    *,
    learning_rate: np.ndarray | float,
    rates: np.ndarray,
) -> Modes:
    """The same where step j is of size learning_rate times rates[j], (K,): taken step by step.

    A step adds to f, p and 1 - f c, and none is the rest of another, so that all keep their digits also where
    a step turns p round or makes it 0. NaN where some p is above `LOST`.
    """
    eta, a = np.asarray(learning_rate)[..., None], _curvature(c, ridge, penalty)[..., 0, :]
    rest = ridge + penalty * c
    f, p, missed, done = np.zeros_like(a), np.ones_like(a), np.ones_like(a), 0
    found = []
    with np.errstate(over="ignore", invalid="ignore"):  # diverges
        for stop in times.astype(int):
            for rate in rates[done:stop]:
                step = eta * rate
                taken = step * a
                f, p, missed = f + (step - taken * f), p - taken * p, missed + (step * rest - taken * missed)
            done = stop
            known = (np.abs(p) <= LOST).all(axis=-1, keepdims=True)
            found.append([np.where(known, each, np.nan) for each in (f, p, missed)])
    return Modes(*(np.stack(each, axis=-2) for each in zip(*found, strict=True)))


def ridge(c: np.ndarray, times: np.ndarray, ridge: float, penalty: float = 0.0) -> Modes:
    """Ridge regression at ridge + 1/time: f = 1/(a + 1/time), and nothing is left of the start."""
    added = 1 / times[:, None]
    f = 1 / (_curvature(c, ridge, penalty) + added)
    return Modes(f, np.zeros_like(f), f * (penalty * c[..., None, :] + ridge + added))


def two_step(
    c: np.ndarray,
    times: np.ndarray,
    ridge: float,
    penalty: float = 0.0,
    *,
    recursion: Recursion,
    learning_rate: np.ndarray | float,
    **options: Any,
) -> Modes:
    """An algorithm of a recursion, after whole steps k."""
    k, eta = times[:, None], np.asarray(learning_rate)[..., None, None]
    gained, kept = _roots_to_the(k, eta * _curvature(c, ridge, penalty), recursion, options)
    slowed = 1 + recursion.step(0.0, **options)[1]
    flown = eta * k  # without curvature: eta in the first step, eta (1 + beta) in the second, ...
    if slowed < 1:
        flown = eta * (k + (1 - slowed) * np.expm1(k * np.log1p(-slowed)) / slowed) / slowed
    return _from_gain(c, ridge, penalty, gained, kept, flown)


def _roots_to_the(
    k: np.ndarray, x: np.ndarray, recursion: Recursion, options: dict[str, Any]
) -> tuple[np.ndarray, np.ndarray]:
    r"""1 - p and p of p' = a p + b p_previous, p = p_previous = 1 at first, at x = 1 - a - b.

    With the roots r and q of r^2 = a r + b, p = r^k [1 + q (1 - r) (1 - (q/r)^k)/(r - q)]. 1 - r and 1 - q
    are the roots of t^2 - (2 - a) t + x, so that none is a difference of close numbers. Where they are
    complex, R e^{+- i phi}:  p = R^k [cos k phi + (cos phi - R) sin k phi/sin phi].
    """
    a, b = recursion.step(x, **options)
    both = 2 - a
    square = both**2 - 4 * x
    with np.errstate(over="ignore", divide="ignore", invalid="ignore", under="ignore"):
        apart = np.sqrt(np.maximum(square, 0.0))
        near, far = 2 * x / (both + apart), (both + apart) / 2  # 1 - r of either root
        first = a >= 0  # which of them is larger in size
        gap, other = np.where(first, near, far), np.where(first, far, near)
        r, q = 1 - gap, 1 - other
        smooth = np.where(r > 0, k * np.log1p(-np.minimum(gap, 1.0)), 0.0)
        power = np.where(r > 0, np.exp(smooth), np.where(k == 0, 1.0, r**k))
        lost = np.where(r > 0, -np.expm1(smooth), 1 - power)
        share = np.where(r == 0, 0.0, q / np.where(r == 0, 1.0, r))
        between = np.where(first, 1.0, -1.0) * apart  # r - q
        close = np.where(share > 0, -np.expm1(k * np.log1p(-between / r)), 1 - share**k)
        sums = np.where(
            between == 0, k / np.where(r == 0, 1.0, r), close / np.where(between == 0, 1.0, between)
        )
        rest = np.where(k == 0, 0.0, power * q * gap * sums)
        rest = np.where((r == 0) & (k == 1), q, rest)
        kept, gained = power + rest, lost - rest

        radius, phi = np.sqrt(np.maximum(-b, 0.0)) + 0 * x, np.arctan2(np.sqrt(np.maximum(-square, 0.0)), a)
        shrunk = radius**k
        swing = (np.cos(phi) - radius) * np.sin(k * phi) / np.where(square < 0, np.sin(phi), 1.0)
        turned = shrunk * (np.cos(k * phi) + swing)
        left = 1 - shrunk + shrunk * (2 * np.sin(k * phi / 2) ** 2 - swing)
    return np.where(square < 0, left, gained), np.where(square < 0, turned, kept)


def _curvature(c: np.ndarray, ridge: float, penalty: float) -> np.ndarray:
    """a, (..., 1, R)."""
    a: np.ndarray = (1 + penalty) * c[..., None, :] + ridge
    return a


def _from_gain(
    c: np.ndarray, ridge: float, penalty: float, gained: np.ndarray, kept: np.ndarray, flown: np.ndarray
) -> Modes:
    """f = (1 - p)/a, which is `flown` where a = 0; 1 - f c = p + f (ridge + penalty c)."""
    a = _curvature(c, ridge, penalty)
    f = np.where(a > 0, gained / np.where(a > 0, a, 1.0), flown)
    return Modes(f, kept, kept + f * (ridge + penalty * c[..., None, :]))


Rule = Callable[[np.ndarray, np.ndarray], Modes]
"""Eigenvalues and times to modes, for given ridge, penalty and options."""


class Trained:
    """The rule of an algorithm for one draw after the other, or for many, and why numbers are not finite.

    learning_rate, where the algorithm has one: a number, one for each draw, the "auto" of
    `house.step_sizes` for each, or a `Schedule` of descent. Where weights grow with it, all that a draw
    learns is NaN.
    """

    def __init__(self, algorithm: Algorithm, ridge: float, penalty: float = 0.0, **options: Any) -> None:
        self.ridge, self.penalty, self.options = ridge, penalty, options
        recursion = algorithm.recursion
        self.rule = partial(two_step, recursion=recursion) if recursion else load(algorithm.rule)
        rest = {name: value for name, value in options.items() if name != "learning_rate"}
        self._edge = recursion.edge(**rest) if recursion else 2.0
        self._largest: list[np.ndarray] = []

    def __call__(self, c: np.ndarray, times: np.ndarray) -> Modes:
        """Of draws with eigenvalues c, (..., R)."""
        options = dict(self.options)
        if "learning_rate" in options:
            self._largest.append(np.max(c, axis=-1, initial=0.0))
            options["learning_rate"] = self.rates(self._largest[-1])[0]
        rule = self.rule
        if isinstance(schedule := self.options.get("learning_rate"), Schedule):
            rule = partial(scheduled, rates=schedule.rates(times))
        found: Modes = rule(c, times, self.ridge, self.penalty, **options)
        return found

    def rates(self, largest: np.ndarray) -> tuple[np.ndarray, str]:
        """The learning rate of draws with these largest eigenvalues, and why any is NaN."""
        return of_draws(self.options["learning_rate"], largest, self.ridge, self.penalty, self._edge)

    @property
    def reason(self) -> str:
        """Of the draws so far; "" of an algorithm without a learning rate."""
        if not self._largest:
            return ""
        _, said = self.rates(np.concatenate([np.ravel(each) for each in self._largest]))
        return said or "gradient descent diverges at this learning rate"
