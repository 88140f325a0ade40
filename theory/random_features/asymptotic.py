"""The exact limit of random features: gradient flow, gradient descent, ridge regression."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.random_features import RandomFeatures
from teacherstudent.theory import contours
from teacherstudent.theory.random_features import parts
from teacherstudent.theory.random_features.equation import Model, Point, solve
from teacherstudent.theory.random_features.parts import Parts
from teacherstudent.theory.spectral.filters import Filter, twice, whole

Arrays = dict[str, np.ndarray]


def flow(problem: RandomFeatures, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Gradient flow with ridge at flow times s >= 0, (T,)."""
    model, moving = Model.of(problem), np.flatnonzero(times > 0)
    pieces = [(moving, contours.flow(times[moving]))] if moving.size else []
    return _trained(model, times.size, pieces, bool(observable))


def descent(
    problem: RandomFeatures,
    times: np.ndarray,
    *,
    learning_rate: float | str,
    observable: Sequence[str] | None = None,
) -> Arrays:
    """Gradient descent after whole steps k >= 0, (T,)."""
    model, moving = Model.of(problem), np.flatnonzero(times > 0)
    edge = model.edge()
    eta = 1 / edge if learning_rate == "auto" else float(learning_rate)
    stable = 2 / (edge + model.ridge)
    if eta >= stable:
        raise InputError("learning_rate", eta, f"below 2/(upper edge of the spectrum + ridge) = {stable:g}")
    found = contours.descent(times[moving], eta, 1 - eta * (edge + model.ridge)) if moving.size else []
    pieces = [(moving[where], contour) for where, contour in found]
    return _trained(model, times.size, pieces, bool(observable))


def ridge(problem: RandomFeatures, times: np.ndarray, *, observable: Sequence[str] | None = None) -> Arrays:
    """Ridge regression at effective ridge = problem.ridge + 1/time, times > 0, (T,)."""
    model = Model.of(problem)
    at = solve(model, problem.ridge + 1 / times)
    D, B, P = _kernels(model, at, at.e, at.eta, lambda a, b: a * b)
    test = model.psi2 * (B + (model.hidden + model.noise) * (model.psi1 - P)) / D
    R = model.c1**2 * (1 - at.eta @ model.m)
    split = parts.at_ridge(model, problem.ridge + 1 / times) if observable else None
    return _answer(model, test, test * (1 - at.e / model.psi2) ** 2, R, at.converged, split)


def _kernels(model: Model, at: Point, e, eta, product):
    """D, B, P of points with others."""
    m = model.m
    if product is not None:
        P = ((1 - at.eta) * (1 - eta)) @ m
        both = (at.eta * eta) @ m
        mine, other, alone = at.e, e, at.eta @ m
    else:
        P = (m * (1 - at.eta)) @ np.swapaxes(1 - eta, -1, -2)
        both = (m * at.eta) @ np.swapaxes(eta, -1, -2)
        mine, other, alone = at.e[..., None], e[..., None, :], (at.eta @ m)[..., None]
    D = model.psi1 * model.psi2 - mine * other - P * (model.psi1 + model.psi2 - mine - other)
    B = model.c1**2 * ((mine - P) * alone + (model.psi1 - mine) * both)
    return D, B, P


def _trained(model: Model, count: int, pieces, split: bool) -> Arrays:
    m = model.m
    power = model.c1**2 + model.hidden + model.noise
    start = model.init * (m @ model.u + model.rest)
    test, train = (np.full(count, power + start) for _ in range(2))
    R, good = np.zeros(count), np.ones(count, dtype=bool)
    found = parts.untrained(model, count) if split else None
    for where, contour in pieces:
        v, w = contour.nodes, contour.weights
        at = solve(model, v + model.ridge)
        e, eta = whole(at.e), whole(at.eta)
        D, B, P = _kernels(model, at, e, eta, None)
        taught = model.psi2 * (B + (model.hidden + model.noise) * (model.psi1 - P)) / D
        mixed = (m * model.u * at.eta) @ np.swapaxes(eta, -1, -2)
        moved = model.psi2 * model.init * (model.psi1 - at.e)[..., None] * (model.psi1 - e)[..., None, :]
        moved = moved * (model.rest + mixed) / model.psi1 / D
        over_v, over_z, own = w / v, w / at.z, 1 - at.e / model.psi2

        def summed(a, b):
            return twice(a, taught, a) + twice(b, moved, b)

        test[where], train[where] = summed(over_v, over_z), summed(own * over_v, own * over_z)
        R[where] = model.c1**2 * 2 * np.sum(over_v * (1 - at.eta @ m), axis=-1).real
        good[where] = np.all(at.converged, axis=-1)
        if found is not None:
            for name, values in vars(parts.filtered(model, Filter(at, over_v, over_z, over_v))).items():
                getattr(found, name)[where] = values
    return _answer(model, test, train, R, good, found)


def _answer(
    model: Model, test: np.ndarray, train: np.ndarray, R: np.ndarray, good: np.ndarray, split: Parts | None
) -> Arrays:
    excess = (test - model.noise) / 2
    answer = {
        "R": R,
        "Q": 2 * excess - model.c1**2 - model.hidden + 2 * R,
        "excess_risk": excess,
        "generalisation_error": test,
        "training_error": train,
    }
    if split is not None:
        answer |= {name: values for name, values in vars(split).items() if name != "converged"}
    return dict(nan_where(~good, "asymptotic route: no certified root", answer))
