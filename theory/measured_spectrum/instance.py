"""Exact dynamics given the drawn rows, label noise and start: one decomposition a draw, then any time.

With the training rows X = U sqrt(c) V^T, all that a student learns is its weights along V. So the error on
any other rows is

    (what nobody can learn) - (rows V) (weights along V at that time) - (rows) (start off V) p(0),

and on the training rows it is U times the error in U^T y, plus the part of y outside U: noise, and what the
features cannot express. This part does not change during training.

A trained intercept centres all of this by the means of the training rows, as a student that is fitted without
ridge does exactly; of a law the mean over fresh rows has one more term, the square of the intercept's own
error.

Kernels have no weights: outputs are K(row, training rows) U f(c) U^T y, with the kernel of the training rows
K = U c U^T.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from teacherstudent.house.certainty import nan_where_not_finite
from teacherstudent.house.declarations import Algorithm
from teacherstudent.house.progressing import doing_part
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import Draws, Rows, draw, law_of, rows_of, teacher_of
from teacherstudent.theory.composing import by_algorithm
from teacherstudent.theory.measured_spectrum.decomposition import RANK
from teacherstudent.theory.rules import Modes, Rule, Trained
from teacherstudent.theory.singular import decompose_rows, eigen, off

Arrays = dict[str, np.ndarray]

TOGETHER = 2**20
"""Numbers in an array of errors: of all tested rows, outputs, and as many times as that leaves."""


@dataclass(frozen=True)
class Student:
    """One draw in the basis of its training rows. Axes: R modes with c > 0, c outputs, M tested rows.

    values: c, (R,). basis: outputs on the tested rows of a weight along each mode, (M, R). known: the teacher
    along the modes, (R, c), where errors on the tested rows are counted from it, else 0. taught: what the
    filter acts on, (R, c). start: initial weights along the modes, (R, c). unlearnt: what no mode changes of
    the errors on the tested rows, (M, c). loose: their outputs of the initial weights off the modes, (M, c).
    labels: of the training rows along the modes, (R, c), and starting: initial outputs there, (R, c).
    left: the modes on the training rows, (n, R), and beyond: labels off the modes, (n, c). weight: makes of
    a sum over tested rows a mean.
    """

    values: np.ndarray
    basis: np.ndarray
    known: np.ndarray
    taught: np.ndarray
    start: np.ndarray
    unlearnt: np.ndarray
    loose: np.ndarray
    labels: np.ndarray
    starting: np.ndarray
    left: np.ndarray
    beyond: np.ndarray
    weight: float


def trained(
    problem: MeasuredSpectrum,
    times: np.ndarray,
    *,
    algorithm: Algorithm,
    seeds: Sequence[int],
    **options: Any,
) -> Arrays:
    """Students at times, (T,), on the clock of the algorithm: each observable (S, T).

    A learning rate "auto" is 1/max(c) of each draw. Where weights grow with it the errors are NaN, with that
    reason.
    """
    rule = Trained(algorithm, problem.ridge, **options)
    draws = draw(problem, seeds)
    each = []
    for i in range(len(seeds)):
        with doing_part(f"training set {i + 1} of {len(seeds)}, n = {problem.n:,}"):
            each.append(_one(problem, draws, i, times, rule))
    found = {name: np.stack([one[name] for one in each]) for name in each[0]}
    return nan_where_not_finite(found, f"instance route: {rule.reason}") if rule.reason else found


def _one(
    problem: MeasuredSpectrum,
    draws: Draws,
    i: int,
    times: np.ndarray,
    rule: Rule,
) -> Arrays:
    """Each observable of one draw, (T,)."""
    student, tested = student_of(problem, draws, i)
    named = None
    if problem.measured and draws.chosen is not None and rows_of(problem).classes is not None:
        named = _Named(rows_of(problem), tested, _constant(problem, draws, i))
    return observables_of_rule(problem, student, named, rule, times)


def observables_of_rule(
    problem: MeasuredSpectrum, student: Student, named: _Named | None, rule: Rule, times: np.ndarray
) -> Arrays:
    """Each observable of a student that a rule trains, (T,)."""
    parts = [_observed(problem, student, named, rule, part) for part in _blocks(times, student)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def student_of(problem: MeasuredSpectrum, draws: Draws, i: int) -> tuple[Student, np.ndarray]:
    """The i-th draw in the basis of its training rows, and the places of tested rows in the pool, (M,)."""
    if not problem.measured:
        return _law(problem, draws, i), np.arange(0)
    tested = np.arange(problem.rows)
    if draws.chosen is not None:
        tested = np.delete(tested, draws.chosen[i])
    return _measured(problem, draws, i, rows_of(problem), tested), tested


class _Named(NamedTuple):
    """All rows, of classes, the tested ones among them, (M,), and the outputs of no weights, (c,)."""

    rows: Rows
    tested: np.ndarray
    constant: np.ndarray

    def error_rate(self, learned: np.ndarray) -> np.ndarray:
        """The share of tested rows whose largest output is another class's, (T,).

        learned: what weights add to the outputs, (T, M, c).

        Of m outputs that are equally large, as all are at time 0 of balanced classes, each counts 1/m.
        """
        assert self.rows.classes is not None
        outputs = learned + self.constant
        chance = (outputs == outputs.max(axis=-1, keepdims=True)).astype(float)
        chance /= np.maximum(chance.sum(axis=-1, keepdims=True), 1)
        right = np.take_along_axis(chance, self.rows.classes[self.tested][None, :, None], axis=-1)[..., 0]
        return np.where(np.isfinite(learned).all(axis=(1, 2)), 1 - right.mean(axis=1), np.nan)


def _constant(problem: MeasuredSpectrum, draws: Draws, i: int) -> np.ndarray:
    """Outputs of a student of classes without weights, (c,): equal ones are equal to the last digit."""
    rows = rows_of(problem)
    if problem.intercept != "trained":
        return rows.means
    assert rows.classes is not None
    assert draws.chosen is not None
    counts = np.bincount(rows.classes[draws.chosen[i]], minlength=problem.outputs)
    constant: np.ndarray = counts / problem.n + draws.noise[i].mean(axis=0)
    return constant


def _observed(
    problem: MeasuredSpectrum, student: Student, named: _Named | None, rule: Rule, times: np.ndarray
) -> Arrays:
    outputs = student.unlearnt.shape[1]
    with np.errstate(over="ignore", invalid="ignore"):  # of descents that diverge
        modes = rule(np.append(student.values, 0.0), times)  # the last: all that is off the modes
        missed, errors = _residuals(student, modes), _errors(student, modes)
        test = student.weight * np.sum(errors**2, axis=(1, 2)) + outputs * problem.noise**2
        seen = (np.sum(missed**2, axis=(1, 2)) + np.sum(student.beyond**2)) / problem.n
    found = {"generalisation_error": test, "training_error": seen}
    return found if named is None else {**found, "error_rate": named.error_rate(student.unlearnt - errors)}


def _blocks(times: np.ndarray, student: Student) -> list[np.ndarray]:
    """Times in as few parts as keep the arrays of each within `TOGETHER` numbers."""
    step = max(1, TOGETHER // (student.unlearnt.size + student.labels.size))
    return [times[first : first + step] for first in range(0, times.size, step)]


def _residuals(student: Student, modes: Modes) -> np.ndarray:
    """Labels minus outputs on the training rows along each mode, (T, R, c)."""
    p, missed = modes.propagator[:, :-1, None], modes.missed[:, :-1, None]
    return missed * student.labels - p * student.starting


def _errors(student: Student, modes: Modes) -> np.ndarray:
    """Targets minus outputs on the tested rows, (T, M, c)."""
    f, p, missed = (each[:, :-1, None] for each in modes)
    along = missed * student.known - f * student.taught - p * student.start
    loose = modes.propagator[:, -1, None, None] * student.loose
    return student.unlearnt - loose + student.basis @ along


# The bases of draws ---------------------------------------------------------------------------------


def _law(problem: MeasuredSpectrum, draws: Draws, i: int) -> Student:
    """A draw from a law. Tested rows are its features, by their strength: a mean over fresh rows is a sum.

    Errors are counted from the teacher, so that they keep their digits where it is almost learnt.
    """
    assert draws.inputs is not None  # as of every law
    assert draws.initial is not None
    inputs, initial, noise = draws.inputs[i], draws.initial[i], draws.noise[i]
    teacher = teacher_of(problem)
    counts, values, _ = law_of(problem)
    root = np.sqrt(np.repeat(values, counts.astype(int)))[:, None]
    mean, mistaken = (each.mean(axis=0, keepdims=True) for each in (inputs, noise))
    trained = problem.intercept == "trained"
    if trained:
        inputs, noise = inputs - mean, noise - mistaken

    def tested(weights: np.ndarray) -> np.ndarray:
        """Of weights (d, ...), by the strength of each feature, and by the training mean if that is taken."""
        own: np.ndarray = root * weights
        return np.concatenate([own, mean @ weights]) if trained else own

    left, singular, right = decompose_rows(inputs)
    known, start = right @ teacher, right @ initial
    labels = inputs @ teacher + noise
    unlearnt = tested(off(right.T, teacher))
    unlearnt[len(root) :] += mistaken
    return Student(
        values=singular**2,
        basis=tested(right.T),
        known=known,
        taught=singular[:, None] * (left.T @ noise),
        start=start,
        unlearnt=unlearnt,
        loose=tested(off(right.T, initial)),
        labels=left.T @ labels,
        starting=singular[:, None] * start,
        left=left,
        beyond=_beyond(problem, left, labels),
        weight=1.0,
    )


def _measured(problem: MeasuredSpectrum, draws: Draws, i: int, rows: Rows, tested: np.ndarray) -> Student:
    """A draw of measured rows, or of Gaussian mixtures of them; `tested` are places in the pool, (M,)."""

    def drawn(matrix: np.ndarray) -> np.ndarray:
        if draws.chosen is not None:
            return matrix[draws.chosen[i]]
        assert draws.mixtures is not None
        return draws.mixtures[i] @ matrix / np.sqrt(problem.rows)

    trained = problem.intercept == "trained"
    labels, wanted = drawn(rows.targets) + draws.noise[i], rows.targets[tested]
    if trained:
        wanted = wanted - labels.mean(axis=0)
        labels -= labels.mean(axis=0)
    if rows.features is not None:
        assert draws.initial is not None
        inputs, others, initial = drawn(rows.features), rows.features[tested], draws.initial[i]
        if trained:
            others -= inputs.mean(axis=0)  # a copy, as both are
            inputs -= inputs.mean(axis=0)
        left, singular, right = decompose_rows(inputs)
        basis, start = others @ right.T, right @ initial
        loose = others @ off(right.T, initial)
    else:
        assert rows.gram is not None
        cross = drawn(rows.gram)
        if trained:
            cross -= cross.mean(axis=0)
        inner = drawn(cross.T)
        if trained:
            mean = inner.mean(axis=0)
            inner -= mean
            cross -= mean[:, None]
        left, singular = _of_kernel(inner)
        basis = cross[:, tested].T @ (left / singular)
        start = np.zeros((singular.size, labels.shape[1]))
        loose = np.zeros((tested.size, labels.shape[1]))
    along = left.T @ labels
    return Student(
        values=singular**2,
        basis=basis,
        known=np.zeros_like(along),
        taught=singular[:, None] * along,
        start=start,
        unlearnt=wanted,
        loose=loose,
        labels=along,
        starting=singular[:, None] * start,
        left=left,
        beyond=_beyond(problem, left, labels),
        weight=1 / tested.size,
    )


def _beyond(problem: MeasuredSpectrum, left: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Labels off the modes, (n, c): nothing where these are all differences of rows from their mean."""
    differences = left.shape[1] == problem.n - 1 and problem.intercept == "trained"
    return np.zeros_like(labels) if differences else off(left, labels)


def _of_kernel(kernel: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """U (n, R) and the roots of the eigenvalues (R,) of training rows' kernel, but for rounding."""
    values, vectors = eigen(kernel)
    kept = values > RANK * values[-1]
    return vectors[:, kept], np.sqrt(values[kept])


def __getattr__(name: str) -> Callable[..., Arrays]:
    """The route of the algorithm of that name."""
    return by_algorithm(trained, name)
