"""The law of one step in closed form or high precision, second moments, finite sets and limits."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.problems.heavy_tails import PROBLEM, HeavyTails
from teacherstudent.theory.heavy_tails import exact, finite, growth, limits, moments, transfer

problem = PROBLEM.instance


def of_one_strength(batch: int, d: int, **more: Any) -> HeavyTails:
    """Inputs of one strength."""
    found: HeavyTails = PROBLEM.instance(batch=batch, d=d, **more)
    return found


def stationary(learning_rate: float, batch: int, d: int, **more: Any) -> dict[str, float]:
    """The route's answer at one step size."""
    found = exact.stationary(of_one_strength(batch, d, **more), np.array([learning_rate]))
    return {name: float(values[0]) for name, values in found.items()}


def log_moment(learning_rate: float, batch: int, d: int, order: float) -> float:
    """The route's ln h."""
    times = np.array([order])
    return float(exact.orders(of_one_strength(batch, d), times, learning_rate=learning_rate)["log_growth"][0])


@pytest.mark.parametrize(
    ("c", "b", "d"), [(1.2, 1, 2), (0.9, 4, 8), (0.3, 200, 3), (0.01, 3, 500), (1.1, 10**6, 10**5)]
)
@pytest.mark.parametrize("order", [None, 0.7, 30.0])
def test_twice_as_many_nodes_change_nothing(
    c: float, b: int, d: int, order: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found() -> float:
        return exact.lyapunov(b, d, c) if order is None else log_moment(c, b, d, order)

    usual, nodes = found(), growth.of(c, b, d, exact.FEW).likely.size
    for name, value in (("PANEL", 1.3), ("ORDER", 24), ("STEP", 0.04), ("REACH", 3.4), ("MARGIN", 7.0)):
        monkeypatch.setattr(growth.chi, name, value)
    caches = (growth.of, growth.chi._legendre, growth.chi._double_exponential)
    for each in caches:
        each.cache_clear()
    finer, more = found(), growth.of(c, b, d, exact.FEW).likely.size
    for each in caches:
        each.cache_clear()
    assert more > 1.3 * nodes
    assert usual == pytest.approx(finer, rel=1e-12)


# In closed form --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("b", "d"), [(1, 1), (5, 1), (1, 5), (4, 10), (1, 100), (10**4, 10**4)])
def test_at_the_critical_step_size_the_index_is_two(b: int, d: int) -> None:
    with pytest.warns(UnconvergedWarning, match=r"infinite for step sizes >= eta_var = "):
        found = stationary(exact.critical_rate(b, d), b, d)
    assert found["tail_index"] == pytest.approx(2, abs=1e-10)
    assert math.isnan(found["excess_risk"])


def test_the_largest_step_sizes_of_one_input_rise_and_fall_with_the_batch() -> None:
    found = [exact.largest_rate(b, 1) for b in (1, 2, 3, 5, 10)]
    assert found == pytest.approx([2.42, 2.68, 2.70, 2.62, 2.43], abs=5e-3)
    assert exact.lyapunov(3, 1, found[2]) == pytest.approx(0, abs=1e-13)


@pytest.mark.parametrize(("d", "width"), [(1, 2.63), (3, 0.483), (10, 0.0794), (100, 0.00118)])
def test_the_window_of_infinite_variance_closes_with_the_dimension(d: int, width: float) -> None:
    assert exact.largest_rate(1, d) / exact.critical_rate(1, d) - 1 == pytest.approx(width, rel=6e-3)


# Monotony --------------------------------------------------------------------------------------------
@pytest.mark.filterwarnings("ignore::teacherstudent.house.errors.UnconvergedWarning")
def test_the_index_falls_with_step_size_and_dimension() -> None:
    for b in (1, 3, 8):
        for d in (1, 2, 5):
            largest = exact.largest_rate(b, d + 1)
            rates = largest * np.array([0.3, 0.5, 0.7, 0.9])
            here = exact.stationary(of_one_strength(b, d), rates)["tail_index"]
            there = exact.stationary(of_one_strength(b, d + 1), rates)["tail_index"]
            assert (np.diff(here) < 0).all()
            assert (there < here).all()


@pytest.mark.filterwarnings("ignore::teacherstudent.house.errors.UnconvergedWarning")
def test_the_index_grows_with_the_batch_only_where_it_is_at_least_one() -> None:
    found = {}
    for b, more in pairwise((1, 2, 4, 5, 6, 8)):
        for share in (0.2, 0.5, 0.9):
            rate = share * exact.largest_rate(b, 1)
            found[b, share] = [stationary(rate, each, 1)["tail_index"] for each in (b, more)]
    assert all(larger > least for least, larger in found.values() if least >= 1)
    assert found[5, 0.9] == pytest.approx([0.232, 0.220], abs=5e-4)


# Over steps ------------------------------------------------------------------------------------------
@pytest.mark.parametrize("learning_rate", [0.3, exact.critical_rate(2, 3), 0.9])
def test_the_excess_risk_follows_its_recursion(learning_rate: float) -> None:
    asked = of_one_strength(2, 3, noise=0.7, init=1.3)
    times = np.arange(0, 31)
    found = exact.sgd(asked, times, learning_rate=learning_rate)
    kept, square = 1 - 2 * learning_rate + learning_rate**2 * 3, 3 * 1.3**2
    for step in times:
        assert found["excess_risk"][step] == pytest.approx(square / 2, rel=1e-12)
        square = kept * square + learning_rate**2 * 0.7**2 * 3 / 2
    slope = exact.lyapunov(2, 3, learning_rate)
    np.testing.assert_allclose(found["log_separation"], times * slope, rtol=1e-14)


# What is not answered --------------------------------------------------------------------------------
@pytest.mark.parametrize(("order", "batch"), [(322, 20), (676, 20)])
def test_a_high_index_is_told(order: int, batch: int) -> None:
    """One input: the step size at which E (1 - eta X/b)^order = 1, X ~ chi2_b, summed over powers of X."""
    with mpmath.workdps(order):
        means = [mpmath.binomial(order, j) * (-2) ** j * mpmath.rf(batch / 2, j) for j in range(order + 1)]
        eta = mpmath.findroot(
            lambda eta: mpmath.log(mpmath.polyval(means[::-1], eta / batch)),
            (0.04, 0.12),
            solver="anderson",
            verify=False,
        )
    assert stationary(float(eta), batch, 1)["tail_index"] == pytest.approx(order, rel=1e-12)


UNEQUAL: dict[str, Any] = {"d": 5, "p": 2, "kappa": 3.0, "batch": 3, "noise": 0.7, "init": 0.4}


# Second moments -------------------------------------------------------------------------------------


def one_by_one(of: HeavyTails, eta: float, steps: int) -> np.ndarray:
    """The excess risk after 0 to so many steps, by the equations of E v_i^2 one step after the other."""
    lam = np.repeat(of.strengths, of.counts)
    x, found = np.full(of.d, of.init**2), []
    for _ in range(steps + 1):
        found.append(lam @ x / 2)
        kept = (1 - eta * lam) ** 2 + (eta * lam) ** 2 / of.batch
        x = kept * x + eta**2 / of.batch * lam * (lam @ x + of.noise**2)
    return np.array(found)


@pytest.mark.parametrize("eta", [1e-3, 0.3, 0.9])
@pytest.mark.parametrize("values", [UNEQUAL, {"scales": ((1, 1.0), (2, 3.0), (3, 0.2)), "batch": 1}])
def test_second_moments_are_those_of_steps_one_by_one(values: dict[str, Any], eta: float) -> None:
    of = problem(**values)
    found = moments.sgd(of, np.arange(8.0), learning_rate=eta)["excess_risk"]
    np.testing.assert_allclose(found, one_by_one(of, eta, 7), rtol=1e-12)


def test_the_end_is_that_of_many_steps_and_grows_without_bound_at_the_critical_step_size() -> None:
    of = problem(**UNEQUAL)
    critical = moments.critical_rate(of)
    rates = critical * np.array([0.3, 0.9, 1 - 1e-9])
    end = moments.stationary(of, rates)["excess_risk"]
    for eta, each in zip(rates[:2], end, strict=False):
        many = moments.sgd(of, np.array([1e6]), learning_rate=eta)["excess_risk"]
        assert many[0] == pytest.approx(each, rel=1e-10)
    assert end[2] > 1e6
    with pytest.warns(UnconvergedWarning, match="excess risk is infinite for step sizes >= eta_var = "):
        assert np.isnan(moments.stationary(of, np.array([critical]))["excess_risk"][0])


def test_equal_inputs_have_the_closed_critical_step_size() -> None:
    for batch, d in ((1, 1), (2, 3), (10**6, 10**5)):
        found = moments.critical_rate(problem(batch=batch, d=d))
        assert found == pytest.approx(exact.critical_rate(batch, d), rel=1e-14)


# Limits ---------------------------------------------------------------------------------------------
def test_changes_of_length_have_the_moments_that_quadrature_finds() -> None:
    eta = np.array([0.4])
    mean, variance = limits.changes(2, 3, eta)
    two, four = np.exp(
        exact.orders(problem(batch=2, d=3), np.array([2.0, 4.0]), learning_rate=0.4)["log_growth"]
    )
    assert mean[0] == pytest.approx(two - 1, rel=1e-12)
    assert variance[0] == pytest.approx(four - two**2, rel=1e-12)


# Finite sets ----------------------------------------------------------------------------------------
def test_one_example_lengthens_or_not() -> None:
    of = problem(d=1, batch=1, n=1)
    seeds = range(4)
    squares = np.array([finite.batches(of, seed)[0][0] for seed in seeds])
    with pytest.warns(UnconvergedWarning) as said:
        found = finite.stationary(of, np.array([0.5]), seeds=seeds)
    np.testing.assert_allclose(found["lyapunov"][:, 0], np.log(np.abs(1 - 0.5 * squares)), rtol=1e-12)
    assert np.all(np.isnan(found["tail_index"]))
    assert any("no batch lengthens v, so v is bounded" in str(each.message) for each in said)


@pytest.mark.filterwarnings("ignore:excess risk is infinite")
def test_many_examples_have_nearly_the_index_of_new_ones() -> None:
    """An index scatters by 4/sqrt(n) or so from draw to draw: the bound is three errors of 20 draws."""
    found = finite.stationary(problem(d=1, batch=1, n=5000), np.array([1.2]), seeds=range(20))["tail_index"]
    new = exact.stationary(problem(d=1, batch=1), np.array([1.2]))["tail_index"][0]
    assert found.mean() == pytest.approx(new, abs=0.04)


# Two strengths --------------------------------------------------------------------------------------
TWO: dict[str, Any] = {"d": 4, "p": 2, "kappa": 2.0, "batch": 2}


def second_moment(of: HeavyTails, eta: float) -> float:
    """ln h(2): the largest eigenvalue of what a step makes of E v_i^2."""
    lam = np.repeat(of.strengths, of.counts)
    kept = np.diag((1 - eta * lam) ** 2 + (eta * lam) ** 2 / of.batch)
    return float(np.log(np.linalg.eigvalsh(kept + eta**2 / of.batch * np.outer(lam, lam)).max()))


def test_the_second_moment_of_two_strengths_is_that_of_its_equations() -> None:
    found = transfer.orders(problem(**TWO), np.array([0.0, 2.0, 4.0]), learning_rate=0.5)["log_growth"]
    assert found[0] == 0
    assert found[1] == pytest.approx(second_moment(problem(**TWO), 0.5), rel=1e-11)
    assert found[2] > 2 * found[1]  # ln h is convex, and 0 at 0


def test_what_adds_nothing_to_the_operator_is_not_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs of beta and X, by their number; numbers stay the same."""
    pairs = []

    def counted(beta: np.ndarray, *rest: Any) -> np.ndarray:
        pairs.append(beta.size)
        return joint(beta, *rest)

    joint = transfer._joint
    monkeypatch.setattr(transfer, "_joint", counted)
    found, counts = [], []
    for share in (transfer.UNSEEN, 0.0):
        monkeypatch.setattr(transfer, "UNSEEN", share)
        steps = transfer.of.__wrapped__(0.3, 2, transfer.Blocks((1.6, 0.4), (1, 1)))
        found.append([steps.lyapunov(), steps.log_moment(1.5), steps.log_moment(11.0)])
        counts.append(sum(pairs))
        pairs.clear()
    np.testing.assert_allclose(*found, rtol=1e-12)
    assert counts[0] < 0.6 * counts[1]
