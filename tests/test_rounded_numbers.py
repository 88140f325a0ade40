"""Numbers of answers: what rounding hides, what diverges, what few draws decide, what contours leave out."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest

from teacherstudent.house import catalogue
from teacherstudent.house.averages import mean_and_stderr
from teacherstudent.house.certainty import not_negative
from teacherstudent.house.errors import InputError, UnconvergedWarning
from teacherstudent.house.running import run
from teacherstudent.theory import contours
from teacherstudent.theory.contours import Contour
from tests.roundings import unrounded

DRAWS = np.random.default_rng(0).standard_normal((5, 3))


@pytest.mark.parametrize("magnitude", [-1000, -600, 0, 600, 1000])
def test_powers_of_two_change_nothing_but_the_magnitude(magnitude: int) -> None:
    for found, known in zip(mean_and_stderr(np.ldexp(DRAWS, magnitude)), mean_and_stderr(DRAWS), strict=True):
        np.testing.assert_array_equal(found, np.ldexp(known, magnitude))
    np.testing.assert_allclose(mean_and_stderr(DRAWS)[1], DRAWS.std(axis=0, ddof=1) / 5**0.5, rtol=1e-15)


def test_a_point_does_not_depend_on_others() -> None:
    """Of 1e-300, 1 and 1e300 beside each other, each has the error that it has alone."""
    draws = np.hstack([DRAWS * 10.0**power for power in (-300, -160, 0, 160, 300)])
    together = mean_and_stderr(draws)
    for i, column in enumerate(draws.T):
        alone = mean_and_stderr(column[:, None])
        assert [each[i] for each in together] == [each[0] for each in alone]
    assert (together[1] > 0).all()


def test_what_is_unknown_in_one_draw_is_unknown_at_its_point_only() -> None:
    draws = np.where([[True, False, False]] + 4 * [[False] * 3], np.nan, DRAWS)
    for found, known in zip(mean_and_stderr(draws), mean_and_stderr(DRAWS), strict=True):
        np.testing.assert_array_equal(found, [np.nan, *known[1:]])
    np.testing.assert_array_equal(mean_and_stderr(np.zeros((3, 2))), np.zeros((2, 2)))


def test_only_what_rounding_allows_is_taken_for_zero() -> None:
    found = not_negative(np.array([2.0, 0.0, -1e-12, -1e-3, np.nan]), np.array(1e-9))
    np.testing.assert_array_equal(found, [2.0, 0.0, 0.0, np.nan, np.nan])


def test_nothing_is_taken_for_zero_where_what_is_allowed_is_not_known() -> None:
    """As where it is a share of the largest of numbers of which one is lost, or diverges."""
    for unknown in (np.nan, np.inf):
        found = not_negative(np.array([2.0, -1e-3, np.inf]), np.array(unknown))
        np.testing.assert_array_equal(found, [2.0, np.nan, np.inf])


ROWS = np.random.default_rng(0).standard_normal((40, 6))


@pytest.mark.parametrize(
    ("problem", "asked", "peak"),
    [
        ("multiscale", {"d": 12, "p": 6, "noise": 0.3}, 12),
        ("random-features", {"d": 8, "width": 12}, 12),
        ("measured-spectrum", {"features": ROWS, "targets": ROWS @ np.ones(6)}, 7),
        ("measured-spectrum", {"features": ROWS, "targets": ROWS @ np.ones(6), "intercept": "none"}, 6),
        ("measured-spectrum", {"modes": "4:1:1,8:.1:.5"}, 12),
    ],
)
def test_as_many_examples_as_weights_are_remarked_on(problem: str, asked: dict[str, Any], peak: int) -> None:
    kind = catalogue.find_problem(problem)
    for n, ridge, said in (
        (peak - 1, 0, True),
        (peak, 0, True),
        (peak + 1, 0, True),
        (peak, 0.1, False),
        (peak + 2, 0, False),
    ):
        remarks = kind.remarks(kind.instance(**asked, n=n, ridge=ridge))
        assert ("a few draws dominate" in remarks) == said, (n, ridge)


def test_there_the_mean_over_draws_is_far_from_what_most_draws_give() -> None:
    asked: dict[str, Any] = {"d": 12, "p": 6, "kappa": 1.0, "noise": 0.3, "seeds": range(200)}
    for n, low, high in ((11, 3, np.inf), (12, 3, np.inf), (13, 3, np.inf), (30, 0, 1.5)):
        error = run("multiscale", "flow", "instance", [1e12], n=n, **asked)["excess_risk"]
        assert low < float(error.mean() / error.median()) < high


STEPS = [1, 10, 30]

SLOW = pytest.mark.thorough
SGD: dict[str, dict[str, Any]] = {
    "multiscale": {"n": 20, "d": 12, "p": 6},
    "measured-spectrum": {"modes": "6:1:1,6:.1:.5", "n": 20, "noise": 0.1},
}
DECAYING = {"frozen-groups": {"batch_size": 64}, "spurious-groups": {"n": 20}}


@pytest.mark.parametrize(
    ("problem", "dynamics", "route", "more"),
    [
        ("residual-digits", "descent", "kernel", {"weight_decay": 0.1}),
        *((name, "sgd", "instance", {**more, "data": "replacement"}) for name, more in SGD.items()),
        *((name, "sgd", "simulation", {**more, "data": "replacement"}) for name, more in SGD.items()),
        *((name, "sgd", "simulation", {**more, "data": "fresh"}) for name, more in SGD.items()),
        *((name, "sgd", "asymptotic", {**more, "data": "fresh"}) for name, more in SGD.items()),
        *(
            pytest.param(
                name, "descent", "simulation", {**more, "weight_decay": 0.1}, marks=pytest.mark.thorough
            )
            for name, more in DECAYING.items()
        ),
    ],
)
def test_a_rate_beyond_the_critical_one_gives_no_number(
    problem: str, dynamics: str, route: str, more: dict[str, Any]
) -> None:
    asked = {**more, **({"batch": 5} if dynamics == "sgd" else {}), "learning_rate": 1e3}
    if route == "asymptotic":
        with pytest.raises(InputError, match=r"^--learning-rate 1000\.0: must be below"):
            run(problem, dynamics, route, STEPS, **asked)
        return
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        answer = run(problem, dynamics, route, STEPS, seeds=[0, 1], **asked)
    for name, values in answer.items():
        assert values.isnull().all(), name
    reasons = [str(each.message) for each in said]
    assert any("learning_rate 1000: " in each and "it must be " in each for each in reasons), reasons


def test_weights_decay_up_to_the_bound_of_descent_with_momentum() -> None:
    """Without a gradient v <- mu v + lambda w, w <- w - eta v settles below eta lambda = 2 (1 + mu)."""
    from teacherstudent.sims.group_descent import Rule, settling

    for share in (0.99, 1.01):
        decay = share * 2 * 1.9
        weight, velocity = 1.0, 0.0
        for _ in range(3000):
            velocity = 0.9 * velocity + decay * weight
            weight -= velocity
        rule, reason = settling(Rule(1.0, 0.9, decay, 0.0))
        assert bool(reason) == (abs(weight) > 1) == bool(np.isnan(rule.learning_rate))


ROUNDING = 1e-9
"""Far above the rounding of these answers, which are of order 1; spare hidden units moved some by .2."""


@pytest.mark.filterwarnings("ignore::teacherstudent.house.errors.UnconvergedWarning")
@pytest.mark.parametrize("seed", range(12))
def test_spare_units_inputs_and_outputs_change_no_balanced_linear_network(seed: int) -> None:
    """The hidden frame has a stream of its own. Of rotated starts more inputs or outputs draw another."""
    rng = np.random.default_rng(seed)
    modes, start = int(rng.integers(1, 4)), ("rotated", "decoupled")[seed % 2]
    s = rng.uniform(0.3, 3, modes)
    used = dict.fromkeys(("inputs", "outputs"), modes + int(rng.integers(3)))
    spare = {name: size + 3 * (start == "decoupled") for name, size in used.items()}
    answer = partial(
        run,
        *("linear-network", "flow", "riccati", [0, 1, 10, 50, 100]),
        seeds=range(4),
        start=start,
        singular_values=s,
        u0=s * 10 ** rng.uniform(-4, -0.1, modes),
        balance=rng.uniform(-4, 4),
    )
    lean, wide = answer(hidden=modes, **used)["u"], answer(hidden=modes + 3, **spare)["u"]
    np.testing.assert_allclose(wide, lean, rtol=0, atol=ROUNDING)


def test_the_modes_of_a_wide_network_are_those_that_its_matrices_learn() -> None:
    """Rounding in three spare hidden units had taken the last mode to .38, its end."""
    u = run(
        *("linear-network", "descent", "riccati", [50_000]),
        **dict(seeds=range(3, 7), start="rotated", balance=-3, hidden=6, inputs=5, outputs=6, u0=0.1),
        **dict(singular_values=(2.9, 0.5, 0.38), learning_rate=0.001),
    )["u"]
    np.testing.assert_allclose(u.mean("seed")[0, 2], 0.31409, atol=5e-6)  # by integration of both matrices


def test_a_mode_that_rounding_of_a_larger_one_hides_is_not_answered_for() -> None:
    """Its start of 1e-30 is lost next to 1 in the product of frames; what grows then is rounding."""
    asked = dict(singular_values=(2, 1), u0=(1, 1e-30), hidden=5)
    times = [1.0, 4.0, 30.0, 40.0]
    exact = run("linear-network", "flow", "closed-form", times, **asked)["u"]
    with pytest.warns(UnconvergedWarning, match="rounding errors dominate"):
        u = run("linear-network", "flow", "riccati", times, seeds=[0, 1], **asked)["u"]
    np.testing.assert_allclose(u[:, :2], exact[:2].expand_dims(seed=[0, 1]), rtol=0, atol=ROUNDING)
    assert u[:, 2:].isnull().all()


def test_a_spare_student_without_output_changes_no_committee() -> None:
    overlaps = np.diag([0.5, 0.4, 0.3])
    overlaps[0, 1] = overlaps[1, 0] = 0.1
    towards = np.array([[0.1, 0.05], [0.02, 0.2], [0.0, 0.0]])

    def answer(width: int) -> np.ndarray:
        sizes = dict(width=width, teacher_width=2, second_layer_learning_rate=0.3)
        start = dict(student_overlaps=overlaps[:width, :width], initial_overlaps=towards[:width])
        second = (1.0, 0.9, 0.0)[:width]
        asked = dict(initial_second_layer=second, **sizes, **start)
        return run("committee", "online", "asymptotic", [1, 10, 100, 1000], **asked)["excess_risk"].values

    np.testing.assert_allclose(answer(3), answer(2), rtol=0, atol=ROUNDING)


@pytest.mark.parametrize(
    ("dynamics", "route"),
    [
        *((dynamics, route) for dynamics in ("flow", "ridge") for route in ("leverage", "per-row")),
        *((dynamics, route) for dynamics in ("flow", "descent") for route in ("asymptotic", "instance")),
    ],
)
def test_spare_features_change_no_answer_of_measured_rows(dynamics: str, route: str) -> None:
    """The same rows in more features, turned: what the spare ones hold is rounding."""
    rng = np.random.default_rng(5)
    rows = rng.standard_normal((60, 6)) * 10 ** rng.uniform(-2, 1, 6)
    turned = rows @ np.linalg.qr(rng.standard_normal((11, 11)))[0][:6]
    targets = rows[:, :2].sum(axis=1) + 0.3 * rng.standard_normal(60)
    drawn = {"seeds": range(2)} if route == "instance" else {}
    lean, wide = (
        run("measured-spectrum", dynamics, route, [1, 1e3, 1e9], features=x, targets=targets, n=30, **drawn)
        for x in (rows, turned)
    )
    for name in lean:
        np.testing.assert_allclose(wide[name], lean[name], rtol=ROUNDING)


RELATIVE = 1e-9
SLOWEST = 0.05
EIGENVALUES = np.array([1.0, 1.7, 30.0]) * SLOWEST
"""From the slowest, on which the contour is drawn close, upwards."""


def summed(contour: Contour, over: np.ndarray, eigenvalues: np.ndarray) -> np.ndarray:
    """The contour's sum of weights over each of A + v, (T, A)."""
    return 2 * (over[..., None] / (eigenvalues + contour.nodes[..., None])).sum(axis=1).real


def assert_functions_of(contour: Contour, propagator: np.ndarray, eigenvalues: np.ndarray) -> None:
    """p, and M = p + (1 - p)/A of a ridge 1 as the pole v = 0 adds it, to RELATIVE of the largest p."""
    size = np.abs(propagator).max(axis=1, keepdims=True)
    kept = summed(contour, contour.weights, eigenvalues)
    assert np.all(np.abs(kept - propagator) <= RELATIVE * size)
    inner = summed(contour, contour.weights / contour.nodes, eigenvalues)
    outside = contour.outside(0.0)[:, None] / eigenvalues
    learned = (1 - propagator) / eigenvalues
    assert np.all(np.abs(inner + outside - learned) <= RELATIVE * np.maximum(size, learned))


def test_flow_keeps_its_digits_from_first_to_last() -> None:
    times = np.array([1e-3, 1.0, 30.0, 60.0, 70.0, 100.0, 1e3, 6e3])
    assert_functions_of(contours.flow(times, SLOWEST), np.exp(-times[:, None] * EIGENVALUES), EIGENVALUES)


@pytest.mark.parametrize("share", [0.3, 1.0, 1.3, 1.9])
def test_descent_keeps_its_digits_on_circles_and_spirals(share: float) -> None:
    """Learning rates at which all eigenvalues of 1 - eta A are positive, and at which some are negative."""
    rate = share / EIGENVALUES.max()
    steps = np.array([1.0, 2, 7, 24, 25, 60, 400, 4000])
    groups = contours.descent(steps, rate, 1 - share, rate * EIGENVALUES.min())
    assert sorted(np.concatenate([where for where, _ in groups])) == list(range(steps.size))
    for where, contour in groups:
        propagator = (1 - rate * EIGENVALUES) ** steps[where][:, None]
        assert_functions_of(contour, propagator, EIGENVALUES)


@pytest.mark.parametrize("steps", [10.0, 200.0])
def test_all_eigenvalues_beyond_one_over_the_rate(steps: float) -> None:
    """No mode is left on the positive side: what a contour there would enclose is nothing."""
    rate = 1.8 / EIGENVALUES.max()
    close = EIGENVALUES.max() * np.array([0.9, 1.0])
    ((_, contour),) = contours.descent(np.array([steps]), rate, 1 - 1.8, rate * close.min())
    assert_functions_of(contour, ((1 - rate * close) ** steps)[None], close)


def test_what_is_gone_is_zero_and_its_pole_is_whole() -> None:
    for contour in (
        contours.flow(np.array([1e9]), SLOWEST),
        contours.descent(np.array([1e9]), 0.5, 0.2, 0.5 * SLOWEST)[0][1],
        contours.descent(np.array([100.0]), 1.0, 0.0, 1.0)[0][1],
    ):
        assert not contour.weights.any()
        assert unrounded(contour.outside(0.0), 1)
        assert np.all(np.isfinite(contour.nodes))


def test_a_rate_and_a_time_whose_product_is_no_number_leave_nothing() -> None:
    contour = contours.flow(np.array([1e-300, 1e300]), 1e300)
    assert np.isfinite(contour.nodes).all()
    assert not contour.weights[1].any()
    np.testing.assert_allclose(contour.outside(-1e300), [0.0, 0.0], atol=1e-12)
