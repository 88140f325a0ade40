"""Answers as far as rounding permits, and recursions at the requested steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.scale_invariant import ScaleInvariant
from teacherstudent.theory.scale_invariant import ACCURACY
from teacherstudent.theory.scale_invariant.losses import law

Path = Iterator[tuple[float, float, float]]
"""Angle, radius and effective learning rate at steps 0, 1, 2, ..."""

LONGEST = 10**8
"""Steps beyond which no answer is tried: each is taken, at some microseconds."""

NUDGE = 4 * float(np.finfo(float).eps)
"""Relative change of what is given, some roundings: an answer that it decides on is not told."""

Answer = Callable[[ScaleInvariant], np.ndarray]
"""|angle|, radius and effective learning rate, (3, T), of a question."""


def told(
    answer: Answer, problem: ScaleInvariant, times: np.ndarray, breaks: str, noisy: bool = False
) -> np.ndarray:
    """|angle|, radius and effective learning rate, (3, T), NaN from where they are lost to rounding.

    A second answer starts a few roundings away from the first, in the angle and in the ridge. Where they
    differ by `ACCURACY` (of an angle in radians, of the others relatively), and where one breaks (NaN), all
    are NaN from there on, with an `UnconvergedWarning`. So it is beyond the edge of stability, where 1 - eta
    lambda is close to 0 and, `undecided`, from the direction that is farthest from a teacher: without noise
    (`noisy`) a student would stay there forever, except for rounding.
    """
    nudged = replace(problem, angle0=problem.angle0 * (1 - NUDGE), ridge=problem.ridge * (1 - NUDGE))
    found, beside = (answer(each) for each in (problem, nudged))
    with np.errstate(invalid="ignore"):
        scale = np.stack([np.ones(times.size), found[1], np.abs(found[2])])
        same = (found == beside) | (np.abs(found - beside) <= ACCURACY * scale)
    parted = ~np.all(same, axis=0)
    if not noisy and undecided(problem):
        parted |= ~(np.abs(found[0] - problem.angle0) <= ACCURACY)
    if not parted.any():
        return found
    first = int(np.argmax(parted))
    why = f"{breaks} breaks, or rounding of angle0 or the ridge has grown too large, from {times[first]:g} on"
    return nan_where(np.arange(times.size) >= first, why, found.T).T


def undecided(problem: ScaleInvariant) -> bool:
    """Whether the student starts where the loss is largest, up to rounding of its angle."""
    return abs(problem.angle0 - law(problem).farthest) <= NUDGE * problem.angle0


def recorded(
    path: Callable[[ScaleInvariant], Path], problem: ScaleInvariant, times: np.ndarray
) -> np.ndarray:
    """A recursion at whole steps `times`, as far as rounding permits.

    Raises `InputError` for steps beyond `LONGEST`.
    """
    if times[-1] > LONGEST:
        raise InputError("times", f"{times[-1]:g}", f"at most {LONGEST:g} steps, all of them computed")
    return told(lambda each: _at(path(each), times), problem, times, "descent")


def _at(path: Path, times: np.ndarray) -> np.ndarray:
    answer, taken = np.full((3, times.size), np.nan), 0
    try:
        for i, step in enumerate(times.astype(int).tolist()):
            answer[:, i] = next(islice(path, step - taken, None))
            taken = step + 1
    except ArithmeticError:
        pass  # the rest stays NaN, which the caller announces
    answer[0] = np.abs(answer[0])
    return answer
