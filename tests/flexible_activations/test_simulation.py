"""Trained students: the network in JAX by hand, training, and what is said of those that do not agree."""

from __future__ import annotations

from functools import cache, partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.problems.flexible_activations import PROBLEM, FlexibleActivations
from teacherstudent.problems.flexible_activations.data import STUDENT, examples
from teacherstudent.sims.flexible_activations import network, trained, training
from teacherstudent.sims.flexible_activations.network import Network
from tests.roundings import same, unrounded

SEEDS = [4, 9]
COUNTS = np.array([2, 4])


@cache
def small() -> FlexibleActivations:
    """Two units, of which four examples leave nothing free."""
    found: FlexibleActivations = PROBLEM.instance(inputs=2, outputs=2, units=2, degree=3)
    return found


@cache
def answer() -> dict[str, np.ndarray]:
    return trained.trained(small(), COUNTS, starts=50, seeds=SEEDS)


POWERS = range(2, 4)
outputs = partial(jax.jit(network.outputs, static_argnames="powers"), powers=POWERS)
unit_scaled = partial(jax.jit(network.unit_scaled, static_argnames="powers"), powers=POWERS)
slopes = partial(jax.jit(network.slopes, static_argnames="powers"), powers=POWERS)
direction_error = jax.jit(network.direction_error)


def some(stream: int = 0) -> Network:
    return trained.drawn(small(), 4, stream)


def test_outputs_are_those_of_the_formula() -> None:
    net, x = some(), np.array([[0.3, -1.2], [2.0, 0.1]])
    found = outputs(net, x)
    for row, told in zip(x, found, strict=True):
        z = np.asarray(net.V).T @ row
        g = [c[0] * each**2 / 3**0.5 + c[1] * each**3 / 15**0.5 for c, each in zip(net.c, z, strict=True)]
        np.testing.assert_allclose(told, np.asarray(net.W) @ np.array(g), rtol=1e-13)


def test_scaled_units_are_of_length_one_and_the_same_function() -> None:
    net = some()
    long = Network(3.0 * net.V, jnp.array([0.5, -2.0]) * net.W, net.c)
    scaled = unit_scaled(long)
    x = examples(small(), [4], 7)[0]
    told, wanted = (outputs(each, x) for each in (scaled, long))
    np.testing.assert_allclose(told, wanted, rtol=1e-12, atol=1e-12)
    for each in (scaled.V, scaled.W):
        np.testing.assert_allclose(np.linalg.norm(each, axis=0), 1, rtol=1e-14)
    assert direction_error(long, scaled) < 1e-14
    assert direction_error(net, some(STUDENT)) > 1e-3


def test_slopes_do_not_see_the_scales_nor_the_examples_that_are_not_seen() -> None:
    """Two scales of each unit leave four singular values 0, and an example is worth two rows at most."""
    x = examples(small(), [4], 9)[0]
    for seen, rank in ((9, small().parameters - 4), (1, 2)):
        found = slopes(some(), x, (np.arange(9) < seen).astype(float))
        values = network.singular_values(found)
        assert same(values[0], 1.0, roundings=1)  # the largest over itself
        assert np.sum(values > 1e-9) == rank


def test_training_lowers_the_error_to_rounding_and_starts_elsewhere() -> None:
    teacher, x = some(), examples(small(), [4], 6)[0]
    targets, seen = trained.told(teacher, x, POWERS), np.ones(6)
    at_rest, error = training.trained(teacher, x, targets, seen, POWERS)
    assert error < 1e-15
    assert direction_error(teacher, at_rest) < 1e-14
    ends = [training.trained(some(STUDENT + k), x, targets, seen, POWERS)[1] for k in range(6)]
    assert np.min(ends) < training.AGREED
    assert np.median(np.where(np.array(ends) < training.AGREED, ends, 1e-16)) < 1e-13, "far below what counts"


def test_two_examples_leave_it_open_and_four_do_not() -> None:
    """Eight numbers are to be found: after two examples four are free, after four the teacher is alone."""
    found = answer()
    assert unrounded(found["ambiguity"], [[4, 0]] * 2)
    assert unrounded(found["direction_ambiguity"], [[4, 0]] * 2)
    assert (found["misfit"][:, 0] > 1e-3).all()
    assert (found["direction_error"][:, 0] > 1e-3).all()


def test_a_student_that_does_not_agree_is_nan_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "AGREED", 0.0)
    with pytest.warns(
        UnconvergedWarning, match=r"^starts 1: no student came to agree .* NaN in 2 of 2 draws"
    ):
        found = trained.trained(small(), COUNTS, starts=1, seeds=SEEDS)
    assert all(np.isnan(values).all() for values in found.values())


def test_a_rank_that_is_not_certain_is_nan_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def doubtful(*_: object) -> np.ndarray:
        return np.array([[0.1, 0.2, 6.0, 2.0, 1.0]] * COUNTS.size)

    monkeypatch.setattr(trained, "_one_draw", doubtful)
    with pytest.warns(UnconvergedWarning, match=r"^a singular value of the Jacobian is between"):
        found = trained.trained(small(), COUNTS, starts=1, seeds=SEEDS)
    assert np.isnan(found["ambiguity"]).all()
    assert np.isfinite(found["misfit"]).all()
