"""Gradient flow of points on the witness function: x_i' = -(grad f)(x_i)/tau on the clock s = tau t.

The witness function of relu has kinks at all points. At its own kink, which moves with it, a generator point
sees the mean of both sides. The kink of a data point draws others in, which arrive in finite time, and holds
them as long as the push of everything else is no more than it can balance (`Relu.holding`); each that is held
takes its share off the kink. Points that are held leave the equations until their push is too large (what
Filippov makes of a slope that jumps). So the solver meets a kink only where points pass through each other,
as in one dimension; its control of errors then takes small steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.integrate import DOP853, OdeSolver, Radau
from scipy.optimize import brentq

from teacherstudent.theory.gan.at_rest import rest
from teacherstudent.theory.gan.discriminator_output import Masses, slopes
from teacherstudent.theory.gan.kernels import Kernel, Relu

ROOM = 10
"""What a solver's tolerance leaves open, in units of it: whether a point has come to a data point (distance,
in units of the largest coordinate), whether points are at rest (what is left of their way), and whether a
kink still holds (a share)."""

AWAY = 1e-2
"""So far off, in units of the largest coordinate, what has left is no longer stiff."""

MOST = 1500
"""Steps of the solver: what lies beyond them is not known."""

EVERY = 16
"""Steps after which it is asked again whether the points come to rest."""

FOREVER = 1e13
"""Beyond any clock: tau t is at most 1e12."""

Places = Callable[[float], np.ndarray]
"""Of a clock s: places (N, d)."""


@dataclass(frozen=True)
class Flow:
    """What acts on places of the generator with these shares, (N,): the kernel and the data."""

    kernel: Kernel
    share: np.ndarray
    data: Masses

    def velocity(self, x: np.ndarray) -> np.ndarray:
        """dx/ds at places x, (N, d)."""
        return -slopes(self.kernel, x, self.share, self.data)

    def scale(self, start: np.ndarray) -> float:
        """The largest coordinate of all points, 1 where all are 0."""
        return float(max(abs(start).max(), abs(self.data.points).max())) or 1.0

    def excess(self, x: np.ndarray, held: np.ndarray, i: int, j: int) -> float:
        """By how much share the kink of data point j is too small to hold place i, were that there."""
        if not isinstance(self.kernel, Relu):
            return np.inf
        there = x.copy()
        there[i] = self.data.points[j]
        others = (held == j) & (np.arange(len(x)) != i)
        needed = self.kernel.holding(self.data.points[j], self.velocity(there)[i])
        return needed - float(self.data.share[j] - self.share[others].sum())

    def way(self, x: np.ndarray, held: np.ndarray, i: int) -> np.ndarray:
        """In which direction place i leaves the data point that held it, (d,)."""
        push = self.velocity(x)[i]
        return self.kernel.way(self.data.points[held[i]], push) if isinstance(self.kernel, Relu) else push


def positions(flow: Flow, start: np.ndarray, clocks: np.ndarray, tolerance: float) -> np.ndarray:
    """Places at ascending s, (K,): (K, N, d), NaN from where on `MOST` steps do not lead. Start: (N, d)."""
    found = np.full((clocks.size, *start.shape), np.nan)
    known = 0
    for end, places in _legs(flow, start, tolerance):
        upto = int(np.searchsorted(clocks, end, side="right"))
        for k in range(known, upto):
            found[k] = places(clocks[k])
        known = upto
        if known == clocks.size:
            break
    return found


def _legs(flow: Flow, start: np.ndarray, tolerance: float) -> Iterator[tuple[float, Places]]:
    """Ends of consecutive intervals of s, each with the places within."""
    scale, room = flow.scale(start), ROOM * tolerance
    s, x, held, leaving, solver = 0.0, start, np.full(len(start), -1), False, None
    for step in range(MOST):
        caught, x = _caught(flow, x, held, room * scale)
        gone = leaving and _distances(flow, x)[caught < 0].min(initial=np.inf) > AWAY * scale
        if solver is None or gone or (caught != held).any():
            held, leaving = caught, leaving and not gone
            solver = _solver(flow, s, x, held, tolerance, tolerance * scale, Radau if leaving else DOP853)
        if step % EVERY == 0:
            still = rest(flow.velocity, x, flow.share, held < 0, scale, room)
            if still:
                yield s + still, _constant(x)
                return
        solver.step()
        if solver.status == "failed":
            return
        places = _shaped(solver.dense_output(), x.shape)
        freed = _freed(flow, places, held, (s, solver.t), room)
        if freed is None:
            s, x = solver.t, solver.y.reshape(x.shape)
        else:
            i, s = freed
            x, solver, leaving = places(s).copy(), None, True
            way = flow.way(x, held, i)
            x[i] += room * scale * way / np.linalg.norm(way)
            held = np.where(np.arange(len(held)) == i, -1, held)
        yield s, places


def _solver(
    flow: Flow, s: float, x: np.ndarray, held: np.ndarray, rtol: float, atol: float, method: type[OdeSolver]
) -> OdeSolver:
    free = (held < 0)[:, None]

    def rate(_: float, y: np.ndarray) -> np.ndarray:
        return np.where(free, flow.velocity(y.reshape(x.shape)), 0.0).ravel()

    return method(rate, s, x.ravel(), FOREVER, rtol=rtol, atol=atol)


def _constant(x: np.ndarray) -> Places:
    return lambda _: x


def _shaped(dense: Callable[[float], np.ndarray], shape: tuple[int, ...]) -> Places:
    return lambda s: dense(s).reshape(shape)


def _distances(flow: Flow, x: np.ndarray) -> np.ndarray:
    """Of places from data points, (N, n)."""
    return np.linalg.norm(x[:, None] - flow.data.points, axis=-1)


def _caught(flow: Flow, x: np.ndarray, held: np.ndarray, near: float) -> tuple[np.ndarray, np.ndarray]:
    """Those held, (N,), with all that have come to a kink that holds them; and the places, moved there."""
    held, x = held.copy(), x.copy()
    for i, j in zip(*np.nonzero((_distances(flow, x) < near) & (held < 0)[:, None]), strict=True):
        if flow.excess(x, held, i, j) <= 0:
            held[i], x[i] = j, flow.data.points[j]
    return held, x


def _freed(
    flow: Flow, places: Places, held: np.ndarray, span: tuple[float, float], margin: float
) -> tuple[int, float] | None:
    """The first place that its kink no longer holds, by so much share, within a step; and when."""
    found = []
    for i in np.flatnonzero(held >= 0).tolist():

        def excess(clock: float, i: int = i) -> float:
            return flow.excess(places(clock), held, i, held[i]) - margin

        if excess(span[1]) > 0:
            found.append((brentq(excess, *span) if excess(span[0]) < 0 else span[0], i))
    if not found:
        return None
    when, i = min(found)
    return i, when
