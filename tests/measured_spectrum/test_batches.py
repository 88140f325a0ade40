"""Stochastic gradient descent on rows: what is fresh, what is tested, and kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teacherstudent.house.errors import InputError
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.problems.batches import FRESH, REPLACEMENT, RESHUFFLED
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.problems.measured_spectrum.data import draw
from teacherstudent.sims.linear_students.sgd import BatchSampler, rule, train_on_batches
from teacherstudent.sims.measured_spectrum.descent import descent
from teacherstudent.sims.measured_spectrum.fresh import population
from teacherstudent.sims.measured_spectrum.sgd import sgd

EPS = np.finfo(float).eps
SEEDS = [3, 8]
SOURCE = np.random.default_rng(5)
FEATURES = SOURCE.standard_normal((24, 7)) * np.geomspace(1, 0.2, 7) + 2.0
TARGETS = np.tanh(FEATURES[:, :2]) + 1.0
CENTRED = FEATURES - FEATURES.mean(axis=0)
ROWS: dict[str, Any] = {"features": FEATURES, "targets": TARGETS, "n": 15, "noise": 0.3}
GRAM = {**ROWS, "features": None, "gram": CENTRED @ CENTRED.T}
TIMES = np.array([0.0, 1.0, 4.0, 7.0])


def asked(
    given: dict[str, Any], data: str, times: np.ndarray = TIMES, batch: int = 2
) -> dict[str, np.ndarray]:
    given = {name: value for name, value in given.items() if value is not None}
    return sgd(PROBLEM.instance(**given), times, learning_rate=0.02, batch=batch, data=data, seeds=SEEDS)


def test_a_pass_over_a_pool_takes_each_drawn_row_once_in_its_order_and_tests_on_the_others() -> None:
    problem = PROBLEM.instance(**ROWS, init=0.4, ridge=0.1)
    found = asked({**ROWS, "init": 0.4, "ridge": 0.1}, FRESH)
    assert set(found) == {"generalisation_error"}
    draws, targets = draw(problem, SEEDS), TARGETS - TARGETS.mean(axis=0)
    assert draws.chosen is not None
    assert draws.initial is not None
    for i, chosen in enumerate(draws.chosen):
        w, errors = draws.initial[i], []
        held = np.setdiff1d(np.arange(24), chosen)
        for k in range(8):
            if k in TIMES:
                missed = CENTRED[held] @ w - targets[held]
                errors.append(np.sum(missed**2) / len(held) + 2 * 0.3**2)
            batch = slice(2 * k, 2 * k + 2)
            x, y = CENTRED[chosen[batch]], targets[chosen[batch]] + draws.noise[i, batch]
            w = w - 0.02 * (15 / 2 * x.T @ (x @ w - y) + 0.1 * w)
        verdict = within_bound(found["generalisation_error"][i] - errors, 1e3 * EPS, "a few dozen operations")
        assert verdict.agrees, verdict


@pytest.mark.parametrize(
    "data", [FRESH, *(pytest.param(each, marks=pytest.mark.thorough) for each in (REPLACEMENT, RESHUFFLED))]
)
def test_coefficients_of_a_kernel_are_students_of_its_features(data: str) -> None:
    """The kernel of linear features, on the same batches."""
    times = TIMES if data == FRESH else np.append(TIMES, 300.0)
    linear, kernel = (asked({**given, "ridge": 0.1}, data, times) for given in (ROWS, GRAM))
    for name, values in linear.items():
        assert within_bound(kernel[name] - values, 1e4 * EPS, "300 steps that enlarge no rounding").agrees


@pytest.mark.parametrize(
    "given",
    [
        pytest.param(ROWS, id="rows"),
        pytest.param(GRAM, id="kernel", marks=pytest.mark.thorough),
        pytest.param({"size": 9, "n": 15, "init": 0.2}, id="law"),
    ],
)
def test_a_batch_of_all_rows_is_gradient_descent(given: dict[str, Any]) -> None:
    own = asked(given, RESHUFFLED, batch=15)
    problem = PROBLEM.instance(**{name: value for name, value in given.items() if value is not None})
    full = descent(problem, TIMES, learning_rate=0.02, seeds=SEEDS)
    for name, values in full.items():
        assert within_bound(own[name] - values, 1e4 * EPS, "7 steps that enlarge no rounding").agrees


@pytest.mark.parametrize("given", [ROWS, GRAM], ids=["rows", "kernel"])
def test_new_rows_of_the_population_have_the_moments_of_the_pool(given: dict[str, Any]) -> None:
    """Features and targets together: those that are expressed, and the rest."""
    one = population(PROBLEM.instance(**{name: each for name, each in given.items() if each is not None}))
    targets = TARGETS - TARGETS.mean(axis=0)
    if one.directions is not None:
        features = one.strengths[:, None] * one.directions
        assert np.allclose(features.T @ features, CENTRED.T @ CENTRED / 24, rtol=0, atol=1e3 * EPS)
        assert np.allclose(features.T @ one.teacher, CENTRED.T @ targets / 24, rtol=0, atol=1e3 * EPS)
    powers = np.sort(one.strengths**2)[-7:]
    assert np.allclose(powers, np.linalg.eigvalsh(CENTRED.T @ CENTRED / 24), rtol=0, atol=1e3 * EPS)
    whole = one.teacher.T @ one.teacher + one.rest.T @ one.rest
    assert np.allclose(whole, targets.T @ targets / 24, rtol=0, atol=1e3 * EPS)
    best, *_ = np.linalg.lstsq(CENTRED, targets, rcond=None)
    left = targets - CENTRED @ best
    if given is ROWS:
        assert np.allclose(one.rest.T @ one.rest, left.T @ left / 24, rtol=0, atol=1e3 * EPS)


@pytest.mark.thorough
def test_causes_of_label_noise_add_up_as_they_are_given() -> None:
    """Students of strength 0 keep their start; those of strength 1 and rate 1 become the label times x."""
    noise = np.array([[1.0, 2.0], [0.0, 0.5], [0.3, 0.0]])
    law = BatchSampler(np.ones(1), np.zeros((4000, 1, 2)), noise)
    how = rule(4000, 1.0, 1, 1, 0.0)
    found = train_on_batches(law, np.zeros((4000, 1, 2)), how, np.ones(1), range(4000), batch=1, data=FRESH)[
        :, 0, 0
    ]
    second = np.mean(found[:, :, None] * found[:, None], axis=0)  # E[x^2] = 1
    error = np.std(found[:, :, None] * found[:, None], axis=0) / np.sqrt(4000)
    assert (np.abs(second - noise.T @ noise) < 5 * error).all()


def test_a_pass_that_is_over_is_refused_with_what_goes_on() -> None:
    line = (
        r"^--times 8: must be at most 7 with --data fresh, which uses each of the n = 15 rows only once; "
        "use --data reshuffled for more epochs, or --sampling population to draw new rows$"
    )
    with pytest.raises(InputError, match=line):
        asked(ROWS, FRESH, np.array([8.0]))
    for data in (FRESH, REPLACEMENT, RESHUFFLED):
        with pytest.raises(InputError, match=r"^--batch 16: must be at most n = 15"):
            asked(ROWS, data, batch=16)
    assert asked({**ROWS, "sampling": "population"}, FRESH, np.array([8.0]), batch=16)
