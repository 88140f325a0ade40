"""Sizes of many students in the end, for who looks at their law and not at its index."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.problems.heavy_tails import HeavyTails
from teacherstudent.problems.heavy_tails.data import start
from teacherstudent.sims.heavy_tails.batches import Batches, block_of
from teacherstudent.sims.heavy_tails.chains import begun, passed, unit
from teacherstudent.sims.heavy_tails.steps import Chains


def log_sizes(
    problem: HeavyTails, seed: int, rates: Sequence[float], chains: int, burn_in: int
) -> np.ndarray:
    """ln |v| of students that are independent, for each step size, (T, chains), after `burn_in` steps.

    Batches are the same for all step sizes.
    """
    size = block_of(problem, chains)
    v = np.repeat(start(problem, [seed]).T / unit(problem), size, axis=1)
    found = []
    for block in range(-(-chains // size)):
        first = begun(v, np.zeros((problem.d, 0)))
        batches = Batches(problem, seed, block, size)
        ends = passed(problem, batches, first, np.array(rates), [[burn_in]] * len(rates), _sizes)
        found.append(np.stack([each for (each,) in ends]))
    return np.concatenate(found, axis=1)[:, :chains] + np.log(unit(problem))


def _sizes(chains: Chains) -> np.ndarray:
    v, scale, _, _ = map(np.asarray, chains)
    sizes: np.ndarray = scale + np.log(np.linalg.norm(v, axis=0))
    return sizes
