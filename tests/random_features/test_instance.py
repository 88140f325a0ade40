"""Exact averages over inputs against dense quadrature, exact dynamics against steps that are taken."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import special

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.problems.random_features import PROBLEM, RandomFeatures
from teacherstudent.problems.random_features.data import draw
from teacherstudent.problems.random_features.instance import Function
from teacherstudent.theory.random_features import averages, instance
from teacherstudent.theory.random_features.averages import with_teacher
from teacherstudent.theory.random_features.nonlinearity import moments
from tests.roundings import same

HERMITE = (0.3, 0.5, -0.2, 0.4, 0.1)
FUNCTIONS: tuple[Function, ...] = ("linear", "relu", "sign", "erf", "tanh", HERMITE)
ROWS = np.random.default_rng(0).standard_normal((4, 3)) / math.sqrt(3)
NAMES = [each if isinstance(each, str) else "hermite" for each in FUNCTIONS]
Plain = Callable[[np.ndarray], np.ndarray]


def plain(function: Function) -> Plain:
    """The function, said a second time."""
    if isinstance(function, tuple):
        return lambda u: sum(
            a * special.eval_hermitenorm(k, u) / math.sqrt(math.factorial(k)) for k, a in enumerate(function)
        )
    return {
        "linear": lambda u: u,
        "relu": lambda u: u * (u > 0),
        "sign": lambda u: (u > 0) * 2.0 - 1,
        "erf": lambda u: 2 * special.ndtr(math.sqrt(2) * u) - 1,
        "tanh": lambda u: 2 * special.expit(2 * u) - 1,
    }[function]


def panels(cuts: np.ndarray, points: int = 24) -> tuple[np.ndarray, np.ndarray]:
    """Gauss's rule between neighbouring cuts."""
    x, w = np.polynomial.legendre.leggauss(points)
    half, middle = np.diff(cuts)[:, None] / 2, (cuts[1:] + cuts[:-1])[:, None] / 2
    return (middle + half * x).ravel(), (half * w).ravel()


RADII, RADIAL = panels(np.linspace(0, 12, 7))
RADIAL = RADIAL * RADII * np.exp(-(RADII**2) / 2) / (2 * math.pi)


def plane(*edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points (J, 2) and weights of a standard normal plane, for functions with edges where edge.point = 0."""
    turns = np.concatenate([[math.atan2(-e[0], e[1]), math.atan2(e[0], -e[1])] for e in edges])
    cuts = np.unique(np.mod(turns, 2 * math.pi))
    angles, weights = panels(np.append(cuts, cuts[0] + 2 * math.pi))
    points = np.multiply.outer(np.stack([np.cos(angles), np.sin(angles)], axis=-1), RADII)
    return np.moveaxis(points, 1, -1).reshape(-1, 2), np.multiply.outer(weights, RADIAL).ravel()


def pair(one: Plain, other: Plain, covariance: np.ndarray) -> float:
    """E one(u) other(v) of Gaussian numbers of that covariance, (2, 2)."""
    root = np.linalg.cholesky(covariance)
    points, weights = plane(*root)
    return float(weights @ (one(points @ root[0]) * other(points @ root[1])))


@pytest.mark.parametrize("function", FUNCTIONS, ids=NAMES)
def test_averages_over_inputs_are_what_quadrature_gives(function: Function) -> None:
    found, C, s = averages.averages(function, ROWS), ROWS @ ROWS.T, plain(function)
    whole = found.beyond + np.multiply.outer(found.mean, found.mean)
    whole += np.multiply.outer(found.slope, found.slope) * C
    for i in range(4):
        r = np.diag([C[i, i], 1.0])
        assert found.mean[i] == pytest.approx(pair(s, np.ones_like, r), abs=1e-13)
        assert found.slope[i] * C[i, i] == pytest.approx(pair(lambda u: u * s(u), np.ones_like, r), abs=1e-13)
        assert whole[i, i] == pytest.approx(pair(lambda u: s(u) ** 2, np.ones_like, r), abs=1e-12)
        for j in range(i):
            assert whole[i, j] == pytest.approx(pair(s, s, C[np.ix_([i, j], [i, j])]), abs=1e-13)


@pytest.mark.parametrize("teacher", FUNCTIONS, ids=NAMES)
@pytest.mark.parametrize("function", FUNCTIONS, ids=NAMES)
def test_averages_with_a_teacher_are_what_quadrature_gives(teacher: Function, function: Function) -> None:
    overlap, r = np.array([0.3, -0.9, 1.2]), np.array([0.4, 0.9, 1.5])
    found = with_teacher(teacher, function, overlap, r)
    for b, variance, value in zip(overlap, r, found, strict=True):
        covariance = np.array([[1.0, b], [b, variance]])
        assert value == pytest.approx(pair(plain(teacher), plain(function), covariance), abs=1e-12)


@pytest.mark.parametrize("function", FUNCTIONS, ids=NAMES)
def test_parallel_rows_are_the_end_of_every_closed_form(function: Function) -> None:
    """Of one input all rows are parallel: correlations are 1 or -1 but for rounding."""
    rows, s = np.array([[0.5], [-1.7], [3.0]]), plain(function)
    found = averages.averages(function, rows)
    seen = with_teacher("sign", function, rows[:, 0], rows[:, 0] ** 2)
    for i, a in enumerate(rows[:, 0]):
        direct = pair(lambda u, a=a: s(a * u) * np.sign(u), np.ones_like, np.eye(2))
        assert seen[i] == pytest.approx(direct, abs=1e-12)
        for j, b in enumerate(rows[:i, 0]):
            both = pair(lambda u, a=a, b=b: s(a * u) * s(b * u), np.ones_like, np.eye(2))
            linear = found.slope[i] * found.slope[j] * a * b
            whole = found.beyond[i, j] + found.mean[i] * found.mean[j] + linear
            assert whole == pytest.approx(both, abs=1e-11)


def test_angles_between_nearly_parallel_rows_keep_their_digits() -> None:
    """What is not linear in signs depends on the angle, of which a correlation keeps half of the digits."""
    turns = np.array([0.0, 1e-9, 1e-6, 1e-3, math.pi - 1e-7, 2.0])
    rows = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    found = averages.averages("sign", rows)
    apart = turns[:, None] - turns
    np.testing.assert_allclose(
        found.beyond, 1 - 2 / math.pi * np.abs(apart) - 2 / math.pi * np.cos(apart), atol=1e-13
    )


def test_tanh_is_a_mixture_of_erfs_to_rounding() -> None:
    u = np.concatenate([[0.0], np.geomspace(1e-12, 100, 4000)])
    smooth = averages.smoothed("tanh", u, np.zeros(1))
    np.testing.assert_allclose(smooth, np.tanh(u), rtol=1e-14, atol=0)


def test_what_is_not_linear_is_never_less_than_nothing() -> None:
    """The second moments of what is left of the features have no negative eigenvalue but rounding."""
    rows = np.random.default_rng(1).standard_normal((30, 40)) / math.sqrt(40)
    for function in FUNCTIONS:
        beyond = averages.averages(function, rows).beyond
        assert np.linalg.eigvalsh(beyond).min() >= -1e-14
        if function != "linear":
            assert np.mean(np.diagonal(beyond)) == pytest.approx(moments(function).rest, rel=0.3)


# Dynamics -------------------------------------------------------------------------------------------

STEPS = np.array([0.0, 1.0, 2.0, 7.0])
RATE = 0.02
SMALL: dict[str, Any] = {"n": 4, "width": 3, "scales": ((1, 1.0), (1, 0.5)), "noise": 0.4, "init": 0.3}
QUESTIONS: dict[str, dict[str, Any]] = {
    "relu, linear": {},
    "relu, relu": {"teacher": "relu", "ridge": 0.1},
    "more features than samples": {"activation": "sign", "teacher": "tanh", "n": 2, "width": 5, "ridge": 0.1},
    "tanh, relu": {"activation": "tanh", "teacher": "relu"},
    "erf, hermite": {"activation": "erf", "teacher_hermite": (0.2, 0.5, 0.3), "n": 2},
    "hermite, linear with a mean": {"hermite": HERMITE, "teacher_hermite": (0.2, 0.5)},
    "linear, linear": {"activation": "linear", "width": 2},
    "linear, sign": {"activation": "linear", "teacher": "sign", "width": 1},
}


def made(**values: Any) -> RandomFeatures:
    found: RandomFeatures = PROBLEM.instance(**{**SMALL, **values})
    return found


def centred(function: Function) -> Plain:
    """The function less its mean over normal numbers."""
    s = plain(function)
    mean = pair(s, np.ones_like, np.eye(2))
    return lambda u: s(u) - mean


def looped(problem: RandomFeatures, seed: int) -> dict[str, np.ndarray]:
    """After each of STEPS steps of gradient descent, with the whole plane of fresh inputs.

    The student is linear in labels and start. So one student is trained on each teacher that is averaged
    over, on the noise of each sample, and from each weight: mean squares add up.
    """
    draws, d = draw(problem, [seed]), problem.d
    assert d == 2
    rows, w = draws.features[0] * draws.strengths, draws.teacher[0]
    s, g = centred(problem.activation), centred(problem.teacher)
    linear = moments(problem.teacher).rest == 0
    teachers = np.eye(2) if linear else w[None]

    points, weights = plane(*rows, *teachers)
    z = points / math.sqrt(2)

    def labelled(inputs: np.ndarray) -> np.ndarray:
        if linear:
            return moments(problem.teacher).linear * inputs
        return g(inputs @ teachers.T)

    def outputs(inputs: np.ndarray) -> np.ndarray:
        return s(inputs @ rows.T) / math.sqrt(problem.width)

    phi, fresh, truth = outputs(draws.inputs[0]), outputs(z), labelled(z)
    taught, n, width, q = labelled(draws.inputs[0]), problem.n, problem.width, len(teachers)
    y = np.hstack([taught, problem.noise * np.eye(n), np.zeros((n, width))])
    target = np.hstack([truth, np.zeros((len(z), n + width))])
    a = np.hstack([np.zeros((width, q + n)), problem.init * np.eye(width)])
    found: dict[str, list[float]] = {name: [] for name in ("R", "Q", "excess_risk", "training_error")}
    for step in range(int(STEPS[-1]) + 1):
        if step in STEPS:
            out = fresh @ a
            found["R"].append(float(np.sum(weights @ (target * out))))
            found["Q"].append(float(np.sum(weights @ out**2)))
            found["excess_risk"].append(float(np.sum(weights @ (target - out) ** 2)) / 2)
            found["training_error"].append(float(np.sum((y - phi @ a) ** 2)) / n)
        a = a + RATE * (phi.T @ (y - phi @ a) - problem.ridge * a)
    return {name: np.array(values) for name, values in found.items()}


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_it_gives_what_steps_give_on_all_of_the_plane(question: dict[str, Any]) -> None:
    problem = made(**question)
    found = instance.descent(problem, STEPS, learning_rate=RATE, seeds=[0, 3])
    for row, seed in enumerate((0, 3)):
        for name, values in looped(problem, seed).items():
            np.testing.assert_allclose(found[name][row], values, atol=1e-11, err_msg=name)
    teacher = moments(problem.teacher)
    variance = teacher.linear**2 + teacher.rest
    whole = variance - 2 * found["R"] + found["Q"]
    np.testing.assert_allclose(2 * found["excess_risk"], whole, atol=1e-13)
    assert same(found["generalisation_error"], 2 * found["excess_risk"] + problem.noise**2, 4)


def test_a_linear_teacher_that_is_learned_is_missed_by_as_little_as_is_left() -> None:
    """No difference of larger numbers: the error falls far below rounding of the teacher."""
    problem = made(n=40, width=6, scales=((2, 1.0),), activation="linear", noise=0.0, init=0.0)
    (late,) = instance.flow(problem, np.array([1000.0]), seeds=[0])["excess_risk"][0]
    assert 0 <= late < 1e-28


def test_blocks_of_times_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, times = made(activation="linear", noise=0.0, init=0.0, n=20, width=4), np.geomspace(0.1, 1e3, 9)
    together = instance.flow(problem, times, seeds=[1])
    monkeypatch.setattr(instance, "TOGETHER", 1)
    for name, values in instance.flow(problem, times, seeds=[1]).items():
        np.testing.assert_allclose(values, together[name], rtol=1e-12)


def test_directions_that_no_sample_sees_keep_their_start() -> None:
    problem = made(n=2, width=7, noise=0.0)
    found = instance.flow(problem, np.array([1e12]), seeds=[0])
    without = instance.flow(made(n=2, width=7, noise=0.0, init=0.0), np.array([1e12]), seeds=[0])
    draws = draw(problem, [0])
    rows = draws.features[0] * draws.strengths
    s = centred("relu")
    points, weights = plane(*rows)
    phi, fresh = s(draws.inputs[0] @ rows.T), s(points / math.sqrt(2) @ rows.T)
    off = np.eye(7) - np.linalg.pinv(phi) @ phi
    kept = problem.init**2 * np.sum(weights @ (fresh @ off) ** 2) / 7
    np.testing.assert_allclose(found["Q"] - without["Q"], kept, rtol=1e-10)


def test_the_automatic_rate_is_that_of_each_draw_and_a_larger_one_diverges() -> None:
    problem = made()
    auto = instance.descent(problem, STEPS, learning_rate="auto", seeds=[0, 1])
    for row in range(2):
        draws = draw(problem, [row])
        phi = centred("relu")(draws.inputs[0] @ (draws.features[0] * draws.strengths).T) / math.sqrt(3)
        alone = instance.descent(problem, STEPS, learning_rate=1 / np.linalg.norm(phi, 2) ** 2, seeds=[row])
        for name, values in alone.items():
            np.testing.assert_allclose(auto[name][row], values[0], rtol=1e-12)
    with pytest.warns(UnconvergedWarning, match="learning_rate 100: gradient descent diverges"):
        found = instance.descent(problem, np.array([0.0, 1.0]), learning_rate=100.0, seeds=[0])
    for values in found.values():
        assert np.isnan(values).tolist() == [[False, True]]
