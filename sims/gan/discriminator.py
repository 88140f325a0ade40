"""Training of a discriminator on points that stay. Axes: S seeds, T times, m and n points, W units."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.gan import Gan
from teacherstudent.problems.gan.data import points, weights
from teacherstudent.sims.arrays import groups, nan_where_not_finite, side_by_side
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.gan.networks import (
    Network,
    ascended,
    network,
    root_mean_square,
    separation,
    slopes,
)
from teacherstudent.sims.gan.sizes import held, scale_of

LONGEST = 10**6
"""Steps of ascent beyond which no answer is tried: each is taken, at some 50 microseconds and more."""


def discriminator(
    problem: Gan, times: np.ndarray, *, discriminator_rate: float, seeds: Sequence[int]
) -> dict[str, np.ndarray]:
    """separation and slope (S, T), distance_of_means (S, T), position (S, T, m, d), of drawn networks.

    Recorded at the step nearest to each time; points stay where they are drawn. Raises `InputError` for more
    than `LONGEST` steps. Where training leaves float64's range all are NaN, with an `UnconvergedWarning`.
    """
    steps = np.rint(np.asarray(times) / discriminator_rate)
    if steps[-1] > LONGEST:
        domain = f"at most {LONGEST * discriminator_rate:g} at discriminator_rate {discriminator_rate:g}: "
        raise InputError("times", f"{times[-1]:g}", f"{domain}{LONGEST:g} steps")
    sets = points(problem, seeds)
    start = weights(problem, seeds)

    def of_seeds(part: np.ndarray) -> np.ndarray:
        layers = start.inner[part], start.shift[part], start.outer[part]
        recorded = _recorded(
            *layers,
            sets.generated[part],
            sets.data[part],
            scale_of(problem),
            discriminator_rate,
            steps.astype(int),
            problem.discriminator,
        )
        return np.asarray(recorded)

    size = held(problem)
    parts = groups(len(seeds), size, size)
    J, G = np.moveaxis(np.concatenate(side_by_side(of_seeds, parts))[: len(seeds)], -1, 0)
    still = np.broadcast_to(sets.generated[:, None], (*J.shape, *sets.generated.shape[1:]))
    apart = np.linalg.norm(sets.generated.mean(axis=1) - sets.data.mean(axis=1), axis=-1)
    found = {
        "separation": J,
        "slope": G,
        "distance_of_means": np.broadcast_to(apart[:, None], J.shape),
        "position": still,
    }
    return nan_where_not_finite(found, f"discriminator_rate {discriminator_rate:g}: training diverges")


@partial(compiled, by_draw=["inner", "shift", "outer", "generated", "data"], static_argnames=("kind",))
def _recorded(
    inner: jax.Array,
    shift: jax.Array,
    outer: jax.Array,
    generated: jax.Array,
    data: jax.Array,
    scale: jax.Array,
    rate: jax.Array,
    steps: jax.Array,
    kind: str,
) -> jax.Array:
    """J and the slope of each draw after each of those numbers of steps, (S, T, 2)."""

    def trajectory(
        inner: jax.Array, shift: jax.Array, outer: jax.Array, generated: jax.Array, data: jax.Array
    ) -> jax.Array:
        def record(weights: Network, more: jax.Array) -> tuple[Network, jax.Array]:
            weights = ascended(kind, scale, weights, generated, data, rate, more)
            steep = root_mean_square(slopes(kind, scale, weights, generated))
            return weights, jnp.stack([separation(kind, scale, weights, generated, data), steep])

        spans = jnp.diff(steps, prepend=0)
        seen: jax.Array = jax.lax.scan(record, network(kind, inner, shift, outer), spans)[1]
        return seen

    return jax.vmap(trajectory)(inner, shift, outer, generated, data)
