"""Gradient descent and ridge regression on drawn nonlinear features."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import numpy as np

from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.problems.random_features.data import draw, fresh
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.linear_students.descent import students
from teacherstudent.sims.linear_students.forms import TrainingSets, smaller
from teacherstudent.sims.linear_students.ridge import minimisers

FRESH = 2000


def descent(problem: RandomFeatures, times, *, learning_rate, seeds: Sequence[int], observable=None):
    sets, measure = _prepared(problem, seeds)
    form = smaller(sets)
    rates = form.inverse_curvature() if learning_rate == "auto" else learning_rate
    return nan_where_not_finite(
        measure(students(form, times, rates, problem.ridge)[:, :, 0]),
        f"learning_rate {learning_rate}: gradient descent diverges, or rounding outlasts it",
    )


def ridge(problem: RandomFeatures, times, *, seeds: Sequence[int], observable=None):
    sets, measure = _prepared(problem, seeds)
    return nan_where_not_finite(
        measure(minimisers(sets, problem.ridge + 1 / np.asarray(times))[:, :, 0]),
        "the normal equations are singular",
    )


def value(function, u):
    """The function at numbers u."""
    if isinstance(function, tuple):
        scaled = np.array(function) / np.sqrt(np.cumprod(np.maximum(np.arange(len(function)), 1.0)))
        return np.polynomial.hermite_e.hermeval(u, scaled)
    match function:
        case "relu":
            return np.maximum(u, 0.0)
        case "tanh":
            return np.tanh(u)
        case "erf":
            return np.asarray(jax.scipy.special.erf(u))
        case "sign":
            return np.sign(u)
    return u


def mean(function) -> float:
    """Its average over a standard normal number, on half lines."""
    x, w = np.polynomial.legendre.leggauss(400)
    x, w = 6 * (x + 1), 6 * w  # 0 to 12
    weight = w * np.exp(-x * x / 2) / np.sqrt(2 * np.pi)
    return float(weight @ (value(function, x) + value(function, -x)))


def _prepared(problem, seeds):
    draws = draw(problem, seeds)

    def features(z):
        x = (z * draws.strengths) @ draws.features.swapaxes(1, 2)
        return (value(problem.activation, x) - mean(problem.activation)) / np.sqrt(problem.width)

    def taught(z):
        return value(problem.teacher, np.einsum("snd,sd->sn", z, draws.teacher)) - mean(problem.teacher)

    labels = taught(draws.inputs) + draws.noise
    phi = features(draws.inputs)
    initial = draws.initial[..., None] if problem.init else None
    sets = TrainingSets(phi, labels[..., None], initial, False)

    def measure(a):
        z = fresh(problem, seeds, FRESH)
        truth, out = taught(z)[:, None], a @ features(z).swapaxes(1, 2)
        missed = labels[:, None] - a @ phi.swapaxes(1, 2)
        excess = np.mean((truth - out) ** 2, axis=-1) / 2
        return {
            "R": np.mean(truth * out, axis=-1),
            "Q": np.mean(out**2, axis=-1),
            "excess_risk": excess,
            "generalisation_error": 2 * excess + problem.noise**2,
            "training_error": np.mean(missed**2, axis=-1),
        }

    return sets, measure
