r"""Exact dynamics given the drawn features and inputs, averaged over label noise and start.

With Phi = U sqrt(c) V^T, the nonlinear features of the training inputs, the student is a = V f(c) sqrt(c) U^T
y + p(C) a(0) (`theory.rules`). Its error on fresh inputs needs no fresh inputs: the part of each feature that
is linear in z, H_i.z, and the remainder have exact averages (`averages`), so that

    2 excess_risk = |c_1 w - H^T a|^2/d + c_*^2 - 2 a.v + a.W a

with W the second moments of the remainder of the features, and v its overlap with the nonlinear part of the
teacher. Neither term is a difference of larger numbers where the student knows a linear teacher well.

A linear teacher is averaged over as well: w enters as E w w^T = 1. Any other is the drawn one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from teacherstudent.house.certainty import nan_where_not_finite
from teacherstudent.house.declarations import Algorithm
from teacherstudent.problems.extras import demand_given
from teacherstudent.problems.random_features import ALWAYS, RandomFeatures
from teacherstudent.problems.random_features.data import Draws, draw
from teacherstudent.problems.random_features.parameters import EXTRAS
from teacherstudent.theory.composing import by_algorithm
from teacherstudent.theory.random_features.averages import averages, mean, value, with_teacher
from teacherstudent.theory.random_features.nonlinearity import Moments, moments
from teacherstudent.theory.rules import Modes, Trained
from teacherstudent.theory.singular import decompose_rows, off

Arrays = dict[str, np.ndarray]

CANCELS = 0.01
"""Below this share of the teacher what is missed of it is summed as it is, not as a difference."""

TOGETHER = 2**18
"""Numbers in an array of what is missed of the teacher, of as many times as that allows."""


@dataclass(frozen=True)
class Student:
    """One draw in the basis of Phi. Axes: R modes with c > 0, q teachers that are averaged over, d inputs.

    values: c, (R,). labels: U^T y without noise, (R, q). beyond: sum of squares of y off the modes. linear:
    H^T V, (d, R), and teachers: w, (d, q), both for inputs of variance 1. rest: V^T W V, (R, R). bent: V^T v,
    (R,). frozen: mean square output of weights of variance 1 off the modes.
    """

    values: np.ndarray
    labels: np.ndarray
    beyond: float
    linear: np.ndarray
    rest: np.ndarray
    bent: np.ndarray
    teachers: np.ndarray
    frozen: float


def trained(
    problem: RandomFeatures,
    times: np.ndarray,
    *,
    algorithm: Algorithm,
    seeds: Sequence[int],
    observable: Sequence[str] | None = None,
    **options: Any,
) -> Arrays:
    """Students at times, (T,), on the clock of the algorithm: each observable (S, T).

    A learning rate "auto" is 1/max(c) of each draw. Where weights grow with it the errors are NaN, with that
    reason. Raises `InputError` for any group in `observable`.
    """
    demand_given(EXTRAS, observable, ALWAYS)
    rule = Trained(algorithm, problem.ridge, **options)
    draws, teacher = draw(problem, seeds), moments(problem.teacher)
    each = []
    for i in range(len(seeds)):
        student = _decomposed(problem, draws, teacher, i)
        with np.errstate(over="ignore", invalid="ignore"):  # of descents that diverge
            modes = rule(np.append(student.values, 0.0), times)  # the last: off the modes
            each.append(_observed(problem, teacher, student, modes))
    found = {name: np.stack([one[name] for one in each]) for name in each[0]}
    return nan_where_not_finite(found, f"instance route: {rule.reason}") if rule.reason else found


def _decomposed(problem: RandomFeatures, draws: Draws, teacher: Moments, i: int) -> Student:
    rows = draws.features[i] * (draws.strengths / np.sqrt(problem.d))  # h = rows G
    inputs, scale = np.sqrt(problem.d) * draws.inputs[i], 1 / np.sqrt(problem.width)
    known = mean(problem.activation)
    left, singular, right = decompose_rows(scale * (value(problem.activation, inputs @ rows.T) - known))

    of = averages(problem.activation, rows)
    bent = np.zeros(problem.width)
    if teacher.rest:
        teachers = draws.teacher[i][:, None]
        shift = mean(problem.teacher)
        labels = value(problem.teacher, draws.inputs[i] @ teachers) - shift
        overlap = rows @ teachers[:, 0] / np.sqrt(problem.d)
        both = with_teacher(problem.teacher, problem.activation, overlap, np.sum(rows**2, axis=1))
        bent = scale * (both - shift * of.mean - teacher.linear * of.slope * overlap)
    else:
        teachers = np.eye(problem.d)
        labels = teacher.linear * draws.inputs[i]
    linear = scale * of.slope[:, None] * rows  # H, for inputs of variance 1
    rest = of.beyond
    rest += np.multiply.outer(of.mean - known, of.mean - known)
    rest *= scale**2
    total = np.sum(linear**2) + np.trace(rest)
    linear, rest = linear.T @ right.T, right @ rest @ right.T
    seen = np.sum(linear**2) + np.trace(rest)
    return Student(
        values=singular**2,
        labels=left.T @ labels,
        beyond=float(np.sum(off(left, labels) ** 2)),
        linear=linear,
        rest=rest,
        bent=right @ bent,
        teachers=teachers / np.sqrt(problem.d),
        frozen=float(total - seen) if singular.size < problem.width else 0.0,
    )


def _observed(problem: RandomFeatures, teacher: Moments, student: Student, modes: Modes) -> Arrays:
    """Each observable, (T,)."""
    f, p, missed = (each[:, :-1] for each in modes)
    c, noise, start = student.values, problem.noise**2, problem.init**2
    made = f * np.sqrt(c)  # weights along the modes that a label makes
    aligned = np.sum((student.linear.T @ student.teachers) * student.labels, axis=1)
    shared = student.labels @ student.labels.T
    known = teacher.linear * (made @ aligned)  # of what is linear in the teacher
    linear = _squared(made, (student.linear.T @ student.linear) * shared)
    rest = _squared(made, student.rest * shared)
    bent = made @ (student.bent * student.labels[:, 0])  # 0 where teachers are averaged over
    size = np.sum(student.linear**2, axis=0) + np.diagonal(student.rest)
    noisy = noise * (made**2 @ size)
    started = start * (p**2 @ size + modes.propagator[:, -1] ** 2 * student.frozen)

    left = teacher.linear**2 - 2 * known + linear
    close = left < CANCELS * teacher.linear**2
    left[close] = _missed(student, teacher.linear, made[close])
    excess = (left + teacher.rest - 2 * bent + rest + noisy + started) / 2
    seen = missed**2 @ np.sum(student.labels**2, axis=1) + student.beyond + start * (p**2 @ c)
    unseen = noise * (np.sum(missed**2, axis=1) + problem.n - c.size)
    return {
        "R": known + bent,
        "Q": linear + rest + noisy + started,
        "excess_risk": excess,
        "generalisation_error": 2 * excess + noise,
        "training_error": (seen + unseen) / problem.n,
    }


def _squared(weights: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """weights.matrix weights at each time, (T,)."""
    found: np.ndarray = np.sum((weights @ matrix) * weights, axis=1)
    return found


def _missed(student: Student, slope: float, weights: np.ndarray) -> np.ndarray:
    """Mean square of what is missed of the teacher's linear part, (T,), from weights of a label, (T, R)."""
    found = np.empty(len(weights))
    step = max(1, TOGETHER // (student.labels.size + student.teachers.size))
    for first in range(0, len(weights), step):
        made = student.linear @ (weights[first : first + step, :, None] * student.labels)
        found[first : first + step] = np.sum((slope * student.teachers - made) ** 2, axis=(1, 2))
    return found


def __getattr__(name: str) -> Callable[..., Arrays]:
    """The route of the algorithm of that name."""
    return by_algorithm(trained, name)
