"""The multi-scale answers by Cauchy's formula: one circle about the spectrum, whatever the dynamics.

A filter is a function of C = X^T X, so a sum of resolvents (c - C)^-1 over a circle: inverse matrices where
data are drawn, deterministic equivalents in the limit. The routes decompose X, and have contours for each
dynamics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import mpmath
import numpy as np
from scipy.optimize import minimize_scalar

from teacherstudent.problems.multiscale import GROUPS, MultiScale
from teacherstudent.problems.multiscale.data import draw
from tests import batches
from tests.algorithms.stepping import RECURSIONS, of_modes, rate_of
from tests.measured_spectrum.references import edge_of, root

NODES = 400
MARGIN = 0.15
"""Of the circle beyond the spectrum: half the least ridge that the examples ask for on the clock of ridge."""

Answer = Mapping[str, np.ndarray]
Filtered = tuple[np.ndarray, np.ndarray, np.ndarray]
"""f and p, (N,) each, of the mean student f X^T y + p w_hat_0; and the sum of p^2 over the steps before."""
Filter = Callable[[np.ndarray, float, float, float], Filtered]
"""At c (N,), a time, a ridge and a learning rate."""


def flow(c: np.ndarray, time: float, ridge: float, eta: float) -> Filtered:
    """Gradient flow."""
    a = c + ridge
    return -np.expm1(-time * a) / a, np.exp(-time * a), 0 * c


def descent(c: np.ndarray, time: float, ridge: float, eta: float) -> Filtered:
    """Gradient descent, step by step."""
    f, p, squares = 0 * c, 1 + 0 * c, 0 * c
    for _ in range(int(time)):
        f, p, squares = f + eta * p, (1 - eta * (c + ridge)) * p, squares + p**2
    return f, p, squares


def regression(c: np.ndarray, time: float, ridge: float, eta: float) -> Filtered:
    """Ridge regression."""
    return 1 / (c + ridge + 1 / time), 0 * c, 0 * c


def rule_of(dynamics: str, options: Mapping[str, Any]) -> Filter:
    """That of the dynamics with these options; of a recursion its steps at every point."""
    if dynamics not in RECURSIONS:
        return RULES[dynamics]

    def recursion(c: np.ndarray, time: float, ridge: float, eta: float) -> Filtered:
        return (*of_modes(dynamics, c + ridge, eta, int(time), options), 0 * c)

    return recursion


def circle(largest: float) -> tuple[np.ndarray, np.ndarray]:
    """c (N,) about [0, largest], and weights (N,): phi(C) is the sum of weight phi(c) (c - C)^-1."""
    radius = largest / 2 + MARGIN
    turned = radius * np.exp(2j * np.pi * (np.arange(NODES) + 0.5) / NODES)
    return largest / 2 + turned, turned / NODES


def completed(problem: MultiScale, parts: Mapping[str, Any], **options: Any) -> dict[str, Any]:
    """All observables asked for, of one student, from its parts by scale and cause."""
    excess = sum(np.sum(parts[each]) for each in ("bias", "variance", "start"))
    Q, spread = 2 * excess - 1 + 2 * parts["R"], 0.0  # 4.2.6
    found = {"R": parts["R"], "Q": Q}
    if "inverse_temperature" in options:
        spread = parts["susceptibility"] / options["inverse_temperature"]
        found["Q0"] = Q + spread
    found["excess_risk"] = excess + spread / 2
    every = {**parts, "generalisation_error": 2 * excess + problem.noise**2}
    names = [name for group in options.get("observable") or () for name in GROUPS[group]]
    return found | {name: every[name] for name in names}


def stacked(answers: Sequence[Mapping[str, Any]]) -> dict[str, np.ndarray]:
    """Answers one after the other, along a leading axis."""
    return {name: np.stack([each[name] for each in answers]) for name in answers[0]}


def drawn(
    dynamics: str, problem: MultiScale, times: np.ndarray, *, seeds: Sequence[int], **options: Any
) -> Answer:
    """The average over teacher, noise and start for each drawn X: squares of matrices, entry by entry."""
    rule = rule_of(dynamics, options)
    draws, n, d = draw(problem, seeds), problem.n, problem.d
    ends = np.cumsum(problem.counts)[:-1]
    answers = []
    for Z in draws.inputs:
        F = np.diag(draws.strengths)
        X = Z @ F
        largest = np.linalg.norm(X, 2) ** 2
        c, weights = circle(largest)
        eta = rate_of(dynamics, options, largest, problem.ridge)
        resolvents = np.linalg.inv(c[:, None, None] * np.eye(d) - X.T @ X)
        found = []
        for time in times:
            f, p, squares = (
                np.einsum("j,jab->ab", weights * each, resolvents).real
                for each in rule(c, time, problem.ridge, eta)
            )
            taught, noisy = F @ f @ X.T @ Z, F @ f @ X.T  # F w_hat of the teacher, and of the noise

            def by_scale(matrix: np.ndarray) -> np.ndarray:
                return np.array([np.sum(rows**2) for rows in np.split(matrix, ends)]) / (2 * d)

            def on_examples(labels: np.ndarray, noise: np.ndarray, start: np.ndarray) -> float:
                each = (labels, problem.noise * noise, problem.init * start)
                return float(sum(np.sum(matrix**2) for matrix in each)) / n

            outputs = X @ f @ X.T
            parts = {
                "R": np.trace(taught) / d,
                "bias": by_scale(taught - np.eye(d)),
                "variance": problem.noise**2 * by_scale(noisy),
                "start": problem.init**2 * by_scale(F @ p),
                "susceptibility": 2 * eta * np.trace(F @ squares @ F) / d,
                "training_error": on_examples(Z - outputs @ Z, np.eye(n) - outputs, X @ p),
                "training_output": on_examples(outputs @ Z, outputs, X @ p),
            }
            found.append(completed(problem, parts, **options))
        answers.append(stacked(found))
    return stacked(answers)


def limit(dynamics: str, problem: MultiScale, times: np.ndarray, **options: Any) -> Answer:
    """The limit n, d -> infinity: (C + z)^-1 is as diag(h)/z, two as in `theory.multiscale.spectral_task`."""
    rule = rule_of(dynamics, options)
    alpha, mu, v = problem.alpha, np.array(problem.counts) / problem.d, np.array(problem.sigmas) ** 2
    largest = minimize_scalar(
        lambda x: alpha / x + np.sum(mu * v / (1 - x * v)), bounds=(0, 1 / v.max()), method="bounded"
    ).fun
    c, weights = circle(largest)
    eta, z = rate_of(dynamics, options, largest, problem.ridge), -c
    q = alpha / z
    for _ in range(4000):  # it maps a half-plane into itself, so it has one fixed point there
        q = alpha / (z + (1 / (1 + q[:, None] * v)) @ (mu * v))
    h = 1 / (1 + q[:, None] * v)
    np.testing.assert_allclose(q * z + q * (h @ (mu * v)), alpha, rtol=1e-13)
    pairs = h[:, None] * h  # (N, N, K)
    ratio = q[:, None] * q / alpha
    joined = ratio * (pairs @ mu) / (1 - ratio * (pairs @ (mu * v**2)))

    def one(of: np.ndarray, phi: np.ndarray) -> float:
        """tr[diag(of) phi(C)]/d."""
        return float((weights * phi / c @ (h @ (mu * of))).real)

    found = []
    for time in times:
        f, p, squares = rule(c, time, problem.ridge, eta)
        learned, missed = f * c, 1 - f * c
        a = weights * missed / c
        bias = [a @ (pairs[..., k] * (1 + v[k] ** 2 * joined)) @ a for k in range(len(v))]
        scales = np.diag(v)
        start = problem.init**2 * one(np.ones_like(v), c * p**2)
        parts = {
            "R": one(np.ones_like(v), learned),
            "bias": mu * np.real(bias) / 2,
            "variance": problem.noise**2 * np.array([one(each, f**2 * c) for each in scales]) / 2,
            "start": problem.init**2 * np.array([one(each, p**2) for each in scales]) / 2,
            "susceptibility": 2 * eta * one(v, squares),
            "training_error": one(1 / v, c * missed**2)
            + problem.noise**2 * (alpha - 1 + one(np.ones_like(v), missed**2))
            + start,
            "training_output": one(1 / v, c * learned**2)
            + problem.noise**2 * one(np.ones_like(v), learned**2)
            + start,
        }
        per_example = {name: parts[name] / alpha for name in ("training_error", "training_output")}
        more = {}
        if dynamics == "ridge" and not problem.output_penalty:
            more["excess_risk_scatter"] = scatter(problem, problem.ridge + 1 / time)
        found.append(completed(problem, {**parts, **per_example, **more}, **options))
    return stacked(found)


def scatter(problem: MultiScale, ridge: float) -> float:
    """Standard deviation between draws at an effective ridge, by differences of a covariance in 60 digits.

    The test error is the derivative by h of L(h), the least of |y - Xw|^2 + ridge |w|^2 + h times the test
    error, so its variance is that of the covariance of L(h_1) and L(h_2) by both. With m_k directions of
    strength v_k/d, N solves (N - h) (1 + df1/N) = n, and kappa = ridge/N. Teachers add their own.
    """
    n, d, one = problem.n, problem.d, mpmath.mpf(1)
    modes = [(m, one * s**2 / d) for m, s in zip(problem.counts, problem.sigmas, strict=True)]

    def over(weigh: Callable[[Any], Any]) -> Any:
        return sum(m * weigh(v) for m, v in modes)

    def rows(h: Any) -> Any:
        ends = (max(n - d, 0) + h + one / 10**20, n + h)
        return mpmath.findroot(
            lambda x: (x - h) * (1 + over(lambda v: v / (x * v + ridge))) - n, ends, solver="anderson"
        )

    def covariance(h: Any, g: Any) -> Any:
        left, (j, k) = (rows(h) - h) * (rows(g) - g), (ridge / rows(h), ridge / rows(g))
        missed = problem.noise**2 + over(lambda v: j * k / (v + j) / (v + k)) / d
        return (
            2
            * left
            * missed**2
            / (n - left * over(lambda v: v**2 / (v * rows(h) + ridge) / (v * rows(g) + ridge)))
        )

    with mpmath.workdps(60):
        step = one / 10**15
        data = sum(i * j * covariance(i * step, j * step) for i in (-1, 1) for j in (-1, 1)) / (2 * step) ** 2
        kappa = ridge / rows(0)
        first, second = (over(lambda v, power=power: (kappa / (v + kappa)) ** power) / d for power in (2, 4))
        df2 = over(lambda v: (v / (v + kappa)) ** 2)
        return float(mpmath.sqrt(data + 2 / d * (second - first**2) / (1 - df2 / n) ** 2) / 2)


def sgd_limit(problem: MultiScale, times: np.ndarray, **options: Any) -> Answer:
    """One pass by dense moments; batches of n examples by the convolution over all steps, cause by cause.

    Without an output penalty.
    """
    n, m, lam = problem.n, np.array(problem.counts), np.square(problem.sigmas) / problem.d
    fresh, batch, causes = options["data"] == "fresh", options["batch"], ("bias", "variance", "start")
    observable = dict.fromkeys(("parts", "training", "outputs", *(options["observable"] or ())))
    largest = n * lam.max() if fresh else edge_of(m, lam, n, np.inf)
    eta = batches.learning_rate(options, largest, n * (m @ lam))
    alone = [
        replace(problem, noise=0.0, init=0.0),
        replace(problem, init=0.0),
        replace(problem, noise=0.0),
    ]
    weights, ends, found = np.repeat(lam, m), np.cumsum(m)[:-1], []
    theta = 1 / (problem.d * weights)  # x.theta = z.w
    for time in times.astype(int):
        if fresh:
            errors, products = zip(
                *(
                    batches.one_pass(
                        n, weights, theta, np.full(problem.d, one.init**2), one.noise**2,
                        ridge=one.ridge, eta=eta, batch=batch, steps=time,
                    )
                    for one in alone
                ),
                strict=True,
            )  # fmt: skip
            scaled = [[each.sum() for each in np.split(weights * error, ends)] for error in errors]
            bias, *others = np.array(scaled) / 2
            parts = dict(zip(causes, (bias, *(each - bias for each in others)), strict=True))
            parts["R"] = float(weights @ (theta + products[0]))
        else:
            means = [
                limit("descent", one, np.arange(time + 1), learning_rate=eta, observable=observable)
                for one in alone
            ]
            residuals = np.stack([mean["training_error"] for mean in means], axis=1)
            residuals[:, 1:] -= residuals[:, :1]
            target, start = batches.missed(
                n, lam, power=m / problem.d, start=problem.init**2 * m * lam,
                ridge=problem.ridge, eta=eta, steps=time,
            )  # fmt: skip
            added, on_examples = batches.convolved(
                partial(root, m, lam, n, np.inf), n, m, lam, residuals[:-1],
                np.stack([target, 0 * target, start], axis=1),
                pool=np.inf, largest=largest, ridge=problem.ridge, eta=eta, batch=batch,
            )  # fmt: skip
            mean = limit("descent", problem, np.array([time]), learning_rate=eta, observable=observable)
            parts = {name: mean[name][0] + each / 2 for name, each in zip(causes, added, strict=True)}
            parts["R"] = mean["R"][0]
            for name in ("training_error", "training_output"):
                parts[name] = mean[name][0] + on_examples.sum()
        found.append(completed(problem, parts, **options))
    return stacked(found)


def sgd_drawn(problem: MultiScale, times: np.ndarray, *, seeds: Sequence[int], **options: Any) -> Answer:
    """The average over teacher, noise, start and every batch there is, for each drawn X."""
    draws, n, d = draw(problem, seeds), problem.n, problem.d
    begun = np.diag(np.repeat([problem.init**2, 1.0, problem.noise**2], [d, d, n]))
    answers = []
    for Z in draws.inputs:
        X = Z * draws.strengths
        c = np.linalg.svd(X, compute_uv=False) ** 2
        labels = np.concatenate([Z, np.eye(n)], axis=1)
        eta = batches.learning_rate(options, c.max(), c.sum())
        found = []
        for time in times.astype(int):
            moments = batches.enumerated(
                X, labels, begun, ridge=problem.ridge, eta=eta, batch=options["batch"], steps=time
            )
            error = np.concatenate([np.diag(draws.strengths), -np.eye(d), np.zeros((d, n))], axis=1)
            residual, output = np.concatenate([X, -labels], axis=1), np.concatenate([X, 0 * labels], axis=1)
            excess = np.trace(error @ moments @ error.T) / (2 * d)
            R = draws.strengths @ np.diagonal(moments[:d, d : 2 * d]) / d
            every = {
                "R": R,
                "Q": 2 * excess - 1 + 2 * R,
                "excess_risk": excess,
                "generalisation_error": 2 * excess + problem.noise**2,
                "training_error": np.trace(residual @ moments @ residual.T) / n,
                "training_output": np.trace(output @ moments @ output.T) / n,
            }
            asked = [name for group in options["observable"] or () for name in GROUPS[group]]
            found.append({name: every[name] for name in ("R", "Q", "excess_risk", *asked)})
        answers.append(stacked(found))
    return stacked(answers)


RULES: dict[str, Filter] = {"flow": flow, "descent": descent, "langevin": descent, "ridge": regression}
REFERENCES = {
    "multiscale/sgd/asymptotic": sgd_limit,
    "multiscale/sgd/instance": sgd_drawn,
} | {
    f"multiscale/{dynamics}/{route}": partial(by_other_means, dynamics)
    for dynamics in (*RULES, *RECURSIONS)
    for route, by_other_means in (("instance", drawn), ("asymptotic", limit))
}
