"""Full-batch gradient descent of the network over all its parameters.

Axes: S seeds, T recorded steps, n training images, M test images, c classes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.flatten_util import ravel_pytree

from teacherstudent.problems.residual_digits import ResidualDigits
from teacherstudent.problems.residual_digits.data import Draws, Images, draw, images_of, targets
from teacherstudent.sims.algorithms import State, Step, by_algorithm
from teacherstudent.sims.algorithms import descent as gradient_descent
from teacherstudent.sims.arrays import CACHE, each_draw, groups, nan_where_not_finite, side_by_side
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.residual_digits.network import Inputs, Network, initial, outputs


class Rule(NamedTuple):
    """Numbers of the descent."""

    rates: dict[str, Any]
    """the step's own: learning rate, and what else it takes"""
    weight_decay: Any
    scales: tuple[Any, Any]


def stepped(
    problem: ResidualDigits,
    times: np.ndarray,
    *,
    learning_rate: float,
    seeds: Sequence[int],
    how: Step,
    **options: float,
) -> dict[str, np.ndarray]:
    """Errors and losses after whole steps k >= 0, (T,): each (S, T).

    NaN, with an `UnconvergedWarning`, where descent leaves the range of float64.
    """
    images, draws = images_of(problem), draw(problem, seeds)

    rule, steps = _rule(problem, {"learning_rate": learning_rate, **options}), np.asarray(times, np.int64)

    def of(part: np.ndarray) -> jax.Array:
        each = [_drawn(problem, images, draws, k, seeds[k]) for k in part]
        return _measured(jax.tree.map(lambda *own: jnp.stack(own), *each), rule, steps, how=how)

    # A CPU takes one draw after the other: the numbers of a draw fill its cache.
    found = np.concatenate(side_by_side(of, groups(len(seeds), CACHE, 1)))[: len(seeds)]
    names = ("test_error", "test_loss", "training_error", "training_loss")
    answer = {name: found[..., k] for k, name in enumerate(names)}
    for name in ("test_error", "training_error"):  # a class is told of what is no number as well
        answer[name] = np.where(np.isfinite(answer["training_loss"]), answer[name], np.nan)
    return nan_where_not_finite(answer, f"learning_rate {learning_rate}: descent diverges")


def tested_outputs(
    problem: ResidualDigits, times: np.ndarray, *, learning_rate: float, seed: int
) -> np.ndarray:
    """Outputs f on the test images of one draw, (T, M, c)."""
    drawn = _drawn(problem, images_of(problem), draw(problem, [seed]), 0, seed)
    rule, steps = _rule(problem, {"learning_rate": learning_rate}), np.asarray(times, np.int64)
    return np.asarray(trajectory(*drawn, rule, steps, measured=False, how=gradient_descent.STEP))


def _rule(problem: ResidualDigits, rates: dict[str, float]) -> Rule:
    return Rule(rates, problem.weight_decay, (problem.skip_scale, problem.branch_scale))


def _drawn(problem: ResidualDigits, images: Images, draws: Draws, place: int, seed: int) -> tuple[Any, ...]:
    """The network, and the images and targets of training and of the test, of the draw at that place."""

    def inputs(rows: np.ndarray) -> Inputs:
        return Inputs(jnp.asarray(images.pixels[rows]), jnp.asarray(images.components[rows]))

    training, tested = draws.training[place], draws.tested[place]
    return (
        initial(seed, images.pixels.shape[1], problem.components, problem.width, images.count),
        inputs(training),
        jnp.asarray(targets(draws.labels[place], images.count)),
        inputs(tested),
        jnp.asarray(targets(images.classes[tested], images.count)),
    )


@partial(compiled, by_draw=["drawn"], static_argnames="how")
def _measured(drawn: tuple[Any, ...], rule: Rule, steps: jax.Array, *, how: Step) -> jax.Array:
    """Errors and losses of `trajectory` for each draw, (S, T, 4)."""
    return each_draw(lambda own: trajectory.function(*own, rule, steps, measured=True, how=how), drawn)


@partial(compiled, static_argnames=("measured", "how"))
def trajectory(
    network: Network,
    training: Inputs,
    labels: jax.Array,
    tested: Inputs,
    truth: jax.Array,
    rule: Rule,
    steps: jax.Array,
    *,
    measured: bool,
    how: Step,
) -> jax.Array:
    """After each of the increasing `steps` (T,): outputs on test images (T, M, c), or where `measured`
    test error and loss and training error and loss, (T, 4). labels (n, c) and truth (M, c) are targets.
    """
    start = outputs(network, training, rule.scales)
    tested_start = outputs(network, tested, rule.scales)

    def loss(theta: Network) -> jax.Array:
        missed = outputs(theta, training, rule.scales) - start - labels
        moved = sum(jnp.sum((now - then) ** 2) for now, then in zip(theta, network, strict=True))
        return jnp.mean(jnp.sum(missed**2, axis=1)) / 2 + rule.weight_decay / 2 * moved

    start_theta, whole = ravel_pytree(jax.tree.map(jnp.asarray, network))
    slope = jax.grad(lambda flat: loss(whole(flat)))

    def step(_: Any, state: State) -> State:
        return how.take(state, slope, **rule.rates)

    def record(state: State, count: jax.Array) -> tuple[State, jax.Array]:
        state = jax.lax.fori_loop(0, count, step, state)
        theta = whole(state[0])
        found = outputs(theta, tested, rule.scales) - tested_start
        if not measured:
            return state, found
        seen = outputs(theta, training, rule.scales) - start
        return state, jnp.array([*_of(found, truth), *_of(seen, labels)])

    return jax.lax.scan(record, how.begin(start_theta), jnp.diff(steps, prepend=0))[1]


def _of(found: jax.Array, wanted: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Error and loss of outputs (N, c) for targets (N, c)."""
    wrong = jnp.argmax(found, axis=1) != jnp.argmax(wanted, axis=1)
    return jnp.mean(wrong.astype(float)), jnp.mean(jnp.sum((found - wanted) ** 2, axis=1)) / 2


def __getattr__(name: str) -> Callable[..., dict[str, np.ndarray]]:
    """The route of the algorithm of that name."""
    return by_algorithm(stepped, name)
