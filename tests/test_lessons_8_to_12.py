"""Lessons 8 to 12 say what the theory says: peaks, escapes, rules, ranks and witnesses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import xarray as xr

import teacherstudent as ts
from teacherstudent.lessons import cloud, examples, interpolation, nonlinear, plateau, students
from teacherstudent.lessons import discriminator as lesson
from teacherstudent.problems.gan import PROBLEM
from teacherstudent.theory.committee import final
from teacherstudent.theory.committee import plateau as theory
from teacherstudent.theory.gan import dirac, discriminator_output
from teacherstudent.theory.gan.kernels import Gaussian, Relu
from teacherstudent.theory.perceptron import binary, separability
from tests.roundings import repeated

# Lesson 8: interpolation -----------------------------------------------------------------------------

THRESHOLD: dict[str, Any] = dict(psi1=3.0, psi2=3.0, noise=0.5)


@pytest.mark.parametrize("noise", [0.0, 0.7])
@pytest.mark.parametrize(("psi1", "psi2"), [(0.4, 3.0), (2.0, 3.0), (5.0, 3.0), (3.0, 0.6)])
def test_its_formulas_are_the_limit_of_vanishing_ridges(psi1: float, psi2: float, noise: float) -> None:
    answer = interpolation.limit("ridge", [1e12], psi1=psi1, psi2=psi2, noise=noise)
    found = interpolation.ridgeless(psi1, psi2, noise)
    assert found == pytest.approx(answer["excess_risk"].item(), rel=1e-9)
    training = (2 * found + noise**2) * max(1 - psi1 / psi2, 0) ** 2
    assert training == pytest.approx(answer["training_error"].item(), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("fixed", ["psi1", "psi2"])
@pytest.mark.parametrize("threshold", [0.5, 4.0])
def test_the_peak_follows_the_threshold_and_needs_no_noise(fixed: str, threshold: float) -> None:
    (moved,) = {"psi1", "psi2"} - {fixed}
    ratios = interpolation.around(threshold)
    risks = [interpolation.risk(1e6, **{fixed: threshold, moved: each}) for each in ratios]
    assert ratios[int(np.argmax(risks))] == threshold


@pytest.mark.parametrize("name", ["psi1", "psi2"])
def test_a_peak_is_told_of_where_there_is_one(name: str) -> None:
    """A ridge melts it: what stands for the picture then says where the risk is largest."""
    (fixed,) = {"psi1", "psi2"} - {name}
    ratios = interpolation.around(3.0)

    def told(ridge: float) -> str:
        settings = ({fixed: 3.0, name: each, "noise": 0.5, "ridge": ridge} for each in ratios)
        risks = [interpolation.risk(1000.0, **each) for each in settings]
        return interpolation.highest(interpolation.over(name, ratios, risks), name)

    ratio, threshold = {"psi1": ("N/d = 2.91", "N = n"), "psi2": ("n/d = 3", "n = N")}[name]
    assert told(0.0).endswith(f"it peaks at {ratio}, and {threshold} is at 3")
    assert told(1.0).endswith(f", at the least {ratio[:3]}, 0.375")


def test_its_parts_add_up() -> None:
    parts = interpolation.parts(1000.0, **THRESHOLD)
    assert sum(parts) == pytest.approx(interpolation.risk(1000.0, **THRESHOLD), rel=1e-9)


def test_more_data_hurts_without_a_ridge_and_not_with_the_best() -> None:
    settings = [THRESHOLD | dict(psi2=each) for each in (1.5, 3.0)]
    few, enough = (interpolation.risk(1000.0, **each) for each in settings)
    assert enough > 2 * few
    ridges = (interpolation.limit("ridge", "1e-3:1e6:61", **each) for each in settings)
    few_best, enough_best = (each["excess_risk"].min().item() for each in ridges)
    assert enough_best < few_best


@pytest.mark.thorough
def test_its_students_agree_with_the_limit_and_not_with_one_of_other_noise() -> None:
    setting: dict[str, Any] = dict(psi1=1.0, psi2=1.0, noise=0.5)
    seen = interpolation.trained([1.0, 10.0, 100.0], range(20), d=100, **setting)
    limits = (interpolation.limit("flow", [1, 10, 100], **setting | dict(noise=each)) for each in (0.5, 0.8))
    right, wrong = (interpolation.compared(seen, each) for each in limits)
    assert right.agrees
    assert not wrong.agrees


# Lesson 19: nonlinear features -----------------------------------------------------------------------


def test_a_second_descent_over_time_needs_two_strengths_and_nearly_linear_features() -> None:
    def hill(kappa: float, q: float) -> float:
        question = nonlinear.two_strengths(kappa, q)
        return nonlinear.hill(interpolation.limit("flow", "0.01:1e5:71", **question))

    linear, nearly, hardly = (hill(13.0, q) for q in (0.0, 0.01, 0.1))
    assert linear > nearly > 10 * hardly > 0
    assert hill(1.0, 0.01) < 1e-9


@pytest.mark.parametrize(
    ("risks", "height"), [([3, 2, 1], 0), ([1, 2, 3], 0), ([3, 1, 2, 1.5, 1.75], 0.5), ([3, 2, 2.5, 1], 0.5)]
)
def test_a_hill_is_climbed_and_left_again(risks: list[float], height: float) -> None:
    course = interpolation.over("psi1", [float(each) for each in range(len(risks))], risks)
    assert nonlinear.hill(course) == height


# Lesson 9: the plateau -------------------------------------------------------------------------------


@pytest.mark.parametrize("units", [2, 3])
def test_its_formulas_are_those_of_small_learning_rates(units: int) -> None:
    exact = theory.small_rate_plateau(units)
    assert plateau.slowly(units, 0.1) == pytest.approx(
        (exact.excess_risk, 0.1 * exact.escape_rate), rel=1e-12
    )


@pytest.mark.thorough
def test_the_rate_of_escape_is_that_of_the_plateau() -> None:
    """Read off a path from X = 0.01, it is off by the order of X^2."""
    assert plateau.escape(2.0)[1] == pytest.approx(theory.plateau(2, 2.0).escape_rate, rel=2e-4)


def test_final_risks_are_the_floor_of_weak_noise() -> None:
    found = plateau.floor([0.5])["measured"].item()
    assert found == pytest.approx(final.erf_floor(2, 0.5), rel=0.01)


@pytest.mark.thorough
def test_rates_of_escape_are_lower_than_the_formula_most_of_all_with_three_units() -> None:
    lost = {
        units: 1 - theory.plateau(units, 1.5).escape_rate / plateau.slowly(units, 1.5)[1] for units in (2, 3)
    }
    assert 0 < lost[2] < lost[3]


def test_three_units_never_learn_at_the_largest_rate() -> None:
    risks = plateau.limit([300], width=3, teacher_width=3, learning_rate=2.25, overlap=0.1)["excess_risk"]
    assert risks.item() > 0.1


@pytest.mark.thorough
@pytest.mark.parametrize("layer", [0.0, 0.5])
def test_three_units_never_learn_at_the_three_largest_rates(layer: float) -> None:
    """Without noise: at 1.5 they still do, from 1.75 on they come to rest at risks above 0, too long."""
    for rate in (1.5, 1.75, 2.25):
        asked = dict(width=3, teacher_width=3, learning_rate=rate, second_layer_learning_rate=layer)
        last = plateau.limit([1e4, 1e5], overlap=0.3, **asked)
        before, risk = last["excess_risk"].values
        long = last["Q"].values[-1, 0, 0] > 1.01
        assert (risk < 1e-6) == (rate == 1.5)
        assert long == (rate > 1.5)
        assert risk == pytest.approx(before, rel=1e-6, abs=1e-6)


@pytest.mark.thorough
def test_only_some_weights_grow_as_far_as_they_are_followed() -> None:
    asked = dict(width=3, teacher_width=3, learning_rate=2.25)
    for overlap, noise, grow in ((0.3, 0.0, False), (0.0, 0.0, True), (0.3, 0.4, True)):
        Q = plateau.limit([1e3, 1e4], overlap=overlap, noise=noise, **asked)["Q"].values[:, 0, 0]
        assert (Q[1] > 2 * Q[0]) == grow


def apart(time: float, rate: float, noise: float) -> float:
    """Overlap of a unit with its own unit of the teacher, less that with the other."""
    R = plateau.limit([time], learning_rate=rate, noise=noise)["R"][0]
    return float(R[0, 0] - R[0, 1])


def test_noise_lengthens_the_wait() -> None:
    assert apart(60, 1.5, 0.0) > 0.5 > apart(60, 1.5, 0.4)


@pytest.mark.thorough
def test_weak_noise_hardly_does_where_the_rate_is_1() -> None:
    quiet, weak, strong = (apart(80, 1.0, noise) for noise in (0.0, 0.1, 0.4))
    assert quiet > 0.5 > strong
    assert abs(weak - quiet) < 0.05


def test_a_slope_without_the_half_is_far_from_straight_waits() -> None:
    sizes, random = np.array([50, 200, 800]), np.random.default_rng(1)
    seen = {d: 4.0 * np.log(d) + random.normal(size=400) for d in sizes}
    right, slope, error = plateau.compared(seen, 1 / 8)
    wrong, *again = plateau.compared(seen, 1 / 4)
    assert right.agrees
    assert not wrong.agrees
    assert abs(slope - 4) < 5 * error < 0.5
    assert repeated(again, [slope, error])


# Lesson 10: learning from examples -------------------------------------------------------------------


@pytest.mark.parametrize("noise", [0.1, 0.7, 5.0])
def test_its_threshold_is_that_of_the_theory(noise: float) -> None:
    assert examples.separable_up_to(noise) == pytest.approx(separability.threshold(noise), rel=1e-5)


@pytest.mark.parametrize(("n", "d"), [(1, 5), (5, 5), (6, 5), (40, 20), (250, 100)])
def test_its_count_is_that_of_the_theory(n: int, d: int) -> None:
    assert examples.cover(n, d) == pytest.approx(separability.cover(n, d), rel=1e-12)


def test_its_jump_and_its_spinodal_are_those_of_the_theory() -> None:
    loads, overlaps, logarithms = examples.low_branch()
    assert float(np.interp(0, -logarithms, loads)) == pytest.approx(binary.transition(), rel=1e-5)
    assert loads[-1] == pytest.approx(binary.spinodal(), rel=1e-5)
    below = examples.limit([1.0], rule="gibbs", weights="binary")
    assert np.interp(1.0, loads, overlaps) == pytest.approx(below["R"].item(), rel=1e-4)
    assert np.interp(1.0, loads, logarithms) - np.log(2) == pytest.approx(below["entropy"].item(), rel=1e-4)


@pytest.mark.parametrize("alpha", [0.3, 1.1, 30.0])
def test_no_rule_is_better_than_bayes(alpha: float) -> None:
    errors = {rule: examples.limit([alpha], rule=rule)[examples.ERROR].item() for rule in examples.RULES}
    assert min(errors, key=errors.__getitem__) == "bayes"


def test_the_peak_is_where_there_are_as_many_examples_as_inputs() -> None:
    alphas = [0.5, 0.9, 0.9999, 1.1, 2.0]
    errors = examples.limit(alphas, rule="pseudo-inverse")[examples.ERROR].values
    assert int(np.argmax(errors)) == 2
    assert errors[2] == pytest.approx(0.5, abs=0.01)
    assert (examples.limit(alphas, rule="bayes")[examples.ERROR].diff("time") < 0).all()


def test_one_rule_is_wrong_of_four_labels_where_another_is_of_two() -> None:
    errors = [
        examples.limit([0.9999], rule=rule)[examples.ERROR].item() for rule in ("bayes", "pseudo-inverse")
    ]
    assert errors == pytest.approx([0.25, 0.5], abs=0.01)


@pytest.mark.thorough
def test_coins_are_counted_among_all_draws() -> None:
    """Draws without a student are no gap in the share: they count as none."""
    counted, margins = examples.stored(range(8), 5)
    share = counted.simulation["share"]
    assert share.sel(time=slice(1)).values == pytest.approx(1.0)
    assert share[-1] < 1
    assert np.isfinite(margins.simulation["margin"]).all()


# Lesson 11: students of teachers ---------------------------------------------------------------------

SQUARES, CUBES = students.system(2, 3, 3, 2, 2), students.system(3, 3, 3, 3, 2)


def drawn(**columns: Any) -> xr.Dataset:
    """Students of two teachers at two, three and four examples, as the theory has them for `SQUARES`."""
    right = {
        "ambiguity": [6.0, 3.0, 3.0],
        "direction_ambiguity": [6.0, 3.0, 3.0],
        "misfit": [1.0, 1e-15, 1e-15],
        "direction_error": [0.9, 0.8, 0.7],
    }
    values = {name: (("seed", "time"), [each] * 2) for name, each in {**right, **columns}.items()}
    return xr.Dataset(values, {"time": [2.0, 3.0, 4.0]})


def test_it_counts_what_is_left_to_be_found_and_how_many_examples_are_enough() -> None:
    assert [students.to_find(of) for of in (SQUARES, CUBES)] == [12, 18]
    assert [students.enough(of) for of in (SQUARES, CUBES)] == [3, 6]
    assert students.free([2, 3, 4], **SQUARES).tolist() == [[6, 3, 3]] * 2


def test_students_on_the_side_of_the_theory_are_counted() -> None:
    whole = {"free parameters": (6, 6), "outputs": (4, 4), "directions": (4, 4)}
    assert students.sides(drawn(), SQUARES) == whole
    lost = drawn(misfit=[1.0, 1e-15, np.nan], direction_error=[0.9, 0.8, np.nan])
    assert students.sides(lost, SQUARES) == {
        "free parameters": (4, 4),
        "outputs": (2, 2),
        "directions": (2, 2),
    }


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        ({"ambiguity": [6.0, 3.0, 2.0]}, "free parameters"),
        ({"direction_ambiguity": [5.0, 3.0, 3.0]}, "free parameters"),
        ({"misfit": [1e-9, 1e-15, 1e-15]}, "outputs"),
        ({"misfit": [1.0, 1e-15, 1e-3]}, "outputs"),
        ({"direction_error": [0.9, 0.8, 1e-12]}, "directions"),
    ],
)
def test_students_on_the_other_side_are_noticed(columns: dict[str, list[float]], name: str) -> None:
    found = students.sides(drawn(**columns), SQUARES)
    assert found[name][0] < found[name][1]
    assert all(seen == told for other, (seen, told) in found.items() if other != name)


def test_where_the_rank_does_not_decide_students_are_not_judged() -> None:
    others = drawn(misfit=[1.0, 1.0, 1e-15], direction_error=[0.9, 1e-15, 0.7])
    assert all(seen == told for seen, told in students.sides(others, SQUARES).values())


@pytest.mark.thorough
def test_trained_students_are_on_the_side_of_the_theory() -> None:
    for of in (SQUARES, CUBES):
        seen = students.trained(0, of)
        assert all(one == told > 0 for one, told in students.sides(seen, of).values())
    assert (seen["misfit"].sel(time=6) > students.ZERO).any(), "others at as many equations as unknowns"


# Lesson 12: the discriminator ------------------------------------------------------------------------

KINDS = ("relu", "fourier")
ORIGIN = np.zeros((1, 1))


def asked(kind: str, scale: float, distance: float) -> dict[str, Any]:
    """The question of one point, by its kernel's one scale."""
    return dict(discriminator=kind, bias=scale, length_scale=scale, distance=distance)


@pytest.mark.parametrize("kind", KINDS)
def test_kernels_and_slopes_are_those_of_the_theory_at_kinks_too(kind: str) -> None:
    x = np.random.default_rng(1).normal(size=(5, 2))
    y = np.concatenate([x[:2] + 1e-7, x[2:4], np.zeros((1, 2))])
    exact = Relu(0.7) if kind == "relu" else Gaussian(0.7)
    values, slopes = lesson.pairs(kind, 0.7, x, y)
    assert values == pytest.approx(exact.values(x, y), rel=1e-13, abs=1e-13)
    assert slopes == pytest.approx(exact.slopes(x, y), rel=1e-8, abs=1e-13)  # 1e-16/1e-7 at the kink


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("distance", [0.5, 2.0, 6.0])
def test_the_speed_of_one_point_is_the_slope_of_the_witness(kind: str, distance: float) -> None:
    place = np.array([[distance]])
    found = lesson.witness(kind, 0.8, place, place, ORIGIN)[1].item()
    assert found == pytest.approx(lesson.speed(kind, 0.8, distance), rel=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("scale", "distance"), [(1.0, 0.5), (1.0, 6.0), (0.25, 2.0), (4.0, 6.0)])
def test_halving_times_are_those_of_the_closed_form(kind: str, scale: float, distance: float) -> None:
    exact = dirac.halving_time(PROBLEM.instance(**asked(kind, scale, distance)), 1.0)
    assert lesson.halving(kind, scale, distance) == pytest.approx(exact, rel=1e-9)


def test_the_slope_jumps_at_the_point_by_beta_over_pi_and_the_point_sees_the_mean() -> None:
    at = np.array([[2 - 1e-8], [2.0], [2 + 1e-8]])
    left, here, right = lesson.witness("relu", 0.5, at, at[1:2], ORIGIN)[1][:, 0]
    assert right - left == pytest.approx(-0.5 / np.pi, rel=1e-6)
    assert here == pytest.approx((left + right) / 2, rel=1e-6)


def test_times_of_halving_are_found_between_records_and_missing_where_there_are_none() -> None:
    clock = np.array([1.0, 2.0, 3.0])
    walk = lesson.over(clock, np.array([[1.5, 0.75, 0.5], [2.0, 1.9, 1.8]]))
    walk = walk.rename(distance="time", half="place")
    first, never = lesson.halved(walk, 2.0)
    assert first == pytest.approx(1 + 0.5 / 0.75)
    assert np.isnan(never)


def test_the_discrepancy_of_a_cloud_is_that_of_the_theory() -> None:
    x, y = np.random.default_rng(2).normal(size=(2, 4, 2))
    share = np.full(4, 0.25)
    exact = discriminator_output.discrepancy(Relu(1.0), x, share, discriminator_output.Masses(y, share))
    assert cloud.discrepancy("relu", 1.0, x, y) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("distance", [2.0, 6.0])
def test_a_cloud_bursts_under_a_gaussian_and_not_under_relu(distance: float) -> None:
    start, data = cloud.starts(range(2), distance)
    ends = {kind: cloud.flowed(kind, 1.0, start[0], data)[-1] for kind in KINDS}
    far = {kind: np.linalg.norm(each, axis=1).max() for kind, each in ends.items()}
    assert far["relu"] < np.linalg.norm(start[0], axis=1).max() < far["fourier"]


def test_far_slopes_of_one_fourier_discriminator_scatter_as_the_lesson_says() -> None:
    """The error of a root mean square over 400 draws is about a share of 1/sqrt(800): five of them."""
    seen = lesson.trained([1.0], "simulation", range(400), width=64, **asked("fourier", 1.0, 6.0))
    found = float(np.sqrt((seen["slope"] ** 2).mean()))
    assert found == pytest.approx(lesson.noise(1.0, 64), rel=5 / np.sqrt(800))


def walked(width: int, steps: int, bias: float = 1.0, trained: float = 0.3) -> ts.Comparison:
    """Points that meet relu discriminators of that width in so many steps, against the theory."""
    clock = np.linspace(0.3, 3, 10)
    question = asked("relu", bias, 2.0)
    walk = lesson.walked(clock, 3 / steps, range(lesson.DRAWS), trained, width=width, **question)
    return ts.compare(walk, lesson.dirac(clock, **question))


@pytest.mark.thorough
def test_a_small_width_fails_and_a_large_one_agrees() -> None:
    assert walked(1024, 500).agrees
    assert not walked(4, 500).agrees
    assert not walked(1024, 500, bias=4.0, trained=1.0).agrees


@pytest.mark.thorough
def test_large_steps_run_ahead() -> None:
    assert (walked(1024, 30).residuals["place"][:6] < 0).all()


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_the_cloud_follows_the_flow_in_small_steps(kind: str) -> None:
    """Euler's error at the last time, from steps of 0.05: below a tenth of the way."""
    start, data = cloud.starts(range(2), 2.0)
    path = cloud.flowed(kind, 1.0, start[0], data)
    question = dict(discriminator=kind, seeds=2, seed=0, **cloud.ring(2.0))
    exact = ts.sample("gan", dynamics="generator", route="kernel", times=[1.0], **question)
    gap = np.abs(path[20] - exact["position"].values[0, 0]).max()
    assert gap < 0.1 * np.abs(path[20] - start[0]).max()
