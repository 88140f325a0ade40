"""The batch-normalised network on digits, and what captions of scale-invariant weights say."""

from __future__ import annotations

import json

import jax
import numpy as np
import optax
import pytest
import xarray as xr

from teacherstudent.figures.scale_invariant import digits as digits_figure
from teacherstudent.figures.scale_invariant import effective_rate
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


def test_what_averaging_leaves_out_of_rates_is_fluctuation_and_lag() -> None:
    """sphere-effective-rate: sqrt v grows by 2 a a unit of time where the radius falls as exp(-a t)."""
    d, memory, a = effective_rate.D, 1 - effective_rate.BETA2, 0.1
    t = np.linspace(1, 3, 9)
    settled = 1 - 0.9 ** (np.rint(t * d) + 1)
    columns = {"effective_learning_rate": ("time", 2 / settled), "radius": ("time", np.exp(-a * t))}
    theory = xr.Dataset(columns, {"time": t}, {"instance": json.dumps({"beta1": 0.9})})
    bound = effective_rate.left_out_of_rates(theory)
    np.testing.assert_allclose(bound, 100 * (1.5 * memory + 2 * a / (d * memory)), rtol=1e-9)


def test_the_fluctuations_that_averaging_leaves_out_are_those_of_drawn_second_moments() -> None:
    """sphere-effective-rate: moments of v and g^2/v where g is noise times input, to the next order."""
    random, kept = np.random.default_rng(3), effective_rate.BETA2
    g2 = np.prod(random.standard_normal((2, 1000, 600)), axis=0) ** 2
    v = np.ones(600)
    samples = []
    for k, square in enumerate(g2):
        v = kept * v + (1 - kept) * square
        if k > 500:
            samples.append((v, v**-0.5 - (1 - v) / 2, square * (1 / v - 1)))  # E v = E g^2 = 1 are known
    v_drawn, root, growth = np.array(samples).transpose(1, 0, 2)
    variance = effective_rate.VARIANCE
    assert np.var(v_drawn) == pytest.approx(variance, rel=0.25)
    faster, less = root.mean() - 1, -growth.mean()
    assert faster == pytest.approx(3 / 8 * variance, rel=0.25)
    at_rest = effective_rate.left_out_of_radii
    assert at_rest(decoupled=True) == pytest.approx(100 * less / 2, rel=0.25)
    assert at_rest(decoupled=False) == pytest.approx(100 * (less + faster) / 3, rel=0.25)


def test_what_lies_within_momentums_memory_is_not_held_against_the_limit() -> None:
    """sphere-effective-rate: three memories of ten steps are t = .15; plain SGD has none."""
    from matplotlib.figure import Figure

    t, numbers = [0.1, 0.2], {}
    for scheme in ("sgd", "sgd-momentum"):
        attrs = {"instance": json.dumps({"momentum": 0.9}), "approximate": 0}
        numbers[f"theory_{scheme}"] = xr.Dataset(attrs=attrs)
        columns = {"radius_minus_theory": ("time", [-7.0, 1.0])}
        numbers[f"simulation_{scheme}"] = xr.Dataset(columns, {"time": t}, {"n_seeds": 16})
    axes = Figure().subplots()
    effective_rate.draw_rest(axes, numbers, ["sgd", "sgd-momentum"], "radius")
    shown = [
        (line.get_alpha(), np.array(line.get_ydata())) for line in axes.lines if len(line.get_xdata()) == 2
    ]
    full = [values for alpha, values in shown if alpha is None and not np.array_equal(values, [0, 0])]
    pale = [values for alpha, values in shown if alpha is not None]
    np.testing.assert_array_equal(full, [[-7, 1], [np.nan, 1]])
    np.testing.assert_array_equal(pale, [[np.nan, np.nan], [-7, np.nan]])


def test_what_lies_outside_the_estimate_is_counted() -> None:
    """sphere-effective-rate: beyond the bound at its time by more than two of its bars."""
    bound = xr.DataArray([8.0, 2.0], {"time": [1.0, 2.0]}, "time")
    gap = xr.DataArray([11.0, -11.0, 3.0], {"time": [1.0, 1.5, 2.0]}, "time")
    assert effective_rate.outside([(gap, xr.full_like(gap, error)) for error in (1.0, 2.0)], bound) == 3


@pytest.mark.parametrize(("chosen", "edge"), [(1.0, False), (8.0, True)])
def test_a_rate_at_the_edge_of_the_grid_is_told(chosen: float, edge: bool) -> None:
    """sphere-digits: a larger rate may be better."""
    answer = xr.Dataset({"chosen": ("scheme", [chosen])}, {"scheme": ["adam"], "multiple": [1.0, 8.0]})
    assert digits_figure.at_edge(answer, "adam") == edge
