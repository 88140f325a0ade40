"""The simulation of stable noise: its variates by other means, its steps one by one, by hand."""

from __future__ import annotations

from functools import cache
from typing import Any

import jax
import numpy as np
import pytest
from scipy import stats

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.paper_checks.judging.agreement import mean_within_errors, within_bound
from teacherstudent.problems.stable_noise import PROBLEM
from teacherstudent.problems.stable_noise.data import examples
from teacherstudent.sims.stable_noise import exits
from teacherstudent.sims.stable_noise.exits import leaving
from teacherstudent.sims.stable_noise.gap import gap
from teacherstudent.sims.stable_noise.needs import fresh
from teacherstudent.sims.stable_noise.paths import variates
from teacherstudent.sims.stable_noise.relaxation import relaxation

instance = PROBLEM.instance

EPS = np.finfo(float).eps
SEEDS = [3, 8]
EVERY = [0.1, 0.7, 1.0, 1.5, 2.0]
OPTIONS: dict[str, Any] = {"relative_step": 0.5, "power": 0.4, "input_scale": 2.0, "walkers": 5}


@cache
def drawn(stability: float) -> np.ndarray:
    """Variates in 20 groups, (20, 1000)."""
    return np.asarray(variates(stability, jax.random.key(0), 20_000)).reshape(20, -1)


# Variates -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stability", EVERY[1:])
def test_variates_have_the_distribution_that_scipy_integrates(stability: float) -> None:
    law = {1.0: stats.cauchy(), 2.0: stats.norm(0, np.sqrt(2))}.get(
        stability, stats.levy_stable(stability, 0)
    )
    points = np.array([-2.0, 0.5, 4.0])
    below = (drawn(stability)[..., None] < points).mean(axis=1)
    assert mean_within_errors(below, law.cdf(points)).agrees


# Relaxation ---------------------------------------------------------------------------------------------


def test_paths_are_those_of_eulers_scheme_step_by_step() -> None:
    problem, step, walkers = instance(stability=1.2, drift=0.7, noise=1.3), 0.1, 6
    found = relaxation(problem, np.array([0.0, 0.33, 0.77]), step=step, walkers=walkers, seeds=SEEDS)
    for s, seed in enumerate(SEEDS):
        X, key, at = np.zeros(walkers), jax.random.key(seed), 0
        for t, count in enumerate((1, 3, 8)):  # the nearest step, and at least one
            for i in range(at, count):
                S = np.asarray(variates(1.2, jax.random.fold_in(key, i), walkers))
                X = X - 0.7 * step * X + 1.3 * step ** (1 / 1.2) * S
            at = count
            wanted = np.log(np.abs(X)).mean(), np.log(np.abs(X)).var(ddof=1), np.cos(X).mean()
            for name, value in zip(("mean_log", "variance_log", "characteristic"), wanted, strict=True):
                verdict = within_bound(found[name][s, t] - value, 200 * EPS * (1 + abs(value)), "8 steps")
                assert verdict.agrees, (name, verdict)


@pytest.mark.parametrize("stability", [0.1, 1.0, 2.0])
def test_the_ends_of_stability_are_answered_without_a_warning(stability: float) -> None:
    problem = instance(stability=stability)
    common: dict[str, Any] = {"walkers": 50, "seeds": SEEDS}
    found = relaxation(problem, np.array([1.0]), step=0.25, **common)
    found |= leaving(problem, np.array([0.5]), step=0.25, start=0.0, **common)
    found |= gap(problem, np.array([9]), **{**OPTIONS, **common, "power": stability / 4})
    assert len(found) == 7
    assert all(np.isfinite(values).all() for values in found.values())


# Exit ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stability", [1.0, 2.0])
def test_where_each_step_forgets_the_last_exits_come_after_a_geometric_number(stability: float) -> None:
    """At a h = 1, X after each step is scale S alone: an exit has the same chance each time."""
    step, radii = 0.5, np.array([0.5, 2.0])
    problem = instance(stability=stability, drift=2.0, noise=0.8)
    size = 0.8 * step ** (1 / stability)
    chance = 2 * {1.0: stats.cauchy(0, size), 2.0: stats.norm(0, np.sqrt(2) * size)}[stability].sf(radii)
    for walkers in (50, 150):  # fewer and more than there are lanes, and no multiple of their number
        found = leaving(problem, radii, step=step, start=0.0, walkers=walkers, seeds=range(24))["exit_time"]
        assert mean_within_errors(found, step / chance).agrees
        assert not mean_within_errors(found, 1.3 * step / chance).agrees


def test_exits_count_from_the_start_that_is_asked_for() -> None:
    """At a h = 3 and almost without noise X doubles, and changes its sign: -0.6 r, then 1.2 r."""
    problem = instance(stability=2.0, drift=30.0, noise=1e-9)
    for start, steps in ((0.3, 2), (-0.3, 2), (0.6, 1), (0.2, 3)):
        found = leaving(problem, np.array([1.0, 5.0]), step=0.1, start=start, walkers=50, seeds=SEEDS)
        np.testing.assert_allclose(found["exit_time"], 0.1 * steps, rtol=4 * EPS)


def test_a_path_that_does_not_leave_is_nan_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exits, "MOST_STEPS", 1000)
    with pytest.warns(
        UnconvergedWarning, match=r"^step 0.1: a path is still inside after 1000 steps; NaN in 2 of 2"
    ):
        found = leaving(
            instance(stability=2.0), np.array([0.1, 9.0]), step=0.1, start=0.0, walkers=50, seeds=SEEDS
        )["exit_time"]
    np.testing.assert_array_equal(np.isnan(found), [[False, True]] * 2)


# Generalisation -----------------------------------------------------------------------------------------


def test_losses_are_those_of_students_on_each_example() -> None:
    problem, counts = instance(stability=1.2, drift=0.6, noise=1.3), np.array([2, 7])
    found = gap(problem, counts, **OPTIONS, seeds=SEEDS)
    for s, seed in enumerate(SEEDS):
        x, key = examples(2.0, [seed], 7)[0], jax.random.key(seed)
        new = 2.0 * np.random.Generator(np.random.SFC64([seed, 1])).standard_normal(fresh(7))
        for t, n in enumerate(counts):
            h = 0.5 / (0.6 * np.mean(x[:n] ** 2))
            w = np.zeros(5)
            for i in range(40):  # 20 times of relaxation
                w = (
                    w
                    - 0.5 * w
                    + 1.3 * h ** (1 / 1.2) * np.asarray(variates(1.2, jax.random.fold_in(key, i), 5))
                )
            seen, unseen = (np.mean(np.abs(np.outer(w, each)) ** 0.4) for each in (x[:n], new))
            wanted = {"training_loss": seen, "population_loss": unseen, "generalisation_gap": unseen - seen}
            for name, value in wanted.items():
                verdict = within_bound(
                    found[name][s, t] - value, 1e4 * EPS * seen, "sums of 40 steps, of 4096"
                )
                assert verdict.agrees, (name, verdict)


# What holds for all -------------------------------------------------------------------------------------
