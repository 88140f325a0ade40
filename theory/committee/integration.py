"""Two integrations of the same path, reported as far as they agree, with detection of fixed points."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.integrate import BDF, LSODA, OdeSolver

from teacherstudent.theory.committee.log_differences import Field, LogScaled

ACCURACY = 1e-7
"""Largest difference of the two that is told, relative to the largest number of the path so far."""
NUDGE = 4 * float(np.finfo(float).eps)
"""Relative change of the start beside it, some roundings."""
LAST = 1e300
"""A time beyond all that is asked: no step depends on which times are."""
BETWEEN = 20
"""Steps between two looks at whether the path rests."""
RESTING = 1e-8
"""A speed, and a distance to the point of rest, relative to the largest number."""
NEUTRAL = 1e-6
"""A rate of return below which a point of rest is not certain, as a share of the fastest."""

SMALL, SMALLER = 0.01, 0.0001
"""Size of differences below which their logarithm is followed, and below which it is so again, relative."""
FINE = 1e-6
"""Of differences for a Jacobian beside which rounding of slopes over small differences is small."""
AGAIN = 0.01
"""First step of a solver, of the last one before it."""
EXPLICIT = 0.5
"""Share of the evaluations after which steps are implicit.

LSODA compares explicit and implicit steps of one order. Where a fast decay has pressed explicit ones down to
order 2 neither promises much, so that it keeps these, though implicit ones of order 5 were far longer.
"""
EXPLODED = 100.0
"""Growth of a path, over its start, from which one that breaks is said to break by it."""

AVERAGES = "rounding, or the error of averages over the function, has grown too large"
"""Why two integrations by different quadratures differ."""


@dataclass(frozen=True)
class Patience:
    """`relative`: error of a step, ten times that for the second path; `most`: evaluations of the field."""

    relative: float
    most: int

    def evaluations(self, numbers: int) -> int:
        """Evaluations that a path may take: `most`, and one for each number in each of its Jacobians."""
        return self.most + 40 * numbers


@dataclass(frozen=True)
class Status:
    """`lost`, (T,): where no state is known; `why`: the reason, "" if all are known."""

    lost: np.ndarray
    why: str = ""


def integrate(
    field: Field,
    start: np.ndarray,
    times: np.ndarray,
    patience: Patience,
    differences: np.ndarray,
    other_field: Field | None = None,
) -> tuple[np.ndarray, Status]:
    """States, (T, n), of y' = field(y) from y(0) = start at increasing times >= 0, NaN where lost.

    differences, (n,): which numbers are held to their common size, however small it is (`apart`).
    other_field: the same field by other quadratures, for the second of the two integrations.
    """
    beside = Patience(10 * patience.relative, patience.most)
    found, why = _integrated(field, start, times, patience, differences)
    other, _ = _integrated(other_field or field, start * (1 - NUDGE), times, beside, differences)
    size = np.maximum.accumulate(np.max(np.abs(found), axis=1))
    lost = np.logical_or.accumulate(~(np.max(np.abs(found - other), axis=1) <= ACCURACY * size))
    if not lost.any():
        return found, Status(lost)
    why = why or (AVERAGES if other_field else "rounding errors have grown too large")
    why = f"result uncertain from time {times[lost][0]:g} on: {why}"
    return np.where(lost[:, None], np.nan, found), Status(lost, why)


def _integrated(
    field: Field, start: np.ndarray, times: np.ndarray, patience: Patience, differences: np.ndarray
) -> tuple[np.ndarray, str]:
    """The states, (T, n), NaN from where the integrator stops, and why it does."""
    found = np.full((times.size, start.size), np.nan)
    done, steps, asked = int(np.searchsorted(times, 0.0, side="right")), 0, 0
    found[:done] = start
    scale = max(1.0, float(np.max(np.abs(start))))
    most, form = patience.evaluations(start.size), LogScaled(field, differences, SMALL * scale)

    def size(y: np.ndarray) -> float:
        return float(np.linalg.norm(y[differences]))

    def solving(time: float, y: np.ndarray, step: float, small: bool, implicit: bool) -> OdeSolver:
        absolute = np.full(y.size, patience.relative * 1e-4 * scale)
        if small:
            absolute = np.append(np.where(differences, patience.relative, absolute), patience.relative)

        def counted(_: float, z: np.ndarray) -> np.ndarray:
            nonlocal asked
            asked += 1
            if asked > most:
                raise ArithmeticError("the integrator is stuck")
            return form.field(z) if small else field(z)

        def slopes(_: float, z: np.ndarray) -> np.ndarray:
            return jacobian(partial(counted, 0.0), z, FINE)

        begun, own = (form.z(y), slopes) if small else (y, None)
        accuracy: dict[str, Any] = {"rtol": patience.relative, "atol": absolute}
        method = BDF if implicit else LSODA
        return method(counted, time, begun, LAST, first_step=step, jac=own, **accuracy)

    solver, y, implicit = None, start, False
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"), warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # the integrator warns of what it then returns
            speed = max(scale, float(np.max(np.abs(field(start)))))
            small = 0 < size(start) < SMALL * scale
            solver = solving(0.0, start, 1e-4 * scale / speed, small, implicit)
            while done < times.size:
                if solver.status == "finished":
                    raise ArithmeticError("no later time")
                if steps % BETWEEN == 0 and (rest := _rest(field, y, scale)) is not None:
                    found[done:] = rest
                    break
                said, steps = solver.step(), steps + 1
                if solver.status == "failed":
                    raise ArithmeticError(said)
                y = form.y(solver.y) if small else solver.y
                upto = int(np.searchsorted(times, solver.t, side="right"))
                if upto > done:
                    between = solver.dense_output()(times[done:upto]).T
                    found[done:upto] = [form.y(z) for z in between] if small else between
                    done = upto
                turned = size(y) > SMALL * scale if small else 0 < size(y) < SMALLER * scale
                late = asked > EXPLICIT * most
                if turned or late != implicit:
                    small, implicit = small != turned, late
                    solver = solving(solver.t, y, AGAIN * solver.step_size, small, implicit)
    except ArithmeticError as error:
        reached, grown = (solver.t, float(np.max(np.abs(y))) / scale) if solver else (0.0, 1.0)
        if grown > EXPLODED:
            whose = _growth(field, y, grown, reached)
            return found, f"{whose} overlaps have grown {grown:.1e}-fold by time {reached:.4g}"
        return found, f"the integration fails at time {reached:.4g} ({error})"
    return found, ""


def _growth(field: Field, y: np.ndarray, grown: float, time: float) -> str:
    """What a path does that has grown to y: diverge, or grow ever more slowly, as powers of time do.

    Its relative speed over the mean one so far is about 1 of an exponential, more of what ends in finite
    time, and 1/log(time) of a power.
    """
    with np.errstate(all="ignore"):
        speed = float(np.max(np.abs(field(y))) / np.max(np.abs(y)))
    slow = speed * time < np.log(grown) / 2
    return "the weights grow ever more slowly, their" if slow else "training diverges, its"


def _rest(field: Field, y: np.ndarray, scale: float) -> np.ndarray | None:
    """The point of rest beside y that every path from about there ends in; None where that is not certain."""
    speed, size = field(y), max(scale, float(np.max(np.abs(y))))
    if not np.max(np.abs(speed)) <= RESTING * size:
        return None
    slopes = jacobian(field, y, 1e-6 * size)  # its square and rounding over it are both small
    rates = np.linalg.eigvals(slopes).real
    if not np.max(rates) < -NEUTRAL * np.max(np.abs(rates)):
        return None
    way = np.linalg.solve(slopes, speed)
    return y - way if np.max(np.abs(way)) <= RESTING * size else None


def fine_jacobian(field: Field, y: np.ndarray, step: float = 1e-3) -> np.ndarray:
    """The same, off by the order of step^4: of smooth fields about ten digits."""
    return (4 * jacobian(field, y, step / 2) - jacobian(field, y, step)) / 3


def jacobian(field: Field, y: np.ndarray, step: float) -> np.ndarray:
    """d field_i/d y_j, (n, n), by central differences, off by the order of step^2."""
    columns = [(field(y + step * each) - field(y - step * each)) / (2 * step) for each in np.eye(y.size)]
    return np.stack(columns, axis=1)
