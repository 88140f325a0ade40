"""The answers of measured spectra by other means.

A trained intercept: one more mode of infinite eigenvalue in the limit, times 1 - 1/n^2; draws by the
differences of rows from the training rows' mean.

The limit: the equations for n rows of P as they are derived, roots by bisection and Newton's method along an
arc, one hyperbola or circle that encloses the whole spectrum and all poles. The draws: Jacobi's rotations
in extended precision, step by step where there are steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.problems.measured_spectrum import MeasuredSpectrum
from teacherstudent.problems.measured_spectrum.data import draw, law_of, rows_of, teacher_of
from tests import batches
from tests.algorithms.stepping import RECURSIONS, of_modes, rate_of

Answer = dict[str, np.ndarray]
POINTS = 18
"""On half a hyperbola about the negative axis: more lose digits again."""
CIRCLE = 64


# The limit ----------------------------------------------------------------------------------------


def curves(problem: MeasuredSpectrum) -> tuple[np.ndarray, np.ndarray, np.ndarray, float, int]:
    """Multiplicities, eigenvalues, the target's power in them, the rest of it, and the number of outputs."""
    if not problem.measured:
        return (*law_of(problem), 0.0, 1)
    rows = rows_of(problem)
    gram = rows.features @ rows.features.T if rows.gram is None else rows.gram
    left, singular, _ = np.linalg.svd(gram if rows.features is None else rows.features, full_matrices=False)
    values = (singular if rows.features is None else singular**2) / problem.rows
    kept = values > 1e-10 * values[0]
    power = np.sum((left[:, kept].T @ rows.targets) ** 2, axis=1) / problem.rows
    rest = np.sum(rows.targets**2) / problem.rows - power.sum()
    return np.ones(kept.sum()), values[kept], power, rest, rows.targets.shape[1]


def root(m: np.ndarray, lam: np.ndarray, n: int, pool: float, z: np.ndarray, fitted: int = 0) -> np.ndarray:
    """q at points z, (N,): by bisection at |z|, then along the arc by Newton's method.

    fitted: modes of infinite eigenvalue.
    """

    def sums(z: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        h = 1 / (1 + q[:, None] * lam)
        dof, slope = (1 - h) @ m + fitted, (h * h) @ (m * lam)
        return q * z * (1 - dof / pool) + dof - n, z * (1 - dof / pool) - q * z * slope / pool + slope

    low, high = np.full(z.size, 1e-150), np.full(z.size, 1e150)
    for _ in range(60):
        middle = np.sqrt(low * high)
        above = sums(np.abs(z), middle)[0] > 0
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    q = np.sqrt(low * high) + 0j
    for step in range(1, 9):
        for _ in range(2 if step < 8 else 5):
            at = np.abs(z) * np.exp(1j * np.angle(z) * step / 8)
            excess, slope = sums(at, q)
            q = q - excess / slope
    return q


def edge_of(m: np.ndarray, lam: np.ndarray, n: int, pool: float, fitted: int = 0) -> float:
    """The upper edge of the limiting spectrum of X^T X."""

    def level(x: np.ndarray) -> np.ndarray:
        """Where z(q) is at q = -1/x beyond the strongest eigenvalue: the least is the upper edge."""
        dof = fitted - (lam / (x[:, None] - lam)) @ m
        return x * (n - dof) / (1 - dof / pool)

    x = lam.max() * (1 + np.geomspace(1e-9, 1e4, 4001))
    for _ in range(6):
        best = level(x).argmin()
        x = np.linspace(x[max(best - 1, 0)], x[min(best + 1, x.size - 1)], 201)
    return float(level(x).min())


def limit(dynamics: str, problem: MeasuredSpectrum, times: np.ndarray, **options: Any) -> Answer:
    """Generalisation and training error, (T,), from the kernels at all pairs of points."""
    m, lam, power, rest, outputs = curves(problem)
    n, pool = problem.n, _whole_pool(problem)
    noise, fitted = outputs * problem.noise**2, int(problem.intercept == "trained")
    solved = partial(root, m, lam, n, pool, fitted=fitted)

    def errors(z: np.ndarray, of_target: np.ndarray, of_start: np.ndarray) -> list[float]:
        """Double sums over points z, (J,), with weights for residuals and for what is kept of the start."""
        q = solved(z)
        h = 1 / (1 + q[:, None] * lam)
        dof = (1 - h) @ m + fitted
        s, t = dof / pool, (((1 - h) * m) @ (1 - h).T + fitted) / n
        signal = np.outer(of_target, of_target) * ((power * h) @ h.T + rest)
        started = problem.init**2 * outputs * np.outer(of_start, of_start) * ((m * lam * h) @ h.T)
        noisy = np.outer(of_target, of_target) * noise * (1 - s[:, None] - s + t * n / pool)
        divisor = 1 - s[:, None] - s + np.outer(dof, s) / n - t * (1 - n / pool)
        test, own = (signal + started + noisy) / divisor, 1 - dof / n
        test, training = (each.sum().real for each in (test, test * np.outer(own, own)))
        return [float(test) * (1 - fitted / n**2), float(training)]

    edge = edge_of(m, lam, n, pool, fitted)
    eta = rate_of(dynamics, options, edge, problem.ridge)
    found = []
    for time in times:
        if dynamics == "ridge":
            z = np.array([problem.ridge + 1 / time + 0j])
            found.append(errors(z, np.ones(1), np.zeros(1)))
            continue
        if time == 0:
            start = (power.sum() + rest + problem.init**2 * outputs * (m @ lam)) / (1 - fitted / pool)
            start = (start + noise) / (1 - fitted / n)
            found.append([start * (1 - fitted / n**2), start * (1 - fitted / n) ** 2])
            continue
        if dynamics == "flow":  # Weideman and Trefethen 2007: a hyperbola
            theta = (np.arange(-POINTS, POINTS) + 0.5) * 1.0818 / POINTS
            scale = 4.4921 * POINTS / time
            v = scale * (1 + np.sin(1j * theta - 1.1721))
            slope = 1j * scale * np.cos(1j * theta - 1.1721) * 1.0818 / POINTS
            weights = np.exp(time * v) * slope / (2j * np.pi)
        else:
            turned = (edge + problem.ridge) * np.exp(2j * np.pi * (np.arange(CIRCLE) + 0.5) / CIRCLE)
            v = -(edge + problem.ridge) / 2 + turned
            weights = of_modes(dynamics, -v, eta, time, options)[1] * turned / CIRCLE
        found.append(errors(v + problem.ridge, weights / v, weights / (v + problem.ridge)))
    test, training = np.array(found).T
    return {"generalisation_error": test, "training_error": training}


# Draws --------------------------------------------------------------------------------------------


def decomposed(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues of X^T X that rows of X can see, and their eigenvectors, in extended precision."""
    wide = X.shape[0] < X.shape[1]
    columns = (X.T if wide else X).astype(np.longdouble)
    turned = np.eye(columns.shape[1], dtype=np.longdouble)
    off = np.longdouble(1)
    while off > 1e-17:
        off = np.longdouble(0)
        for i in range(columns.shape[1]):
            for j in range(i):
                a, b = columns[:, i], columns[:, j]
                aa, bb, ab = a @ a, b @ b, a @ b
                share = abs(ab) / np.sqrt(aa * bb)
                if share <= 1e-18:
                    continue
                off = max(off, share)
                zeta = (bb - aa) / (2 * ab)
                t = (1 if zeta >= 0 else -1) / (abs(zeta) + np.sqrt(1 + zeta * zeta))
                c = 1 / np.sqrt(1 + t * t)
                rotation = np.array([[c, c * t], [-c * t, c]])
                for each in (columns, turned):
                    each[:, [i, j]] = each[:, [i, j]] @ rotation
    c = np.sum(columns**2, axis=0)
    return c, columns / np.sqrt(c) if wide else turned


def drawn(
    dynamics: str, problem: MeasuredSpectrum, times: np.ndarray, *, seeds: Sequence[int], **options: Any
) -> Answer:
    """Every observable of each draw, (S, T), from the student's outputs on all rows."""
    draws, found = draw(problem, seeds), []
    for i in range(len(seeds)):
        noise, rows = draws.noise[i], None
        if not problem.measured:
            pick, everywhere = np.eye(problem.n), draws.inputs[i]
            labels = everywhere @ teacher_of(problem) + noise
        else:
            rows = rows_of(problem)
            everywhere = rows.features if rows.gram is None else _root(rows.gram)
            pick = np.eye(problem.rows)[draws.chosen[i]] if draws.chosen is not None else None
            pick = draws.mixtures[i] / np.sqrt(problem.rows) if pick is None else pick
            labels = pick @ rows.targets + noise
        train, mean = pick @ everywhere, np.zeros((1, everywhere.shape[1]))
        constant = np.zeros((1, labels.shape[1]))
        if problem.intercept == "trained":
            mean, constant = train.mean(axis=0, keepdims=True), labels.mean(axis=0, keepdims=True)
            train, labels = train - mean, labels - constant
        initial = np.zeros((train.shape[1], labels.shape[1])) if draws.initial is None else draws.initial[i]
        c, basis = decomposed(train)
        beyond = initial - basis @ (basis.T @ initial)
        c = np.append(c, 0)  # last what no row sees
        a = c + np.longdouble(problem.ridge)
        observed = []
        for time in times.astype(np.longdouble):
            safe = np.where(a > 0, a, 1)
            if dynamics == "ridge":
                f, p = 1 / (a + 1 / time), 0 * a
            elif dynamics == "flow":
                f, p = np.where(a > 0, -np.expm1(-time * a) / safe, time), np.exp(-time * a)
            else:
                eta = np.longdouble(rate_of(dynamics, options, c.max(), problem.ridge))
                f, p = of_modes(dynamics, a, eta, time, options)
            taught = basis.T @ (train.T.astype(np.longdouble) @ labels)
            weights = basis @ (f[:-1, None] * taught + p[:-1, None] * (basis.T @ initial)) + p[-1] * beyond
            intercept = constant - mean @ weights
            residuals = labels - train @ weights
            observed.append(_observed(problem, draws, i, rows, everywhere, weights, residuals, intercept))
        found.append(observed)
    return {name: np.array([[float(each[name]) for each in row] for row in found]) for name in found[0][0]}


def _root(gram: np.ndarray) -> np.ndarray:
    """Features whose products are the kernel."""
    values, vectors = np.linalg.eigh(gram)
    kept = values > 1e-15 * values[-1]
    return vectors[:, kept] * np.sqrt(values[kept])


def _observed(
    problem: MeasuredSpectrum,
    draws: Any,
    i: int,
    rows: Any,
    everywhere: Any,
    weights: Any,
    residuals: Any,
    intercept: Any,
) -> Mapping[str, Any]:
    """Errors of one student."""
    training = np.sum(residuals**2) / problem.n
    if rows is None:
        counts, values, _ = law_of(problem)
        strengths = np.repeat(values, counts.astype(int))[:, None]
        test = np.sum(strengths * (weights - teacher_of(problem)) ** 2) + problem.noise**2
        test += np.sum(intercept**2)
        return {"generalisation_error": test, "training_error": training}
    outputs, held = everywhere @ weights + intercept, np.ones(problem.rows, dtype=bool)
    if draws.chosen is not None:
        held[draws.chosen[i]] = False
    squares = np.sum((rows.targets - outputs)[held] ** 2) / held.sum()
    found = {
        "generalisation_error": squares + rows.targets.shape[1] * problem.noise**2,
        "training_error": training,
    }
    if rows.classes is not None and draws.chosen is not None:
        named = np.argmax(outputs + rows.means, axis=1)
        found["error_rate"] = np.mean(named[held] != rows.classes[held])
    return found


def _whole_pool(problem: MeasuredSpectrum) -> float:
    return problem.rows if problem.sampling == "pool" else np.inf


def sgd_limit(problem: MeasuredSpectrum, times: np.ndarray, **options: Any) -> Answer:
    """One pass by dense moments; batches of n rows by the convolution over all steps."""
    m, lam, power, rest, outputs = curves(problem)
    n, pool, batch = problem.n, _whole_pool(problem), options["batch"]
    fresh, noise = options["data"] == "fresh", outputs * problem.noise**2
    fitted = int(problem.intercept == "trained" and not fresh)
    if fitted:
        n, pool = n - 1, pool - 1
        lam, power, rest = (each * (1 + 1 / pool) for each in (lam, power, rest))
    largest = n * lam.max() if fresh else edge_of(m, lam, n, pool)
    eta = batches.learning_rate(options, largest, n * (m @ lam))
    found = []
    for time in times.astype(int):
        if fresh:
            count = m.astype(int)
            theta, start = np.repeat(power / lam / m, count), np.full(count.sum(), outputs * problem.init**2)
            weights = np.repeat(lam, count)
            error, _ = batches.one_pass(
                n, weights, theta, start, rest + noise, ridge=problem.ridge, eta=eta, batch=batch, steps=time
            )
            found.append([float(weights @ error) + rest + noise])
            continue
        mean = limit("descent", problem, np.arange(time + 1), learning_rate=eta)
        start = outputs * problem.init**2 * m * lam
        means = batches.missed(n, lam, power=power, start=start, ridge=problem.ridge, eta=eta, steps=time)
        training = mean["training_error"][:-1, None] / (1 - fitted / problem.n)
        seen, on_examples = batches.convolved(
            partial(root, m, lam, n, pool), n, m, lam, training, sum(means)[:, None],
            pool=pool, largest=largest, ridge=problem.ridge, eta=eta, batch=batch,
        )  # fmt: skip
        test = mean["generalisation_error"][-1] + (1 + fitted / problem.n) * seen.sum()
        found.append([test, mean["training_error"][-1] + (1 - fitted / problem.n) * on_examples.sum()])
    names = ("generalisation_error", "training_error")[: 1 if fresh else 2]
    return {name: np.array(each) for name, each in zip(names, np.transpose(found), strict=True)}


def sgd_drawn(
    problem: MeasuredSpectrum, times: np.ndarray, *, seeds: Sequence[int], **options: Any
) -> Answer:
    """The errors on all rows given each draw, from the moments of weights over every batch there is."""
    draws, found = draw(problem, seeds), []
    for i in range(len(seeds)):
        train, everywhere, targets, labels = _drawn_rows(problem, draws, i)
        c = np.linalg.svd(train, compute_uv=False) ** 2
        eta = batches.learning_rate(options, c.max(), c.sum())
        initial = np.zeros((train.shape[1], labels.shape[1])) if draws.initial is None else draws.initial[i]
        basis = np.eye(len(initial))
        if draws.initial is None:  # weights stay in the span of rows
            basis = np.linalg.qr(train.T)[0]
        held = np.ones(len(everywhere), dtype=bool)
        if draws.chosen is not None:
            held[draws.chosen[i]] = False
        observed = []
        for time in times.astype(int):
            sums = np.zeros(2)
            for each in range(labels.shape[1]):
                begun = np.append(basis.T @ initial[:, each], 1.0)
                moments = batches.enumerated(
                    train @ basis, labels[:, [each]], np.outer(begun, begun),
                    ridge=problem.ridge, eta=eta, batch=options["batch"], steps=time,
                )  # fmt: skip
                tested = np.column_stack([everywhere @ basis, -targets[:, each]])[held]
                seen = np.column_stack([train @ basis, -labels[:, each]])
                sums += [np.sum((rows @ moments) * rows) for rows in (tested, seen)]
            share = 1.0 if not problem.measured else 1 / held.sum()
            test = sums[0] * share + labels.shape[1] * problem.noise**2
            observed.append([test, sums[1] / problem.n])
        found.append(observed)
    test, seen = np.moveaxis(np.array(found), -1, 0)
    return {"generalisation_error": test, "training_error": seen}


def _drawn_rows(problem: MeasuredSpectrum, draws: Any, i: int) -> tuple[np.ndarray, ...]:
    """Training rows, tested ones and their targets, and the labels that are trained on."""
    noise = draws.noise[i]
    if not problem.measured:
        counts, values, _ = law_of(problem)
        strengths = np.sqrt(np.repeat(values, counts.astype(int)))
        teacher = teacher_of(problem)
        inputs, everywhere, targets = draws.inputs[i], np.diag(strengths), strengths[:, None] * teacher
        labels = inputs @ teacher + noise
        if problem.intercept == "trained":  # its own error is one more row
            mean, constant = inputs.mean(axis=0), labels.mean(axis=0)
            everywhere, targets = np.vstack([everywhere, mean]), np.vstack([targets, constant])
            inputs, labels = inputs - mean, labels - constant
        return inputs, everywhere, targets, labels
    rows = rows_of(problem)
    everywhere = rows.features if rows.gram is None else _root(rows.gram)
    pick = np.eye(problem.rows)[draws.chosen[i]] if draws.chosen is not None else None
    pick = draws.mixtures[i] / np.sqrt(problem.rows) if pick is None else pick
    labels = pick @ rows.targets + noise
    if problem.intercept != "trained":
        return pick @ everywhere, everywhere, rows.targets, labels
    mean = (pick @ everywhere).mean(axis=0)
    constant = labels.mean(axis=0)
    return pick @ everywhere - mean, everywhere - mean, rows.targets - constant, labels - constant


REFERENCES = {
    "measured-spectrum/sgd/asymptotic": sgd_limit,
    "measured-spectrum/sgd/instance": sgd_drawn,
} | {
    f"measured-spectrum/{dynamics}/{route}": partial(means, dynamics)
    for dynamics in ("descent", "flow", "ridge", *RECURSIONS)
    for route, means in (("asymptotic", limit), ("instance", drawn))
}
