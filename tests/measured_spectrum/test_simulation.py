"""The simulation witness of measured rows, judged by plain loops and arithmetic alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.paper_checks.judging.agreement import within_bound
from teacherstudent.problems.measured_spectrum import PROBLEM
from teacherstudent.problems.measured_spectrum.data import draw
from teacherstudent.sims.linear_students import outputs
from teacherstudent.sims.linear_students.descent import students
from teacherstudent.sims.linear_students.forms import TrainingSets, smaller
from teacherstudent.sims.linear_students.ridge import minimisers
from teacherstudent.sims.measured_spectrum import measures
from teacherstudent.sims.measured_spectrum.data import training_sets
from teacherstudent.sims.measured_spectrum.descent import descent
from teacherstudent.sims.measured_spectrum.measures import observables
from teacherstudent.sims.measured_spectrum.ridge import ridge
from teacherstudent.sims.normal_equations import UNSURE
from teacherstudent.sims.step_limits import LONGEST
from teacherstudent.theory.measured_spectrum import instance
from tests.judged import assert_same

EPS = np.finfo(float).eps
SEEDS = [3, 8]
P, COLUMNS = 24, 7
POOL = np.random.default_rng(5)
FEATURES = POOL.standard_normal((P, COLUMNS)) * np.geomspace(1, 0.2, COLUMNS) + 2.0
TARGETS = np.tanh(FEATURES[:, :2]) + 1.0
LABELS = (FEATURES[:, 0] > 2.3).astype(int) + (FEATURES[:, 1] > 2.0)
CENTRED = FEATURES - FEATURES.mean(axis=0)
SQUARES = np.sum((FEATURES[:, None] - FEATURES) ** 2, axis=-1)
ROWS: dict[str, Any] = {"features": FEATURES, "targets": TARGETS}
CASES: dict[str, dict[str, Any]] = {
    "more rows than features": {**ROWS, "n": 15, "noise": 0.3, "init": 0.4},
    "fewer rows than features": {**ROWS, "n": 5, "noise": 0.3},
    "fewer rows, initial weights": {**ROWS, "n": 3, "noise": 0.3, "init": 0.4, "ridge": 0.7},
    "population": {**ROWS, "n": 12, "sampling": "population", "ridge": 0.7, "init": 0.4},
    "kernel": {**ROWS, "n": 9, "kernel": "rbf", "width": 1.5, "noise": 0.3, "ridge": 0.05},
    "kernel, population": {**ROWS, "n": 9, "kernel": "rbf", "width": 1.5, "sampling": "population"},
    "classes": {"features": FEATURES, "targets": LABELS, "n": 10, "noise": 0.2},
    "law": {"modes": ((2, 1.0, 0.6), (5, 0.1, 0.4)), "n": 4, "noise": 0.3, "init": 0.2},
}
EVERY = pytest.mark.parametrize("case", CASES)
STEPS = np.array([0.0, 1.0, 2.0, 11.0, 30.0])


def sets_of(case: str) -> tuple[Any, Any, TrainingSets]:
    problem = PROBLEM.instance(**CASES[case])
    draws = draw(problem, SEEDS)
    return problem, draws, training_sets(problem, draws)


# A plain loop -----------------------------------------------------------------------------------


def plainly(case: str, i: int, rate: float | None, steps: np.ndarray) -> dict[str, list[float]]:
    """What seed i's student does, by a loop over steps in features or in coefficients of a kernel."""
    asked, draws = CASES[case], draw(PROBLEM.instance(**CASES[case]), SEEDS)
    noise, ridge_, n = asked.get("noise", 0.0), asked.get("ridge", 0.0), asked["n"]
    if "modes" in asked:
        strengths = np.array([1.0] * 2 + [0.1] * 5)
        theta = np.sqrt(np.array([0.3] * 2 + [0.08] * 5) / strengths)[:, None]
        x, clean = draws.inputs[i], draws.inputs[i] @ theta
        test, wanted = np.diag(np.sqrt(strengths * 7)), np.sqrt(strengths * 7)[:, None] * theta
    else:
        targets, classes = asked["targets"], None
        if targets.ndim == 1:
            classes, targets = targets, np.eye(3)[targets]
        y = targets - targets.mean(axis=0)
        take = draws.mixtures[i] / np.sqrt(P) if draws.mixtures is not None else np.eye(P)[draws.chosen[i]]
        held = range(P) if draws.chosen is None else sorted(set(range(P)) - set(draws.chosen[i].tolist()))
        if asked.get("kernel"):
            centring = np.eye(P) - 1 / P
            gram = centring @ np.exp(-SQUARES / (2 * 1.5**2)) @ centring
            x, test = take @ gram @ take.T, (gram @ take.T)[held]
        else:
            x, test = take @ CENTRED, CENTRED[held]
        clean, wanted = take @ y, y[held]
    labels = clean + draws.noise[i]
    kernel, constant = bool(asked.get("kernel")), np.zeros(labels.shape[1])
    if "modes" not in asked:  # rows have a trained intercept
        mean, constant = x.mean(axis=0), labels.mean(axis=0)
        x, test, labels, wanted = x - mean, test - mean, labels - constant, wanted - constant
        if kernel:
            x, test = (each - each.mean(axis=1, keepdims=True) for each in (x, test))
    w = np.zeros((x.shape[1], labels.shape[1])) + (0.0 if kernel else draws.initial[i])
    eta = rate or 1 / np.linalg.norm(x, 2) ** (1 if kernel else 2)
    found: dict[str, list[float]] = {"generalisation_error": [], "training_error": []}
    for k in range(int(steps[-1]) + 1):
        if k in steps:
            missed = np.sum((wanted - test @ w) ** 2) / len(wanted)
            found["generalisation_error"].append(missed + labels.shape[1] * noise**2)
            found["training_error"].append(np.sum((labels - x @ w) ** 2) / n)
            if "modes" not in asked and classes is not None:
                named = np.argmax(test @ w + constant + np.eye(3)[classes].mean(axis=0), axis=1)
                found.setdefault("error_rate", []).append(float(np.mean(named != classes[held])))
        residual = labels - x @ w
        w = w + eta * ((residual if kernel else x.T @ residual) - ridge_ * w)
    return found


@EVERY
@pytest.mark.parametrize("rate", ["auto", 0.02])
def test_descent_is_the_plain_loop(case: str, rate: Any) -> None:
    problem = PROBLEM.instance(**CASES[case])
    measured = descent(problem, STEPS, learning_rate=rate, seeds=SEEDS)
    by_hand = [plainly(case, i, None if rate == "auto" else rate, STEPS) for i in range(len(SEEDS))]
    assert measured.keys() == by_hand[0].keys()
    for name, values in measured.items():
        wanted = [each[name] for each in by_hand]
        bound = 30 * (P + COLUMNS) * EPS * max(1.0, np.max(np.abs(wanted)))
        assert_same(values, wanted, bound, "one rounding a term and step, and no step enlarges them")


# Steps and forms -----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["population", "fewer rows, initial weights", "kernel"])
def test_composed_steps_are_the_iterated_steps_up_to_rounding(case: str) -> None:
    problem, _, sets = sets_of(case)
    form, steps = smaller(sets), np.array([0.0, 7.0, 40.0, 300.0])
    rates = 1 / form.curvature()
    iterated = students(form, steps, rates, problem.ridge, stepwise=300)
    size = np.max(np.abs(iterated)) + np.max(np.abs(sets.labels))
    bound = steps[:, None, None] * (P + COLUMNS) * EPS * size + EPS
    for stepwise in (0, 5):
        composed = students(form, steps, rates, problem.ridge, stepwise=stepwise)
        assert_same(composed, iterated, bound, "a rounding a term and step, and no step enlarges them")
    late = students(form, steps + 1, rates, problem.ridge, stepwise=5)
    assert not within_bound(late - iterated, bound, "one step more must show").agrees


def test_students_move_in_the_smaller_form() -> None:
    sizes = {case: smaller(sets_of(case)[2]).matrix.shape[1] for case in CASES}
    assert sizes == {
        "more rows than features": 7,
        "fewer rows than features": 5,
        "fewer rows, initial weights": 5,  # 3 rows, and the initial weights of 2 outputs
        "population": 7,
        "kernel": 9,
        "kernel, population": 9,
        "classes": 7,
        "law": 5,
    }


@pytest.mark.parametrize("n", [5, 15])
@pytest.mark.parametrize("sampling", ["pool", "population"])
def test_features_and_the_gram_matrix_of_their_products_have_the_same_students(n: int, sampling: Any) -> None:
    more = {"targets": LABELS, "n": n, "noise": 0.2, "ridge": 0.1, "sampling": sampling}
    given = PROBLEM.instance(features=FEATURES, **more)
    as_kernel = PROBLEM.instance(gram=FEATURES @ FEATURES.T, **more)
    late, rate = np.append(STEPS, 2500.0), 0.01
    for one, other in (
        (descent(each, late, learning_rate=rate, seeds=SEEDS) for each in (given, as_kernel)),
        (ridge(each, np.array([0.1, 10.0]), seeds=SEEDS) for each in (given, as_kernel)),
    ):
        for name, values in one.items():
            bound = 2500 * P * EPS * np.max(np.abs(FEATURES @ FEATURES.T)) * max(1.0, np.max(values))
            assert_same(other[name], values, bound, "a rounding a term and step of sums before centring")


# What students are tested on -------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["classes", "kernel"])
def test_an_order_of_the_pool_changes_nothing_but_the_places_of_its_rows(case: str) -> None:
    problem, draws, sets = sets_of(case)
    order = np.random.default_rng(1).permutation(P)
    moved = PROBLEM.instance(
        **{**CASES[case], "features": FEATURES[order], "targets": CASES[case]["targets"][order]}
    )
    assert draws.chosen is not None
    their = replace(draws, chosen=np.argsort(order)[draws.chosen])
    answers = [
        observables(which, each, trained, students(smaller(trained), STEPS, 0.02, which.ridge))
        for which, each, trained in ((problem, draws, sets), (moved, their, training_sets(moved, their)))
    ]
    for name, values in answers[0].items():
        assert_same(answers[1][name], values, 1000 * P * EPS, "means in another order, and 30 steps")


def test_the_one_row_that_is_left_over_is_the_only_one_tested_on() -> None:
    problem = PROBLEM.instance(**{**CASES["classes"], "n": P - 1, "noise": 0.0})
    draws = draw(problem, SEEDS)
    assert draws.chosen is not None
    start = descent(problem, np.array([0.0]), learning_rate=0.02, seeds=SEEDS)  # outputs are the means
    for i, chosen in enumerate(draws.chosen):
        shares = np.eye(3)[LABELS[chosen]].mean(axis=0)
        (left,) = set(range(P)) - set(chosen.tolist())
        wanted = np.sum((np.eye(3)[LABELS[left]] - shares) ** 2)
        assert_same(start["generalisation_error"][i], wanted, 8 * EPS, "four sums")
        assert bool(start["error_rate"][i, 0]) == (LABELS[left] != np.argmax(shares))


def test_equal_outputs_name_one_of_their_classes_by_chance() -> None:
    outputs = np.array([[1.0, 1.0, 0.0], [0.0, 2.0, 1.0], [5.0, 5.0, 5.0], [1.0, 1.0, 0.0]])
    wrong = measures._misnamed(outputs[None], np.array([0, 1, 2, 2]))
    assert_same(wrong, [(1 / 2 + 0 + 2 / 3 + 1) / 4], 4 * EPS, "four sums")
    classes = np.arange(P) % 3  # as many of each: all tie at step 0
    known = PROBLEM.instance(features=FEATURES, targets=classes, n=10, intercept="pool")
    trained = PROBLEM.instance(features=FEATURES, targets=classes, n=3)
    even = [s for s in range(99) if set(classes[draw(trained, [s]).chosen[0]]) == {0, 1, 2}][:2]
    for problem, seeds in ((known, SEEDS), (trained, even)):
        for route in (descent, instance.descent):
            start = route(problem, np.array([0.0]), learning_rate=0.1, seeds=seeds)
            assert_same(start["error_rate"], 2 / 3, P * EPS, "a mean over rows")


def test_outputs_in_blocks_of_times_give_the_numbers_of_all_together(monkeypatch: pytest.MonkeyPatch) -> None:
    problem, draws, sets = sets_of("classes")
    weights = students(smaller(sets), STEPS, 0.02, problem.ridge)
    together = observables(problem, draws, sets, weights)
    monkeypatch.setattr(outputs, "AT_ONCE", 2 * 3 * P)  # two times
    for name, values in observables(problem, draws, sets, weights).items():
        assert_same(values, together[name], 4 * P * EPS, "sums in another order")


# Ridge -----------------------------------------------------------------------------------------------


@EVERY
def test_a_minimiser_has_no_gradient(case: str) -> None:
    _, _, sets = sets_of(case)
    ridges = np.array([1e-2, 1.0])
    weights = minimisers(sets, ridges).swapaxes(2, 3)  # (S, T, q, c)
    residual = sets.labels[:, None] - sets.inputs[:, None] @ weights
    pull = residual if sets.kernel else sets.inputs[:, None].swapaxes(2, 3) @ residual
    decay = ridges[:, None, None] * weights
    size = 1 + np.max(np.abs(sets.inputs)) ** 2 * (1 + np.max(np.abs(weights)))
    bound = 8 * (P + COLUMNS) ** 2 * EPS * size
    assert_same(pull, decay, bound, "backward error of a Cholesky solution")
    assert not within_bound(pull, bound, "the ridge's own pull must show").agrees


def test_the_effective_ridge_is_the_problems_own_and_one_over_time() -> None:
    own = ridge(PROBLEM.instance(**{**CASES["kernel"], "ridge": 0.7}), np.array([2.0]), seeds=SEEDS)
    added = ridge(PROBLEM.instance(**{**CASES["kernel"], "ridge": 0.0}), np.array([1 / 1.2]), seeds=SEEDS)
    for name, values in own.items():
        assert_same(values, added[name], 100 * EPS, "1/2 + 0.7 and 1.2, rounded")


def test_a_ridge_below_rounding_in_directions_that_no_training_row_holds_is_nan_with_a_warning() -> None:
    """Two features that differ only in rows not drawn: their difference moves with rounding, unseen."""
    drawn = draw(PROBLEM.instance(**{**ROWS, "n": 14}), [3]).chosen
    assert drawn is not None
    chosen, others = drawn[0], np.setdiff1d(np.arange(P), drawn)
    twins = 30 * FEATURES
    twins[:, 1] = twins[:, 0] + 0.37
    twins[others, 1] += 3 * (np.arange(others.size) % 2 - 0.5)  # an even number of rows: the mean stays
    problem = PROBLEM.instance(features=twins, targets=TARGETS, n=14, intercept="pool")
    times = np.geomspace(1.0, 1e16, 33)
    with pytest.warns(UnconvergedWarning, match="normal equations are singular"):
        measured = ridge(problem, times, seeds=[3])["generalisation_error"][0]
    answered = np.isfinite(measured)
    assert answered[times < 1e3].all()
    assert not answered[times > 1e12].any()
    x, y = (values - values.mean(axis=0) for values in (twins, TARGETS))
    for time, found in zip(times[answered], measured[answered], strict=True):
        damped = np.concatenate([x[chosen], np.eye(COLUMNS) / np.sqrt(time)])
        w = np.linalg.lstsq(damped, np.concatenate([y[chosen], np.zeros((COLUMNS, 2))]), rcond=None)[0]
        missed = np.linalg.norm(y[others] - x[others] @ w, axis=0)
        unit = np.sqrt(np.sum(damped**2, axis=0))
        unsure = UNSURE + EPS * np.linalg.cond(damped / unit) ** 2  # products of rows are rounded before
        moved = np.linalg.norm(x[others] / unit, 2) * unsure * np.linalg.norm(unit[:, None] * w, axis=0)
        bound = (2 * missed @ moved + moved @ moved) / (missed @ missed)
        wanted = missed @ missed / others.size
        assert_same(found / wanted, 1.0, bound, "what that moves outputs by")


# What is not answered ----------------------------------------------------------------------------------


def test_steps_that_rounding_outlasts_are_nan_with_a_warning() -> None:
    problem, last = PROBLEM.instance(**CASES["fewer rows than features"]), LONGEST["float64"]
    with pytest.warns(UnconvergedWarning, match="rounding errors persist"):
        measured = descent(problem, np.array([1.0, last, 2 * last]), learning_rate="auto", seeds=SEEDS)
    assert np.array_equal(np.isnan(measured["training_error"]), [[False, False, True]] * 2)
    assert np.all(measured["training_error"][:, 1] < 1e-6 * measured["training_error"][:, 0])


def test_rows_without_any_curvature_have_no_automatic_rate() -> None:
    rows = np.array([[-1.0], [0.0], [1.0]])
    seed = next(seed for seed in range(50) if np.random.default_rng([seed, 0]).permutation(3)[0] == 1)
    problem = PROBLEM.instance(features=rows, targets=rows + 0.5, n=1, intercept="pool")
    with pytest.warns(UnconvergedWarning, match="learning_rate auto"):
        measured = descent(problem, np.array([0.0, 2.0]), learning_rate="auto", seeds=[seed])
    assert np.array_equal(np.isnan(measured["generalisation_error"]), [[False, True]])
