"""Students in their stationary law, and what they lose on drawn and on fresh examples.

Axes: S draws, T numbers of examples, W students of a draw, n the largest number, M fresh examples.
"""

from __future__ import annotations

from collections.abc import Sequence

import jax
import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.stable_noise import StableNoise
from teacherstudent.problems.stable_noise.data import examples
from teacherstudent.sims.arrays import nan_where_not_finite, side_by_side
from teacherstudent.sims.stable_noise.needs import fresh
from teacherstudent.sims.stable_noise.paths import LONGEST, advanced

RELAXED = 20
"""Times of relaxation after which a student is taken: e^-20 of the start, which is 0, would be left."""

FRESH = 1
"""Stream of the fresh examples: 0 is that of the training examples, in `problems.stable_noise.data`."""


def gap(
    problem: StableNoise,
    times: np.ndarray,
    *,
    relative_step: float,
    power: float,
    input_scale: float,
    walkers: int,
    seeds: Sequence[int],
) -> dict[str, np.ndarray]:
    """training_loss, population_loss and generalisation_gap, (S, T), means over the students of each draw.

    The first examples of a draw are those of its smaller numbers; students of different numbers have their
    noise in common. A student's loss has the tail index alpha/p: from p = alpha/2 on its variance is infinite
    and standard errors of means over few say little. Raises `InputError` without drift, for a power from
    alpha on, and for more than `LONGEST` steps. Where a student leaves the range of float64 all are NaN, with
    an `UnconvergedWarning`.
    """
    if problem.drift == 0:
        raise InputError("drift", problem.drift, "above 0 for gap: without a well nothing is stationary")
    if power >= problem.stability:
        domain = f"below stability {problem.stability:g}: otherwise |w x|^p has no mean"
        raise InputError("power", power, domain)
    steps = int(np.ceil(RELAXED / min(relative_step, 2 - relative_step)))
    if steps > LONGEST:
        domain = f"from {RELAXED / LONGEST:g} to 2 - {RELAXED / LONGEST:g}: at most {LONGEST:g} steps"
        raise InputError("relative_step", f"{relative_step:g}", domain)
    counts = np.asarray(times).astype(int)

    def of_seed(part: np.ndarray) -> np.ndarray:
        seed = seeds[int(part[0])]
        x = examples(input_scale, [seed], int(counts[-1]))[0]
        other = np.random.Generator(np.random.SFC64([seed, FRESH]))
        new = input_scale * other.standard_normal(fresh(int(counts[-1])))
        curvature = problem.drift * (np.cumsum(x**2)[counts - 1] / counts)
        h = relative_step / curvature
        scale = problem.noise * h ** (1 / problem.stability)
        start = np.zeros((len(counts), walkers))
        motion = problem.stability, 1 - relative_step, scale[:, None]
        w = np.asarray(advanced(*motion, jax.random.key(seed), start, 0, steps))
        size = np.mean(np.abs(w) ** power, axis=1)  # |w x|^p is a product
        seen = np.cumsum(np.abs(x) ** power)[counts - 1] / counts
        return np.stack([size * seen, size * np.mean(np.abs(new) ** power)])

    losses = np.stack(side_by_side(of_seed, np.split(np.arange(len(seeds)), len(seeds))))
    training, population = losses.swapaxes(0, 1)
    values = {
        "training_loss": training,
        "population_loss": population,
        "generalisation_gap": population - training,
    }
    return nan_where_not_finite(values, f"relative_step {relative_step:g}: a student overflows")
