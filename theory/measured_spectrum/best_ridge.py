r"""The best ridge, which may be negative: the test error over the whole ridge, to its edge.

With x = 1/q in the place of q, the limit's equation gives the ridge in closed form,

    z(x) = x (alpha - sum_k mu_k v_k/(x + v_k))/u,  h_k = x/(x + v_k),  u = sum_k mu_k h_k of a pool, else 1,

and errors are those of `theory.spectral.errors` at h. From x = infinity downward z falls, through 0 where all
x + v_k are still positive, to the fold dz/dx = 0. There -z is the lower edge of the spectrum of X X^T (for n
< p; of X^T X for n > p), the matrix that ridge regression inverts becomes singular, and no ridge beyond has
this branch. If a strong direction carries the target and many weak ones act as a ridge, the best ridge is
below 0 (Kobak, Lomond and Sanchez 2020).

From the rows: the formula of `leverage` at the same x. Its curve ends before the fold, where a row's leverage
reaches 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.theory import turning
from teacherstudent.theory.measured_spectrum import leverage
from teacherstudent.theory.measured_spectrum.needs import hold_rows
from teacherstudent.theory.measured_spectrum.task import task_of
from teacherstudent.theory.resolvents import Resolvent, Spectrum
from teacherstudent.theory.spectral import errors
from teacherstudent.theory.turning import Extremum

STEP = 0.01
"""Between points in log(x - fold) of a difference: its truncation, h^4/30, is 3e-10."""

ROUNDING = 1e-11
"""Of a difference beside the error itself: a rise or fall below that is none."""

NEAR, RESOLVED, FAR = 1e-5, 1e-3, 1e4
"""How near x comes to the fold, beside the distance at which that matters; beside the fold itself, where that
is below 0: closer than that x + v_k is rounding of strengths that are equal; how far it goes beside v_1."""

POLE = 1e-9
"""How closely the pole of a row is found, in log(x - fold)."""

MOST = 500
"""Steps of a solver: next to a pole it bisects, to the rounding of the root."""

Risk = Callable[[np.ndarray], np.ndarray]


class Least(NamedTuple):
    """The ridge z of the loss at which a test error is least, and that error; at_edge: where it is least at
    an end of the range, which is infinite (predicting no more than the intercept is best) or the last that is
    looked at."""

    ridge: float
    error: float
    at_edge: bool


class BestRidge(NamedTuple):
    """By the limit, and by the formula corrected for leverages, None where no real rows are drawn; lowest:
    the edge above which a ridge must be."""

    limit: Least
    rows: Least | None
    lowest: float


def best_ridge(problem: MeasuredSpectrum) -> BestRidge:
    """The best whole ridge, --ridge not counted. Raises `ArithmeticError` where a curve is not finite."""
    rows = least(problem, by_rows=True) if problem.sampling == "pool" else None
    spectrum = task_of(problem).spectrum
    lowest = at(spectrum, np.array([fold(spectrum)])).z[0]
    return BestRidge(least(problem), rows, float(lowest))


def extrema(problem: MeasuredSpectrum, curve: str) -> tuple[Extremum, ...]:
    """Every minimum and maximum of the test error over the whole range of the ridge, called `time`.

    curve: `ridge` by the limit, `ridge-by-rows` by leverages. Raises `InputError` for a ridge that is given,
    and of rows unless they are drawn from a pool.
    """
    if problem.ridge:
        raise InputError("ridge", problem.ridge, f"0 for --curve {curve}, which covers all ridges")
    by_rows = curve == "ridge-by-rows"
    if by_rows and problem.sampling != "pool":
        raise InputError("sampling", problem.sampling, "pool for --curve ridge-by-rows")
    return _turns(problem, _path(problem, by_rows))


def fold(spectrum: Spectrum) -> float:
    """x at the edge; where a strength with more features than P - n is the edge, minus that strength."""
    from scipy import optimize  # slow to import

    some = (spectrum.weights > 0) & (spectrum.strengths > 0)
    mu, v, null = spectrum.weights[some], spectrum.strengths[some], 1 - spectrum.weights[some].sum()
    null = null if spectrum.pool and spectrum.weights[~some].any() else 0.0

    def tilt(x: float) -> float:
        """Of the sign of dz/dx."""
        if not spectrum.pool:
            return float(spectrum.alpha - mu @ (v / (x + v)) ** 2)
        h = (x if null else 1.0) / (x + v)  # over x where no direction is empty: else 0 twice at x = 0
        return float((null + mu @ h) ** 2 - (1 - spectrum.alpha) * (null + mu @ h**2))

    low, high = -np.nextafter(1.0, 0.0) * v.min(), v.max()
    if null and spectrum.beyond > 0:  # further left z has another meaning
        low = optimize.brentq(lambda x: null + float(mu @ (x / (x + v))), low, 0.0, xtol=1e-300, maxiter=MOST)
    elif null:
        low = 0.0
    if tilt(low) >= 0 or (null and spectrum.beyond == 0):
        return float(low)
    while tilt(high) < 0:
        high *= 2
    return float(optimize.brentq(tilt, low, high, xtol=1e-300, rtol=1e-15, maxiter=MOST))


def at(spectrum: Spectrum, x: np.ndarray) -> Resolvent:
    """The equivalent at x, (T,), on the real axis right of the fold; z is its value there."""
    v, mu = spectrum.strengths, spectrum.weights
    whole = np.where(v > 0, x[:, None] + v, 1.0)
    h, learned = np.where(v > 0, x[:, None], 1.0) / whole, v / whole
    unlearned = h @ mu if spectrum.pool else np.ones(x.size)
    saturated = v > np.abs(x)[:, None]  # as in `resolvents`: what is left of whole numbers keeps its digits
    kept = spectrum.left[saturated.sum(axis=1)] + np.where(saturated, h, -learned) @ mu
    qz = kept / unlearned
    return Resolvent(qz * x, h, learned, qz, unlearned, np.ones(x.size, dtype=bool))


def error_at(problem: MeasuredSpectrum, ridges: np.ndarray, *, by_rows: bool = False) -> np.ndarray:
    """The test error at whole ridges z, (T,), that may be negative, by the limit or corrected for leverages.

    Raises `InputError` for a ridge that is not above the edge.
    """
    from scipy import optimize

    task = task_of(problem)
    edge, top = fold(task.spectrum), FAR * task.spectrum.strengths.max()

    def beyond(point: float, ridge: float) -> float:
        return float(at(task.spectrum, np.array([edge + np.exp(point)])).z[0] - ridge)

    places = []
    for ridge in ridges:
        ends = np.log(NEAR * NEAR * (abs(edge) or top)), np.log(top + abs(ridge))
        if beyond(ends[0], ridge) >= 0:
            lowest = at(task.spectrum, np.array([edge])).z[0]
            raise InputError("ridge", f"{ridge:g}", f"above {lowest:.6g}, minus the spectrum's lower edge")
        places.append(optimize.brentq(beyond, *ends, args=(ridge,), xtol=1e-13, maxiter=MOST))
    here = at(task.spectrum, edge + np.exp(np.array(places)))
    if not by_rows:
        return errors.alone(task, here).test
    hold_rows(problem, 1)
    return leverage.alone(problem, leverage.pool(problem), here)[0]


class _Path(NamedTuple):
    """The test error over log(x - edge)."""

    edge: float
    curve: turning.Curve

    def ridges(self, spectrum: Spectrum, distances: np.ndarray) -> np.ndarray:
        """z at distances x - edge."""
        return at(spectrum, self.edge + distances).z


def _path(problem: MeasuredSpectrum, by_rows: bool) -> _Path:
    """From the fold; of rows from where the formula begins to have a meaning, if that is further right."""
    task = task_of(problem)
    edge, some = fold(task.spectrum), task.spectrum.strengths[task.spectrum.strengths > 0]
    reach = edge if edge > 0 else edge + some.min() if edge > -some.min() else some.min()
    start, far = np.log(max(NEAR * reach, -RESOLVED * edge)), np.log(FAR * some.max())
    pool = None
    if by_rows:
        hold_rows(problem, 1)
        pool = leverage.pool(problem)

    def risk(edge: float, points: np.ndarray) -> np.ndarray:
        here = at(task.spectrum, edge + np.exp(points))
        return errors.alone(task, here).test if pool is None else leverage.alone(problem, pool, here)[0]

    while True:
        path = _Path(edge, turning.Curve(_differences(partial(risk, edge)), start, far))
        points = turning.grid(path.curve)
        lost = np.flatnonzero(~np.isfinite(risk(edge, points)))
        if pool is None or not lost.size or lost[-1] + 1 == points.size:
            return path
        low, high = points[lost[-1]], points[lost[-1] + 1]
        while high - low > POLE:
            middle = (low + high) / 2
            low, high = (low, middle) if np.isfinite(risk(edge, np.array([middle]))[0]) else (middle, high)
        edge, start = float(edge + np.exp(high)), np.log(NEAR) + high


def _differences(risk: Risk) -> Callable[[np.ndarray], turning.Motion]:
    """Value, slope and bend by differences of five points."""

    def motion(points: np.ndarray) -> turning.Motion:
        around = np.add.outer(STEP * np.arange(-2, 3), points)
        values = risk(around.ravel()).reshape(around.shape)
        slope = np.array([1, -8, 0, 8, -1]) @ values / (12 * STEP)
        bend = np.array([-1, 16, -30, 16, -1]) @ values / (12 * STEP**2)
        return turning.Motion(values[2], slope, bend, np.abs(values[2]), ROUNDING * np.abs(values[2]))

    return motion


def _turns(problem: MeasuredSpectrum, path: _Path) -> tuple[Extremum, ...]:
    found = turning.extrema(path.curve)
    ridges = path.ridges(task_of(problem).spectrum, np.array([each.time for each in found]))
    return tuple(replace(each, time=float(z)) for each, z in zip(found, ridges, strict=True))


def least(problem: MeasuredSpectrum, *, by_rows: bool = False) -> Least:
    """The best ridge by the limit, or by the formula corrected for leverages, which takes long for many rows.

    Raises `ArithmeticError` as `best_ridge`.
    """
    path = _path(problem, by_rows)
    ends = np.array([path.curve.low, path.curve.high])
    ridges = path.ridges(task_of(problem).spectrum, np.exp(ends))
    ridges[1] = np.inf
    found = [Least(float(z), float(e), True) for z, e in zip(ridges, path.curve.value(ends), strict=True)]
    found += [Least(each.time, each.value, False) for each in _turns(problem, path) if each.is_minimum]
    return min(found, key=lambda each: each.error)
