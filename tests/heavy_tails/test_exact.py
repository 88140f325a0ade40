"""Inputs of one strength: the law of one step in closed form where there is one, else in high precision."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import mpmath
import numpy as np
import pytest

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.problems.heavy_tails import PROBLEM, HeavyTails
from teacherstudent.theory.heavy_tails import exact, growth
from tests.heavy_tails.references import precise


def problem(batch: int, d: int, **more: Any) -> HeavyTails:
    """Inputs of one strength."""
    found: HeavyTails = PROBLEM.instance(batch=batch, d=d, **more)
    return found


def stationary(learning_rate: float, batch: int, d: int, **more: Any) -> dict[str, float]:
    """The route's answer at one step size."""
    found = exact.stationary(problem(batch, d, **more), np.array([learning_rate]))
    return {name: float(values[0]) for name, values in found.items()}


def log_moment(learning_rate: float, batch: int, d: int, order: float) -> float:
    """The route's ln h."""
    times = np.array([order])
    return float(exact.orders(problem(batch, d), times, learning_rate=learning_rate)["log_growth"][0])


# In high precision -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("c", "b", "d"), [(1.2, 1, 1), (0.3, 3, 1), (1.4, 9, 3)])
def test_the_quadrature_is_that_of_high_precision(c: float, b: int, d: int) -> None:
    assert exact.lyapunov(b, d, c) == pytest.approx(precise(c, b, d, None), rel=2e-13)
    assert log_moment(c, b, d, 7.3) == pytest.approx(precise(c, b, d, 7.3), rel=2e-13)


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

SIZES = [(0.3, 1, 1), (1.2, 1, 2), (0.5, 2, 3), (0.9, 4, 10), (0.4, 1000, 30), (1.0, 10**6, 10**6)]


@pytest.mark.parametrize(("c", "b", "d"), SIZES)
def test_even_orders_are_polynomials(c: float, b: int, d: int) -> None:
    k, m = c / b, [float(b)]
    for j in (2, 4, 6):
        m.append(m[-1] * (b + j))
    second = 1 - 2 * c + c**2 * (b + d + 1) / b
    fourth = 1 - 4 * k * m[0] + 6 * k**2 * m[1] - 4 * k**3 * m[2] + k**4 * m[3]
    fourth += 2 * (d - 1) * (k**2 * m[0] - 2 * k**3 * m[1] + k**4 * m[2]) + (d**2 - 1) * k**4 * m[1]
    assert math.exp(log_moment(c, b, d, 2.0)) == pytest.approx(second, rel=1e-12)
    assert math.exp(log_moment(c, b, d, 4.0)) == pytest.approx(fourth, rel=1e-9)  # cancels at large b


@pytest.mark.parametrize(("b", "d"), [(1, 1), (5, 1), (1, 5), (4, 10), (1, 100), (10**4, 10**4)])
def test_at_the_critical_step_size_the_index_is_two(b: int, d: int) -> None:
    with pytest.warns(UnconvergedWarning, match=r"infinite from step size eta_var = "):
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
            here = exact.stationary(problem(b, d), rates)["tail_index"]
            there = exact.stationary(problem(b, d + 1), rates)["tail_index"]
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
    asked = problem(2, 3, noise=0.7, init=1.3)
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
