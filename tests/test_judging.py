"""What all checks share says yes to what is right and no to what is not, whatever the system."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import sympy as sp
import xarray as xr

from teacherstudent.paper_checks.judging.agreement import (
    above_zero,
    at_order,
    at_rate,
    first_order,
    jackknife,
    mean_within_errors,
    none_wrong,
    quantile,
    shrinking_bias,
    within_bound,
    within_errors,
)
from teacherstudent.paper_checks.judging.claims import constant_claim, per_case, worst_case, worst_of
from teacherstudent.paper_checks.judging.draws import drawn_mean
from teacherstudent.paper_checks.judging.evidence import Verdict
from teacherstudent.paper_checks.judging.exactness import (
    EPS,
    FIXED_POINT,
    equal_after_steps,
    relatively_equal,
    within_operations,
)
from teacherstudent.paper_checks.judging.finite_size import (
    agree_beyond_bias,
    agree_extrapolated,
    agree_less_bias,
)
from teacherstudent.paper_checks.judging.symbols import expand_to_zero, vanish


def close(case: float, claim: float) -> Verdict:
    return within_bound(case - claim, 1.0, "a unit")


# Cases ----------------------------------------------------------------------------------------------


def test_a_claim_about_one_case_serves_a_list_of_them() -> None:
    @per_case
    def power(exponent: int, case: float, factor: float = 1.0) -> float:
        return factor * case**exponent

    assert power(2, [1.0, 3.0]) == [1.0, 9.0]
    assert power(2, [1.0, 3.0], factor=2.0) == [2.0, 18.0]
    assert constant_claim(4.0)([1.0, 3.0]) == 4.0


def test_the_worst_case_decides_and_all_stay_readable() -> None:
    judged = worst_case(close)([1.0, 2.0, 3.0], [1.0, 2.25, 3.5])
    assert (judged.statistic, judged.agrees) == (0.5, True)
    assert [part.statistic for part in judged.parts] == [0.0, 0.25, 0.5]
    assert not worst_case(close)([1.0, 2.0, 3.0], [1.0, 4.0, 3.5]).agrees


def test_cases_by_name_are_held_against_the_claim_of_their_name() -> None:
    judged = worst_case(close)({"a": 1.0, "b": 5.0}, {"b": 5.5, "a": 1.0})
    assert [part.statistic for part in judged.parts] == [0.0, 0.5]


@pytest.mark.parametrize(
    ("evidence", "claimed"), [([1.0], [1.0, 2.0]), ([1.0, 2.0], [1.0]), ({"a": 1.0}, {"a": 1.0, "b": 2.0})]
)
def test_a_case_without_a_claim_and_a_claim_without_a_case_are_refused(
    evidence: object, claimed: object
) -> None:
    with pytest.raises(ValueError, match=r"shorter|longer|claims about"):
        worst_case(close)(evidence, claimed)


def test_a_judge_may_yield_several_verdicts_for_a_case() -> None:
    def both(scale: float, case: float, claim: float) -> Iterator[Verdict]:
        yield close(case, claim)
        yield close(scale * case, claim)

    judged = worst_case(both)(3.0, [1.0, 1.0], [1.0, 1.5])
    assert [part.statistic for part in judged.parts] == [0.0, 2.0, 0.5, 1.5]
    assert worst_of(both)(3.0, 1.0, 1.5).statistic == 1.5


# Draws ----------------------------------------------------------------------------------------------


def test_the_mean_over_draws_has_the_standard_error_of_its_axis() -> None:
    sample = np.array([[1.0, 10.0], [3.0, 10.0], [5.0, 10.0], [7.0, 10.0]])
    drawn = drawn_mean(sample)
    np.testing.assert_array_equal(drawn.mean, [4.0, 10.0])
    np.testing.assert_allclose(drawn.stderr, [np.sqrt(20 / 3) / 2, 0.0], rtol=2 * EPS)
    assert (drawn.count, drawn.degrees) == (4, 3)
    across = drawn_mean(xr.DataArray(sample.T, dims=("point", "seed")), axis=1)
    np.testing.assert_array_equal(across.stderr, drawn.stderr)


def test_the_jackknife_of_a_mean_is_its_standard_error() -> None:
    sample = np.random.default_rng(2).normal(size=40)
    assert jackknife(np.mean, sample, 40) == pytest.approx(drawn_mean(sample).stderr, rel=1e-12)


def test_a_mean_is_judged_by_the_error_of_its_own_draws() -> None:
    sample = np.random.default_rng(1).standard_normal((200, 3))
    drawn = drawn_mean(sample)
    verdict = mean_within_errors(sample, 0.0)
    assert verdict == within_errors(drawn.mean, 0.0, drawn.stderr, degrees=199)
    assert verdict.agrees
    assert not mean_within_errors(sample, 2 * verdict.resolution).agrees
    assert mean_within_errors(sample, 2 * verdict.resolution, bias=2 * verdict.resolution).agrees


def test_means_are_above_zero_only_for_sure_and_below_only_for_sure() -> None:
    """What too few draws leave open is neither agreed nor refuted."""
    noise = np.random.default_rng(2).standard_normal(50)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    bar = quantile(2, 49) / np.sqrt(50)

    def judged(*means: float) -> Verdict:
        return above_zero(np.array(means)[:, None] + noise, "input")

    assert judged(1.01 * bar, 2 * bar).agrees
    np.testing.assert_allclose(judged(1.01 * bar, 2 * bar).resolution, bar, rtol=100 * EPS)
    assert judged(2 * bar, -1.01 * bar).refutes
    for open_still in (judged(2 * bar, 0.99 * bar), judged(0.0, 2 * bar), judged(2 * bar, -0.99 * bar)):
        assert np.isnan(open_still.statistic)
        assert "too noisy" in open_still.reason
    assert judged(0.99 * bar, -1.01 * bar).refutes
    assert not above_zero(np.zeros((1, 5)), "input").agrees


# Orders ---------------------------------------------------------------------------------------------

RATES = (0.08, 0.04, 0.02, 0.01)


def test_an_error_in_proportion_to_the_rate_is_of_first_order_and_its_square_is_not() -> None:
    exact = np.array([1.0, 2.0])
    assert first_order({rate: exact * (1 + rate) for rate in RATES}, exact, curvature=1.0).agrees
    assert first_order({rate: exact * (1 + rate**2) for rate in RATES}, exact, curvature=1.0).refutes


def test_the_curvature_sets_how_far_the_slope_may_bend() -> None:
    found = {rate: np.array([rate + 2 * rate**2]) for rate in RATES}
    assert first_order(found, 0.0, curvature=3.0).agrees
    assert first_order(found, 0.0, curvature=0.1).refutes


def test_an_order_is_told_from_the_next() -> None:
    errors = np.array(RATES) ** 3
    assert at_order(RATES, errors, 3).agrees
    assert at_order(RATES, errors, 2).refutes
    assert at_order(RATES, errors, 4).refutes
    assert at_order(RATES, [0.0, *errors[1:]], 3).refutes


@pytest.mark.parametrize("order", [1, 2])
def test_an_error_of_the_next_order_is_allowed_for_and_one_that_stays_is_not(order: int) -> None:
    """The first bends the order by less, the smaller the sizes, the other by more."""
    rates, sizes = np.array(RATES), 1 / np.array(RATES)
    right = rates**order
    assert at_order(rates, right * (1 + 4 * rates), order).agrees
    assert at_order(sizes, right * (1 + 4 * rates), -order).agrees
    assert at_order(rates, right + 0.3 * right[-1], order).refutes
    assert at_order(sizes, right + 0.3 * right[-1], -order).refutes


def test_a_rate_says_which_lasting_error_it_would_see() -> None:
    """An error that stays at every size bends the slope by as much as is allowed, to first order."""
    sizes = np.array([10.0, 20.0, 40.0, 80.0])
    errors, slack = 1e-3 / sizes, 0.01
    lasting = float(at_rate(sizes, errors, -1, slack=slack).unit.split()[2])
    assert at_rate(sizes, errors + 0.8 * lasting, -1, slack=slack).agrees
    assert at_rate(sizes, errors + 1.3 * lasting, -1, slack=slack).refutes


def test_one_contradiction_is_enough() -> None:
    assert none_wrong(0, 10, "wrong signs", "points").agrees
    one = none_wrong(np.int64(1), 10, "wrong signs", "points")
    assert one.refutes
    assert one.resolution == 1


# Exactness ------------------------------------------------------------------------------------------


def test_relative_equality_counts_against_the_largest_entry() -> None:
    found = np.array([1e-3, 100.0])
    assert relatively_equal(found, found + 50 * FIXED_POINT).agrees
    assert relatively_equal(found, found + 200 * FIXED_POINT).refutes
    assert relatively_equal(found, found + 200 * FIXED_POINT, 1e-6, "a solver's tolerance").agrees


def test_the_rounding_of_steps_grows_with_steps_entries_and_weights() -> None:
    weights = np.array([[2.0, -1.0]])
    bound = 10 * 3 * EPS * 2
    assert equal_after_steps(weights, weights + 0.9 * bound, 10, 3).agrees
    assert equal_after_steps(weights, weights + 2.5 * bound, 10, 3).refutes
    single = weights.astype(np.float32)
    assert equal_after_steps(single, weights + 2.5 * bound, 10, 3, eps=float(np.finfo(np.float32).eps)).agrees


def test_each_step_is_held_to_the_rounding_of_the_steps_before_it() -> None:
    weights, steps = np.ones((2, 4)), np.array([1.0, 100.0])[:, None]
    off = np.array([1.0, 50.0])[:, None] * EPS
    assert equal_after_steps(weights, weights + off, steps, 1).agrees
    assert equal_after_steps(weights, weights + off[::-1], steps, 1).refutes


def test_the_rounding_of_operations_is_a_dozen_and_one_an_entry() -> None:
    assert within_operations(31 * EPS, 20).agrees
    assert within_operations(33 * EPS, 20).refutes
    assert within_operations(33 * EPS, 20, 2).agrees


# Finite size ----------------------------------------------------------------------------------------


def drawn_bias(amplitude: float, seed: int = 3) -> dict[int, np.ndarray]:
    """Draws about 1 + amplitude/size, (S, 2), by size."""
    random = np.random.default_rng(seed)
    return {
        size: 1 + amplitude / size + random.standard_normal((count, 2)) / size
        for size, count in {10: 4000, 20: 4000, 40: 4000, 160: 400}.items()
    }


def test_the_exponent_of_a_bias_is_judged_by_students_law_of_its_jackknife() -> None:
    samples = drawn_bias(1.0)
    sizes = [10, 20, 40]
    found = shrinking_bias(sizes, [samples[size] - 1 for size in sizes], -1, groups=20)
    assert found.degrees == 19
    assert found.verdict(-1).threshold == quantile(1, 19) * found.exponent_stderr
    assert quantile(1, 19) > 1.2 * quantile(1)


def next_order(amplitude: float) -> dict[int, np.ndarray]:
    """Draws, (S, 2), whose mean is off by 1/size + amplitude/size^2."""
    return {size: sample + amplitude / size**2 for size, sample in drawn_bias(1.0).items()}


def test_where_powers_are_whole_the_next_order_may_show_but_not_be_the_first() -> None:
    shown = next_order(6.0)
    assert not agree_beyond_bias(shown, np.ones(2)).agrees
    assert agree_beyond_bias(shown, np.ones(2), whole=True).agrees
    second = {size: sample - 1 / size + 20 / size**2 for size, sample in drawn_bias(1.0).items()}
    assert agree_beyond_bias(second, np.ones(2), whole=True).refutes
    assert agree_beyond_bias(shown, np.full(2, 1.05), whole=True).refutes


def test_a_whole_power_is_not_told_from_draws_that_are_too_few() -> None:
    few = {size: sample[:60] for size, sample in drawn_bias(0.3).items()}
    verdict = agree_beyond_bias(few, np.ones(2), whole=True)
    assert not verdict.agrees
    assert not verdict.refutes


def test_means_of_two_sizes_are_extrapolated_to_infinite_size() -> None:
    def drawn(bias: float) -> np.ndarray:
        return np.random.default_rng(3).normal(bias, 0.01, size=(400, 2))

    assert agree_extrapolated({40: drawn(0.2), 80: drawn(0.1)}, np.zeros(2)).agrees
    assert agree_extrapolated({40: drawn(0.1), 80: drawn(0.1)}, np.zeros(2)).refutes


def test_a_verdict_on_an_exponent_says_what_the_means_would_have_shown() -> None:
    samples = drawn_bias(1.0)
    right = agree_beyond_bias(samples, np.ones(2))
    assert right.agrees
    wrong = agree_beyond_bias(samples, np.full(2, 1.05))
    assert wrong.refutes
    exponent = next(part for part in right.parts if part.unit.startswith("exponent"))
    assert exponent.unit.endswith("at the largest size")


# Symbols --------------------------------------------------------------------------------------------


def test_a_residual_agrees_only_where_it_is_zero() -> None:
    x = sp.Symbol("x")
    hidden, left = sp.sin(x) ** 2 + sp.cos(x) ** 2 - 1, (x + 1) ** 2 - x**2 - 2 * x
    assert vanish(None, [hidden, left - 1]).agrees
    assert vanish(None, [hidden, left]).refutes
    assert vanish(None, [left, left]).statistic == 2
    assert expand_to_zero(None, [left - 1]).agrees
    assert expand_to_zero(None, [left]).refutes


@pytest.mark.parametrize(("at_third", "agrees"), [(1.0, True), (1.3, False)])
def test_a_third_size_is_the_limit_less_the_bias_that_two_show(at_third: float, agrees: bool) -> None:
    rng = np.random.default_rng(5)
    samples = {d: 1 + 3 / d + 0.01 * rng.standard_normal((200, 2)) for d in (10, 20, 40)}
    samples[40] = samples[40] * at_third
    assert agree_less_bias(samples, np.ones(2)).agrees == agrees
