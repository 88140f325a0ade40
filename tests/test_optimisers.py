"""Optimisers, and published numbers of the simulations: what follows from them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from teacherstudent import optimisers
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw, fresh
from teacherstudent.sims.arrays import nan_where_not_finite
from teacherstudent.sims.multiscale.data import FRESH, extras
from teacherstudent.sims.scale_invariant.losses import activation
from teacherstudent.sims.starvation.training import Recipe
from tests.normalised_network import AXES, groups, initial, train

EPS = np.finfo(float).eps
STEPS = 25
RATE, DECAY, B1, B2, SMALL = 0.02, 0.05, 0.8, 0.9, 1e-8
INVARIANT = [name for name, axes in AXES.items() if axes]


@dataclass
class Memory:
    """One group between two steps."""

    x: np.ndarray
    m: np.ndarray
    v: float
    k: int = 0


def direction(memory: Memory, g: np.ndarray, square: float) -> np.ndarray:
    """Lines 5 to 8 of Algorithm 1: moments, bias corrections, quotient."""
    memory.k += 1
    memory.m = B1 * memory.m + (1 - B1) * g
    memory.v = B2 * memory.v + (1 - B2) * square
    return memory.m / (1 - B1**memory.k) / (np.sqrt(memory.v / (1 - B2**memory.k)) + SMALL)


def rescaled_transport(m: np.ndarray, old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Eq. 18."""
    return ((new @ old) * m - (m @ new) * old) / (new @ new)


def adam_s(memory: Memory, g: np.ndarray) -> None:
    """Algorithm 1 without its lines 10 and 11."""
    g = g + DECAY * memory.x
    memory.x = memory.x - RATE * direction(memory, g, g @ g / g.size)


def adam_srt(memory: Memory, g: np.ndarray) -> None:
    """Algorithm 1, lines 10 and 11 corrected."""
    old = memory.x
    adam_s(memory, g)
    memory.m = rescaled_transport(memory.m, old, memory.x)
    memory.v *= (old @ old) / (memory.x @ memory.x)


def sgd_mrt(memory: Memory, g: np.ndarray) -> None:
    """Eqs. 5 and 76."""
    old = memory.x
    memory.m = B1 * memory.m + g + DECAY * old
    memory.x = old - RATE * memory.m
    memory.m = rescaled_transport(memory.m, old, memory.x)


def adamg(memory: Memory, g: np.ndarray) -> None:
    """Cho and Lee's Adam-G on the sphere of the group's own radius, transport by the geodesic."""
    r = np.linalg.norm(memory.x)
    u = memory.x / r
    step = direction(memory, r * g, r**2 * (g @ g))
    length = np.linalg.norm(step)
    e, phi = step / length, RATE * length
    memory.x = r * (np.cos(phi) * u - np.sin(phi) * e)
    along = memory.m @ e
    memory.m = memory.m + along * ((np.cos(phi) - 1) * e + np.sin(phi) * u)


SCHEMES: dict[str, tuple[Callable[[Memory, np.ndarray], None], optax.GradientTransformation]] = {
    "adam_s": (adam_s, optimisers.adam_s(RATE, AXES, B1, B2, SMALL, DECAY)),
    "adam_srt": (adam_srt, optimisers.adam_srt(RATE, AXES, B1, B2, SMALL, DECAY)),
    "sgd_mrt": (sgd_mrt, optimisers.sgd_mrt(RATE, AXES, B1, DECAY)),
    "adamg": (adamg, optimisers.adamg(RATE, AXES, B1, B2, SMALL)),
}
ORDINARY = {
    "adam_s": optax.chain(optax.add_decayed_weights(DECAY), optax.adam(RATE, B1, B2, SMALL)),
    "adam_srt": optax.chain(optax.add_decayed_weights(DECAY), optax.adam(RATE, B1, B2, SMALL)),
    "sgd_mrt": optax.chain(optax.add_decayed_weights(DECAY), optax.sgd(RATE, B1)),
    "adamg": optax.adam(RATE, B1, B2, SMALL),
}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_group_moves_as_the_algorithm_says(scheme: str) -> None:
    """Given the same gradients: what is left is the rounding of each step, a dozen operations."""
    step, optimiser = SCHEMES[scheme]
    visited, gradients = train(optimiser, initial(), STEPS)
    for name in INVARIANT:
        axes = AXES[name]
        expected = []
        for number, x in enumerate(groups(axes, visited[0][name])):
            memory = Memory(x, np.zeros_like(x), 0.0)
            for each in gradients:
                step(memory, groups(axes, each[name])[number])
            expected.append(memory.x)
        last = groups(axes, visited[-1][name])
        moved = np.linalg.norm(last - groups(axes, visited[0][name]), axis=1)
        assert np.all(moved > 0.05)
        np.testing.assert_allclose(last, expected, rtol=0, atol=100 * STEPS * EPS)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_is_not_invariant_is_trained_by_the_ordinary_scheme(scheme: str) -> None:
    visited, gradients = train(SCHEMES[scheme][1], initial(), 5)
    rest = {name: visited[0][name] for name in ("out", "scale")}
    state = ORDINARY[scheme].init(rest)
    for each in gradients:
        change, state = ORDINARY[scheme].update({name: each[name] for name in rest}, state, rest)
        rest = optax.apply_updates(rest, change)
    for name, values in rest.items():
        np.testing.assert_allclose(visited[-1][name], values, rtol=0, atol=50 * EPS)


def test_exact_adagradg_is_sgd_with_l2_on_the_sphere_and_the_printed_one_is_not_quite() -> None:
    """roburin2020 Theorem 4: the same directions, step after step, at radii that never change."""
    start = initial()
    plain = optax.chain(optax.add_decayed_weights(DECAY), optax.sgd(0.2))
    sgd = train(plain, start, STEPS)[0]
    apart = {}
    for exact in (True, False):
        sphere = train(optimisers.adagradg(0.2, AXES, DECAY, exact=exact), start, STEPS)[0]
        pairs = [[unit(groups(AXES[name], each[-1][name])) for each in (sphere, sgd)] for name in INVARIANT]
        apart[exact] = max(float(np.max(np.abs(here - there))) for here, there in pairs)
    assert apart[True] < 100 * STEPS * EPS
    assert apart[False] > 1e6 * apart[True]


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.parametrize("loss", ["correlation", "squared-correlation", "mse"])
def test_activations_have_variance_one_on_gaussian_fields(loss: str) -> None:
    """Gauss-Hermite quadrature is exact for polynomials of this degree."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(8)
    weights = weights / math.sqrt(2 * math.pi)
    phi = np.asarray(activation(loss, jnp.asarray(nodes)))
    mean = weights @ phi
    assert abs(mean) < 10 * EPS
    assert weights @ phi**2 - mean**2 == pytest.approx(1, rel=20 * EPS)


def test_the_plain_recipe_is_the_published_one() -> None:
    """pezeshki2022 App. .4.2: a hidden layer trained by descent with rate 0.01 and momentum 0.9."""
    recipe, gradient = Recipe(), jnp.array([1.0])
    rule = recipe.optimiser()
    memory = rule.init(gradient)
    for moved in (0.01, 0.019):
        change, memory = rule.update(gradient, memory, gradient)
        assert float(change[0]) == pytest.approx(-moved, rel=4 * EPS)


def test_errors_on_examples_are_means_of_squares_over_those_examples() -> None:
    """Written out, example by example, for students that are drawn, not trained."""
    problem, seeds, keys = PROBLEM.instance(n=5, d=4, p=2, noise=0.3), [3, 4], jax.random.key(0)
    draws = draw(problem, seeds)
    students = np.asarray(jax.random.normal(keys, (2, 3, 4)))
    groups = ("training", "generalisation", "outputs")
    found = extras(problem, draws, lambda _: students, students, seeds, groups)
    unseen = fresh(problem, draws, seeds, FRESH)
    for s in range(2):
        for t in range(3):
            for name, seen in (("training_error", draws), ("generalisation_error", unseen)):
                missed = [
                    z @ seen.teacher[s] + e - (z * seen.strengths) @ students[s, t]
                    for z, e in zip(seen.inputs[s], seen.noise[s], strict=True)
                ]
                assert found[name][s, t] == pytest.approx(np.mean(np.square(missed)), rel=1e3 * EPS)
            outputs = [(z * draws.strengths) @ students[s, t] for z in draws.inputs[s]]
            assert found["training_output"][s, t] == pytest.approx(np.mean(np.square(outputs)), rel=100 * EPS)


def test_a_diverged_draw_is_counted_once() -> None:
    values = np.array([[1.0, np.inf], [np.nan, 2.0], [1.0, 2.0]])
    with pytest.warns(UserWarning, match="^diverges; NaN in 2 of 3 draws$"):
        nan_where_not_finite({"x": values}, "diverges")
