"""The optimisers as people use them: errors, transformations of JAX, precision, composition."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from teacherstudent import optimisers
from teacherstudent.house import catalogue
from teacherstudent.optimisers.transport import tangential, transported
from tests.normalised_network import AXES, initial, loss, train

Tree = Any
EPS = np.finfo(float).eps

PARAMS = {"dense": jnp.array([[1.0, 2.0], [3.0, -1.0], [0.5, 1.0]]), "out": jnp.ones((2, 2))}
DENSE = {"dense": (0,), "out": None}
READY: dict[str, Callable[[Any], optax.GradientTransformation]] = {
    "adam_s": lambda axes: optimisers.adam_s(0.1, axes, weight_decay=0.1),
    "adam_srt": lambda axes: optimisers.adam_srt(0.1, axes, weight_decay=0.1),
    "sgd_mrt": lambda axes: optimisers.sgd_mrt(0.1, axes, weight_decay=0.1),
    "adamg": lambda axes: optimisers.adamg(0.1, axes),
    "adagradg": lambda axes: optimisers.adagradg(0.1, axes, weight_decay=0.1),
}


@jax.jit
def grad(params: Tree) -> Tree:
    """Of a loss of the directions of the dense groups and of the rest."""

    def value(params: Tree) -> jax.Array:
        u = params["dense"] / jnp.linalg.norm(params["dense"], axis=0)
        return jnp.sum(jnp.sin(jnp.arange(3.0) @ u + u[0] * u[1])) + jnp.sum(params["out"] ** 2)

    return jax.grad(value)(params)


def stepped(optimiser: optax.GradientTransformation, params: Tree, steps: int = 3) -> Tree:
    """Parameters after some steps, one by one."""
    state, update = optimiser.init(params), jax.jit(optimiser.update)
    for _ in range(steps):
        change, state = update(grad(params), state, params)
        params = optax.apply_updates(params, change)
    return params


def scanned(optimiser: optax.GradientTransformation, params: Tree, steps: int = 3) -> Tree:
    """The same in one scan."""

    def step(state: tuple[Tree, Any], _: None) -> tuple[tuple[Tree, Any], None]:
        params, memory = state
        change, memory = optimiser.update(grad(params), memory, params)
        return (optax.apply_updates(params, change), memory), None

    return jax.lax.scan(step, (params, optimiser.init(params)), None, length=steps)[0][0]


@pytest.mark.parametrize("name", READY)
def test_scan_under_vmap_and_jit_takes_the_same_steps(name: str) -> None:
    optimiser = READY[name](DENSE)
    both = jax.tree.map(lambda x: jnp.stack([x, 2 * x[::-1]]), PARAMS)
    together = jax.jit(jax.vmap(lambda params: scanned(optimiser, params)))(both)
    for number in range(2):
        alone = stepped(optimiser, jax.tree.map(lambda x, number=number: x[number], both))
        for key, values in alone.items():
            np.testing.assert_allclose(together[key][number], values, rtol=0, atol=100 * EPS)


@pytest.mark.parametrize("name", READY)
def test_single_precision_stays_single_and_nothing_is_compiled_twice(name: str) -> None:
    optimiser = READY[name](DENSE)
    params = jax.tree.map(lambda x: x.astype(jnp.float32), PARAMS)
    state = optimiser.init(params)
    update = jax.jit(optimiser.update)
    for _ in range(3):
        change, state = update(grad(params), state, params)
        params = optax.apply_updates(params, change)
    assert {leaf.dtype.name for leaf in jax.tree.leaves((change, state))} <= {"float32", "int32"}
    assert update._cache_size() == 1
    double = stepped(optimiser, PARAMS)
    for key, values in params.items():
        np.testing.assert_allclose(values, double[key], rtol=0, atol=100 * np.finfo(np.float32).eps)


@pytest.mark.parametrize("name", READY)
@pytest.mark.parametrize(
    ("axes", "params", "complaint"),
    [
        ({"dense": (0,), "out": (0,)}, {"out": jnp.zeros((2, 2))}, "no group may be zero"),
        ({"dense": (0,), "out": (0,)}, {"out": jnp.ones((1, 4))}, "at least two entries"),
        ({"dense": (0,), "out": ()}, {}, "at least two entries"),
        ({"dense": (2,), "out": None}, {}, "must be axes of the array"),
    ],
)
def test_groups_without_a_direction_are_refused_in_one_line(
    name: str, axes: Tree, params: Tree, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint) as refusal:
        READY[name](axes).init({**PARAMS, **params})
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", READY)
def test_an_update_without_parameters_is_refused(name: str) -> None:
    optimiser = READY[name]((0,))
    with pytest.raises(ValueError, match="params") as refusal:
        optimiser.update(PARAMS["dense"], optimiser.init(PARAMS["dense"]))
    assert "\n" not in str(refusal.value)


def test_a_link_does_not_guess_what_to_do_with_other_parameters() -> None:
    with pytest.raises(ValueError, match="by_invariance"):
        optimisers.scale_by_adam_srt(DENSE).init(PARAMS)


@pytest.mark.parametrize("decay", [-1.0, 10.0, 20.0])
def test_adagradg_asks_for_a_decay_that_does_not_take_the_weights_through_zero(decay: float) -> None:
    with pytest.raises(ValueError, match="learning_rate x weight_decay"):
        optimisers.adagradg(0.1, (0,), weight_decay=decay)


def test_adagradg_refuses_a_schedule_in_one_line() -> None:
    with pytest.raises(ValueError, match="not a schedule") as refusal:
        optimisers.adagradg(optax.constant_schedule(0.1), (0,))
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["adamg", "adagradg"])
def test_schemes_of_the_sphere_keep_each_radius(name: str) -> None:
    last = stepped(READY[name](DENSE), PARAMS, 10)
    radii = [np.linalg.norm(each["dense"], axis=0) for each in (PARAMS, last)]
    np.testing.assert_allclose(radii[1], radii[0], rtol=10 * 20 * EPS)
    assert np.all(np.abs(last["dense"] - PARAMS["dense"]) > 1e6 * EPS)


@pytest.mark.parametrize("name", ["adamg", "adagradg"])
def test_the_radius_kept_does_not_matter_to_the_directions(name: str) -> None:
    """AdaGradG: at a radius r_0 that its v_0 takes for that of SGD, so eta and 1/lambda go like r_0^2."""
    ratio = 4.0
    params = {"dense": PARAMS["dense"]}
    make = {
        "adamg": lambda _: optimisers.adamg(0.1, (0,)),
        "adagradg": lambda factor: optimisers.adagradg(0.1 * factor, (0,), weight_decay=0.1 / factor),
    }[name]

    def of_dense(params: Tree) -> Tree:
        return {"dense": grad({**PARAMS, **params})["dense"]}

    ends = []
    for scale in (1.0, ratio):
        optimiser, own = make(scale**2), {"dense": scale * params["dense"]}
        state, update = optimiser.init(own), jax.jit(optimiser.update)
        for _ in range(5):
            change, state = update(of_dense(own), state, own)
            own = optax.apply_updates(own, change)
        ends.append(np.asarray(own["dense"]) / scale)
    np.testing.assert_allclose(ends[1], ends[0], rtol=0, atol=100 * EPS)


@pytest.mark.parametrize("radius", [0.5, 1.0, 3.0])
def test_geodesic_steps_turn_by_their_length_and_chords_by_its_arc_tangent(radius: float) -> None:
    x = radius * jnp.array([0.6, 0.8, 0.0])
    step = 0.7 * radius * jnp.array([0.0, 0.0, 1.0])
    for link, turn in ((optimisers.along_geodesic, 0.7), (optimisers.keep_radius, np.arctan(0.7))):
        change, _ = link((0,)).update(step, link((0,)).init(x), x)
        cosine, sine = (x + change) @ x / radius**2, (x + change)[2] / radius
        np.testing.assert_allclose([cosine, sine], [np.cos(turn), np.sin(turn)], rtol=0, atol=8 * EPS)


def test_a_transported_momentum_is_tangent_and_as_long_as_before() -> None:
    rng = np.random.default_rng(3)
    x, momentum = rng.standard_normal((2, 5))
    momentum = tangential((0,), momentum, x)
    moved = 2.5 * (x - 0.3 * momentum)  # at another radius
    carried = transported((0,), momentum, moved)
    assert abs(carried @ moved) < 20 * EPS * np.linalg.norm(moved) * np.linalg.norm(carried)
    assert np.linalg.norm(carried) == pytest.approx(np.linalg.norm(momentum), rel=8 * EPS)
    assert not np.any(transported((0,), jnp.zeros(5), moved))


def test_groups_are_found_by_the_names_of_parameters() -> None:
    kinds = {"conv|dense": "outputs", "layer": "whole"}
    assert optimisers.group_axes(initial(), kinds) == AXES
    with pytest.raises(ValueError, match=r"\['missing'\]: must match the name of a parameter"):
        optimisers.group_axes(initial(), {**kinds, "missing": "whole"})


def test_an_entry_of_axes_holds_for_all_below_it() -> None:
    params = {"a": [PARAMS["dense"], 2 * PARAMS["dense"]], "b": PARAMS["out"]}
    short, long = {"a": (0,), "b": None}, {"a": [(0,), (0,)], "b": None}
    gradients = jax.tree.map(jnp.sin, params)
    changes = [
        optimiser.update(gradients, optimiser.init(params), params)[0]
        for optimiser in (optimisers.adam_srt(0.1, axes) for axes in (short, long))
    ]
    for here, there in zip(*map(jax.tree.leaves, changes), strict=True):
        np.testing.assert_array_equal(here, there)


def test_links_compose_with_optax() -> None:
    """A schedule and clipping around Adam-SRT: the loss of the network falls."""
    optimiser = optimisers.by_invariance(
        AXES,
        optax.chain(
            optax.clip_by_global_norm(1.0),
            optimisers.scale_by_adam_srt(AXES),
            optax.scale_by_learning_rate(optax.cosine_decay_schedule(0.02, 30)),
        ),
        optax.adam(0.02),
    )
    visited, _ = train(optimiser, initial(), 30)
    first, last = (jax.jit(loss)(each) for each in (visited[0], visited[-1]))
    assert last < 0.5 * first


@pytest.mark.parametrize("name", optimisers.__all__)
def test_the_numbers_of_adam_are_those_of_optax_unless_others_are_given(name: str) -> None:
    """roburin2020 compares all its schemes at beta1 0.9, beta2 0.999 and epsilon 1e-8."""
    usual = inspect.signature(optax.adam).parameters
    assert usual["eps"].default == 1e-8
    own = inspect.signature(getattr(optimisers, name)).parameters
    assert {each: own[each].default for each in ("b1", "b2", "eps") if each in own} == {
        each: usual[each].default for each in ("b1", "b2", "eps") if each in own
    }


def test_a_system_that_trains_with_adam_has_the_same_numbers_unless_others_are_given() -> None:
    usual = inspect.signature(optax.adam).parameters
    names = {"beta1": "b1", "beta2": "b2", "epsilon": "eps"}
    found = {
        (problem.id, each.name): each.default == usual[names[each.name]].default
        for problem in catalogue.problems().values()
        for each in problem.parameters
        if each.name in names
    }
    assert {name for _, name in found} == names.keys()
    assert all(found.values()), found
