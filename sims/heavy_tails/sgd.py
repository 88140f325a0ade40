"""Training from a start, and how fast two students of one history meet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.house.certainty import nan_where_not_finite
from teacherstudent.house.errors import InputError
from teacherstudent.problems.heavy_tails import HeavyTails
from teacherstudent.problems.heavy_tails.data import apart, start
from teacherstudent.sims.arrays import side_by_side
from teacherstudent.sims.heavy_tails.batches import Batches, spread
from teacherstudent.sims.heavy_tails.chains import begun, passed, unit
from teacherstudent.sims.heavy_tails.steps import Chains

LONGEST = 10**9
"""Steps beyond which no answer is tried: each is taken, at a microsecond or more."""


def sgd(
    problem: HeavyTails, times: np.ndarray, *, seeds: Sequence[int], learning_rate: float
) -> dict[str, np.ndarray]:
    """excess_risk and log_separation, (S, T), of one student of each seed after each number of steps.

    The difference of two students of the same batches takes the same steps without label noise; it is
    followed itself, so that no digits are lost to what the two have in common. An excess risk beyond the
    range of float64 is NaN, with an `UnconvergedWarning`. Raises `InputError` for more than `LONGEST` steps.
    """
    if times[-1] > LONGEST:
        raise InputError("times", f"{times[-1]:g}", f"at most {LONGEST:g}")
    marks = [int(time) for time in times]
    variances = spread(problem) ** 2

    def kept(chains: Chains) -> np.ndarray:
        v, scale, _, length = (np.asarray(each)[..., 0] for each in chains)
        with np.errstate(over="ignore", invalid="ignore"):  # training may diverge
            sizes = np.exp(scale) * v * unit(problem)
            return np.array([np.sum(variances * sizes**2) / 2, length])

    def of_seed(part: np.ndarray) -> np.ndarray:
        seed = seeds[part[0]]
        first = begun(start(problem, [seed]).T / unit(problem), apart(problem, [seed]).T)
        rates = np.array([learning_rate])
        (found,) = passed(problem, Batches(problem, seed, 0, 1), first, rates, [marks], kept)
        return np.stack(found, axis=1)

    found = np.stack(side_by_side(of_seed, np.split(np.arange(len(seeds)), len(seeds))))
    risk = nan_where_not_finite(
        {"excess_risk": found[:, 0]}, f"step size {learning_rate:g}: training diverges"
    )
    return {**risk, "log_separation": found[:, 1]}
