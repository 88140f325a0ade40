"""Digits under attack: the attack itself, where its best answer is known."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from teacherstudent.sims.starvation import attacked_digits
from tests.roundings import repeated

NORMS = np.array([0.0, 0.05, 0.7])


def test_of_a_plane_the_attack_goes_straight_to_it() -> None:
    rng = np.random.default_rng(3)
    weights, images = rng.standard_normal((64, 1)), rng.uniform(size=(30, 64))
    truth = rng.choice([-1.0, 1.0], 30)
    found = attacked_digits.attacked([(jnp.asarray(weights), jnp.array([0.2]))], images, truth, NORMS)
    margins = truth * (images @ weights[:, 0] + 0.2)
    expected = margins - NORMS[:, None] * np.linalg.norm(weights)
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-11)  # sums of 64 numbers of order 1


def test_an_output_that_nothing_moves_is_not_attacked() -> None:
    images, truth = np.ones((4, 64)), np.array([1.0, -1.0, 1.0, -1.0])
    constant = [(jnp.zeros((64, 1)), jnp.array([0.3]))]
    found = np.asarray(attacked_digits.attacked(constant, images, truth, NORMS))
    np.testing.assert_allclose(found, np.tile(0.3 * truth, (3, 1)), rtol=1e-15)


def test_images_are_trained_on_or_tested() -> None:
    images, labels, tests, truth = attacked_digits.drawn(1)
    assert len(images) == len(labels) == attacked_digits.TRAINING
    assert len(tests) == len(truth) == 1797 - attacked_digits.TRAINING
    assert set(np.unique(np.concatenate([labels, truth]))) == {-1.0, 1.0}
    assert repeated(attacked_digits.drawn(1)[0], images)
    assert not np.array_equal(attacked_digits.drawn(2)[0], images)
