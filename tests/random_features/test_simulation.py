"""The simulations of random features, judged by plain loops, by hand and by quadrature."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import integrate, special

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.paper_checks.judging.agreement import mean_within_errors, within_bound
from teacherstudent.problems.random_features import PROBLEM, RandomFeatures
from teacherstudent.problems.random_features.data import draw, fresh
from teacherstudent.problems.random_features.parameters import COEFFICIENTS
from teacherstudent.sims.linear_students import descent as descending
from teacherstudent.sims.linear_students import outputs
from teacherstudent.sims.linear_students import ridge as regressing
from teacherstudent.sims.random_features import gaussian_equivalent, measures, simulation
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
from tests.support import say

EPS = np.finfo(float).eps
SEEDS = [3, 8]
STEPS = np.array([0.0, 1.0, 2.0, 11.0])
PARTS = ("parts",)
CASES: dict[str, dict[str, Any]] = {
    "more samples": {"n": 12, "width": 5, "d": 4, "noise": 0.3, "init": 0.4, "activation": "erf"},
    "more features": {"n": 5, "width": 12, "d": 4, "noise": 0.3, "init": 0.4, "ridge": 0.2},
    "from zero": {"n": 5, "width": 9, "d": 7, "noise": 0.3, "teacher": "sign", "activation": "tanh"},
    "two scales": {
        "n": 8,
        "width": 8,
        "scales": ((2, 1.0), (4, 0.3)),
        "hermite": (0.5, 0.7, 0.0, 0.4),
        "teacher_hermite": (0.1, 1.0, 0.5),
    },
    "one of each": {"n": 1, "width": 1, "d": 1, "noise": 0.3, "init": 0.4, "activation": "sign"},
}
EVERY = pytest.mark.parametrize("case", CASES)
ROUTES = pytest.mark.parametrize("route", [simulation, gaussian_equivalent], ids=lambda route: route.__name__)
FUNCTIONS = ("relu", "tanh", "erf", "sign", "linear", (0.3, 0.5, -0.2, 0.4))


def instance(**values: Any) -> RandomFeatures:
    found: RandomFeatures = PROBLEM.instance(**values)
    return found


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few fresh examples: what is unbiased is so for any number of them."""
    monkeypatch.setattr(measures, "BLOCK", 12)
    monkeypatch.setattr(measures, "BLOCKS", 3)


def assert_same(one: Any, other: Any, bound: Any, reason: str) -> None:
    verdict = within_bound(np.asarray(one) - other, bound, reason)
    assert verdict.agrees, verdict


# Functions ----------------------------------------------------------------------------------------------


def by_scipy(function: Any, u: Any) -> Any:
    if isinstance(function, tuple):
        return sum(
            a * special.eval_hermitenorm(k, u) / np.sqrt(special.factorial(k)) for k, a in enumerate(function)
        )
    named = {"relu": lambda u: u * (u > 0), "tanh": np.tanh, "erf": special.erf, "sign": np.sign}
    return named.get(function, lambda u: u)(u)


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


class Plain:
    """One student by loops over steps: features `i`, samples `j`, signs of label noise and first weights."""

    def __init__(self, route: Any, case: str, seed: int, i: int = 0, j: int = 0) -> None:
        self.problem, asked = instance(**CASES[case]), CASES[case]
        self.moments = [moments(each) for each in (self.problem.teacher, self.problem.activation)]
        self.noise, self.ridge = asked.get("noise", 0.0), asked.get("ridge", 0.0)
        copies = [draw(self.problem, [seed], copy) for copy in range(2)]
        self.real, self.w = route is simulation, copies[0].teacher[0]
        self.rows, self.start = copies[i].features[0], copies[i].initial[0]
        self.strengths, self.eps = copies[0].strengths, copies[j].noise[0]
        z = copies[j].inputs[0]
        self.y = self.taught(z, own(seed, TRAINING_LABELS, j))
        self.phi = self.seen(z, own(seed, TRAINING_FEATURES, i, j))
        tests = np.split(fresh(self.problem, [seed], measures.BLOCK * measures.BLOCKS)[0], measures.BLOCKS)
        self.z = np.concatenate(tests)
        self.truth = np.concatenate(
            [self.taught(z, own(seed, TEST_LABELS, block)) for block, z in enumerate(tests)]
        )
        self.tested = np.concatenate(
            [self.seen(z, own(seed, TEST_FEATURES, i, block)) for block, z in enumerate(tests)]
        )

    def taught(self, z: np.ndarray, chance: np.random.Generator) -> np.ndarray:
        mean, slope, rest = self.moments[0]
        if self.real:
            return np.asarray(by_scipy(self.problem.teacher, z @ self.w) - mean)
        return slope * (z @ self.w) + rest * chance.standard_normal(len(z))

    def seen(self, z: np.ndarray, chance: np.random.Generator) -> np.ndarray:
        mean, slope, rest = self.moments[1]
        u = np.einsum("bd,Nd,d->bN", z, self.rows, self.strengths)
        if self.real:
            return np.asarray(by_scipy(self.problem.activation, u) - mean) / np.sqrt(len(self.rows))
        return np.asarray(slope * u + rest * chance.standard_normal(u.shape)) / np.sqrt(len(self.rows))

    def weights(self, rate: float, clean: float = 1.0, noise: float = 1.0, start: float = 1.0) -> np.ndarray:
        """Those of a student at each of `STEPS`, (T, N): labels and first weights times these numbers."""
        a, found = start * self.start, []
        for k in range(int(STEPS[-1]) + 1):
            if k in STEPS:
                found.append(a)
            missed = clean * self.y + noise * self.eps - self.phi @ a
            a = a + rate * (self.phi.T @ missed - self.ridge * a)
        return np.array(found)

    def observables(self, weights: np.ndarray, noise: float = 1.0) -> dict[str, np.ndarray]:
        out = weights @ self.tested.T
        missed = self.y + noise * self.eps - weights @ self.phi.T
        excess = np.mean((self.truth - out) ** 2, axis=1) / 2
        return {
            "R": out @ self.truth / len(self.z),
            "Q": np.mean(out**2, axis=1),
            "excess_risk": excess,
            "generalisation_error": 2 * excess + self.noise**2,
            "training_error": np.mean(missed**2, axis=1),
        }


ROUNDED = "one rounding a term and step, and no step enlarges them"


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
    n, width, d, noise, init, eta = 5, 3, 4, 0.5, 0.6, 0.3
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
    with pytest.warns(UnconvergedWarning, match=r"learning_rate 40\.0: .* 2 of 2 draws"):
        diverged = simulation.descent(problem, np.array([0.0, 3.0, 5000.0]), learning_rate=40.0, **ask)
    for values in diverged.values():
        assert np.array_equal(np.isnan(values), [[False, False, True]] * 2)
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
        compiled = (descending._iterated, descending._composed, regressing._solved)
        return [each.program._cache_size() for each in compiled]

    ask([1, 2])
    before = programs()
    ask([5, 6], noise=0.5, ridge=0.1, init=1.0)
    assert programs() == before
