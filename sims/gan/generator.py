"""Points that move against newly drawn discriminators. Axes: S seeds, T times, m and n points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.gan import Gan
from teacherstudent.problems.gan.data import points
from teacherstudent.sims.arrays import groups, nan_where_not_finite, side_by_side
from teacherstudent.sims.compilation import compiled
from teacherstudent.sims.gan.discriminator import LONGEST
from teacherstudent.sims.gan.networks import (
    Network,
    ascended,
    redrawn,
    root_mean_square,
    separation,
    slopes,
)
from teacherstudent.sims.gan.sizes import held, scale_of


def generator(
    problem: Gan,
    times: np.ndarray,
    *,
    learning_rate: float,
    discriminator_time: float,
    discriminator_rate: float,
    seeds: Sequence[int],
) -> dict[str, np.ndarray]:
    """separation, slope and distance_of_means (S, T), position (S, T, m, d), of points that move.

    Recorded at the step nearest to each time, with the discriminator that is trained at that step's points.
    A discriminator takes whole steps of ascent to its time: as many as bring them nearest to
    `discriminator_rate`, at least one. Raises `InputError` for more than `LONGEST` steps of ascent in all.
    Where points or weights leave the range of float64 all are NaN, with an `UnconvergedWarning`.
    """
    ascents = max(1.0, np.rint(discriminator_time / discriminator_rate))
    if ascents > LONGEST:
        domain = f"at most {LONGEST * discriminator_rate:g} at discriminator_rate {discriminator_rate:g}: "
        raise InputError("discriminator_time", f"{discriminator_time:g}", f"{domain}{LONGEST:g} steps")
    steps = np.rint(np.asarray(times) / learning_rate)
    if (steps[-1] + 1) * ascents > LONGEST:  # that at the last time also has its discriminator
        most = learning_rate * (LONGEST // ascents - 1)
        domain = f"at most {most:g} at learning_rate {learning_rate:g}: {LONGEST:g} steps of ascent"
        raise InputError("times", f"{times[-1]:g}", f"{domain}, {ascents:g} for each of the generator's")
    sets = points(problem, seeds)

    def of_seeds(part: np.ndarray) -> np.ndarray:
        recorded = _recorded(
            np.asarray(seeds)[part],
            sets.generated[part],
            sets.data[part],
            scale_of(problem),
            learning_rate,
            discriminator_time / ascents,
            int(ascents),
            steps.astype(int),
            problem.discriminator,
            problem.width,
        )
        return np.asarray(recorded)

    size = held(problem)
    parts = groups(len(seeds), size, size)
    found = np.concatenate(side_by_side(of_seeds, parts))[: len(seeds)]
    position = found[..., 2:].reshape(*found.shape[:2], problem.particles, problem.d)
    values = {
        "separation": found[..., 0],
        "slope": found[..., 1],
        "distance_of_means": np.linalg.norm(position.mean(axis=2) - sets.data.mean(axis=1)[:, None], axis=-1),
        "position": position,
    }
    reason = f"learning_rate {learning_rate:g}, discriminator_rate {discriminator_rate:g}: training diverges"
    return nan_where_not_finite(values, reason)


@partial(compiled, by_draw=["seeds", "generated", "data"], static_argnames=("kind", "width"))
def _recorded(
    seeds: jax.Array,
    generated: jax.Array,
    data: jax.Array,
    scale: jax.Array,
    rate: jax.Array,
    pace: jax.Array,
    ascents: jax.Array,
    steps: jax.Array,
    kind: str,
    width: int,
) -> jax.Array:
    """J, the slope and all coordinates of each draw after each of those numbers of steps, (S, T, 2 + m d)."""

    def trajectory(seed: jax.Array, start: jax.Array, data: jax.Array) -> jax.Array:
        def trained(k: jax.Array, x: jax.Array) -> Network:
            weights = redrawn(kind, jax.random.fold_in(jax.random.key(seed), k), width, x.shape[-1])
            return ascended(kind, scale, weights, x, data, pace, ascents)

        def step(k: jax.Array, x: jax.Array) -> jax.Array:
            return x - rate * slopes(kind, scale, trained(k, x), x)

        def record(
            now: tuple[jax.Array, jax.Array], span: tuple[jax.Array, jax.Array]
        ) -> tuple[tuple[jax.Array, jax.Array], jax.Array]:
            (x, steep), (begin, end) = now, span
            x = jnp.where(end > begin, x - rate * steep, x)  # by the discriminator that is recorded last
            x = jax.lax.fori_loop(begin + 1, end, step, x)
            weights = trained(end, x)
            steep = slopes(kind, scale, weights, x)
            seen = jnp.stack([separation(kind, scale, weights, x, data), root_mean_square(steep)])
            return (x, steep), jnp.concatenate([seen, x.ravel()])

        begun = start, slopes(kind, scale, trained(jnp.zeros((), int), start), start)
        spans = jnp.concatenate([jnp.zeros(1, int), steps[:-1]]), steps
        seen: jax.Array = jax.lax.scan(record, begun, spans)[1]
        return seen

    return jax.vmap(trajectory)(seeds, generated, data)
