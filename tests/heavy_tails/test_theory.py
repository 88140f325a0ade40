"""Second moments, finite sets and limits: closed forms, ends, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.problems.heavy_tails import PROBLEM, HeavyTails
from teacherstudent.theory.heavy_tails import exact, finite, limits, moments, transfer

UNEQUAL: dict[str, Any] = {"d": 5, "p": 2, "kappa": 3.0, "batch": 3, "noise": 0.7, "init": 0.4}


def problem(**values: Any) -> HeavyTails:
    found: HeavyTails = PROBLEM.instance(**values)
    return found


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
    with pytest.warns(UnconvergedWarning, match="excess risk is infinite from step size eta_var = "):
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
    assert any("no batch lengthens v: it is bounded, and has no tail" in str(each.message) for each in said)


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
