"""Relaxation from 0. Axes: S draws, T times, W paths of a draw."""

from __future__ import annotations

from collections.abc import Sequence

import jax
import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.stable_noise import StableNoise
from teacherstudent.sims.arrays import nan_where_not_finite, side_by_side
from teacherstudent.sims.stable_noise.paths import LONGEST, advanced


def relaxation(
    problem: StableNoise, times: np.ndarray, *, step: float, walkers: int, seeds: Sequence[int]
) -> dict[str, np.ndarray]:
    """mean_log, variance_log and characteristic, (S, T), over the paths of each draw.

    Recorded at the step nearest to each time, at least the first. The variance is the unbiased one, NaN of a
    single path; where a path leaves the range of float64 all are NaN, with an `UnconvergedWarning`. Raises
    `InputError` for more than `LONGEST` steps.
    """
    steps = np.maximum(1, np.rint(np.asarray(times) / step))
    if steps[-1] > LONGEST:
        domain = f"at most {LONGEST * step:g} at step {step:g}: {LONGEST:g} steps"
        raise InputError("times", f"{times[-1]:g}", domain)

    def of_seed(part: np.ndarray) -> np.ndarray:
        return _recorded(problem, steps.astype(int), step, walkers, seeds[int(part[0])])

    moments = np.stack(side_by_side(of_seed, np.split(np.arange(len(seeds)), len(seeds))))
    names = ("mean_log", "characteristic", "variance_log")
    values = dict(zip(names, np.moveaxis(moments, -1, 0), strict=True))
    values = nan_where_not_finite(values, f"step {step:g}: a path overflows")
    variance = {"variance_log": values["variance_log"]}
    alone = np.full(variance["variance_log"].shape, walkers == 1)
    return {**values, **nan_where(alone, "walkers 1: a single path has no variance", variance)}


def _recorded(problem: StableNoise, steps: np.ndarray, step: float, walkers: int, seed: int) -> np.ndarray:
    """Mean of ln |X|, mean of cos X and variance of ln |X| of one draw, (T, 3), after each of these steps."""
    motion = problem.stability, 1 - problem.drift * step, problem.noise * step ** (1 / problem.stability)
    key, X, before, found = jax.random.key(seed), np.zeros(walkers), 0, []
    for count in steps:
        X = advanced(*motion, key, X, before, count)
        before = count
        with np.errstate(all="ignore"):  # of paths that leave the range of numbers
            logs, waves = np.log(np.abs(X)), np.cos(X)
            variance = np.var(logs, ddof=1) if walkers > 1 else 0.0
            found.append((logs.mean(), waves.mean(), variance))
    return np.array(found)
