r"""Why the formulas may be off for a question: how unevenly its rows act, measured without a simulation.

The limit assumes that all rows affect the fit equally, and that each prediction is a sum over many rows.
Three numbers, at z = ridge + 1/time, measure how far rows are from that (l_i leverages, chi_i as in `trust`):

- *spread*: std chi/(1 + mean chi), 0 where all rows are equal (`trust`);
- *correction*: the error by the formula of `leverage` over that of the limit, minus 1, both at z;
- *thinness*: mean_i min(1, chi_i) (1/A_i - 3/n), where A_i = (n/P) (sum_j L_ij^2)^2/sum_j L_ij^4 counts the
  training rows on which the prediction for row i rests, L_ij = sum_k U_ik (1 - h_k) U_jk without j = i. Of
  Gaussian rows it is 0. It is large for rare levels, sparse columns, and rows that occur twice.

The thresholds of the warnings were chosen on 45 generated and bundled sets of rows; `tests` compare sets on
both sides with exact draws. An error of a few percent gives no warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import rows_of
from teacherstudent.problems.measured_spectrum.odd_rows import repeated
from teacherstudent.theory.composing import algorithm
from teacherstudent.theory.measured_spectrum import leverage, per_row
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
from teacherstudent.theory.measured_spectrum.evidence import FEW
from teacherstudent.theory.measured_spectrum.task import task_of
from teacherstudent.theory.measured_spectrum.window import everything
from teacherstudent.theory.resolvents import Resolvent, resolvent
from teacherstudent.theory.spectral import errors, limits
from teacherstudent.theory.spectral.batches import rate as rate_of_batches

TIMES = 4
"""Times that are looked at, spread over those that are asked."""

USED = 0.05
"""Share of the training rows that is used up in fitting, below which a finite number of them hardly shows."""

AT_ONCE = 2**22
"""Numbers that are held of the rows at once."""

PICKED = 40, 2**28
"""Rows whose predictions are looked at: so many, and all of a table that is small enough for that work."""

LEARNT = 1e-6
"""Error, as a share of the target's power, below which a relative change of it means nothing."""

RARE = 2
"""Training rows of a class, on average, below which it is rare: an outlier, for `leverage` too."""


@dataclass(frozen=True)
class Limits:
    """From which spread, correction (of either sign) and thinness on a formula is warned of."""

    spread: float
    correction: float
    thinness: float


ASYMPTOTIC, LEVERAGE = Limits(0.25, 0.08, 0.04), Limits(0.4, 0.3, 0.04)

REPEATED, THIN_REPEATED = 0.05, 0.02
"""Share of rows that repeat another one, from which on thinness counts from a lower value on."""

SLOW = 0.6
"""Spectral radius from which on the sum of fluctuations over rows converges too slowly to be relied on."""


@dataclass(frozen=True)
class Unevenness:
    """The three numbers at T times, (T,), and `used`, the share of training rows that is used up."""

    spread: np.ndarray
    correction: np.ndarray
    thinness: np.ndarray
    used: np.ndarray


def asymptotic(
    problem: MeasuredSpectrum, dynamics: str, times: np.ndarray | None, options: Mapping[str, Any]
) -> list[str]:
    """What may be wrong with the limit at these times of a dynamics, as sentences."""
    return _said(problem, dynamics, times, options, ASYMPTOTIC)


def of_leverage(
    problem: MeasuredSpectrum, dynamics: str, times: np.ndarray | None, options: Mapping[str, Any]
) -> list[str]:
    """The same of the formula that is corrected by leverages."""
    return _said(problem, dynamics, times, options, LEVERAGE)


def of_per_row(
    problem: MeasuredSpectrum, dynamics: str, times: np.ndarray | None, options: Mapping[str, Any]
) -> list[str]:
    """The same of theory row by row: where its sum of fluctuations hardly converges."""
    if problem.sampling != "pool" or problem.rows > per_row.MOST_ROWS[dynamics]:
        return []  # the route refuses these
    asked, z = _chosen(problem, dynamics, times, options)
    radii = np.array([per_row.radius(problem, each) for each in z])
    if not radii.size or not np.nanmax(radii, initial=0.0) >= SLOW:
        return []
    worst = int(np.nanargmax(radii))
    return [
        f"its sum over fluctuations of rows converges slowly (spectral radius {radii[worst]:.2g} at time "
        f"{asked[worst]:.4g}; up to {SLOW} the error was below 20 % in tests), so this route may be wrong "
        "by a factor; --route instance draws from the rows themselves"
    ]


def _said(
    problem: MeasuredSpectrum,
    dynamics: str,
    times: np.ndarray | None,
    options: Mapping[str, Any],
    limits: Limits,
) -> list[str]:
    if options.get("data") == "fresh":  # an exact mean at any size
        return []
    asked, z = _chosen(problem, dynamics, times, options)
    if not asked.size:
        return []
    found = unevenness(problem, z)
    why = [] if problem.sampling != "pool" else list(_uneven(problem, found, asked, limits))
    if problem.n < FEW and np.nanmax(found.used, initial=0.0) > USED:
        pool = f" out of a pool of {problem.rows}" if problem.sampling == "pool" else ""
        why.insert(0, f"{problem.n} training rows{pool} are few for the large-system limit (below {FEW})")
    single = problem.n >= FEW and np.nanmax(found.thinness, initial=0.0) < limits.thinness
    return [f"may be inaccurate: {', '.join(why)}; {_instead(problem, dynamics, single)}"] if why else []


def _uneven(problem: MeasuredSpectrum, found: Unevenness, asked: np.ndarray, limits: Limits) -> Iterator[str]:
    """The numbers that are too large, each in words."""
    spread, correction = found.spread, np.abs(found.correction)
    doubted = False
    if (worst := np.nanmax(spread, initial=0.0)) >= limits.spread:
        at = asked[int(np.nanargmax(spread))]
        where = f"spread {worst:.2g} at time {at:.4g}, not below {limits.spread}"
        yield f"rows differ in their effect on the fit ({where})"
        doubted = True
    rare = list(_rare(problem))
    if np.nanmax(correction, initial=0.0) >= (ASYMPTOTIC if rare else limits).correction:
        place = int(np.nanargmax(correction))
        yield (
            f"correcting for single rows changes the error by {100 * found.correction[place]:+.0f} % at time "
            f"{asked[place]:.4g}"
        )
        doubted = True
    thinness = np.nanmax(found.thinness, initial=0.0)
    given = problem.features or problem.gram
    again = 0
    if given and problem.targets and (doubted or thinness >= THIN_REPEATED):
        again = repeated(given, problem.targets)
    if thinness >= (THIN_REPEATED if again >= REPEATED * problem.rows else limits.thinness):
        yield "predictions rest on few training rows (rare levels, sparse columns or repeated rows)"
        doubted = True
    if doubted and again:
        yield f"{again} of {problem.rows} rows repeat another one"
    if doubted:
        yield from rare


def unevenness(problem: MeasuredSpectrum, z: np.ndarray) -> Unevenness:
    """The numbers at effective ridges z > 0, (T,); NaN where no root is certified. Of a law all are even."""
    task = task_of(problem)
    at = resolvent(task.spectrum, z)
    used = 1 - at.qz * at.unlearned / task.spectrum.alpha
    if problem.sampling != "pool":
        return Unevenness(np.zeros(z.size), np.zeros(z.size), np.zeros(z.size), used)
    data, count = decomposition(problem), problem.rows
    assert data.vectors is not None
    step = max(1, AT_ONCE // (data.eigenvalues.size + 4 * z.size * data.outputs))
    parts = [_of_rows(problem, slice(first, first + step), at) for first in range(0, count, step)]
    chi, error, drawn = (np.concatenate(each) for each in zip(*parts, strict=True))
    learned = at.learned[:, : data.eigenvalues.size].real
    shared, s = np.sum(learned**2, axis=1) / count, np.sum(learned, axis=1) / count
    rest = count / problem.n - 1
    divisor = (1 - s) ** 2 - rest * (shared - s**2)
    corrected = np.mean(error * (1 + drawn * rest * (1 - s**2 / shared) / divisor), axis=0)
    limit = errors.at_ridge(replace(task, start=0 * task.start), z).test
    some = limit > LEARNT * np.sum(task.power)  # else the target is learned: no share of rounding
    numbers = (
        chi.std(axis=0) / (1 + chi.mean(axis=0)),
        np.where(some, corrected / np.where(some, limit, 1.0) - 1, 0.0),
        _thinness(problem.n, data.vectors, learned, chi),
    )
    spread, correction, thinness = np.where(at.converged, numbers, np.nan)
    return Unevenness(spread, correction, thinness, used)


def _of_rows(
    problem: MeasuredSpectrum, which: slice, at: Resolvent
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """chi, squared error left out (with label noise) and l2 of some rows, (rows, T) each."""
    rows = leverage.pool(problem, which)
    seen = leverage.at(rows, at)
    left, drawn = seen.left_out.real, rows.squares @ seen.learned.real**2
    unseen = rows.gap[:, None] + rows.squares @ seen.h.real**2  # 1 - 2 l + l2
    noise = len(rows.along) * problem.noise**2 * unseen / left**2
    return 1 / seen.kept.real - 1, np.sum(seen.errors.real**2, axis=0) + noise, drawn


def _thinness(n: int, vectors: np.ndarray, learned: np.ndarray, chi: np.ndarray) -> np.ndarray:
    """Of learned 1 - h, (T, K), and chi, (P, T): (T,)."""
    count = len(vectors)
    least, work = PICKED
    picked = np.unique(np.linspace(0, count - 1, min(count, max(least, work // vectors.size))).astype(int))
    found = []
    for h, weight in zip(learned, np.minimum(1, chi[picked]).T, strict=True):
        squares = ((vectors[picked] * h) @ vectors.T) ** 2
        squares[np.arange(picked.size), picked] = 0
        total = np.sum(squares, axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            few = np.where(total > 0, np.sum(squares**2, axis=1) / total**2, 1.0) * count / n
        found.append(np.mean(weight * (few - 3 / n)))
    return np.array(found)


def _chosen(
    problem: MeasuredSpectrum, dynamics: str, times: np.ndarray | None, options: Mapping[str, Any]
) -> tuple[np.ndarray, np.ndarray]:
    """Some of the times at which something is learned, spread over all, and ridge + 1/flow time there."""
    task = task_of(problem)
    if times is None:
        times = np.geomspace(*everything(task), TIMES)
    moved = times[times > 0]
    some = moved[np.unique(np.linspace(0, max(0, moved.size - 1), min(TIMES, moved.size)).astype(int))]
    step = 1.0
    if dynamics != "sgd":
        by = algorithm(dynamics)
        step = limits.of_task(task).pace(by, options) if by.whole_time else 1.0
    else:
        data = options["data"]
        step = rate_of_batches(task, options["learning_rate"], options["batch"], data, data)
    return some, problem.ridge + 1 / (step * some)


def _rare(problem: MeasuredSpectrum) -> Iterator[str]:
    """How many classes have few training rows."""
    classes = rows_of(problem).classes
    if classes is not None:
        expected = np.bincount(classes) * problem.n / problem.rows
        if few := int(np.count_nonzero(expected < RARE)):
            yield f"{few} of {expected.size} classes have fewer than {RARE} training rows on average"


def _instead(problem: MeasuredSpectrum, dynamics: str, single: bool) -> str:
    """Which routes hold: draws always; theory row by row where single rows are all that is `single`."""
    drawn = "the rows" if problem.measured else "the law"
    slower = ", and so is --route per-row, which treats each row separately"
    fits = single and problem.sampling == "pool" and problem.rows <= per_row.MOST_ROWS.get(dynamics, 0)
    return f"--route instance, which draws from {drawn}, is reliable{slower if fits else ''}"
