"""The batch-normalised network on digits: what its figures and checks rest on."""

from __future__ import annotations

import jax
import numpy as np
import optax
import pytest

from teacherstudent.sims.scale_invariant import alignment, variants
from teacherstudent.sims.scale_invariant.digits import (
    AXES,
    HIDDEN,
    PIXELS,
    Images,
    Network,
    accuracy,
    drawn_batches,
    drawn_digits,
    initial_network,
    loss,
    trajectory,
)

EPS = np.finfo(float).eps
ASKED = {
    "learning_rate": 0.1,
    "weight_decay": 0.02,
    "adagrad_rate": 0.1,
    "records": 3,
    "every": 2,
    "seeds": [4],
}


def batch(size: int = 30) -> Images:
    return jax.tree.map(np.asarray, drawn_digits(0, (size,), 0.5)[0])


def test_the_loss_does_not_feel_the_scale_of_any_hidden_unit() -> None:
    network, images = initial_network(0), batch()
    factors = np.random.default_rng(1).uniform(0.1, 10, (2, HIDDEN))
    scaled = network._replace(first=factors[0] * network.first, second=factors[1] * network.second)
    both = jax.jit(jax.value_and_grad(loss))
    (value, slope), (scaled_value, _) = both(network, images), both(scaled, images)
    assert float(scaled_value) == pytest.approx(float(value), rel=100 * EPS)
    for layer, weights in zip(slope[:2], network[:2], strict=True):
        along = np.abs(np.sum(layer * weights, axis=0))
        assert np.all(along < 100 * EPS * np.linalg.norm(layer, axis=0) * np.linalg.norm(weights, axis=0))


def test_the_marked_groups_are_the_hidden_units() -> None:
    marked = [name for name, axes in AXES._asdict().items() if axes]
    assert marked == ["first", "second"]
    assert {getattr(initial_network(0), name).shape for name in marked} == {
        (PIXELS, HIDDEN),
        (HIDDEN, HIDDEN),
    }


def test_sets_of_digits_are_disjoint_and_noise_is_as_large_as_said() -> None:
    parts, noisy = drawn_digits(3, (1000, 300), 0.0), drawn_digits(3, (1000, 300), 0.7)
    assert [len(part.classes) for part in parts] == [1000, 300, 497]
    everything = np.concatenate([part.pixels for part in parts])
    assert len(np.unique(everything, axis=0)) == 1797
    assert everything.std() == pytest.approx(1)
    added = np.concatenate([part.pixels for part in noisy]) - everything
    assert added.std() == pytest.approx(0.7, rel=0.02)  # 115 008 numbers: 0.2 % standard error


def test_every_pass_sees_each_image_at_most_once() -> None:
    rows = drawn_batches(0, 23, 5, 9)
    assert rows.shape == (9, 5)
    for start in (0, 4):  # four batches of five a pass
        seen = rows[start : start + 4].ravel()
        assert len(set(seen)) == 20
    assert set(rows.ravel()) <= set(range(23))


def test_training_classifies_digits_and_records_what_is_asked() -> None:
    training, test = (jax.tree.map(np.asarray, each) for each in drawn_digits(0, (500,), 0.0))
    rows = drawn_batches(0, 500, 50, 60).reshape(6, 10, 50)

    def record(network: object, state: object) -> jax.Array:
        return accuracy(network, test, training)

    _, seen = jax.jit(lambda: trajectory(optax.adam(0.01), initial_network(0), training, rows, record))()
    assert seen.shape == (6,)
    assert seen[-1] > 0.9 > seen[0]


@pytest.mark.thorough
def test_schemes_start_from_one_place_and_only_the_exact_adagradg_stays_with_sgd() -> None:
    units = {
        scheme: alignment.paths(scheme, **ASKED).units for scheme in ("sgd", "adagradg-exact", "control")
    }
    apart = {scheme: alignment.angles(path, units["sgd"])[0] for scheme, path in units.items()}
    assert units["sgd"].shape == (1, 4, 2 * HIDDEN, PIXELS)
    assert np.all(apart["control"][0] == 0)
    assert np.all(apart["adagradg-exact"] < 1e-13)
    assert np.all(apart["control"][-1] > 1e-9)


def test_turned_units_are_turned_by_that_angle_and_keep_their_length() -> None:
    weights = initial_network(0).first
    turned = alignment.turned(weights, 1e-9)
    lengths = [np.linalg.norm(each, axis=0) for each in (weights, turned)]
    np.testing.assert_allclose(lengths[1], lengths[0], rtol=20 * EPS)
    angle = alignment.angles((weights / lengths[0]).T, (turned / lengths[1]).T)
    np.testing.assert_allclose(angle, 1e-9, rtol=1e-6)


@pytest.mark.parametrize("scheme", variants.PUBLISHED)
def test_only_hidden_weights_change_their_scheme(scheme: str) -> None:
    """After two steps from one gradient the rest is where Adam takes it, whatever the scheme."""
    setting = variants.Setting(100, 0.0, steps=5)
    network = jax.tree.map(np.asarray, initial_network(0))
    slope = jax.tree.map(np.sin, network)

    def after(rule: optax.GradientTransformation) -> Network:
        state, now = rule.init(network), network
        for _ in range(2):
            change, state = rule.update(slope, state, now)
            now = optax.apply_updates(now, change)
        return now

    found = after(variants.optimiser(scheme, variants.PUBLISHED[scheme], setting))
    adam = after(optax.adam(optax.cosine_decay_schedule(variants.REST, setting.steps)))
    for name, axes in AXES._asdict().items():
        here, there = getattr(found, name), getattr(adam, name)
        assert np.allclose(here, there, rtol=1e-12) == (axes is None)


def test_accuracies_are_shares_by_rate_and_seed_and_better_than_chance() -> None:
    setting = variants.Setting(200, 0.0, steps=20)
    found = variants.accuracies("adam-srt", setting, (1.0, 30.0), [0, 1])
    assert found.test.shape == found.validation.shape == (2, 2)
    assert np.all((found.test > 0.2) & (found.test <= 1))
    assert found.test[1].mean() > found.test[0].mean()
