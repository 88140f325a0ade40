"""The simulations of committee machines: what is drawn, the steps as stated, and what is measured of them."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import erf

from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import within_errors
from teacherstudent.problems.committee import PROBLEM, Committee
from teacherstudent.problems.committee.data import draw, root
from teacherstudent.sims.committee import chain, measures
from teacherstudent.sims.committee.streams import Examples
from teacherstudent.sims.committee.units import rates
from tests.roundings import same


def test_overlaps_on_the_edge_are_taken_also_where_they_are_computed() -> None:
    """Equal networks have a matrix of overlaps without an inverse; a product's rounding is made symmetric."""
    random = np.random.default_rng(0)
    w, teacher = random.standard_normal((3, 4)), random.standard_normal((2, 4))
    problem = PROBLEM.instance(
        width=3,
        student_overlaps=w @ w.T + 1e-16 * np.triu(np.ones((3, 3))),
        initial_overlaps=w @ teacher.T,
        teacher_overlaps=teacher @ teacher.T,
    )
    assert same(problem.Q0, np.transpose(problem.Q0), roundings=0), "each is half of the same sum"
    PROBLEM.instance(init=1.0, overlap=1.0)


@pytest.mark.parametrize(
    ("values", "usual"),
    [
        ({}, 0.01),
        ({"init": 1e-90}, 5e-91),
        ({"init": 0.0}, 0.0),
        ({"student_overlaps": "1e-6,0;0,1e-6"}, 5e-4),
        ({"teacher_overlaps": "1e-6,0;0,1e-6"}, 2.5e-4),
        ({"student_overlaps": "1,1;1,1"}, 0.0),
        ({"width": 1, "teacher_width": 3, "teacher_overlaps": "1e-6,0,0;0,1,0;0,0,1"}, 2.5e-4),
    ],
)
def test_the_usual_overlap_is_one_that_vectors_have(values: dict[str, Any], usual: float) -> None:
    """Nobody is refused for an overlap that nobody typed."""
    R0 = PROBLEM.instance(**values).R0
    assert R0 is not None
    assert R0[0][0] == pytest.approx(usual, rel=1e-12, abs=1e-7)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, ""),
        ({"weight_decay": 0.1}, "is not multiplied by the learning rate"),
        ({"start": "random"}, "never leaves the plateau"),
        ({"overlap": 0.0}, "never leaves the plateau"),
        ({"overlap": 0.0, "width": 1}, ""),
    ],
)
def test_what_may_be_read_otherwise_is_remarked(values: dict[str, Any], said: str) -> None:
    remark = PROBLEM.remarks(PROBLEM.instance(**values))
    assert said in remark
    assert bool(remark) == bool(said)


def test_drawn_weights_have_the_overlaps_that_are_given() -> None:
    problem = PROBLEM.instance(
        width=3,
        d=7,
        student_overlaps="0.5,0.1,0;0.1,0.6,-0.05;0,-0.05,0.4",
        initial_overlaps="0.2,-0.1;0.1,0.3;-0.2,0.05",
        teacher_overlaps="1,0.3;0.3,0.8",
    )
    drawn = draw(problem, [0, 1])
    for w, teacher in zip(drawn.student, drawn.teacher, strict=True):
        np.testing.assert_allclose(w @ w.T / 7, problem.Q0, atol=1e-14)
        np.testing.assert_allclose(w @ teacher.T / 7, problem.R0, atol=1e-14)
        np.testing.assert_allclose(teacher @ teacher.T / 7, problem.T, atol=1e-14)
    random = draw(PROBLEM.instance(start="random", d=7, teacher_overlaps="1,0.3;0.3,0.8"), [0])
    np.testing.assert_allclose(random.teacher[0] @ random.teacher[0].T / 7, problem.T, atol=1e-14)


DRAWS = 120
UNITS = {
    "erf": (lambda x: erf(x / np.sqrt(2)), lambda x: np.sqrt(2 / np.pi) * np.exp(-(x**2) / 2)),
    "relu": (lambda x: np.maximum(x, 0), lambda x: 1.0 * (x > 0)),
    "linear": (lambda x: x, np.ones_like),
}
ALL_AT_ONCE: dict[str, Any] = {
    "width": 3,
    "d": 20,
    "noise": 0.3,
    "learning_rate": 0.6,
    "second_layer_learning_rate": 0.4,
    "weight_decay": 0.1,
    "second_layer_weight_decay": 0.05,
    "student_overlaps": "0.5,0.1,0;0.1,0.6,-0.05;0,-0.05,0.4",
    "initial_overlaps": "0.2,-0.1;0.1,0.3;-0.2,0.05",
    "teacher_overlaps": "1,0.3;0.3,0.8",
    "initial_second_layer": (1.0, 0.7, -0.5),
    "teacher_second_layer": (1.0, -0.8),
}


def step(
    problem: Committee, w: np.ndarray, v: np.ndarray, teacher: np.ndarray, x: np.ndarray, xi: float
) -> tuple[np.ndarray, np.ndarray]:
    """A step as the problem states it, line by line."""
    g, slope = UNITS[problem.activation]
    d, field = problem.d, w @ x / np.sqrt(problem.d)
    label = problem.teacher_second_layer @ g(teacher @ x / np.sqrt(d)) + xi
    error = v @ g(field) - label
    moved = w - problem.learning_rate / np.sqrt(d) * np.outer(v * error * slope(field), x)
    moved = moved - problem.weight_decay / d * w
    return moved, (
        v
        - problem.second_layer_learning_rate / d * error * g(field)
        - problem.second_layer_weight_decay / d * v
    )


@pytest.mark.parametrize(
    "activation",
    [pytest.param(each, marks=[] if each == "erf" else [pytest.mark.thorough]) for each in UNITS],
)
def test_blocks_of_steps_are_the_steps_one_by_one(activation: str) -> None:
    """To rounding of 150 steps, in several blocks and in pieces of them: recorded at any step."""
    values = {**ALL_AT_ONCE, "activation": activation}
    problem = PROBLEM.instance(**values)
    recorded = np.array([0, 1, 31, 32, 33, 100, 150])
    answer = run("committee", "online", "simulation", recorded / problem.d, seeds=[3, 5], **values)
    for seed in (3, 5):
        drawn = draw(problem, [seed])
        w, v, teacher = drawn.student[0], np.array(problem.second_layer), drawn.teacher[0]
        examples = Examples(problem, seed, recorded[-1] + 1)
        examples.draw(recorded[-1] + 1)
        for k in range(recorded[-1] + 1):
            if k in recorded:
                found = answer.sel(seed=seed).isel(time=list(recorded).index(k))
                np.testing.assert_allclose(found.R, w @ teacher.T / problem.d, atol=1e-13)
                np.testing.assert_allclose(found.Q, w @ w.T / problem.d, atol=1e-13)
                np.testing.assert_allclose(found.second_layer, v, atol=1e-13)
            w, v = step(problem, w, v, teacher, examples.inputs[k], examples.noise[k])


def test_the_chain_takes_the_steps_of_training_for_the_same_fields() -> None:
    """Each step of training in d dimensions, seen in the chain's frame: the overlaps go the same way."""
    values = {**ALL_AT_ONCE, "d": 9}
    problem = PROBLEM.instance(**values)
    drawn, examples = draw(problem, [0]), Examples(problem, 0, 40)
    examples.draw(40)
    w, v, teacher = drawn.student[0], np.array(problem.second_layer), drawn.teacher[0]
    frame = root(np.array(problem.T))
    state = chain.start(problem, frame, 0)
    for x, xi in zip(examples.inputs, examples.noise, strict=True):
        own = np.linalg.solve(frame, teacher @ x / 3)
        aside = w @ x / 3 - state.along @ own
        others = np.linalg.solve(np.linalg.cholesky(state.rest), aside)
        beyond = x @ x - own @ own - others @ others
        assert beyond > 0
        coordinates = np.concatenate([own, others])
        draws = tuple(np.array(each)[None, None] for each in (coordinates, beyond, xi))
        one = chain.State(*(np.asarray(each)[None] for each in state))
        outer = frame, np.array(problem.teacher_second_layer)
        moved = chain.advanced("erf", 9, rates(problem), outer, one, draws, 1)
        state = chain.State(*(np.asarray(each)[0] for each in moved))
        w, v = step(problem, w, v, teacher, x, xi)
        np.testing.assert_allclose(state.along @ frame.T, w @ teacher.T / 9, atol=1e-12)
        np.testing.assert_allclose(state.along @ state.along.T + state.rest, w @ w.T / 9, atol=1e-12)
        np.testing.assert_allclose(state.second_layer, v, atol=1e-12)


@pytest.mark.thorough
def test_the_chain_has_the_law_of_training() -> None:
    """Means and mean squares of overlaps and risk, from drawn weights on, at d just above the units."""
    values = {"d": 4, "width": 2, "teacher_width": 1, "learning_rate": 0.8, "noise": 0.3, "start": "random"}
    one, other = (
        run("committee", "online", route, [0, 2], seeds=range(DRAWS), **values)
        for route in ("simulation", "chain")
    )
    for name, power in product(("R", "Q", "excess_risk"), (1, 2)):
        here, there = one[name].values ** power, other[name].values ** power
        error = np.sqrt((here.var(0, ddof=1) + there.var(0, ddof=1)) / DRAWS)
        gap = here.mean(0) - there.mean(0)
        assert within_errors(gap, np.zeros(gap.shape), error, degrees=2 * DRAWS - 2).agrees, (name, power)


@pytest.mark.parametrize("activation", UNITS)
def test_the_risk_is_the_mean_over_inputs(activation: str) -> None:
    """By plain averages over inputs, whose error is measured, and without a student by an integral in one."""
    values = {**ALL_AT_ONCE, "activation": activation}
    problem = PROBLEM.instance(**values)
    drawn, g = draw(problem, [0]), UNITS[activation][0]
    x = np.random.default_rng(1).standard_normal((50_000, 20)) / np.sqrt(20)
    outputs = (
        g(x @ drawn.student[0].T) @ problem.second_layer
        - g(x @ drawn.teacher[0].T) @ problem.teacher_second_layer
    )
    losses = outputs**2 / 2
    found = run("committee", "online", "simulation", [0.0], seeds=[0], **values)
    error = losses.std() / np.sqrt(len(losses))
    assert abs(found.excess_risk.item() - losses.mean()) < 4.5 * error
    assert found.generalisation_error.item() == pytest.approx(2 * found.excess_risk.item() + 0.09, rel=1e-14)


@pytest.mark.parametrize("activation", UNITS)
@pytest.mark.parametrize("size", [0.1, 1.0, 3.0])
def test_means_of_two_fields_are_integrals_over_one_field_where_they_are_equal(
    activation: str, size: float
) -> None:
    g = UNITS[activation][0]
    one = quad(
        lambda x: g(np.array(size * x)) ** 2 * np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi),
        *(-12, 12), points=[0], epsabs=1e-13,
    )[0]  # fmt: skip
    for sign in (1, -1):
        other = quad(
            lambda x, sign=sign: g(np.array(size * x)) * g(np.array(sign * 0.5 * size * x))
            * np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi), -12, 12, points=[0], epsabs=1e-13,
        )[0]  # fmt: skip
        means = measures._means(activation, [np.full(2, size), np.array([size, size / 2]),
                                             size**2 * np.array([1, sign / 2])])  # fmt: skip
        np.testing.assert_allclose(means, [one, other], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("size", [0.5, 2.0, 3.0, 5.0])
def test_the_sum_of_hermite_terms_misses_no_more_than_its_bound(size: float) -> None:
    """Means of two erf have a closed form; at size 3 and beyond the bound exceeds what may be neglected."""
    other, cosine = 0.8 * size, np.array([1.0, 0.99, 0.5, 0.0, -0.9, -1.0])
    pairs = np.stack([np.full(6, size), np.full(6, other), size * other * cosine])
    found, bound = measures._sums("erf", pairs)
    squares = (2 / np.pi * np.arcsin(each**2 / (1 + each**2)) for each in (size, other))
    exact = 2 / np.pi * np.arcsin(pairs[2] / np.sqrt((1 + size**2) * (1 + other**2)))
    assert np.all(abs(found - exact) <= np.sqrt(np.prod([*squares])) * bound + 1e-14)
    assert (bound[0] > measures.NEGLIGIBLE) == (size >= 3)


def test_no_sum_stands_for_a_function_that_changes_faster_than_its_points() -> None:
    wave = PROBLEM.instance(activation=lambda x: np.cos(45 * x)).activation
    measures.functions(wave)  # traced, as before training
    assert measures._sums(wave, np.ones((3, 1)))[1] > measures.NEGLIGIBLE
