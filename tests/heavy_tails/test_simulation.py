"""The simulations of SGD with a fixed step: the steps as stated, their ends, estimators of a tail index."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy import stats
from scipy.integrate import quad

from teacherstudent.figures.heavy_tails import setting
from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.problems.heavy_tails import PROBLEM
from teacherstudent.problems.heavy_tails.data import apart, rows, start
from teacherstudent.sims.heavy_tails import growth
from teacherstudent.sims.heavy_tails.batches import Batches, spread, subsets
from teacherstudent.sims.heavy_tails.chains import between, pieces
from teacherstudent.sims.heavy_tails.estimators import Estimate, hill, rank, stable
from teacherstudent.sims.heavy_tails.growth import of_steps
from tests.roundings import copied

of = PROBLEM.instance

LEVEL = 1e-6
"""How often a right law fails its test."""
UNEQUAL: dict[str, Any] = {"d": 4, "p": 2, "kappa": 2.0, "batch": 3, "noise": 0.7, "init": 0.4}
FINITE: dict[str, Any] = {"d": 2, "batch": 3, "n": 7, "noise": 0.7, "init": 0.4}
ONE: dict[str, Any] = {"d": 1, "batch": 1, "n": 1}
"""One example: a step is a factor."""


def ask(dynamics: str, times: Any, seeds: Any = (0, 1), **values: Any) -> xr.Dataset:
    return run("heavy-tails", dynamics, "simulation", times, seeds=seeds, **values)


def factor(seed: int, rate: float) -> float:
    """1 - eta a^2 of the only example."""
    return float(1 - rate * rows(of(**ONE), [seed]).inputs[0, 0, 0] ** 2)


# Steps ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("values", [UNEQUAL, FINITE], ids=["new examples", "finite set"])
def test_students_take_the_steps_that_the_problem_states(values: dict[str, Any]) -> None:
    """Two students of the same batches, line by line, while their difference keeps its digits."""
    problem, rate, recorded = of(**values), 0.3, [0, 1, 7, 8, 20]
    found = ask("sgd", recorded, seeds=(3, 5), learning_rate=rate, **values)
    for seed in (3, 5):
        batches = Batches(problem, seed, 0, 1)
        batches.draw()
        v = start(problem, [seed])[0]
        other = v + apart(problem, [seed])[0]
        for k in range(recorded[-1] + 1):
            if k in recorded:
                seen = found.sel(seed=seed, time=k)
                np.testing.assert_allclose(
                    seen.excess_risk, np.sum(spread(problem) ** 2 * v**2) / 2, rtol=1e-11
                )
                np.testing.assert_allclose(seen.log_separation, np.log(np.linalg.norm(v - other)), atol=1e-9)
            a, xi = batches.inputs[k, :, :, 0], batches.noise[k, :, 0]
            v, other = (w - rate / problem.batch * a.T @ (a @ w - xi) for w in (v, other))


def test_new_examples_have_the_law_that_the_problem_states() -> None:
    problem = of(**UNEQUAL)
    blocks = [Batches(problem, seed, block, 50) for seed, block in ((0, 0), (0, 1), (1, 0))]
    for each in blocks:
        each.draw()
        strong, weak = each.inputs[:, :, :2], each.inputs[:, :, 2:]
        for part, variance in ((strong, 1.6), (weak, 0.4), (each.noise, 0.49)):
            assert stats.kstest(part.ravel() / np.sqrt(variance), "norm").pvalue > LEVEL
            assert stats.kstest(part.ravel() / np.sqrt(1.2 * variance), "norm").pvalue < LEVEL
        assert stats.pearsonr(each.inputs[:, :, 0].ravel(), each.noise.ravel()).pvalue > LEVEL
    for one, other in combinations(blocks, 2):
        assert stats.pearsonr(one.inputs.ravel(), other.inputs.ravel()).pvalue > LEVEL
        assert stats.pearsonr(one.noise.ravel(), other.noise.ravel()).pvalue > LEVEL


def test_batches_of_a_finite_set_are_all_its_subsets_equally_often() -> None:
    drawn = np.sort(subsets(np.random.default_rng(0), 5, (100, 3, 200)), axis=1)
    sets, counts = np.unique(np.moveaxis(drawn, 1, 2).reshape(-1, 3), axis=0, return_counts=True)
    assert [tuple(each) for each in sets.tolist()] == [*combinations(range(5), 3)]
    assert stats.chisquare(counts).pvalue > LEVEL


def test_batches_of_a_finite_set_are_its_examples() -> None:
    problem = of(**FINITE)
    batches, known = Batches(problem, 4, 0, 2), rows(problem, [4])
    batches.draw()
    for a, xi in zip(
        np.moveaxis(batches.inputs[:9], -1, 1), np.moveaxis(batches.noise[:9], -1, 1), strict=True
    ):
        for inputs, noise in zip(a, xi, strict=True):
            places = [known.noise[0].tolist().index(each) for each in noise]
            assert len(set(places)) == problem.batch
            assert copied(inputs, known.inputs[0, places])


def test_steps_stop_at_their_marks() -> None:
    for marks in ([3], [0, 4], [1, 2, 9], [4, 8], [12]):
        found = [each for begin, end in pieces(marks[-1], 4) for each in between(begin, end, marks)]
        assert [step for first, last, _ in found for step in range(first, last)] == [*range(marks[-1])]
        assert [int(last) for _, last, mark in found if mark] == [mark for mark in marks if mark]


# Ends -----------------------------------------------------------------------------------------------
def test_one_example_makes_a_product_of_equal_factors() -> None:
    rate, seeds, steps = 0.3, [0, 2, 3], np.array([0, 1, 9, 100])
    logs = np.array([np.log(abs(factor(seed, rate))) for seed in seeds])
    assert np.all(logs < -1e-3)
    separation = ask("sgd", steps, seeds, learning_rate=rate, **ONE).log_separation
    np.testing.assert_allclose(separation, logs[:, None] * steps, rtol=1e-11, atol=1e-14)
    orders = np.array([0.0, 0.5, 3.0])
    grown = ask("orders", orders, seeds, learning_rate=rate, chains=100, factors=5, **ONE).log_growth
    np.testing.assert_allclose(grown, logs[:, None] * orders, rtol=1e-11, atol=1e-14)
    with pytest.warns(UnconvergedWarning, match="tail index is above 300; NaN in 3 of 3 draws"):
        end = ask("stationary", [rate], seeds, chains=20, burn_in=20000, **ONE)
    np.testing.assert_allclose(end.lyapunov[:, 0], logs, rtol=1e-11)
    drawn = rows(of(**ONE), seeds)
    squares = (drawn.noise / drawn.inputs[..., 0])[:, 0] ** 2 / 2
    np.testing.assert_allclose(end.excess_risk[:, 0], squares, rtol=1e-9)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::teacherstudent.house.errors.UnconvergedWarning")
def test_full_batches_and_small_steps_lead_to_least_squares() -> None:
    """The distance of small steps on parts of the set falls with the step size."""
    values = {**FINITE, "n": 12, "p": 1, "kappa": 2.0}
    drawn = rows(of(**values), [0, 1])
    found = [np.linalg.lstsq(a, xi)[0] for a, xi in zip(drawn.inputs, drawn.noise, strict=True)]
    risk = np.sum(spread(of(**values)) ** 2 * np.square(found), axis=1) / 2
    whole = ask("stationary", [0.2], chains=20, burn_in=1000, **{**values, "batch": 12})
    np.testing.assert_allclose(whole.excess_risk[:, 0], risk, rtol=1e-9)
    parts = ask("stationary", [0.01, 0.03, 0.09], chains=50, **values).excess_risk.mean("seed").values
    away = np.abs(parts - risk.mean())
    assert away[0] < away[1] < away[2]
    assert away[0] < 0.1 * away[2]


# Tail index -----------------------------------------------------------------------------------------
HEAVY: dict[str, Any] = {"d": 1, "batch": 1, "chains": 2000, "top": 20, "seeds": range(16)}


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore:the estimated tail index is significantly below 2")
def test_three_estimators_tell_one_index() -> None:
    """Of sizes, and of steps alone. Where the tail is heavy sizes are a power law from small ones on."""
    by = {name: ask("stationary", [1.2], estimator=name, **HEAVY).tail_index for name in ("hill", "rank")}
    grown = ask("stationary", [1.2], estimator="growth", **{**HEAVY, "seeds": range(16, 20)}).tail_index
    for found in by.values():
        assert mean_within_errors(found.values[:, 0], float(grown.mean())).agrees
        assert not mean_within_errors(found.values[:, 0], 2 * float(grown.mean())).agrees


def test_the_index_is_the_order_at_which_the_kept_growths_have_mean_one() -> None:
    question = of(d=1, batch=1), 3, 1.2, 500, 50
    found = growth.index(*question, 300.0).tail_index
    near = found * (1 + 2 * growth.CLOSE * np.array([-1, 1]))
    below, above = growth.growth(*question)(near)
    assert below.log < 0 < above.log


def test_a_population_grows_as_a_plain_mean_where_directions_are_alike() -> None:
    """At an order at which directions are drawn anew again and again."""
    problem, order = of(d=3, batch=2), np.array([2.0])
    difference = []
    for seed in range(12):
        (plain,) = growth.growth(problem, seed, 0.6, 400, 80)(order)
        (population,) = growth.of_population(problem, 100 + seed, 0.6, 400, 80, order)
        assert population.effective < 200
        difference.append(population.log - plain.log)
    assert mean_within_errors(np.array(difference), 0.0, bias=1 / 200).agrees
    assert not mean_within_errors(np.array(difference) + 0.1, 0.0, bias=1 / 200).agrees


def test_moments_of_one_input_are_means_over_its_examples() -> None:
    values: dict[str, Any] = {"d": 1, "batch": 1, "n": 12}
    orders = np.array([0.5, 2.0])
    factors = np.abs(1 - 0.7 * rows(of(**values), range(8)).inputs[..., 0] ** 2)
    expected = np.log(np.mean(factors[:, :, None] ** orders, axis=1))
    found = ask("orders", orders, range(8), learning_rate=0.7, chains=400, **values).log_growth.values
    assert mean_within_errors(found - expected, 0.0).agrees
    assert not mean_within_errors(found - expected - 0.05, 0.0).agrees


ALPHA, DRAWS, NUMBER, TOP = 1.7, 400, 5000, 200
SHAPE = 1e-6
"""How often a right standard error fails its test."""


def told(estimator: Callable[[np.random.Generator], Estimate]) -> tuple[np.ndarray, np.ndarray]:
    """Indices and standard errors, (DRAWS,), of independent draws."""
    found = [estimator(np.random.default_rng([7, draw])) for draw in range(DRAWS)]
    return np.array([each.tail_index for each in found]), np.array([each.error for each in found])


def log_pareto(random: np.random.Generator) -> np.ndarray:
    """ln X, P(X > t) = t^-alpha, t >= 1."""
    return random.exponential(1 / ALPHA, NUMBER)


def spread_is(indices: np.ndarray, errors: np.ndarray) -> bool:
    """Whether the indices scatter as the standard errors say: the law of a variance."""
    square = stats.chi2(DRAWS - 1)
    ratio = (DRAWS - 1) * np.var(indices, ddof=1) / np.mean(errors**2)
    return bool(square.ppf(SHAPE / 2) < ratio < square.isf(SHAPE / 2))


def test_hill_is_exact_for_exact_powers() -> None:
    indices, errors = told(lambda random: hill(log_pareto(random), TOP))
    assert mean_within_errors(indices, ALPHA).agrees
    assert not mean_within_errors(indices, ALPHA * 1.05).agrees
    assert spread_is(indices, errors)
    assert not spread_is(indices, 1.3 * errors)


def test_the_slope_of_ranks_is_right_for_exact_powers_to_its_own_order() -> None:
    indices, errors = told(lambda random: rank(log_pareto(random), TOP))
    assert mean_within_errors(indices, ALPHA, bias=ALPHA * (np.log(TOP) / TOP) ** 2).agrees
    assert not mean_within_errors(indices, ALPHA * 1.05, bias=ALPHA * (np.log(TOP) / TOP) ** 2).agrees
    assert spread_is(indices, errors)


def test_a_shift_of_sizes_gives_hill_the_bias_of_its_largest_sizes() -> None:
    """X - 1 has the tail (1 + t)^-alpha: above a size t the mean of ln(X/t) is an integral over its law."""
    indices, _ = told(lambda random: hill(np.log(np.expm1(log_pareto(random))), TOP))
    last = (TOP / NUMBER) ** (-1 / ALPHA) - 1
    excess, _ = quad(lambda y: ((1 + last) / (1 + last * np.exp(y))) ** ALPHA, 0, 40)
    assert mean_within_errors(indices, 1 / excess, bias=ALPHA / TOP).agrees
    assert not mean_within_errors(indices, ALPHA, bias=ALPHA / TOP).agrees


def stable_draws(alpha: float, random: np.random.Generator, d: int) -> np.ndarray:
    """Vectors of a law that is stable in every direction: normal ones of a random, stable, variance."""
    if alpha == 2:
        return random.standard_normal((NUMBER, d))
    half = stats.levy_stable.rvs(alpha / 2, 1, size=NUMBER, random_state=random)
    return np.sqrt(half)[:, None] * random.standard_normal((NUMBER, d))


@pytest.mark.parametrize(("alpha", "d"), [(0.8, 1), (1.7, 3)])
def test_block_sums_tell_the_index_of_stable_vectors(alpha: float, d: int) -> None:
    """1/alpha has no bias; the index has the bias alpha error^2 of a reciprocal, at most the bound here."""
    indices, errors = told(lambda random: stable(stable_draws(alpha, random, d), np.zeros(NUMBER)))
    assert mean_within_errors(1 / indices, 1 / alpha).agrees
    assert not mean_within_errors(1 / indices, 1 / (1.02 * alpha)).agrees
    assert spread_is(indices, errors)


def test_block_sums_miss_the_index_of_what_is_not_stable() -> None:
    """Of the published estimator: of Student's law, whose index is 5, it tells about 2."""
    draws = np.random.default_rng(8).standard_t(5, (NUMBER, 1))
    found = stable(draws, np.zeros(NUMBER))
    assert found.tail_index + 6 * found.error < 3.5


def test_sizes_beyond_the_range_of_numbers_are_told_by_their_logarithms() -> None:
    random = np.random.default_rng(9)
    vectors, logs = random.standard_normal((NUMBER, 2)), log_pareto(random)
    whole = stable(vectors * np.exp(logs)[:, None], np.zeros(NUMBER))
    np.testing.assert_allclose(stable(vectors, logs), whole, rtol=1e-10)
    np.testing.assert_allclose(stable(vectors, logs + 3000), whole, rtol=1e-8)
    np.testing.assert_allclose(hill(logs + 3000, TOP), hill(logs, TOP), rtol=1e-8)
    np.testing.assert_allclose(rank(logs + 3000, TOP), rank(logs, TOP), rtol=1e-8)


def test_equal_sizes_have_no_tail() -> None:
    assert hill(np.ones(50), 10).tail_index == np.inf
    assert rank(np.ones(50), 10).tail_index == np.inf


def test_moments_of_growths_are_plain_means_and_say_what_they_hang_on() -> None:
    logs = np.log([0.5, 1.0, 2.0, 4.0])
    found = of_steps(logs, np.array([0.0, 2.0, 2000.0]))
    np.testing.assert_allclose([each.log for each in found[:2]], np.log([1.0, 21.25 / 4]), rtol=1e-14)
    np.testing.assert_allclose(found[2].log, 2000 * np.log(4) - np.log(4), rtol=1e-14)
    expected = [4.0, 21.25**2 / (1 / 16 + 1 + 16 + 256), 1.0]
    np.testing.assert_allclose([each.effective for each in found], expected, rtol=1e-14)


def test_a_place_where_a_draw_tells_nothing_has_no_mean() -> None:
    drawn = np.array([[1.0, np.nan], [2.0, 2.1], [3.0, 2.2]])
    found = setting.compared(np.array([2.5, 2.0]), drawn, "eta", [0.1, 0.2], setting.STEP)
    assert found["index"].values[0] == 2.0
    np.testing.assert_allclose(found["index_stderr"].values[0], 1 / np.sqrt(3), rtol=1e-15)
    np.testing.assert_allclose(found["z"].values[0], -np.sqrt(3) / 2, rtol=1e-15)
    for name in ("index", "index_stderr", "z"):
        assert np.isnan(found[name].values[1])
