"""Moments of fields: closed forms at special correlations, identities between them, and averages of draws."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import erf

from teacherstudent.theory.committee.moments import OF
from teacherstudent.theory.committee.orthants import four_positive, positive

ACTIVATIONS = {
    "erf": (lambda x: erf(x / math.sqrt(2)), lambda x: math.sqrt(2 / math.pi) * np.exp(-(x**2) / 2)),
    "linear": (lambda x: x, np.ones_like),
    "relu": (lambda x: np.maximum(x, 0), lambda x: (x > 0) * 1.0),
}
A, B = np.array([0, 0, 1, 2, 4, 3, 5]), np.array([0, 1, 1, 3, 4, 1, 0])
DRAWS = 20_000


def covariance() -> np.ndarray:
    """Of six fields: the fourth is 3/2 times the second, the fifth its opposite, the sixth is nothing."""
    factor = np.random.default_rng(1).standard_normal((6, 4))
    factor[3:] = np.outer([1.5, -1.0, 0.0], factor[1])
    return factor @ factor.T / 4


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_moments_are_averages_of_draws_for_every_pattern_of_fields(name: str) -> None:
    C, (g, slope) = covariance(), ACTIVATIONS[name]
    values, vectors = np.linalg.eigh(C)
    root = vectors * np.sqrt(np.maximum(values, 0))
    x = np.random.default_rng(2).standard_normal((DRAWS, 6)) @ root.T
    x[:, 3:] = x[:, [1]] * [1.5, -1.0, 0.0]  # to the last digit
    G, D = g(x), slope(x)
    pairs = D[:, A] * D[:, B]
    moments = OF[name]
    for found, left, right in (
        (moments.second(C), G, G),
        (moments.third(C, A, B), D[:, A] * x[:, B], G),
        (moments.derivatives(C, A, B)[:, None], pairs, np.ones((DRAWS, 1))),
        (moments.fourth(C, A, B).reshape(7, 36), pairs, (G[:, :, None] * G[:, None, :]).reshape(-1, 36)),
    ):
        mean, squares = left.T @ right / DRAWS, (left**2).T @ right**2 / DRAWS
        error = np.sqrt(np.maximum(squares - mean**2, 0) / DRAWS)
        assert (np.abs(found - mean) <= 5 * error + 1e-12).all()


def correlated(*above: float) -> np.ndarray:
    r = np.eye(4)
    r[np.triu_indices(4, 1)] = above
    return np.maximum(r, r.T)[None] if min(above) >= 0 else (r + r.T - np.eye(4))[None]


def test_orthants_of_known_probability() -> None:
    half = np.full((4, 4), 0.5)
    for k in (1, 2, 3):
        assert positive(half[:k, :k]) == pytest.approx(1 / (k + 1), abs=1e-15)
    assert four_positive(half[None])[0] == pytest.approx(1 / 5, abs=1e-12)
    for ab, ce in ((0.3, -0.8), (0.9999, 0.5), (1 - 1e-6, 1 - 1e-8), (-1 + 1e-9, 0.1)):
        two = [0.25 + math.asin(each) / (2 * math.pi) for each in (ab, ce)]
        assert four_positive(correlated(ab, 0, 0, 0, 0, ce))[0] == pytest.approx(math.prod(two), abs=1e-12)
    near = correlated(0.3, 0.2, 0.3, 0.1, 1 - 1e-13, 0.1)  # the second and the fourth are one
    assert four_positive(near)[0] == pytest.approx(float(positive(near[0, :3, :3])), abs=1e-6)


@pytest.mark.parametrize("name", ["erf", "relu"])
def test_a_fourth_moment_grows_with_one_correlation_as_its_derivative_says(name: str) -> None:
    """d/dC_ce E g'(a) g'(b) g(c) g(e) = E g'(a) g'(b) g'(c) g'(e): of relu the orthant's probability."""
    factor = np.random.default_rng(3).standard_normal((4, 4))
    C, step = factor @ factor.T, np.zeros((4, 4))
    step[2, 3] = step[3, 2] = 1e-5
    a, b = np.array([0]), np.array([1])
    grown, shrunk = (OF[name].fourth(C + sign * step, a, b)[0, 2, 3] for sign in (1, -1))
    size = np.sqrt(np.diagonal(C))
    if name == "relu":
        slope = four_positive((C / size / size[:, None])[None])[0]
    else:  # a Gaussian integral of four factors exp(-x^2/2)
        slope = (2 / np.pi) ** 2 / math.sqrt(np.linalg.det(np.eye(4) + C))
    assert (grown - shrunk) / 2e-5 == pytest.approx(slope, abs=1e-8)


def in_a_plane(fields: np.ndarray, power: int) -> float:
    """E[product of the last `power` fields 1(all > 0)] of fields of two numbers each, over their sector.

    Fields are r |f| cos(t - angle) of polar coordinates r, t: the sector's integral over t, and E r^power.
    """
    angles, sizes = np.arctan2(fields[:, 1], fields[:, 0]), np.hypot(*fields.T)
    edges = np.sort(np.concatenate([angles + np.pi / 2, angles - np.pi / 2]) % (2 * np.pi))
    nodes, weights = np.polynomial.legendre.leggauss(20)
    found = 0.0
    for low, high in zip(edges, [*edges[1:], edges[0] + 2 * np.pi], strict=True):
        t = (low + high) / 2 + (high - low) / 2 * nodes
        values = np.cos(t[:, None] - angles)
        if (values > 0).all():
            found += (high - low) / 2 * float(weights @ np.prod(values[:, values.shape[1] - power :], axis=1))
    mean = {1: math.sqrt(math.pi / 2), 2: 2.0}[power]
    return found * mean / (2 * np.pi) * float(np.prod(sizes[sizes.size - power :]))


@pytest.mark.parametrize("seed", range(5))
def test_fourth_moments_of_fields_that_depend_on_each_other_linearly(seed: int) -> None:
    """Four fields that differ in a plane; and three in a plane beside one that is independent."""
    plane = np.random.default_rng(seed).standard_normal((4, 2))
    zero, one = np.array([0]), np.array([1])
    found = OF["relu"].fourth(plane @ plane.T, zero, one)[0, 2, 3]
    assert found == pytest.approx(in_a_plane(plane, 2), abs=1e-9)
    beside = np.zeros((4, 4))
    beside[:3, :3] = plane[:3] @ plane[:3].T
    beside[3, 3] = 4.0  # half the mean of its size is 2/sqrt(2 pi)
    found = OF["relu"].fourth(beside, zero, one)[0, 2, 3]
    assert found == pytest.approx(in_a_plane(plane[:3], 1) * 2 / math.sqrt(2 * math.pi), abs=1e-9)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_a_student_that_is_the_teacher_has_no_error_to_the_last_digits(name: str) -> None:
    """All sums of moments with u = (v, -v) vanish, though the covariance is singular."""
    T = np.array([[1.0, 0.3], [0.3, 0.8]])
    C, u = np.tile(T, (2, 2)), np.array([1.0, -0.7, -1.0, 0.7])
    a, b = np.array([0, 0, 1]), np.array([0, 1, 1])
    moments = OF[name]
    assert np.max(np.abs(moments.second(C) @ u)) <= 1e-15
    assert np.max(np.abs(moments.third(C, a, b) @ u)) <= 1e-15
    assert np.max(np.abs(moments.fourth(C, a, b) @ u)) <= 1e-13
