"""Estimators of a tail index where the answer is known: exact powers, shifted ones, stable laws."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from scipy.integrate import quad

from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.sims.heavy_tails.estimators import Estimate, hill, rank, stable
from teacherstudent.sims.heavy_tails.growth import of_steps

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
