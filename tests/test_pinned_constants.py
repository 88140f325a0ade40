"""Numbers of the simulations that were published or that a definition fixes, and what follows from them."""

from __future__ import annotations

import inspect
import math

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

EPS = np.finfo(float).eps


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


@pytest.mark.parametrize("name", ["adam_s", "adam_srt", "adamg", "scale_by_adam_s", "scale_by_adam_srt"])
def test_adam_variants_have_the_epsilon_of_adam(name: str) -> None:
    usual = inspect.signature(optax.scale_by_adam).parameters["eps"].default
    assert usual == 1e-8
    assert inspect.signature(getattr(optimisers, name)).parameters["eps"].default == usual


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
