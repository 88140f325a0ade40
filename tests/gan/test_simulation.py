"""The simulation of generator and discriminator: steps by hand in loops, symmetries, what is refused."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
import pytest

from teacherstudent.paper_checks.judging.agreement import mean_within_errors, within_bound
from teacherstudent.problems.gan import PROBLEM, Gan
from teacherstudent.problems.gan.data import points, weights
from teacherstudent.sims.gan import networks
from teacherstudent.sims.gan.discriminator import discriminator
from teacherstudent.sims.gan.generator import generator
from tests.roundings import copied, repeated

EPS = np.finfo(float).eps
SEEDS = [3, 8]
KINDS = ("relu", "fourier")
CLOUD: dict[str, Any] = {"target": "gaussian", "n": 3, "particles": 2, "d": 2, "spread": 0.7, "distance": 1.5}
PACE: dict[str, Any] = {"learning_rate": 0.25, "discriminator_time": 0.6, "discriminator_rate": 0.2}


def instance(**values: Any) -> Gan:
    found: Gan = PROBLEM.instance(**{"width": 5, "bias": 0.8, "length_scale": 1.3, **CLOUD, **values})
    return found


# A second simulation, in loops -----------------------------------------------------------------------------


class Loops:
    """A discriminator in NumPy, unit by unit and point by point, with derivatives taken by hand."""

    def __init__(self, kind: str, scale: float, inner: Any, shift: Any, outer: Any) -> None:
        self.kind, self.scale, self.width = kind, scale, len(shift)
        signs = (1.0, -1.0) if kind == "relu" else (1.0,)
        self.units = [
            [sign, np.array(w, dtype=float), float(b), float(a)]
            for sign in signs
            for w, b, a in zip(np.asarray(inner), np.asarray(shift), np.asarray(outer), strict=True)
        ]

    def factor(self, sign: float) -> float:
        return sign / np.sqrt(2 * self.width) if self.kind == "relu" else np.sqrt(2 / self.width)

    def f(self, x: np.ndarray) -> float:
        total = 0.0
        for sign, w, b, a in self.units:
            unit = max(w @ x + self.scale * b, 0) if self.kind == "relu" else np.cos(w @ x / self.scale + b)
            total += self.factor(sign) * a * unit
        return total

    def slope(self, x: np.ndarray) -> np.ndarray:
        total = np.zeros(len(x))
        for sign, w, b, a in self.units:
            if self.kind == "relu":
                total += self.factor(sign) * a * w * (w @ x + self.scale * b > 0)
            else:
                total -= self.factor(sign) * a * np.sin(w @ x / self.scale + b) * w / self.scale
        return total

    def climb(self, generated: np.ndarray, data: np.ndarray, rate: float) -> None:
        """A step of ascent, every unit from the weights before it: units do not see each other."""
        for unit in self.units:
            sign, w, b, a = unit
            for sample, share in [
                *((x, 1 / len(generated)) for x in generated),
                *((y, -1 / len(data)) for y in data),
            ]:
                push = rate * share * self.factor(sign)
                if self.kind == "fourier":
                    unit[3] += push * np.cos(w @ sample / self.scale + b)
                elif (z := w @ sample + self.scale * b) > 0:
                    unit[1] = unit[1] + push * a * sample
                    unit[2] += push * a * self.scale
                    unit[3] += push * z

    def seen(self, generated: np.ndarray, data: np.ndarray) -> dict[str, float]:
        steep = [self.slope(x) @ self.slope(x) for x in generated]
        apart = np.mean([self.f(x) for x in generated]) - np.mean([self.f(y) for y in data])
        return {"separation": float(apart), "slope": float(np.sqrt(np.mean(steep)))}


def agrees(found: Any, wanted: Any, name: str) -> None:
    verdict = within_bound(
        found - np.asarray(wanted), 1e3 * EPS * (1 + np.max(np.abs(wanted))), "a few steps"
    )
    assert verdict.agrees, (name, verdict)


@pytest.mark.parametrize("kind", KINDS)
def test_a_discriminator_climbs_as_by_hand(kind: str) -> None:
    problem = instance(discriminator=kind)
    found = discriminator(problem, np.array([0.0, 0.22, 0.6]), discriminator_rate=0.2, seeds=SEEDS)
    sets, layers = points(problem, SEEDS), weights(problem, SEEDS)
    scale = 0.8 if kind == "relu" else 1.3
    for s in range(len(SEEDS)):
        x, y = sets.generated[s], sets.data[s]
        other = Loops(kind, scale, layers.inner[s], layers.shift[s], layers.outer[s])
        for t, steps in enumerate((0, 1, 2)):  # the nearest to each time: 0, 1 and 3 steps in all
            for _ in range(steps):
                other.climb(x, y, 0.2)
            for name, value in other.seen(x, y).items():
                agrees(found[name][s, t], value, name)
                assert (abs(found[name][s, t]) < 100 * EPS) == (t == 0), "f = 0 at first, and not later"
            assert copied(found["position"][s, t], x)
            agrees(found["distance_of_means"][s, t], np.linalg.norm(x.mean(0) - y.mean(0)), "means")


@pytest.mark.parametrize("kind", KINDS)
def test_points_move_down_the_slope_of_discriminators_drawn_anew(kind: str) -> None:
    problem = instance(discriminator=kind)
    found = generator(problem, np.array([0.0, 0.3, 0.5]), **PACE, seeds=SEEDS)
    scale = 0.8 if kind == "relu" else 1.3
    for s, seed in enumerate(SEEDS):
        x, y = points(problem, [seed]).generated[0], points(problem, [seed]).data[0]
        for step in range(3):
            key = jax.random.fold_in(jax.random.key(seed), step)
            drawn = networks.redrawn(kind, key, problem.width, problem.d)
            layer = [value[0] if kind == "relu" else value for value in drawn.values()]
            other = Loops(kind, scale, *layer)
            for _ in range(3):
                other.climb(x, y, 0.2)
            for name, value in other.seen(x, y).items():
                agrees(found[name][s, step], value, name)
            agrees(found["position"][s, step], x, "position")
            agrees(found["distance_of_means"][s, step], np.linalg.norm(x.mean(0) - y.mean(0)), "means")
            x = x - 0.25 * np.array([other.slope(point) for point in x])


@pytest.mark.thorough
def test_a_time_that_is_no_multiple_of_the_rate_is_reached_in_steps_near_to_it() -> None:
    """0.5 in two steps of 0.25 where steps of 0.2 are asked for, and 0.05 in one step."""
    ask = {"learning_rate": 0.1, "seeds": SEEDS}
    for time, asked, taken in ((0.5, 0.2, 0.25), (0.05, 0.2, 0.05)):
        pair = [
            generator(instance(), np.array([0.2]), discriminator_time=time, discriminator_rate=rate, **ask)
            for rate in (asked, taken)
        ]
        assert repeated(pair[0]["position"], pair[1]["position"])


# What is drawn ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_networks_drawn_anew_have_the_law_that_the_problem_states(kind: str) -> None:
    keys = [jax.random.key(seed) for seed in range(40)]
    drawn = [networks.redrawn(kind, key, 100, 2) for key in keys]
    layers = [
        {name: values[0] if kind == "relu" else values for name, values in net.items()} for net in drawn
    ]

    def moments(layer: dict[str, Any]) -> list[float]:
        w, b, a = (np.asarray(layer[name]) for name in ("inner", "shift", "outer"))
        normal = [w[:, 0], w[:, 1], *((b, a) if kind == "relu" else ())]
        powers = [np.mean(each**power) for each in normal for power in (1, 2, 4)]
        products = [np.mean(one * normal[k]) for k in range(1, len(normal)) for one in normal[:k]]
        phases = [] if kind == "relu" else [np.mean(b), np.mean(np.cos(b)), np.mean(np.sin(b))]
        return [*powers, *products, *phases]

    found = np.array([moments(each) for each in layers])
    count = 4 if kind == "relu" else 2
    claim = [
        *([0, 1, 3] * count),
        *([0] * (count * (count - 1) // 2)),
        *([] if kind == "relu" else [np.pi, 0, 0]),
    ]
    assert mean_within_errors(found, claim).agrees
    assert mean_within_errors(found, 1.2 * np.array(claim)).refutes
    if kind == "relu":
        for values in drawn[0].values():
            assert repeated(values[0], values[1])
    else:
        assert not np.any(drawn[0]["outer"])
    assert {name: values.shape for name, values in drawn[0].items()} == {
        "inner": (2, 100, 2), "shift": (2, 100), "outer": (2, 100),
    } if kind == "relu" else len(drawn[0]["shift"]) == 100  # fmt: skip


# Symmetries and limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_where_generator_and_data_change_places_the_discriminator_changes_its_sign(kind: str) -> None:
    sets, at = points(instance(), [4]), np.random.default_rng(0).normal(size=(6, 2))
    x, y = sets.generated[0], sets.data[0]
    start = networks.redrawn(kind, jax.random.key(1), 7, 2)
    one, other = (
        np.asarray(networks.output(kind, 0.9, networks.ascended(kind, 0.9, start, *pair, 0.2, 4), at))
        for pair in ((x, y), (y, x))
    )
    assert np.max(np.abs(one)) > 0.01
    np.testing.assert_allclose(other, -one, atol=100 * EPS)


@pytest.mark.parametrize("kind", KINDS)
def test_other_units_of_length_change_outputs_and_slopes_alone(kind: str) -> None:
    """All lengths doubled, that of a bias or a wave too: outputs of relu are double, at half the rate."""
    common: dict[str, Any] = {"discriminator": kind, "target": "point", "n": 1}
    small = discriminator(instance(**common), np.array([0.3]), discriminator_rate=0.1, seeds=SEEDS)
    lengths = {
        name: 2 * value
        for name, value in {"distance": 1.5, "spread": 0.7, "bias": 0.8, "length_scale": 1.3}.items()
    }
    slower = 2 if kind == "relu" else 1
    large = discriminator(
        instance(**common, **lengths), np.array([0.3 / slower]), discriminator_rate=0.1 / slower, seeds=SEEDS
    )
    np.testing.assert_allclose(large["separation"], slower * small["separation"], rtol=100 * EPS)
    np.testing.assert_allclose(large["slope"], slower / 2 * small["slope"], rtol=100 * EPS)
    np.testing.assert_allclose(large["distance_of_means"], 2 * small["distance_of_means"], rtol=4 * EPS)


def test_waves_with_trained_outer_weights_are_linear_in_time_whatever_the_steps() -> None:
    problem, times = instance(discriminator="fourier"), np.array([0.4, 0.8])
    fine, coarse = (
        discriminator(problem, times, discriminator_rate=rate, seeds=SEEDS) for rate in (0.1, 0.4)
    )
    for name in ("separation", "slope"):
        np.testing.assert_allclose(coarse[name], fine[name], rtol=100 * EPS)
        np.testing.assert_allclose(fine[name][:, 1], 2 * fine[name][:, 0], rtol=100 * EPS)


def test_relu_is_trained_beyond_what_is_linear_in_time() -> None:
    found = discriminator(instance(), np.array([0.4, 0.8]), discriminator_rate=0.1, seeds=SEEDS)["separation"]
    assert np.all(found[:, 1] > 2.01 * found[:, 0])


def test_at_a_kink_the_slope_is_the_mean_of_both_sides() -> None:
    """Without biases all kinks of relu units are at the origin."""
    start = networks.redrawn("relu", jax.random.key(2), 9, 1)
    trained = networks.ascended("relu", 0.0, start, np.array([[1.0]]), np.array([[-0.5]]), 0.3, 3)
    left, right, at = np.ravel(networks.slopes("relu", 0.0, trained, np.array([[-1.0], [1.0], [0.0]])))
    assert abs(right - left) > 0.01
    np.testing.assert_allclose(at, (left + right) / 2, atol=100 * EPS)


def test_points_on_the_data_stay_there() -> None:
    problem = instance(target="point", n=1, distance=0.0, spread=0.0)
    found = generator(problem, np.array([0.5]), **PACE, seeds=SEEDS)
    for name, values in found.items():
        agrees(values, 0.0, name)


# What holds for all -----------------------------------------------------------------------------------------


def asked(problem: Gan, times: Any, seeds: list[int]) -> list[dict[str, np.ndarray]]:
    return [
        discriminator(problem, np.array(times), discriminator_rate=0.2, seeds=seeds),
        generator(problem, np.array(times), **PACE, seeds=seeds),
    ]
