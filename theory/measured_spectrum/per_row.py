r"""Theory that treats each row separately, at the cost of a matrix per point.

In `leverage` all rows act on the resolvent with one mean effect. Here each row i of the pool, drawn or not,
has a separate effect a_i (a coherent-potential approximation). With rows Phi = U sqrt(P lambda) and delta =
n/P,

    Ghat(z) = (Phi^T a Phi + z)^-1,   g_i = phi_i Ghat phi_i,   delta - a_i = a_i (1 - a_i) g_i,

by iterating the root a = 2 delta/(1 + g + sqrt((1 + g)^2 - 4 g delta)). The errors at two points sum how
rows fluctuate by each other, W_ij = (phi_i Ghat phi_j)(phi_i Ghat' phi_j) for i != j:

    psi = y - Phi Ghat Phi^T a y,   V = psi psi' + W tau V,
    tau = delta (1 - a)(1 - a')/(b b') + (1 - delta) a a'/(d d'),   b = 1 + (1 - a) g,   d = 1 - a g,
    K_test = mean V/(d d'),   K_train = mean V/(b b').

Label noise adds sigma^2 (d d' + W a a') to psi psi'; a random start, of weights z Ghat, adds
init^2 z z' sum_k (Phi Ghat)_ik (Phi Ghat')_ik.

A trained intercept is one more column, of ones, which z does not penalise and which starts at 0; 1 - 1/n^2
multiplies K_test (`task`). V sums a series in W tau, which converges where the spectral radius of W tau is
below 1. Near 1 small errors of the approximation are large in V; from 1 on the series diverges, and there is
no answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from teacherstudent.house.certainty import nan_where, not_negative
from teacherstudent.house.errors import InputError
from teacherstudent.house.memory_cache import Remembered
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import key_of, rows_of
from teacherstudent.theory import contours
from teacherstudent.theory.fixed_points import fixed_point
from teacherstudent.theory.measured_spectrum import error_rate
from teacherstudent.theory.measured_spectrum.decomposition import decomposition
from teacherstudent.theory.measured_spectrum.needs import hold_between_rows
from teacherstudent.theory.measured_spectrum.task import row_correction, task_of, training_share
from teacherstudent.theory.resolvents import resolvent
from teacherstudent.theory.spectral import filters

Arrays = dict[str, np.ndarray]

MOST_ROWS = {"ridge": 4000, "flow": 1000}
"""Rows that are answered in two minutes a time, however many features they have."""

NODES = 12
"""Points on a contour: a truncation of 1e-6, far below what the approximation is worth."""

CLOSE = 1e-11
"""Relative change of a fixed point that counts as none."""

NEGATIVE = 1e-5
"""How far below zero the contour's truncation may bring an error, beside that of the untrained student."""

POWERS, SETTLED = 300, 1e-4
"""Powers of W tau that are taken for its spectral radius, and the relative change that ends them."""

NEAR = 1e-9
"""What stands for z = 0, beside the smallest eigenvalue of all rows: below the rank all a vanish there."""


@dataclass(frozen=True)
class Point:
    """Of a point z and each row: effect a, b and d as above, (P,), the residual psi, (P, c), the matrix
    Phi Ghat Phi^T, (P, P), and z Phi Ghat, (P, K)."""

    effect: np.ndarray
    drawn: np.ndarray
    left: np.ndarray
    residual: np.ndarray
    between: np.ndarray
    start: np.ndarray

    def conj(self) -> Point:
        return Point(*(np.conj(each) for each in vars(self).values()))


def flow(problem: MeasuredSpectrum, times: np.ndarray) -> Arrays:
    """Gradient flow at times s >= 0, (T,). Raises `InputError` unless at most 1000 rows are drawn from."""
    _demand(problem, "flow")
    task, data = task_of(problem), decomposition(problem)
    assert data.vectors is not None  # as of all measured rows
    near = NEAR * problem.rows * data.eigenvalues[-1]
    start = task.power.sum() + task.start.sum() + task.noise
    found = np.array([[start], [training_share(problem) * start]]) * np.ones(times.size)
    lost, diverged = np.zeros((2, times.size), dtype=bool)
    wrong = error_rate.untrained(problem, problem.rows * data.vectors**2 @ data.eigenvalues, times)
    moving = np.flatnonzero(times > 0)
    contour = contours.flow(
        times[moving], task.ridge, NODES
    )  # rows that differ have a lower edge of their own
    by = filters.on_contour(filters.matrix_of(task), contour)
    for place, z, over_v, over_z in zip(moving, by.at.z, by.over_v, by.over_z, strict=True):
        points = _points(problem, np.where(z == 0, near, z))
        if points is None:
            lost[place] = True
        elif any(_radius(problem, each) >= 1 for each in points):
            diverged[place] = True
        else:
            found[:, place], law = _summed(problem, points, over_v, over_z)
            wrong[place] = _rate(problem, law, found[:, place])
    return _answer(problem, found, wrong, lost, diverged)


def ridge(problem: MeasuredSpectrum, times: np.ndarray) -> Arrays:
    """Ridge regression at ridge + 1/time, times > 0, (T,). Raises `InputError` unless at most 4000 rows are
    drawn from."""
    _demand(problem, "ridge")
    found, (lost, diverged) = np.zeros((2, times.size)), np.zeros((2, times.size), dtype=bool)
    wrong, half = np.zeros(times.size), np.array([0.5])  # one real point, and itself for its conjugate
    for place, z in enumerate(problem.ridge + 1 / times):
        points = _points(problem, np.array([z]))
        if points is None:
            lost[place] = True
        elif radius(problem, z, points[0]) >= 1:
            diverged[place] = True
        else:
            law = _law(problem, points, half)
            found[:, place] = _fluctuating(problem, points[0], points[0], 1.0, 0.0, law)
            wrong[place] = _rate(problem, law, found[:, place])
    return _answer(problem, found, wrong, lost, diverged)


def _demand(problem: MeasuredSpectrum, dynamics: str) -> None:
    if problem.sampling != "pool":
        raise InputError("sampling", problem.sampling, "pool on this route, which uses the measured rows")
    most = MOST_ROWS[dynamics]
    if problem.rows > most:
        raise InputError("features", f"{problem.rows} rows", f"at most {most} rows on this slow route")
    hold_between_rows(problem, NODES // 2 + 1)


def _law(problem: MeasuredSpectrum, points: list[Point], residual: np.ndarray) -> error_rate.Outputs | None:
    """The outputs of all rows, without what they vary; None where they are no classes."""
    if not error_rate.named(problem):
        return None
    errors = np.stack([(each.residual / each.left[:, None]).T for each in points], axis=-1)
    return error_rate.Outputs.of(problem, errors, residual)


def _rate(problem: MeasuredSpectrum, law: error_rate.Outputs | None, found: np.ndarray) -> float:
    return np.nan if law is None or not np.isfinite(found).all() else error_rate.rate(problem, law)


def _answer(
    problem: MeasuredSpectrum, found: np.ndarray, wrong: np.ndarray, lost: np.ndarray, diverged: np.ndarray
) -> Arrays:
    task = task_of(problem)
    least = -NEGATIVE * (task.power.sum() + task.start.sum() + task.noise)
    diverged = diverged | (found < least).any(axis=0)
    lost = lost | ~np.isfinite(found).all(axis=0)
    found = not_negative(found, -least)  # what is fitted leaves truncation of either sign
    answer = {"generalisation_error": found[0], "training_error": found[1]}
    if error_rate.named(problem):
        answer["error_rate"] = wrong
    reason = "per-row route: fluctuations of rows diverge (radius of W tau above 1)"
    answer = nan_where(diverged, reason, answer)
    return nan_where(lost, "per-row route: no fixed point found", answer)


def radius(problem: MeasuredSpectrum, z: float, point: Point | None = None) -> float:
    """The spectral radius of W tau at z > 0, remembered; NaN where no fixed point is found.

    point: the rows there, where they are known.
    """

    def made() -> _Radius:
        points = [point] if point else _points(problem, np.array([z]))
        return _Radius(np.nan if points is None else _radius(problem, points[0]))

    return _RADII.get((*key_of(problem), problem.n, z), made).value


@dataclass(frozen=True)
class _Radius:
    value: float


_RADII: Remembered[_Radius] = Remembered()


def _radius(problem: MeasuredSpectrum, point: Point) -> float:
    """Of W tau at a point and its conjugate, where no entry is negative: no pair has a larger one."""
    matrix = np.abs(point.between) ** 2
    np.fill_diagonal(matrix, 0)
    weights = _tau(problem, point, point.conj()).real
    vector, before, found = np.ones(len(weights)), 0.0, 1.0
    for _ in range(POWERS):
        product = matrix @ (weights * vector)
        before, found = found, float(np.sum(product) / np.sum(vector))
        if not found or abs(found - before) <= SETTLED * found:  # 0: no row acts on another
            break
        vector = product / np.max(product)
    return found


def _tau(problem: MeasuredSpectrum, one: Point, other: Point) -> np.ndarray:
    delta, effects = problem.n / problem.rows, one.effect * other.effect
    left, drawn = one.left * other.left, one.drawn * other.drawn
    found: np.ndarray = delta * (1 - one.effect) * (1 - other.effect) / drawn + (1 - delta) * effects / left
    return found


def _points(problem: MeasuredSpectrum, z: np.ndarray) -> list[Point] | None:
    """What the rows are at points (J,), or None where one of the fixed points is not found."""
    data, rows = decomposition(problem), rows_of(problem)
    assert data.vectors is not None  # as of all measured rows
    phi = data.vectors * np.sqrt(problem.rows * data.eigenvalues)
    held = np.ones(phi.shape[1])  # by z
    if problem.intercept == "trained":
        scale = np.sqrt(data.eigenvalues.mean())
        phi, held = np.column_stack([phi, np.full(problem.rows, scale)]), np.append(held, 0.0)
    alike = resolvent(task_of(problem).spectrum, z).qz  # the effect of each if all are alike
    found = []
    for each, first in zip(z, alike, strict=True):
        effect = _effects(phi, problem.n, each * held, first)
        if effect is None:
            return None
        found.append(_seen(phi, rows.targets, effect, each * held))
    return found


def _effects(phi: np.ndarray, n: int, z: np.ndarray, first: complex) -> np.ndarray | None:
    """a_i at one point, (P,), z of each column, from a first guess for all; None where it is not found."""
    delta = n / len(phi)

    def root(a: np.ndarray) -> np.ndarray:
        g = np.sum(_mixed(phi, _resolvent(phi, a, z)) * phi, axis=1)
        root = np.sqrt((1 + g) ** 2 - 4 * g * delta)
        root = np.where((np.conj(1 + g) * root).real > 0, root, -root)
        found: np.ndarray = 2 * delta / (1 + g + root)
        return found

    a = fixed_point(root, np.full(len(phi), first), CLOSE)
    if a is None:
        return None
    g = (delta / a - 1) / (1 - a)
    own = g / (1 - a * g)  # the row's resolvent without it: of a measure on the positive axis
    return a if np.all(own.imag * np.imag(z[0]) <= CLOSE * np.abs(own * z[0])) else None


def _resolvent(phi: np.ndarray, a: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Ghat, (K, K)."""
    matrix = phi.T @ (a.real[:, None] * phi)
    if np.iscomplexobj(a):
        matrix = matrix + 1j * (phi.T @ (a.imag[:, None] * phi))
    matrix[np.diag_indices_from(matrix)] += z
    inverse: np.ndarray = np.linalg.inv(matrix)
    return inverse


def _mixed(real: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """A real matrix times one that may be complex."""
    return real @ matrix.real + 1j * (real @ matrix.imag) if np.iscomplexobj(matrix) else real @ matrix


def _seen(phi: np.ndarray, targets: np.ndarray, effect: np.ndarray, z: np.ndarray) -> Point:
    start = _mixed(phi, _resolvent(phi, effect, z))
    between = start @ phi.T
    own = np.diagonal(between)
    return Point(
        effect,
        1 + (1 - effect) * own,
        1 - effect * own,
        targets - between @ (effect[:, None] * targets),
        between,
        z * start,
    )


def _summed(
    problem: MeasuredSpectrum, points: list[Point], residual: np.ndarray, started: np.ndarray
) -> tuple[np.ndarray, error_rate.Outputs | None]:
    """Test and training error, (2,): K summed over all pairs of points and of one and another's conjugate;
    and of classes the outputs of each row."""
    total, law = np.zeros(2), _law(problem, points, residual)
    for i, one in enumerate(points):
        for j, other in enumerate(points[i:], i):
            twice = 2 if i == j else 4
            for mirrored in (False, True):
                mate, w, v = other, residual[j], started[j]
                if mirrored:
                    mate, w, v = other.conj(), np.conj(w), np.conj(v)
                residuals, starts = twice * residual[i] * w, twice * started[i] * v
                total += np.real(_fluctuating(problem, one, mate, residuals, starts, law))
    return total, law


def _fluctuating(
    problem: MeasuredSpectrum,
    one: Point,
    other: Point,
    residual: complex,
    started: complex,
    law: error_rate.Outputs | None,
) -> np.ndarray:
    """K of test and training error, (2,), with these weights; NaN where the sum of fluctuations diverges.
    Adds what the outputs vary."""
    outputs = one.residual.shape[1]
    effects, left, drawn = one.effect * other.effect, one.left * other.left, one.drawn * other.drawn
    between = one.between * other.between  # W
    np.fill_diagonal(between, 0)
    own = np.zeros(problem.rows)
    if problem.noise:
        own = own + residual * problem.noise**2 * (left + between @ effects)
    if problem.init:
        own = own + started * problem.init**2 * np.sum(one.start * other.start, axis=1)
    source = residual * np.sum(one.residual * other.residual, axis=1) + outputs * own
    tau = _tau(problem, one, other)
    if law is not None:
        law.add_by_rows((one.residual, other.residual), residual, own, left, between * tau)
    total = fixed_point(lambda each: source + between @ (tau * each), source, CLOSE)
    if total is None:
        return np.full(2, np.nan)
    return np.array([row_correction(problem) * np.mean(total / left), np.mean(total / drawn)])
