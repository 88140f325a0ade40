"""Fixed points of many small systems at once: Newton's method where it gains, plain iteration elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Step = Callable[[np.ndarray, np.ndarray], np.ndarray]

CLOSE = 4e-11
"""Newton's next step where a state counts as found, which is how far it is off: states are logarithms. It is
also what rounding may make of it."""

ROUNDING = 1e-15
"""Of the map: so far the quadrature's own weights are off, in the same way at all states."""

NEIGHBOURS = 1e-14 * np.array([[1, 1, 1], [1, -1, 1], [-1, 1, 1], [-1, -1, 1]])
"""Where they lie, in relative terms."""

SMALL = 1e-8
"""The residual that such a state has at most."""

NUDGE = 1e-6
"""For slopes, by differences to both sides."""

FARTHEST = 2.0
"""A Newton step may change no number by more."""

MOST = 40
"""Steps from a start that is no guess."""


def fixed_points(
    step: Step, start: np.ndarray, most: int = MOST, rounded: float = CLOSE
) -> tuple[np.ndarray, np.ndarray]:
    """x with f(x) = x for each row of `start`, (T, K), and where it is certified, (T,).

    step: f of some rows, of their numbers (R,) and their states (R, K). At most this number of Newton steps
    is taken. rounded: how much of a state rounding may be.
    """
    state = start.copy()
    done, certified = np.zeros((2, len(start)), dtype=bool)
    with np.errstate(all="ignore"):  # what is not finite is not taken, and not certified
        residual = step(np.arange(len(start)), state) - state
        for _ in range(most):
            rows = np.flatnonzero(~done & np.all(np.isfinite(residual), axis=1))
            if not rows.size:
                break
            inverse = _inverse(_slopes(step, rows, state[rows]))
            moved = _newton(inverse, residual[rows])
            before = _size(residual[rows])
            near = (before <= SMALL) & (_size(moved) <= CLOSE)
            here = rows[near]
            if here.size:
                done[here], certified[here] = True, _blur(step, here, state[here], inverse[near]) <= rounded
            state[here] += moved[near]
            rows, moved, before = rows[~near], moved[~near], before[~near]
            if rows.size:
                _advance(step, rows, moved, before, state, residual)
    return state, certified


def _advance(
    step: Step,
    rows: np.ndarray,
    moved: np.ndarray,
    before: np.ndarray,
    state: np.ndarray,
    residual: np.ndarray,
) -> None:
    """Move these rows by as much of Newton's step as makes their residual smaller, or iterate."""
    moved *= np.minimum(1, FARTHEST / _size(moved))[:, None]
    for share in (1.0, 0.3, 0.1):
        tried = state[rows] + share * moved
        found = step(rows, tried) - tried
        better = _size(found) < before * (1 - 0.1 * share)
        state[rows[better]], residual[rows[better]] = tried[better], found[better]
        rows, moved, before = rows[~better], moved[~better], before[~better]
        if not rows.size:
            return
    state[rows] += residual[rows]
    residual[rows] = step(rows, state[rows]) - state[rows]


def _slopes(step: Step, rows: np.ndarray, state: np.ndarray) -> np.ndarray:
    """Of the residual, (R, K, K)."""
    count = state.shape[1]
    slopes = np.empty((len(rows), count, count))
    for k in range(count):
        nudge = NUDGE * np.eye(count)[k]
        slopes[:, :, k] = (step(rows, state + nudge) - step(rows, state - nudge)) / (2 * NUDGE)
    return slopes - np.eye(count)


def _inverse(slopes: np.ndarray) -> np.ndarray:
    """Minus the inverse of the slopes, which makes a step of a residual; 1 where there is none."""
    finite = np.all(np.isfinite(slopes), axis=(1, 2))
    finite &= np.abs(np.linalg.det(np.where(finite[:, None, None], slopes, 0.0))) > 0
    inverse = np.broadcast_to(np.eye(slopes.shape[1]), slopes.shape).copy()
    inverse[finite] = -np.linalg.inv(slopes[finite])
    return inverse


def _newton(inverse: np.ndarray, residual: np.ndarray) -> np.ndarray:
    """The step after which a linear residual is 0; the residual itself where that is not finite."""
    moved = (inverse @ residual[..., None])[..., 0]
    return np.where(np.isfinite(moved), moved, residual)


def _blur(step: Step, rows: np.ndarray, state: np.ndarray, inverse: np.ndarray) -> np.ndarray:
    """What rounding makes of states, (R,): how far apart Newton's steps from neighbours end, and more."""
    ends = []
    for signs in NEIGHBOURS[:, : state.shape[1]]:
        start = state + signs * (1 + np.abs(state))
        ends.append(start - state + _newton(inverse, step(rows, start) - start))
    amplified = np.abs(inverse).sum(axis=2) * ROUNDING
    return _size(np.ptp(ends, axis=0) + amplified)


def _size(rows: np.ndarray) -> np.ndarray:
    """The largest number of each row; infinite where one is not finite."""
    return np.where(np.all(np.isfinite(rows), axis=1), np.max(np.abs(rows), axis=1), np.inf)
