"""Parts that simulations measure, against sixteen plain students and by hand."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.problems.random_features import PROBLEM
from teacherstudent.sims.random_features import gaussian_equivalent, simulation
from tests.judged import assert_same
from tests.random_features.plain import (
    CASES,
    EPS,
    PARTS,
    ROUNDED,
    ROUTES,
    SEEDS,
    STEPS,
    Plain,
    instance,
)


def products(plain: dict[tuple[int, int], Plain], *shares: float) -> list[np.ndarray]:
    """Half the mean products of what students miss that share both draws, features, samples, or none.

    shares: of clean labels, of label noise and of first weights that they are trained with.
    """
    missed = {
        place: shares[0] * each.truth - each.weights(0.05, *shares) @ each.tested.T
        for place, each in plain.items()
    }
    found = []
    for shared in product((True, False), repeat=2):
        pairs = [
            np.mean(missed[one] * missed[other], axis=1) / 2
            for one, other in product(missed, repeat=2)
            if (one[0] == other[0], one[1] == other[1]) == shared
        ]
        found.append(np.sum(pairs, axis=0) / 4)
    return found


@ROUTES
@pytest.mark.parametrize("case", ["more samples", "more features"])
@pytest.mark.usefixtures("few")
def test_parts_are_means_over_students_that_share_some_of_the_draws(route: Any, case: str) -> None:
    """By sixteen students and their products, one by one; the parts add up in every draw."""
    measured = route.descent(
        instance(**CASES[case]), STEPS, learning_rate=0.05, seeds=SEEDS, observable=PARTS
    )
    for s, seed in enumerate(SEEDS):
        plain = {(i, j): Plain(route, case, seed, i, j) for i, j in product((0, 1), repeat=2)}
        students = [
            each.observables(each.weights(0.05, noise=noise, start=start), noise)
            for each in plain.values()
            for noise, start in product((1.0, -1.0), repeat=2)
        ]
        wanted = {name: np.mean([each[name] for each in students], axis=0) for name in students[0]}

        whole, by_features, by_samples, none = products(plain, 1, 0, 0)
        noise, _, anew, _ = products(plain, 0, 1, 0)
        wanted |= {
            "variance_features": by_features - none,
            "variance_samples": by_samples - none,
            "variance_features_samples": whole - by_features - by_samples + none,
            "variance_noise": anew,
            "variance_features_noise": noise - anew,
            "variance_start": products(plain, 0, 0, 1)[0],
            "bias": none - measured["unlearnable"][s],
        }
        for name, values in wanted.items():
            assert_same(measured[name][s], values, 1e3 * EPS * max(1.0, np.max(np.abs(values))), ROUNDED)
    parts = sum(measured[name] for name in PROBLEM_PARTS)
    assert_same(parts, measured["excess_risk"], 100 * EPS, "fourteen sums")


PROBLEM_PARTS = [
    each.name for each in PROBLEM.observables if each.name.startswith("variance") or each.name == "bias"
] + ["unlearnable"]


# Solved by hand -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("few")
def test_parts_of_one_step_of_linear_features_have_the_means_of_wishart_matrices() -> None:
    """yhat = eta z^T W (S w + Z^T eps), W = F^T F/N, S = Z^T Z: E W^2 = 1+(d+1)/N, E S^2 = n (n+d+1)/d^2."""
    n, width, d, noise, init, eta = 5, 3, 4, 0.5, 0.6, 0.06
    problem = instance(n=n, width=width, d=d, noise=noise, init=init, activation="linear")
    found = simulation.descent(
        problem, np.array([0.0, 1.0]), learning_rate=eta, seeds=range(500), observable=PARTS
    )
    step, noisy, of_features, of_samples = (
        eta * n / d,
        eta**2 * noise**2 * n / d,
        (d + 1) / width,
        (d + 1) / n,
    )
    wanted = {
        "bias": (1 - step) ** 2 / 2,
        "variance_features": step**2 * of_features / 2,
        "variance_samples": step**2 * of_samples / 2,
        "variance_features_samples": step**2 * of_features * of_samples / 2,
        "variance_noise": noisy / 2,
        "variance_features_noise": noisy * of_features / 2,
    }
    for name, claimed in wanted.items():
        assert mean_within_errors(found[name][:, 1], claimed).agrees, name
        assert not mean_within_errors(found[name][:, 1], claimed / 2).agrees, name
    for name, claimed in (("bias", 1 / 2), ("variance_start", init**2 / 2)):
        assert mean_within_errors(found[name][:, 0], claimed).agrees, name
        assert not mean_within_errors(found[name][:, 0], 0.8 * claimed).agrees, name
    assert not mean_within_errors(found["variance_features"][:, 1], wanted["variance_samples"]).agrees


@pytest.mark.usefixtures("few")
def test_what_no_line_learns_is_unbiased_and_nothing_for_a_linear_teacher() -> None:
    def found(draws: int, route: Any = simulation, **teacher: Any) -> np.ndarray:
        problem = instance(n=1, width=1, d=3, **teacher)
        answer = route.ridge(problem, np.array([1.0]), seeds=range(draws), observable=PARTS)
        return np.asarray(answer["unlearnable"])

    for route in (simulation, gaussian_equivalent):
        for linear in ({"teacher": "linear"}, {"teacher_hermite": (0.3, 0.7)}):
            assert np.all(found(3, route, **linear) == 0), linear
    half, found_half = (1 - 2 / np.pi) / 2, found(300, teacher="sign")
    bias = 0.1**2 / 2  # of a slope of twelve examples: below a tenth
    assert mean_within_errors(found_half, half, bias=bias).agrees
    assert not mean_within_errors(found_half, 0.8 * half, bias=bias).agrees
