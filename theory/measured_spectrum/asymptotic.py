r"""The exact limit: two-point functions K(z, z') of the test error, summed over contours.

With h_k = 1/(1 + q lambda_k), dof = sum m (1 - h), T = (1/n) sum m (1 - h)(1 - h') and z = v + ridge,
an error at time t is the double sum over contours of w w'/(v v') K(z, z').
Population: q z = n - dof, K = (S + residual)/(1 - T), S = sum_k power_k h h'.
Pool of P rows, s = dof/P, delta = n/P: q z (1 - s) = n - dof and
K = (S + residual)/(1 - s - s' + s s'/delta - (T n/P)(1/delta - 1)).
Training error: K (1 - dof/n)(1 - dof'/n).
"""

from __future__ import annotations

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.theory import contours
from teacherstudent.theory.measured_spectrum.decomposition import Decomposition, decomposition

Arrays = dict[str, np.ndarray]


def flow(problem: MeasuredSpectrum, times: np.ndarray) -> Arrays:
    """Gradient flow with ridge at flow times s >= 0, (T,)."""
    started = np.flatnonzero(times > 0)
    return _trained(problem, times, [(started, contours.flow(times[started]))] if started.size else [])


def descent(problem: MeasuredSpectrum, times: np.ndarray, *, learning_rate: float | str) -> Arrays:
    """Gradient descent after whole steps k >= 0, (T,)."""
    edge = upper_edge(problem, decomposition(problem))
    eta = 1 / edge if learning_rate == "auto" else float(learning_rate)
    smallest = 1 - eta * (edge + problem.ridge)
    if smallest <= -1:
        raise InputError(
            "learning_rate", eta, f"below 2/(upper edge + ridge) = {2 / (edge + problem.ridge):g}"
        )
    moving = np.flatnonzero(times > 0)
    pieces = contours.descent(times[moving], eta, smallest) if moving.size else []
    return _trained(problem, times, [(moving[where], each) for where, each in pieces])


def ridge(problem: MeasuredSpectrum, times: np.ndarray) -> Arrays:
    """Ridge regression at effective ridge = problem.ridge + 1/time, times > 0, (T,)."""
    data, z = decomposition(problem), problem.ridge + 1 / times
    q, certain = _solved(problem, data, z.astype(complex))
    test, train = _kernels(problem, data, z[:, None], q[:, None], np.zeros((z.size, 1)))
    found = {"generalisation_error": test[:, 0, 0].real, "training_error": train[:, 0, 0].real}
    return nan_where(~certain, "asymptotic route: no certified root", found)


def upper_edge(problem: MeasuredSpectrum, data: Decomposition) -> float:
    """Largest eigenvalue of C = X^T X in the limit."""
    lam = data.eigenvalues
    y = 1 / lam[0] * (1 - np.logspace(-12, 0, 20000)[:-1])
    learned = -(data.counts * (y[:, None] * lam / (1 - y[:, None] * lam))).sum(axis=1)
    value = (problem.n - learned) / y / (1 - learned / _pool(problem))
    return float(value.min())


def _pool(problem: MeasuredSpectrum) -> float:
    return problem.rows if problem.sampling == "pool" else np.inf


def _trained(problem: MeasuredSpectrum, times: np.ndarray, pieces: list) -> Arrays:
    data = decomposition(problem)
    start = data.power.sum() + data.residual + data.outputs * problem.noise**2
    start += problem.init**2 * data.outputs * (data.counts @ data.eigenvalues)
    test, train = np.full(times.size, start), np.full(times.size, start)
    for where, contour in pieces:
        for i, place in enumerate(where):
            v, weights = contour.nodes[i], contour.weights[i]
            rest = contour.outside(0.0)[i]
            v, weights = np.append(v, 1e-9), np.append(weights / v, rest / 2)
            z = v + problem.ridge
            q, certain = _solved(problem, data, z)
            v[-1] = 0.0
            both, whole = np.concatenate([weights, weights.conj()]), (z, q, v)
            z, q, v = (np.concatenate([each, each.conj()]) for each in whole)
            kernels = _kernels(problem, data, z[None], q[None], v[None])
            test[place], train[place] = (
                (both @ each[0] @ both).real if certain.all() else np.nan for each in kernels
            )
    return {"generalisation_error": test, "training_error": train}


def _solved(problem: MeasuredSpectrum, data: Decomposition, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """q at z, (J,): Newton's method along the arc |z| = const from the positive axis."""
    lam, m, pool = data.eigenvalues, data.counts, _pool(problem)

    def sums(z: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        h = 1 / (1 + q[:, None] * lam)
        dof, slope = (1 - h) @ m, (h * h) @ (m * lam)
        return q * z * (1 - dof / pool) + dof - problem.n, z * (1 - dof / pool) - q * z * slope / pool + slope

    low, high = np.full(z.size, 1e-300), np.full(z.size, 1e300)
    for _ in range(120):
        middle = np.sqrt(low) * np.sqrt(high)
        above = sums(np.abs(z), middle)[0] > 0
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    q = np.sqrt(low) * np.sqrt(high) + 0j
    for step in range(1, 13):
        at = np.abs(z) * np.exp(1j * np.angle(z) * step / 12)
        for _ in range(3 if step < 12 else 8):
            excess, slope = sums(at, q)
            q = q - excess / slope
    excess, _ = sums(z, q)
    return q, np.abs(excess) <= 1e-8 * problem.n


def _kernels(
    problem: MeasuredSpectrum, data: Decomposition, z: np.ndarray, q: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """K of test and training error at all pairs, (T, J, J)."""
    lam, m, n, pool = data.eigenvalues, data.counts, problem.n, _pool(problem)
    h = 1 / (1 + q[..., None] * lam)
    g, dof = 1 - h, (1 - h) @ m
    mates, s, other = np.swapaxes(h, -1, -2), dof[..., None] / pool, dof[..., None, :] / pool
    shared = (m * g) @ np.swapaxes(g, -1, -2) / n
    ratio = v / z
    signal = (data.power * h) @ mates + data.residual
    start = problem.init**2 * data.outputs * ((m * lam * h) @ mates)
    signal = signal + start * ratio[..., None] * ratio[..., None, :]
    noise = data.outputs * problem.noise**2
    if np.isinf(pool):
        test = (signal + noise) / (1 - shared)
    else:
        delta = n / pool
        divisor = 1 - s - other + s * other / delta - shared * delta * (1 / delta - 1)
        test = (signal + noise * (1 - s - other + shared * delta)) / divisor
    left = 1 - dof / n
    return test, test * left[..., None] * left[..., None, :]
