"""The loss hinge-kr in limits that are known, by other means, and where it is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from teacherstudent.house.errors import InputError
from teacherstudent.house.running import run
from teacherstudent.problems.scale_invariant import PROBLEM, draw_samples, draw_start
from teacherstudent.sims.scale_invariant.losses import Loss, sample_loss
from teacherstudent.sims.scale_invariant.robustness import attacked_accuracy
from teacherstudent.sims.scale_invariant.slopes import loss_and_slope
from teacherstudent.theory.scale_invariant import edge, optimum, transport
from teacherstudent.theory.scale_invariant.hinge import HingeKR, certified_accuracy
from tests.roundings import same

HINGE: dict[str, Any] = {"loss": "hinge-kr"}
LAW = HingeKR(3.0, 0.8, 1.2, 0.9)
BEYOND = HingeKR(60.0, 0.8, 1.2, 0.9)
"""Below and beyond the threshold, which is at about 25."""


def answer(route: str, times: list[float], dynamics: str = "descent", **asked: Any) -> np.ndarray:
    """Angle and radius, (2, T)."""
    found = run("scale-invariant", dynamics, route, times, **asked)
    return np.stack([found[name].values for name in ("angle", "radius")])


# A student -----------------------------------------------------------------------------------------------


def test_the_second_order_law_counts_the_steps_of_its_own_integral() -> None:
    """k = integral of r^2/(eta g) - g'/(2 g) over the angle, by quadrature of differences."""
    eta, steps = 0.01, 25
    angle = answer("second-order", [steps], learning_rate=eta, hinge_weight=3.0, **HINGE)[0, 0]
    angles = np.linspace(angle, 1.5, 20001)
    law = HingeKR(3.0, 1.0, 1.0, 1.0)
    g = np.array([law.slope(each) for each in angles])
    r2 = 1 + eta * law.drop(1.5, angles)
    spent = np.trapezoid(r2 / (eta * g), angles) - np.log(g[-1] / g[0]) / 2
    assert spent == pytest.approx(steps, rel=1e-7)  # of the quadrature: (step/scale)^2/12


@pytest.mark.parametrize("law", [LAW, BEYOND])
def test_pull_curvature_drift_and_stretch_are_derivatives_of_the_loss(law: HingeKR) -> None:
    """By central differences, whose own error is 1e-10 of the loss."""
    h, scale = 1e-5, abs(law.loss(-1.0))
    for m in (-0.7, 0.1, 0.8):
        by_m = (law.loss(m + h) - law.loss(m - h)) / (2 * h)
        assert law.pull(m) == pytest.approx(-by_m, abs=1e-9 * scale)
        assert law.alignment_drift(1 - m) == pytest.approx(-by_m * (1 - m**2), abs=1e-9 * scale)
        assert law.slope(np.arccos(m)) == pytest.approx(-by_m * np.sqrt(1 - m**2), abs=1e-9 * scale)
        by_log = (np.log(law.pull(m + h)) - np.log(law.pull(m - h))) / (2 * h)
        assert law.stretch(m) == pytest.approx(-by_log, abs=1e-8)
    turned = [law.loss(np.cos(angle)) for angle in (-1e-4, 0.0, 1e-4)]
    assert law.curvature == pytest.approx(np.diff(turned, 2)[0] / 1e-8, rel=1e-5)


def test_sample_losses_are_those_of_the_problems_text() -> None:
    """-2 y f + 2 hinge_weight max(margin - y f, 0), in plain NumPy."""
    problem = PROBLEM.instance(d=4, hinge_weight=1.7, margin=0.6, teacher="random", **HINGE)
    (teacher,), (x,) = draw_start(problem, [2])
    inputs, labels = (each[0] for each in draw_samples(problem, teacher[None], [2], 30, 0.0))
    signed = labels * (inputs @ x) / np.linalg.norm(x)
    by_hand = np.mean(-2 * signed + 3.4 * np.maximum(0.6 - signed, 0))
    assert float(sample_loss(Loss.of(problem), x, inputs, labels)) == pytest.approx(by_hand, rel=1e-14)


def test_slopes_are_those_of_other_losses_as_well() -> None:
    problem = PROBLEM.instance(d=4, loss="squared-correlation", angle0=1.1, teacher="random")
    found = loss_and_slope(problem, 10, 0.0, [0, 1]).population
    np.testing.assert_allclose(found, [[1 - np.cos(1.1) ** 2, np.sin(2.2)]] * 2, rtol=1e-13)


# All 1-Lipschitz functions -------------------------------------------------------------------------------


def test_without_a_hinge_both_programs_are_the_wasserstein_distance_on_a_line() -> None:
    rng = np.random.default_rng(0)
    plus, minus = rng.normal(1, 1, 13), rng.normal(-1, 2, 17)
    labels = np.repeat([1.0, -1.0], [13, 17])
    classes = transport.of_samples(np.concatenate([plus, minus])[:, None], labels)
    distance = stats.wasserstein_distance(plus, minus)
    assert transport.critic(classes, 0.0, 0.7).loss == pytest.approx(-distance, abs=1e-9)
    assert transport.plan(classes, 0.0, 0.7).loss == pytest.approx(-distance, abs=1e-9)


@pytest.mark.parametrize("hinge_weight", [0.0, 2.0])
def test_masses_move_within_their_bounds(hinge_weight: float) -> None:
    rng = np.random.default_rng(1)
    labels = np.repeat([1.0, -1.0], 8)
    classes = transport.of_samples(rng.standard_normal((16, 3)), labels)
    moved = transport.plan(classes, hinge_weight, 0.5).moved
    for axis in (0, 1):
        masses = moved.sum(axis=axis)
        assert np.all(masses >= 1 / 8 - 1e-9)
        assert np.all(masses <= (1 + hinge_weight) / 8 + 1e-9)


def test_programs_scale_with_lengths() -> None:
    rng = np.random.default_rng(2)
    points, labels = rng.standard_normal((20, 2)), np.repeat([1.0, -1.0], 10)
    one, three = (transport.of_samples(size * points, labels) for size in (1.0, 3.0))
    for program in (transport.critic, transport.plan):
        assert program(three, 2.0, 1.5).loss == pytest.approx(3 * program(one, 2.0, 0.5).loss, abs=1e-8)


@pytest.mark.parametrize("law", [LAW, BEYOND, HingeKR(5.0, 0.0, 1.2, 0.9)])
def test_the_least_loss_is_the_integral_of_its_function(law: HingeKR) -> None:
    """Over class -1, twice for both."""
    corners = [-optimum.flat_end(law), -law.margin, 0.0, law.margin, optimum.flat_end(law)]

    def density(x: float) -> float:
        f = float(optimum.values(law, np.array(x)))
        weighed = f + law.hinge_weight * max(law.margin + f, 0.0)
        return 2 * weighed * stats.norm.pdf(x, -law.class_mean, law.class_noise)

    total, _ = integrate.quad(density, -12, 12, points=corners, epsabs=1e-11, limit=200)
    assert optimum.least_loss(law) == pytest.approx(total, abs=1e-9)


def test_the_optimum_is_odd_never_steeper_than_1_and_never_falls() -> None:
    x = np.linspace(-6, 6, 4001)
    f = optimum.values(BEYOND, x)
    assert same(optimum.values(BEYOND, -x), -f, 4)
    slopes = np.diff(f) / np.diff(x)
    assert slopes.min() > -1e-12
    assert slopes.max() < 1 + 1e-12


def test_certificates_of_the_optimum_are_those_of_its_function() -> None:
    radii = np.array([0.0, 0.5, 0.79, 0.81, 1.5])
    x = np.linspace(-12, 12, 2_000_001)
    weights = stats.norm.pdf(x, BEYOND.class_mean, BEYOND.class_noise) * (x[1] - x[0])
    f = optimum.values(BEYOND, x)
    shares = [weights[f > radius].sum() for radius in radii]
    np.testing.assert_allclose(optimum.certified_accuracy(BEYOND, radii), shares, atol=1e-5)  # half a cell
    inside = radii < BEYOND.margin
    teacher = certified_accuracy(np.ones(()), radii, BEYOND.class_mean, BEYOND.class_noise)
    np.testing.assert_allclose(optimum.certified_accuracy(BEYOND, radii)[inside], teacher[inside])


# What is refused -----------------------------------------------------------------------------------------


def test_functions_beside_the_routes_refuse_other_losses() -> None:
    with pytest.raises(InputError, match="--loss correlation: must be hinge-kr"):
        attacked_accuracy(PROBLEM.instance(d=3), np.array([1.0]), np.zeros(1), 5, [0])
    with pytest.raises(InputError, match="--loss hinge-kr"):
        edge.steps_to_edge(PROBLEM.instance(ridge=0.1, **HINGE))
