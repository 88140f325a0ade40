"""The simulations of random features, judged by plain loops, by hand and by quadrature."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import integrate

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.problems.random_features.data import draw
from teacherstudent.problems.random_features.parameters import COEFFICIENTS
from teacherstudent.sims.linear_students import outputs, training
from teacherstudent.sims.linear_students import ridge as regressing
from teacherstudent.sims.random_features import measures, simulation
from teacherstudent.sims.random_features.functions import moments, value
from teacherstudent.sims.random_features.sights import (
    TEST_FEATURES,
    TEST_LABELS,
    TRAINING_FEATURES,
    TRAINING_LABELS,
    Equivalent,
    Nonlinear,
    own,
)
from tests.random_features.plain import (
    CASES,
    EPS,
    PARTS,
    ROUNDED,
    ROUTES,
    SEEDS,
    STEPS,
    Plain,
    assert_same,
    by_scipy,
    instance,
)
from tests.support import say

EVERY = pytest.mark.parametrize("case", CASES)
FUNCTIONS = ("relu", "tanh", "erf", "sign", "linear", (0.3, 0.5, -0.2, 0.4))


# Functions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", FUNCTIONS, ids=str)
def test_functions_and_their_moments_are_those_of_scipy(function: Any) -> None:
    u = np.linspace(-9, 9, 61)
    wanted = by_scipy(function, u)
    assert_same(value(function, u), wanted, 100 * EPS * np.max(np.abs(wanted)), "recursions of four terms")

    def mean(of: Any) -> float:
        def weighed(u: float) -> float:
            return float((of(u) + of(-u)) * np.exp(-u * u / 2) / np.sqrt(2 * np.pi))

        return float(integrate.quad(weighed, 0, 30, limit=500, epsabs=1e-11, epsrel=1e-11)[0])

    found = moments(function)
    assert_same(found.mean, mean(lambda u: by_scipy(function, u)), 1e-10, "accuracy of the reference")
    assert_same(found.slope, mean(lambda u: u * by_scipy(function, u)), 1e-10, "accuracy of the reference")
    square = mean(lambda u: (by_scipy(function, u) - found.mean - found.slope * u) ** 2)
    assert_same(found.rest**2, square, 1e-10, "accuracy of the reference")


def test_the_moments_of_the_longest_polynomial_are_those_of_a_unit_vector() -> None:
    found = moments((0.0,) * (COEFFICIENTS - 1) + (1.0,))
    assert_same(found, [0.0, 0.0, 1.0], 1e4 * EPS, "recursions of 63 terms, at 160 nodes")


# A plain loop -------------------------------------------------------------------------------------------


@EVERY
@ROUTES
@pytest.mark.usefixtures("few")
def test_descent_is_the_plain_loop(route: Any, case: str) -> None:
    measured = route.descent(instance(**CASES[case]), STEPS, learning_rate="auto", seeds=SEEDS)
    for s, seed in enumerate(SEEDS):
        plain = Plain(route, case, seed)
        wanted = plain.observables(plain.weights(1 / np.linalg.norm(plain.phi, 2) ** 2))
        assert measured.keys() == wanted.keys()
        for name, values in wanted.items():
            assert_same(measured[name][s], values, 1e3 * EPS * max(1.0, np.max(np.abs(values))), ROUNDED)


def test_gaussian_features_and_labels_have_the_moments_of_the_nonlinear_ones() -> None:
    """On an input of length 1 both have the mean 0 and one covariance with u, the argument, over features."""
    problem = instance(n=1, width=40_000, d=1, activation="relu", teacher="tanh")
    rows, chance = draw(problem, [0]).features[0], np.random.default_rng(1)
    many = np.tile(rows, (2, 1))
    for sight in (Nonlinear(problem), Equivalent(problem)):
        seen = sight.features(np.ones((1, 1)), rows, chance)[0] * 200
        taught = sight.labels(many, np.ones(1), chance)
        for values, function in ((seen, "relu"), (taught, "tanh")):
            _, slope, rest = moments(function)
            u = many[: len(values), 0]
            assert mean_within_errors(values, 0.0).agrees
            assert mean_within_errors(values * u, slope).agrees
            assert mean_within_errors(values**2, slope**2 + rest**2).agrees
            assert not mean_within_errors(values**2, slope**2).agrees


# Draws and copies ---------------------------------------------------------------------------------------


@ROUTES
@pytest.mark.usefixtures("few")
def test_a_draw_is_answered_alone_as_among_others_and_differs_from_them(route: Any) -> None:
    problem = instance(**CASES["more features"])
    ask = {"learning_rate": 0.05, "observable": PARTS}
    together = route.descent(problem, STEPS, seeds=[5, *SEEDS], **ask)
    alone = route.descent(problem, STEPS, seeds=SEEDS[1:], **ask)
    for name, values in alone.items():
        assert_same(together[name][2:], values, 100 * EPS, "sums in another order")
    assert np.ptp(together["excess_risk"][:, 1]) > 1e-3


def test_what_gaussian_features_draw_is_drawn_once_for_each_use() -> None:
    two, blocks = range(2), range(measures.BLOCKS)
    uses = [
        *([TRAINING_LABELS, j] for j in two),
        *([TRAINING_FEATURES, i, j] for i, j in product(two, two)),
        *([TEST_LABELS, block] for block in blocks),
        *([TEST_FEATURES, i, block] for i, block in product(two, blocks)),
    ]
    drawn = [own(seed, *use).random() for seed, use in product(SEEDS, uses)]
    of_problem = [np.random.default_rng([*each]).random() for each in product(SEEDS, two, range(6))]
    assert len({*drawn, *of_problem}) == len(drawn) + len(of_problem)


@pytest.mark.usefixtures("few")
def test_examples_in_blocks_of_times_give_the_numbers_of_all_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = instance(**CASES["more samples"])
    ask: dict[str, Any] = {"learning_rate": 0.05, "seeds": SEEDS, "observable": PARTS}
    together = simulation.descent(problem, STEPS, **ask)
    monkeypatch.setattr(outputs, "AT_ONCE", 12 * 6)  # one time
    for name, values in simulation.descent(problem, STEPS, **ask).items():
        assert_same(values, together[name], 100 * EPS, "sums in another order")


@pytest.mark.usefixtures("few")
def test_gaussian_features_judge_the_limit_and_are_judged_by_nonlinear_ones() -> None:
    asked = ("curve", "random-features", "--d", "1", "--activation", "sign", "--noise", "0.3")
    asked += ("--seeds", "60", "--times", "1:30:2")

    def said(ratio: int, dynamics: str, pair: str) -> str:
        sizes = ("--psi1", str(ratio), "--psi2", str(ratio), "--dynamics", dynamics)
        lines = say(*asked, *sizes, "--route", pair).err.splitlines()
        return next(line for line in lines if line.startswith("training_error: "))

    agreeing = said(20, "ridge", "asymptotic,gaussian-equivalent")
    assert agreeing.startswith("training_error: gaussian-equivalent agrees with asymptotic: largest ")
    differing = said(20, "ridge", "simulation,gaussian-equivalent")  # one input has one direction only
    assert differing.startswith("training_error: simulation disagrees with gaussian-equivalent: largest ")
    assert differing.endswith("; gaussian-equivalent is approximate")
    few_samples = said(3, "descent", "asymptotic,gaussian-equivalent")  # each draw has a rate of its own
    assert "; gaussian-equivalent is approximate; asymptotic is the limit of infinite sizes" in few_samples


# Ridge --------------------------------------------------------------------------------------------------


@EVERY
@pytest.mark.usefixtures("few")
def test_ridge_is_the_least_squares_solution_of_the_damped_rows(case: str) -> None:
    problem, times = instance(**CASES[case]), np.array([0.3, 20.0])
    measured = simulation.ridge(problem, times, seeds=SEEDS)
    for s, seed in enumerate(SEEDS):
        plain = Plain(simulation, case, seed)
        solved = []
        for time in times:
            damping = np.sqrt(plain.ridge + 1 / time) * np.eye(len(plain.rows))
            rows = np.concatenate([plain.phi, damping])
            labels = np.concatenate([plain.y + plain.eps, np.zeros(len(damping))])
            solved.append(np.linalg.lstsq(rows, labels, rcond=None)[0])
        for name, values in plain.observables(np.array(solved)).items():
            bound = 1e4 * EPS * max(1.0, np.max(np.abs(values)))
            assert_same(measured[name][s], values, bound, "rounding times a condition below 1e3")


# What is not answered -----------------------------------------------------------------------------------


@pytest.mark.parametrize("observable", [None, PARTS])
@pytest.mark.usefixtures("few")
def test_diverging_descent_and_a_singular_ridge_are_nan_with_a_reason(observable: Any) -> None:
    problem = instance(n=9, width=8, d=3, activation="linear")
    ask: dict[str, Any] = {"seeds": SEEDS, "observable": observable}
    with pytest.warns(UnconvergedWarning, match=r"learning_rate 40: .* 2 of 2 draws"):
        diverged = simulation.descent(problem, np.array([0.0, 3.0, 5000.0]), learning_rate=40.0, **ask)
    for values in diverged.values():
        assert np.array_equal(np.isnan(values), [[False, True, True]] * 2)
    with pytest.warns(UnconvergedWarning, match="normal equations are singular"):
        singular = simulation.ridge(problem, np.array([1.0, 1e17]), **ask)
    assert np.array_equal(np.isnan(singular["excess_risk"]), [[False, True]] * 2)


@pytest.mark.usefixtures("few")
def test_other_values_and_seeds_of_a_shape_do_not_recompile() -> None:
    def ask(seeds: list[int], **values: float) -> None:
        problem = instance(**CASES["more samples"] | values)
        simulation.descent(problem, STEPS + 2000 + seeds[0], learning_rate=0.01, seeds=seeds)
        simulation.ridge(problem, STEPS[1:] + seeds[0], seeds=seeds)

    def programs() -> list[int]:
        compiled = (training._iterated, training._composed, regressing._solved)
        return [each.program._cache_size() for each in compiled]

    ask([1, 2])
    before = programs()
    ask([5, 6], noise=0.5, ridge=0.1, init=1.0)
    assert programs() == before
