"""Growth of the moments of products of steps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.problems.heavy_tails import HeavyTails
from teacherstudent.sims.arrays import side_by_side
from teacherstudent.sims.heavy_tails.chains import burn_in_of
from teacherstudent.sims.heavy_tails.growth import ENOUGH, growth


def orders(
    problem: HeavyTails,
    times: np.ndarray,
    *,
    seeds: Sequence[int],
    learning_rate: float,
    chains: int,
    factors: int | None,
) -> dict[str, np.ndarray]:
    """log_growth, (S, T), at orders `times`, from products of steps of `chains` directions.

    Batches are the same for all orders of a draw. Where fewer than `growth.ENOUGH` effective draws dominate
    the mean it is NaN, with an `UnconvergedWarning`. Raises `InputError` for too many steps.
    """
    steps = burn_in_of(problem, np.array([learning_rate]), seeds, factors, "factors")[:, 0]

    def of_seed(part: np.ndarray) -> np.ndarray:
        s = int(part[0])
        return np.array(growth(problem, seeds[s], learning_rate, chains, int(steps[s]))(times))

    found = np.stack(side_by_side(of_seed, np.split(np.arange(len(seeds)), len(seeds))))
    few = f"fewer than {ENOUGH} draws dominate the moment: use more --chains, or a lower order"
    return nan_where(found[..., 1] < ENOUGH, few, {"log_growth": found[..., 0]})
