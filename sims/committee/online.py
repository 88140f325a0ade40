"""Training on a stream of examples, on the clock t = steps/d."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.house.interruptible import in_threads
from teacherstudent.problems.committee import Committee
from teacherstudent.problems.committee.data import draw
from teacherstudent.sims.arrays import at_a_time, groups, nan_where_not_finite
from teacherstudent.sims.committee.measures import observed
from teacherstudent.sims.committee.steps import BLOCK, advanced
from teacherstudent.sims.committee.streams import Examples, pieces
from teacherstudent.sims.committee.units import functions, rates

LONGEST = 10**9
"""Steps beyond which no answer is tried: each is taken, at some microseconds."""

AT_ONCE = 2**18
"""Numbers of the inputs that are drawn at once, 2 MB, unless a block is more or `ROWS` are less."""

ROWS = 64 * BLOCK
"""Examples of a draw that are drawn at once at most: whether all are used or not, a call hands them over."""

PASSES = 4
"""Blocks of inputs of a group of draws that are to fit a core's cache: more draws side by side are slower."""


def online(problem: Committee, times: np.ndarray, *, seeds: Sequence[int]) -> dict[str, np.ndarray]:
    """R (S, T, K, M), Q (S, T, K, K), second layer (S, T, K) and errors (S, T), a new example each step.

    `times` t are recorded at the step nearest to t d. Raises `InputError` for more than `LONGEST` steps.
    Where training leaves the range of float64 all are NaN, with an `UnconvergedWarning`.
    """
    steps, drawn = steps_at(problem, times), draw(problem, seeds)
    parts = together(problem.d, len(seeds))
    ahead = rows(problem.d * len(parts[0]), int(np.diff(steps, prepend=0).max()))
    follow = partial(_followed, problem, ahead)
    students = [(drawn.teacher[part], drawn.student[part], [seeds[i] for i in part]) for part in parts]
    follow(np.ones(1, int), *students[0])  # compiles alone, not once in each thread
    threads = at_a_time() if len(parts[0]) == 1 else 1  # XLA may stand still in two with several draws each
    found = in_threads([partial(follow, steps, *each) for each in students], threads)
    R, Q, v = (np.concatenate(each)[: len(seeds)] for each in zip(*found, strict=True))
    T = drawn.teacher @ drawn.teacher.swapaxes(-1, -2) / problem.d
    return certain(problem, R, Q, v, T[:, None])


def steps_at(problem: Committee, times: np.ndarray) -> np.ndarray:
    """The whole step nearest to each time. Raises `InputError` beyond `LONGEST`, or for decay beyond d."""
    problem.demand_decay()
    functions(problem.activation)  # refuses what cannot be traced, before anything is
    steps = np.rint(np.asarray(times) * problem.d)
    if steps[-1] > LONGEST:
        raise InputError("times", f"{times[-1]:g}", f"at most {LONGEST / problem.d:g}: {LONGEST:g} steps")
    return steps.astype(int)


def together(d: int, draws: int) -> list[np.ndarray]:
    """Which draws (their places) take their steps side by side."""
    return groups(draws, PASSES * BLOCK * d, ROWS * d)


def rows(numbers: int, most: int) -> int:
    """Number of examples that are drawn at once: whole blocks, for at most that number of steps."""
    needed = 1 << max(0, -(-most // BLOCK) - 1).bit_length()  # a power of 2: few shapes to compile for
    return min(ROWS, BLOCK * max(1, min(needed, AT_ONCE // (BLOCK * numbers))))


def certain(
    problem: Committee, R: np.ndarray, Q: np.ndarray, second_layer: np.ndarray, T: np.ndarray
) -> dict[str, np.ndarray]:
    """The observables of `measures.observed`, NaN with a warning where training has diverged."""
    answer = observed(problem, R, Q, second_layer, T)
    return nan_where_not_finite(answer, f"learning_rate {problem.learning_rate}: training diverges")


def _followed(
    problem: Committee,
    ahead: int,
    steps: np.ndarray,
    teacher: np.ndarray,
    start: np.ndarray,
    seeds: Sequence[int],
) -> list[np.ndarray]:
    """R, Q and v of these draws, (S, T, ...) each, after each of the increasing steps."""
    d, factors = problem.d, rates(problem)
    layers = (problem.teacher_second_layer, problem.second_layer)
    outer, v = (np.tile(each, (len(seeds), 1)) for each in layers)
    student, recorded = (start, v), []
    examples = [Examples(problem, seed, ahead) for seed in seeds]
    for count in np.diff(steps, prepend=0):
        for few in pieces(count, ahead):
            for each in examples:
                each.draw(few)
            drawn = tuple(
                np.stack([getattr(each, name) for each in examples]) for name in ("inputs", "noise")
            )
            student = advanced(problem.activation, factors, (teacher, outer), student, drawn, few)
        w, v = map(np.asarray, student)
        with np.errstate(over="ignore", invalid="ignore"):  # of weights that diverge
            across, within = (w @ other.swapaxes(-1, -2) / d for other in (teacher, w))
        recorded.append((across, within, v))
    return [np.stack(each, axis=1) for each in zip(*recorded, strict=True)]
