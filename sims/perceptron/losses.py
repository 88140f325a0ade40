"""Students of least loss, each with a certificate of how near it is to the minimiser.

Axes: n examples, d inputs, T numbers of examples. Examples come signed, z = y x, (n, d), so that a margin is
w.z. A student of the first k examples is found with zeros in place of the others: one compiled program
serves all k.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.linalg import cho_factor, cho_solve

import teacherstudent.sims.arrays  # noqa: F401  (double precision)
from teacherstudent.house.errors import InputError
from teacherstudent.house.functions import UserFunction
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.normal_equations import UNSURE, solved
from teacherstudent.sims.perceptron.interior_point import CERTAIN, MOST_STEPS, improved, longest, on_edges
from teacherstudent.sims.tracing import traced

REPEATS = 1
"""Further steps with the curvature of each step of Newton's method."""

FEWEST_ROWS, MOST_BLOCKS = 256, 16
"""Examples that are added to the curvature at a time, and how often: those that are zero are left out."""


@compiled
def square(signed: jax.Array, counts: jax.Array, ridge: jax.Array) -> jax.Array:
    """Minimisers of the squared loss, (T, d), by the normal equations; NaN where these are singular."""

    def student(count: jax.Array) -> jax.Array:
        z = _first(signed, count)
        found = solved((z.T @ z)[None], ridge, z.sum(axis=0)[None, :, None])[0, :, 0]
        return jnp.where((ridge > 0) | (count >= z.shape[1]), found, jnp.nan)

    return jax.lax.map(student, counts)


@compiled
def logistic(signed: jax.Array, counts: jax.Array, ridge: jax.Array) -> jax.Array:
    """Minimisers of the logistic loss, (T, d), as `_descended`."""

    def forces(margins: jax.Array) -> tuple[jax.Array, jax.Array]:
        wrong = jax.nn.sigmoid(-margins)
        return wrong, wrong * (1 - wrong)

    return _descended(lambda margins: jnp.logaddexp(0.0, -margins), forces, signed, counts, ridge)


def demand_smooth(loss: UserFunction) -> None:
    """Raise `InputError` for a loss that cannot be traced, or whose slope jumps: Newton's method needs it."""
    _, slope = traced(loss, "rule")
    steep = np.asarray(compiled(slope)(np.linspace(-10, 10, 40_001)))
    near, far = (float(np.max(np.abs(np.diff(each)))) for each in (steep, steep[::2]))
    if near > 0.9 * far and far > 1e-3:  # it does not shrink with the distance
        domain = "a function with a continuous slope, for simulations"
        raise InputError("rule", loss, domain, "theory routes accept kinks, and rule hinge is built in")


@partial(compiled, static_argnums=0)
def given(loss: UserFunction, signed: jax.Array, counts: jax.Array, ridge: jax.Array) -> jax.Array:
    """Minimisers of a user's convex loss, (T, d), as `_descended`, by its derivatives from JAX."""
    value, slope = traced(loss, "rule")

    def forces(margins: jax.Array) -> tuple[jax.Array, jax.Array]:
        steep, bend = jax.jvp(slope, (margins,), (jnp.ones_like(margins),))
        return -steep, jnp.maximum(bend, 0.0)

    return _descended(value, forces, signed, counts, ridge)


def _descended(
    of: Callable[[jax.Array], jax.Array],
    forces: Callable[[jax.Array], tuple[jax.Array, jax.Array]],
    signed: jax.Array,
    counts: jax.Array,
    ridge: jax.Array,
) -> jax.Array:
    """Minimisers of a convex loss, (T, d), by Newton's method with backtracking.

    of: l of margins, (n,). forces: -l' and l''. Each student starts from that of fewer examples. A step of
    Newton's method is followed by more steps with the same curvature, which costs far more than they do. NaN
    where the last step of Newton's method still moved outputs by more than `UNSURE` of their size, in the
    metric of the loss's curvature: then no minimiser was reached, or there is none.
    """
    n, d = signed.shape
    rows = min(n, max(FEWEST_ROWS, -(-n // MOST_BLOCKS)))
    signed = jnp.pad(signed, ((0, -n % rows), (0, 0)))

    def student(start: jax.Array, count: jax.Array) -> tuple[jax.Array, jax.Array]:
        z = _first(signed, count)

        def curvature(bend: jax.Array) -> jax.Array:
            def added(i: jax.Array, total: jax.Array) -> jax.Array:
                own, weight = (jax.lax.dynamic_slice_in_dim(each, i * rows, rows) for each in (z, bend))
                return total + (own.T * weight) @ own

            return jax.lax.fori_loop(0, (count + rows - 1) // rows, added, ridge * jnp.eye(d))

        def moved(w: jax.Array, factor: tuple[jax.Array, bool]) -> tuple[jax.Array, jax.Array]:
            """The next w, and the square of the step to the least of the loss's parabola."""
            outputs = z @ w
            gradient = ridge * w - forces(outputs)[0] @ z
            move = -cho_solve(factor, gradient)
            change, decrement = z @ move, -(move @ gradient)

            def loss(length: jax.Array | float) -> jax.Array:
                after = w + length * move
                return of(outputs + length * change).sum() + ridge / 2 * (after @ after)

            before = loss(0.0)

            def too_long(length: jax.Array) -> jax.Array:
                slack = 1e-13 * before  # rounding of the loss
                risen = loss(length) > before - length * decrement / 10 + slack
                return risen & (length > 1e-9)

            length = jax.lax.while_loop(too_long, lambda each: each / 2, jnp.ones(()))
            return w + length * move, decrement

        def newton(state: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
            w, _, step = state
            metric = curvature(forces(z @ w)[1])
            factor = cho_factor(metric, lower=True)
            after, decrement = moved(w, factor)
            after = jax.lax.fori_loop(0, REPEATS, lambda _, each: moved(each, factor)[0], after)
            return after, jnp.sqrt(decrement / (w @ metric @ w)), step + 1

        def goes_on(state: tuple[jax.Array, ...]) -> jax.Array:
            return (state[1] > UNSURE) & (state[2] < MOST_STEPS)  # the steps after it are far smaller

        w, relative, _ = jax.lax.while_loop(goes_on, newton, (start, jnp.inf, 0))
        found = jnp.where(relative <= UNSURE, w, jnp.nan)
        return jnp.nan_to_num(found), found

    return jax.lax.scan(student, jnp.zeros(d), counts)[1]


class _Hinge(NamedTuple):
    """A student w, (d,), and of each example, (n,): excess loss, weight in w, the rest of it to 1, slack.

    Primal: least ridge/2 |w|^2 + sum excess with slack = w.z + excess - 1, both not negative. Dual: ridge w =
    sum weight z with weight + rest = 1, both not negative.
    """

    w: jax.Array
    excess: jax.Array
    weight: jax.Array
    rest: jax.Array
    slack: jax.Array


@compiled
def hinge(signed: jax.Array, counts: jax.Array, ridge: jax.Array) -> jax.Array:
    """Minimisers of the hinge loss, (T, d), by a primal-dual interior-point method (Mehrotra's).

    NaN where the duality gap, which bounds the distance to the minimiser, allows more than
    `interior_point.CERTAIN` of w.
    """

    def student(count: jax.Array) -> jax.Array:
        z = _first(signed, count)
        n, d = z.shape
        ones = jnp.ones(n)
        start = _Hinge(jnp.zeros(d), 2 * ones, ones / 2, ones / 2, ones)

        def dual(weight: jax.Array, rest: jax.Array) -> tuple[jax.Array, jax.Array]:
            """The student of the dual's weights, and its largest relative distance to the minimiser."""
            w = z.T @ weight / ridge
            short = 1 - z @ w
            gap = jnp.sum(rest * jnp.maximum(short, 0) + weight * jnp.maximum(-short, 0))
            return w, jnp.sqrt(2 * gap / ridge) / jnp.linalg.vector_norm(w)

        def better(state: _Hinge) -> _Hinge:
            w, excess, weight, rest, slack = state
            of_w = ridge * w - z.T @ weight
            of_rest = 1 - weight - rest
            of_slack = z @ w + excess - 1 - slack
            spread = 1 / (excess / rest + slack / weight)
            factor = cho_factor((z.T * spread) @ z + ridge * jnp.eye(d), lower=True)

            def direction(of_weights: jax.Array, of_rests: jax.Array) -> _Hinge:
                """Newton's, towards products weight slack and rest excess that change by so much."""
                pull = -of_slack - (of_rests - excess * of_rest) / rest + of_weights / weight
                dw = cho_solve(factor, -of_w + z.T @ (spread * pull))
                dweight = spread * (pull - z @ dw)
                drest = of_rest - dweight
                dexcess, dslack = (
                    (of_rests - excess * drest) / rest,
                    (of_weights - slack * dweight) / weight,
                )
                return _Hinge(dw, dexcess, dweight, drest, dslack)

            def after(step: _Hinge, share: float) -> _Hinge:
                length = longest(state[1:], step[1:], share)
                return _Hinge(*(x + length * dx for x, dx in zip(state, step, strict=True)))

            def product(state: _Hinge) -> jax.Array:
                return state.weight @ state.slack + state.rest @ state.excess

            ahead = direction(-weight * slack, -rest * excess)
            now, then = product(state), product(after(ahead, 1.0))
            target = (then / now) ** 3 * now / (2 * n)
            step = direction(
                target - weight * slack - ahead.weight * ahead.slack,
                target - rest * excess - ahead.rest * ahead.excess,
            )
            return after(step, 0.99)

        def distance(state: _Hinge) -> jax.Array:
            whole = state.weight + state.rest
            return dual(state.weight / whole, state.rest / whole)[1]

        best = improved(start, better, distance)
        edges = (ridge * best.slack < best.weight) & (ridge * best.excess < best.rest)
        weight = jnp.where(edges, best.weight, jnp.where(best.rest < best.weight, 1.0, 0.0))
        weight = on_edges(z, weight, edges, ridge, 1.0)
        w, away = dual(weight, 1 - weight)
        return jnp.where(away <= CERTAIN, w, jnp.nan)

    return jax.lax.map(student, counts)


def _first(signed: jax.Array, count: jax.Array) -> jax.Array:
    """The first examples, and zeros in place of the others."""
    return jnp.where(jnp.arange(len(signed))[:, None] < count, signed, 0.0)
