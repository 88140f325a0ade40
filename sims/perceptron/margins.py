"""The student of the largest margin, and whether examples are separable, certified either way.

It is the point of the convex hull of the signed examples z = y x that is nearest to 0. Primal: least
|w|^2/2 - rho with slack = w.z - rho not negative. Dual: least |sum a z| with weights a of sum 1, not
negative. Both always have a solution: w = sum a z, and 0 if and only if nothing separates the examples.

Axes: n examples, d inputs, T numbers of examples.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.linalg import cho_factor, cho_solve

import teacherstudent.sims.arrays  # noqa: F401  (double precision)
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.perceptron.interior_point import CERTAIN, improved, longest, on_edges


class Separation(NamedTuple):
    """Students of the first examples, (T, d), of margin 1, NaN where none is certain; and a verdict, (T,).

    verdict: 1 where a student has a positive margin on every example, -1 where positive weights of the
    examples add up to 0, so that none can; 0 where neither was found.
    """

    w: jax.Array
    verdict: jax.Array


class _State(NamedTuple):
    w: jax.Array
    rho: jax.Array
    weight: jax.Array
    slack: jax.Array


@compiled
def largest(signed: jax.Array, counts: jax.Array) -> Separation:
    """By a primal-dual interior-point method (Mehrotra's); signed: z, (n, d), counts: (T,).

    A student is certain where the duality gap allows no more than `interior_point.CERTAIN` of w.
    """
    scale = jnp.sqrt(jnp.mean(jnp.sum(signed**2, axis=1)))

    def student(count: jax.Array) -> Separation:
        # Copies of the first example stand in place of the others: they change nothing.
        z = jnp.where(jnp.arange(len(signed))[:, None] < count, signed, signed[0]) / scale
        n, d = z.shape
        start = _State(jnp.zeros(d), -jnp.ones(()), jnp.ones(n) / n, jnp.ones(n))

        def dual(weight: jax.Array) -> tuple[jax.Array, jax.Array]:
            """The student of the weights, and its largest relative distance to the solution."""
            weight = weight / weight.sum()
            w = z.T @ weight
            margins = z @ w
            gap = weight @ (margins - margins.min())
            return w, jnp.sqrt(2 * gap) / jnp.linalg.vector_norm(w)

        def better(state: _State) -> _State:
            w, rho, weight, slack = state
            of_w, of_sum = w - z.T @ weight, 1 - weight.sum()
            of_slack = z @ w - rho - slack
            spread = weight / slack
            drawn = z.T @ spread
            factor = cho_factor((z.T * spread) @ z + jnp.eye(d), lower=True)
            by_rho = cho_solve(factor, drawn)

            def direction(of_weights: jax.Array) -> _State:
                """Newton's, towards products weight slack that change by so much."""
                pull = of_weights / weight - of_slack
                fixed = cho_solve(factor, -of_w + z.T @ (spread * pull))
                drho = (of_sum - spread @ pull + drawn @ fixed) / (spread.sum() - drawn @ by_rho)
                dw = fixed + by_rho * drho
                dweight = spread * (pull + drho - z @ dw)
                return _State(dw, drho, dweight, (of_weights - slack * dweight) / weight)

            def after(step: _State, share: float) -> _State:
                length = longest(state[2:], step[2:], share)
                return _State(*(x + length * dx for x, dx in zip(state, step, strict=True)))

            ahead = direction(-weight * slack)
            then = after(ahead, 1.0)
            now = weight @ slack
            target = (then.weight @ then.slack / now) ** 3 * now / n
            return after(direction(target - weight * slack - ahead.weight * ahead.slack), 0.99)

        def distance(state: _State) -> jax.Array:
            w, away = dual(state.weight)
            return jnp.minimum(away, jnp.linalg.vector_norm(w))  # examples have the size 1

        best = improved(start, better, distance)
        edges = (best.slack < best.weight) & (jnp.arange(n) < count)  # of copies one is enough
        of_margin_one = jnp.where(edges, best.weight, 0.0) / jnp.sum((z.T @ best.weight) ** 2)
        w, away = dual(on_edges(z, of_margin_one, edges, 1.0, jnp.inf))
        margin = (z @ w).min()
        separated = margin > d * jnp.finfo(float).eps * jnp.linalg.vector_norm(w) * jnp.max(jnp.abs(z))
        verdict = jnp.where(separated, 1, jnp.where(_adds_up_to_nothing(z, best.weight), -1, 0))
        return Separation(jnp.where(separated & (away <= CERTAIN), w / (margin * scale), jnp.nan), verdict)

    return jax.lax.map(student, counts)


def _adds_up_to_nothing(z: jax.Array, weight: jax.Array) -> jax.Array:
    """Whether positive weights near these have sum a z = 0 exactly, with rounding to spare.

    The least relative change that removes what is left of the sum must be below one half for every weight,
    and must be known: the change is found from a matrix that is far from singular.
    """
    weighted = weight[:, None] * z
    matrix = weighted.T @ weighted
    factor = cho_factor(matrix, lower=True)
    left = z.T @ weight
    change = cho_solve(factor, left)
    known = jnp.linalg.vector_norm(matrix @ change - left) <= 0.1 * jnp.linalg.vector_norm(left) + 1e-300
    return jnp.all(weight > 0) & known & (jnp.max(jnp.abs(weighted @ change)) < 0.5)


def separable(inputs: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Whether some student gives every example its label: 1.0, 0.0, or NaN where that is not certain, (S,).

    inputs: (S, n, d). labels: (S, n), each -1 or 1.
    """
    signed = labels[..., None] * inputs
    count = np.array([inputs.shape[1]])
    verdicts = np.array([float(largest(each, count).verdict[0]) for each in signed])
    return np.where(verdicts == 0, np.nan, (verdicts + 1) / 2)
