"""A recursion at the steps that are asked for, as far as rounding lets it be told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.domains import InputError
from teacherstudent.problems.scale_invariant import ScaleInvariant

Path = Iterator[tuple[float, float, float]]
"""Angle, radius and effective learning rate at steps 0, 1, 2, ..."""

LONGEST = 10**8
"""Steps beyond which no answer is tried: each is taken, at some microseconds."""

TOLD = 1e-6
"""Change of an angle, and relatively of a radius or a rate, at which rounding is said to have taken over."""

NUDGE = 4 * float(np.finfo(float).eps)


def recorded(
    path: Callable[[ScaleInvariant], Path], problem: ScaleInvariant, times: np.ndarray
) -> np.ndarray:
    """|angle|, radius and effective learning rate, (3, T), at whole steps `times`.

    A second path starts a few roundings beside the first. Beyond the edge of stability, where descent is
    chaotic, they part; from there on, and where a path breaks, all are NaN, with an `UnconvergedWarning`.
    Raises `InputError` for steps beyond `LONGEST`.
    """
    if times[-1] > LONGEST:
        raise InputError("times", f"{times[-1]:g}", f"at most {LONGEST:g} steps, for each is computed")
    nudged = replace(problem, angle0=problem.angle0 * (1 - NUDGE))
    answer, beside = (_at(path(each), times) for each in (problem, nudged))
    with np.errstate(invalid="ignore"):
        scale = np.stack([np.ones(times.size), answer[1], np.abs(answer[2])])
        parted = ~np.all(np.abs(answer - beside) <= TOLD * scale, axis=0)
    if parted.any():
        first = int(np.argmax(parted))
        parted[first:] = True
        why = (
            "descent breaks, or rounding has grown into it beyond the edge of stability, "
            f"from step {times[first]:g} on"
        )
        return nan_where(parted, why, answer.T).T
    return answer


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
