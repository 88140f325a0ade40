"""Lessons 13 to 17 say what the theory says: of rows, tails, wells, labels and groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi, linregress

import teacherstudent as ts
from teacherstudent.api.teaching import function, teaching
from teacherstudent.lessons import groups, kit, leaving, rows, tails
from teacherstudent.lessons import labels as lesson
from teacherstudent.lessons.pages.cells import Notebook
from teacherstudent.problems.residual_digits.data import targets

# Lesson 13: rows -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def defined() -> Iterator[Any]:
    """What the lesson's cells define before the reader simulates."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(kit, "on_demand", lambda button, work, doing="": None)
        yield rows.app.run()[1]


@pytest.mark.parametrize("n", [20, 45, 47, 300])
def test_never_stopped_is_ridge_regression_with_a_vanishing_ridge(defined: Any, n: int) -> None:
    for task, target in enumerate(defined["targets"].values()):
        answer = ts.curve(
            "measured-spectrum",
            features=defined["features"],
            targets=target,
            task="regression",
            dynamics="ridge",
            route="asymptotic",
            times=[1e13],
            n=n,
            noise=0.3,
            intercept="pool",
        )
        found = rows.endless(defined["given"], task, n, 0.3)
        assert found == pytest.approx(answer["generalisation_error"].item(), rel=1e-7)


def test_long_training_is_worst_where_there_are_as_many_rows_as_columns(defined: Any) -> None:
    given = defined["given"]
    errors = [rows.endless(given, 0, n, 0.0) for n in (20, 40, 45, 46, 47, 55, 200)]
    assert errors[3] == np.inf
    assert all(np.diff(errors[:3]) > 0)
    assert all(np.diff(errors[4:]) < 0)


def test_its_spread_is_that_of_the_page_on_ones_own_data(defined: Any) -> None:
    labels = defined["targets"]["odd or even"]
    page = ts.mine(
        defined["features"], labels, n=[60], seeds=4, times=[0.01, 1.0, 100.0, 1e4], intercept="pool"
    )
    for size in page["size"].values:
        told = page["spread"].sel(size=size)
        mine = [rows.spread(defined["given"], size, s) for s in told["mark"].values]
        assert mine == pytest.approx(told.values, rel=2e-3)  # of linear interpolation between leverages


def test_noise_in_place_of_digits_is_learned_alike(defined: Any) -> None:
    asked: dict[str, Any] = dict(dynamics="flow", route="instance", n=100, times=[0.1, 3.0], seeds=20)
    seen, clouds = (
        defined["answers"](sampling=each, **asked)["generalisation_error"].values
        for each in ("pool", "population")
    )
    assert clouds == pytest.approx(seen, rel=0.1)


# Lesson 14: tails ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("b", "d"), [(1, 1), (2, 3), (10, 10)])
def test_it_finds_the_largest_step_and_the_critical_one(b: int, d: int) -> None:
    end, critical = tails.largest(b, d), 2 * b / (b + d + 1)
    assert np.abs(tails.shares(b, d) / critical - 1).min() < 1e-14
    found = tails.stationary(b, d, [critical, 0.999 * end, 1.001 * end])
    assert found["tail_index"].values[0] == pytest.approx(2, rel=1e-11)
    assert np.sign(found["lyapunov"].values).tolist() == [-1, -1, 1]
    assert np.isnan(found["tail_index"].values[2])


@pytest.mark.parametrize("d", [1, 3, 10])
def test_a_power_law_leaves_gibbs_law_where_both_are_as_steep(d: int) -> None:
    eta, b, alpha = 0.5, 2, 1.3
    at, scale = tails.leaves(eta, b, d, alpha), np.sqrt(eta / (2 * b))
    assert tails.beyond(at, eta, b, d) == pytest.approx(chi.sf(at / scale, d), rel=1e-12)
    assert at / scale * chi.pdf(at / scale, d) / chi.sf(at / scale, d) == pytest.approx(alpha, rel=1e-9)


def test_its_students_have_the_tail_that_is_predicted() -> None:
    eta, b, d = 0.79, 2, 3
    sizes = np.sort(tails.students(eta, b, d, 20_000, 225))[::-1]
    ranks = np.arange(1, 401)
    slope = linregress(np.log(sizes[:400]), np.log(ranks - 0.5)).slope
    index = tails.stationary(b, d, [eta])["tail_index"].item()
    assert -slope == pytest.approx(index, abs=4 * index * np.sqrt(2 / 400))


def test_means_grow_while_students_come_closer() -> None:
    asked = dict(dynamics="sgd", route="exact", batch=2, d=3, learning_rate=0.79, noise=0.0, times=[0, 300])
    made = ts.curve("heavy-tails", **asked)
    assert made["excess_risk"].values[1] > 1e3 * made["excess_risk"].values[0]
    assert made["log_separation"].values[1] < -10


# Lesson 15: leaving a basin --------------------------------------------------------------------------


@pytest.mark.parametrize(("stability", "curvature"), [(1.6, 0.5), (2.0, 2.0)])
def test_times_at_one_curvature_give_those_at_all_others(stability: float, curvature: float) -> None:
    at = leaving.units(stability)[::8]
    times = leaving.waits(at, stability, 1.0)["exit_time"].values
    share = curvature ** (1 / stability)
    asked = leaving.waits(at / share, stability, curvature)["exit_time"].values
    assert asked == pytest.approx(times / curvature, rel=1e-6)


def test_a_curve_over_the_curvature_is_read_off_the_same_times() -> None:
    times = leaving.waits(leaving.units(1.6), 1.6, 1.0)["exit_time"].values
    curvatures, found = leaving.curve(times, 1.6, radius=2.0).values()
    asked = [leaving.waits([2.0], 1.6, each)["exit_time"].item() for each in curvatures[::8]]
    assert found[::8] == pytest.approx(asked, rel=1e-6)


def test_steep_wells_wait_for_one_jump_and_gaussian_noise_for_ever_longer() -> None:
    stable, gaussian = (
        [leaving.waits([3.0], stability, each)["exit_time"].item() for each in (1.0, 2.0)]
        for stability in (1.6, 2.0)
    )
    jump = leaving.waits([3.0], 1.6, 2.0, "small-noise")["exit_time"].item()
    assert stable[0] < stable[1] < jump < 1.3 * stable[1]
    assert gaussian[1] > 20 * gaussian[0]


def test_heavy_tails_leave_narrow_basins_late_and_wide_ones_early() -> None:
    narrow, wide = (
        [leaving.waits([radius], stability, 1.0)["exit_time"].item() for stability in (1.6, 2.0)]
        for radius in (0.3, 4.0)
    )
    assert narrow[0] > narrow[1]
    assert wide[0] < wide[1]


def test_the_exercise_finds_the_curvature_at_which_both_wait_alike() -> None:
    exercise = teaching("leaving").exercise
    assert exercise
    for asked in exercise.questions(3):
        curvature = function(exercise.solution)(**asked)
        radius, stability = [asked["radius"]], asked["stability"]
        gaussian = leaving.waits(radius, 2.0, curvature)["exit_time"].item()
        jump = leaving.waits(radius, stability, curvature, "small-noise")["exit_time"].item()
        assert gaussian == pytest.approx(jump, rel=1e-6)


@pytest.mark.thorough
def test_paths_agree_without_the_delay_of_steps_and_would_not_with_another_index() -> None:
    found = leaving.simulated([0.5, 1.3], 1.6, 1.0)
    assert found.agrees
    late = found.simulation["exit_time"].values - leaving.waits([0.5, 1.3], 1.9, 1.0)["exit_time"].values
    assert np.max(np.abs(late) / found.simulation["exit_time_stderr"].values) > 3


# Lesson 16: labels -----------------------------------------------------------------------------------

SETTING = (0.3, 0.1, 1e-3)


def test_what_is_given_to_the_page_is_what_the_theory_draws() -> None:
    given = Notebook("labels").given
    assert given
    images, of = lesson.drawn(SETTING[0])
    true = images.classes[of.training]
    assert np.array_equal(np.where(np.array(given["chance"]) < SETTING[0], given["wrong"], true), of.labels)
    pixels = np.array([[ord(letter) for letter in row] for row in given["pixels"]], dtype=float)
    assert (pixels - pixels.mean()) / pixels.std() == pytest.approx(images.pixels, abs=1e-12)


def test_its_outputs_are_those_of_the_theory_without_wrong_labels() -> None:
    loss = lesson.claimed(0.0, *SETTING[1:])["test_loss"].mean("seed").values
    parts = lesson.learned(0.0, *SETTING[1:])
    assert parts["bias"] == pytest.approx(loss, rel=1e-9)
    assert np.isnan(parts["told"]).all()
    assert (parts["variance"] == 0).all()


def test_both_parts_of_the_loss_are_its_mean_over_wrong_labels() -> None:
    """Of one draw of images, labels are drawn anew: the mean is within five of its standard errors."""
    q, epsilon, wd = SETTING
    images, of = lesson.drawn(0.0)
    random, is_ = np.random.default_rng(0), images.classes[of.training]
    wanted = targets(images.classes[of.tested], 10)
    losses = []
    for _ in range(200):
        wrong = random.random(is_.shape) < q
        said = np.where(wrong, (is_ + random.integers(1, 10, is_.shape)) % 10, is_)
        one = [
            tests @ (lesson.filters(c, wd)[..., None] * (V.T @ targets(told, 10) / lesson.N)) - y
            for (c, V, tests), told, y in zip(lesson.modes(epsilon), said, wanted, strict=True)
        ]
        losses.append(np.mean(np.sum(np.array(one) ** 2, axis=-1), axis=(0, -1)) / 2)
    parts = lesson.learned(*SETTING)
    error = np.std(losses, axis=0, ddof=1) / np.sqrt(len(losses))
    assert (np.abs(np.mean(losses, axis=0) - parts["bias"] - parts["variance"]) < 5 * error).all()


def test_the_truth_is_learned_before_the_noise_and_wrong_labels_are_fitted_in_the_end() -> None:
    parts = lesson.learned(0.15, 0.1, 0.0)
    assert (parts["truth"] > parts["wrong"]).all()
    assert parts["true"][0] > 0.5
    assert parts["told"][-1] > 0.99


def test_the_loss_descends_twice_without_wrong_labels_too_and_noise_is_not_lost_again() -> None:
    for q in (0.0, 0.15):
        loss = lesson.claimed(q, 0.1, 0.0)["test_loss"].mean("seed").values
        first = int(np.argmax(np.diff(loss) > 0))
        top = first + int(np.argmax(loss[first:]))
        assert loss[first] < loss[top] > loss[-1]
    parts = lesson.learned(0.15, 0.1, 0.0)
    assert (np.diff(parts["variance"][2:]) > 0).all()


@pytest.mark.thorough
def test_networks_agree_with_the_theory_early_in_training() -> None:
    import teacherstudent as ts

    question = {**lesson.asked(0.15, 0.1, 0.0), "times": [1, 3, 10, 30]}
    both = (ts.sample("residual-digits", route=route, **question) for route in ("simulation", "kernel"))
    assert ts.compare(*map(lesson.arranged, both)).agrees


# Lesson 17: groups -----------------------------------------------------------------------------------


def accuracy(route: str, method: str, few: int, noise: float = 0.5) -> float:
    """Accuracy on the minority, `few` of 200 examples of each class."""
    return groups.on_minority(groups.limit(route, method, groups.asked(few, 2.0, noise, 1.5))).item()


def test_reweighting_begins_right_and_ends_like_plain_training() -> None:
    begins, ends = (accuracy(route, "rwg", 10) for route in ("initial-gradient", "max-margin"))
    assert begins > 0.9
    assert ends == pytest.approx(accuracy("max-margin", "erm", 10), abs=1e-12)
    assert accuracy("max-margin", "subg", 10) > ends + 0.3


def test_examples_are_worth_more_than_balance_where_the_minority_is_frequent() -> None:
    assert accuracy("max-margin", "subg", 60) < accuracy("max-margin", "erm", 60)


def test_curves_cross_where_they_are_equal() -> None:
    p = np.array([0.01, 0.1, 1.0])
    assert groups.crossing(p, np.array([2.0, 1.0, -1.0]), np.zeros(3)) == pytest.approx(10**-0.5)
    assert np.isnan(groups.crossing(p, np.ones(3), np.zeros(3)))


def test_margins_are_densities_times_shares() -> None:
    answer = groups.limit("max-margin", "erm", groups.asked(10, 2.0, 0.5, 1.5))
    many, few, *_ = groups.margins(answer, 0.05, "ERM").marks
    area = [np.trapezoid(each.y, each.x) for each in (many, few)]
    assert area == pytest.approx([0.95, 0.05], rel=0.02)
    left = few.x < 1e-9
    wrong = np.trapezoid(few.y[left], few.x[left]) / 0.05
    assert wrong == pytest.approx(1 - groups.on_minority(answer).item(), abs=0.02)


def test_the_exercise_is_the_first_step_of_reweighted_training() -> None:
    exercise = teaching("groups").exercise
    assert exercise
    for asked in exercise.questions(4):
        question = groups.asked(round(200 * asked["p"]), 2.0, asked["gamma_noise"], asked["ratio"])
        begins = groups.on_minority(groups.limit("initial-gradient", "rwg", question)).item()
        assert function(exercise.solution)(**asked) == pytest.approx(begins, rel=1e-9)


@pytest.mark.thorough
def test_trained_students_begin_and_end_where_theory_says() -> None:
    question = groups.asked(10, 2.0, 0.5, 1.5)
    begins, ends = (
        {method: groups.limit(route, method, question) for method in ("rwg", "subg")}
        for route in ("initial-gradient", "max-margin")
    )
    _, compared = groups.trained(question, begins, ends)
    assert compared.agrees
    _, exchanged = groups.trained(question, ends, begins)
    assert not exchanged.agrees
