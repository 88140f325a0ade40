"""The moments of any smooth activation by quadrature, at levels of which each is finer than the one before.

Averages over two fields are their Hermite series (Mehler's formula),

    E f(a) h(c) = sum_k rho^k f_k h_k,    f_k = E f(a) He_k(a/sqrt C_aa)/sqrt(k!),

so that the excess risk is a sum of squares and vanishes where the student is the teacher. By Stein's lemma
E g'(a) b g(c) = C_ab E g''(a) g(c) + C_bc E g'(a) g'(c). Of fourth moments a and b are summed over a grid, by
the trapezoidal rule, and c and e given these are again a series.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.house.functions import UserFunction
from teacherstudent.problems.committee.instance import Committee
from teacherstudent.theory.committee.integration import AVERAGES, Status

Followed = tuple[np.ndarray, Status]
"""States, (T, n), and where they are lost."""

LEVELS = ((0.7, 20), (0.55, 28), (0.44, 38), (0.35, 50), (0.28, 64), (0.22, 80), (0.17, 110))
"""Of each level the step of the grid, in standard deviations, and the terms of the inner series."""

TOP = len(LEVELS) - 1
REACH = 8.5
"""Standard deviations to which the grid goes."""

NEAR, ROUGH = 3e-9, 1e-6
"""Error of averages that a second look may have, and beyond which there is no theory."""

STEP, DIFFERENCES = 0.02, (5 / 6, -5 / 21, 5 / 84, -5 / 504, 1 / 1260)
"""Between points of differences, and their weights: slopes of what bends over lengths of 1 have 13 digits."""

CERTAIN = 1e-8
"""Share of a field's size below which what is left of it, given others, has no effect."""


@lru_cache
def _series(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes x of Gauss and Hermite's rule, (n,), and weight times He_k(x)/sqrt(k!), (n, k), k < n."""
    x, weights = np.polynomial.hermite_e.hermegauss(count)
    rows = [np.ones(count), x]
    for k in range(1, count - 1):
        rows.append((x * rows[k] - np.sqrt(k) * rows[k - 1]) / np.sqrt(k + 1))
    return x, np.stack(rows, axis=1) * (weights / weights.sum())[:, None]


@lru_cache
def _grid(step: float, axes: int, half: bool) -> tuple[np.ndarray, np.ndarray]:
    """Standard normal points (P, axes) and their weights (P,), without those that weigh nothing.

    half: of each point and its opposite only one.
    """
    line = step * np.arange(-np.ceil(REACH / step), np.ceil(REACH / step) + 1)
    points = np.stack(np.meshgrid(*[line] * axes, indexing="ij"), axis=-1).reshape(-1, axes)
    points = points[np.sum(points**2, axis=1) <= REACH**2]
    weights = np.exp(-np.sum(points**2, axis=1) / 2)
    if half:  # in this order the opposite of the first point is the last
        points, weights = points[len(points) // 2 :], weights[len(points) // 2 :]
        weights[0] /= 2
    return points, weights / weights.sum()


@lru_cache(maxsize=32)
def _has_parity(function: UserFunction) -> bool:
    """Whether it is odd or even, so that fourth moments are the same at opposite points."""
    x = np.linspace(0, REACH, 400)
    values, opposite = function(x), function(-x)
    small = 1e-15 * np.max(np.abs(values))
    return bool(np.max(np.abs(values - opposite)) <= small or np.max(np.abs(values + opposite)) <= small)


@dataclass(frozen=True)
class Sampled:
    """The four moments (`moments.Moments`) of a user's function at one level."""

    function: UserFunction
    level: int

    def second(self, C: np.ndarray) -> np.ndarray:
        own = _expanded(self, np.diagonal(C).tobytes())[0]
        return _products(own, own, C)

    def derivatives(self, C: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        own = _expanded(self, np.diagonal(C).tobytes())[1]
        return _products(own, own, C)[a, b]

    def third(self, C: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        values, own, size = _expanded(self, np.diagonal(C).tobytes())
        bent = np.zeros_like(own)  # of g'': E f'(x) He_k = E f (x He_k - k He_(k-1))
        bent[:, :-1] = np.sqrt(np.arange(1, own.shape[1])) * own[:, 1:]
        bent /= np.where(size > 0, size, np.inf)[:, None]
        along, across = _products(bent, values, C)[a], _products(own, own, C)[a]
        return C[a, b][:, None] * along + C[b] * across

    def fourth(self, C: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.stack([self._given(C, i, j) for i, j in zip(a, b, strict=True)])

    def slope(self, x: np.ndarray) -> np.ndarray:
        """g' by differences of tenth order, with a separate step at each level, which shows the error."""
        step, found = STEP * (1 if self.level % 2 else 0.7), np.zeros(x.shape)
        for k, weight in enumerate(DIFFERENCES, 1):
            found += weight * (self.function(x + k * step) - self.function(x - k * step))
        return found / step

    def _given(self, C: np.ndarray, i: int, j: int) -> np.ndarray:
        """E g'(a) g'(b) g(c) g(e) of one pair a, b and all c, e, (N, N)."""
        step, terms = LEVELS[self.level]
        loads = _loads(C, i, j)
        points, weights = _grid(step, len(loads), _has_parity(self.function))
        means = points @ loads  # (P, N)
        outer = weights * self.slope(means[:, i]) * self.slope(means[:, j])
        left = C - loads.T @ loads
        size = np.sqrt(np.maximum(np.diagonal(left), 0))
        certain = size <= CERTAIN * np.sqrt(np.maximum(np.diagonal(C), 0))
        certain[[i, j]] = True
        x, rows = _series(terms)
        series = np.zeros((len(C), terms, len(points)))
        for c, known in enumerate(certain):
            if known:
                series[c, 0] = self.function(means[:, c])
            else:
                series[c] = rows.T @ self.function(means[:, c] + size[c] * x[:, None])
        series = series.swapaxes(0, 1)
        products = (series * outer) @ series.swapaxes(1, 2)  # (k, N, N)
        found: np.ndarray = np.sum(products * _powers(left, terms), axis=0)
        return found


@lru_cache(maxsize=8)
def _expanded(sampled: Sampled, variances: bytes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coefficients of g and of g', (N, k), and sizes of fields, (N,)."""
    x, rows = _series(min(200, 4 * LEVELS[sampled.level][1]))
    size = np.sqrt(np.maximum(np.frombuffer(variances), 0))
    fields = size[:, None] * x
    return sampled.function(fields) @ rows, sampled.slope(fields) @ rows, size


def _products(one: np.ndarray, other: np.ndarray, C: np.ndarray) -> np.ndarray:
    """sum_k rho_ac^k one_ak other_ck, (N, N)."""
    found: np.ndarray = np.einsum("ak,kac,ck->ac", one, _powers(C, one.shape[1]), other)
    return found


def _powers(C: np.ndarray, count: int) -> np.ndarray:
    """Powers 0, 1, ... of correlations, (k, N, N): 1 on the diagonal, 0 with a field of variance 0."""
    size = np.sqrt(np.maximum(np.diagonal(C), 0))
    whole = np.where(size > 0, size, np.inf)
    rho = np.clip(C / whole / whole[:, None], -1, 1)
    np.fill_diagonal(rho, 1)
    return np.cumprod(np.concatenate([np.ones((1, *C.shape)), [rho] * (count - 1)]), axis=0)


def _loads(C: np.ndarray, i: int, j: int) -> np.ndarray:
    """What each field has of one or two standard normal numbers that make fields i and j, (1 or 2, N)."""
    size = np.sqrt(max(C[i, i], 0.0))
    first = C[i] / size if size > 0 else np.zeros(len(C))
    rest = C[j] - first[j] * first
    if i == j or rest[j] <= CERTAIN**2 * max(C[j, j], 0.0):
        return first[None]
    return np.stack([first, rest / np.sqrt(rest[j])])


@lru_cache(maxsize=32)
def error(function: UserFunction, level: int, size: float) -> float:
    """Largest relative difference of the moments of that level from the top one's, of fields of that size."""
    C, pair = size**2 * (np.eye(4) + 1) / 2, (np.array([0, 0]), np.array([0, 1]))
    worst = 0.0
    for name in ("second", "derivatives", "third", "fourth"):
        own, best = (
            getattr(Sampled(function, each), name)(*((C,) if name == "second" else (C, *pair)))
            for each in (level, TOP)
        )
        worst = max(worst, float(np.max(np.abs(own - best)) / np.max(np.abs(best))))
    return worst


def certain_path(problem: Committee, path: Callable[[Committee, Committee | None], Followed]) -> Followed:
    """A path with its status, by the moments of an activation that has a name, or by those of two levels.

    path: follows it by the first problem, and takes a second look by the other. Where the levels differ too
    much these are the two finest. Raises `InputError` for a function whose moments do not converge.
    """
    function = problem.activation
    if not isinstance(function, UserFunction):
        return path(problem, None)
    given = [*np.diagonal(problem.T), *(np.diagonal(problem.Q0) if problem.Q0 else [problem.init**2])]
    size = float(np.sqrt(np.max(given)))
    if not (left := error(function, TOP - 1, size)) <= ROUGH:
        domain = (
            f"smoother for theory: on the scale {size:.3g} of its argument, averages have the error "
            f"{left:.1g}"
        )
        hint = "use --route simulation"
        raise InputError("activation", function, domain, hint)
    first = next(level for level in range(TOP) if error(function, level, size) <= NEAR or level == TOP - 1)
    levels: list[Any] = [Sampled(function, level) for level in range(TOP + 1)]
    by_level = [replace(problem, activation=each) for each in levels]
    found = path(by_level[first + 1], by_level[first])
    if AVERAGES not in found[1].why or first == TOP - 1:
        return found
    return path(by_level[TOP], by_level[TOP - 1])
