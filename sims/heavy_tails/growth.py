"""How moments of products of steps grow, told by directions alone: sizes are never compared.

ln h(s) is the growth of the mean of |M ... M u|^s per step. Where a step lengthens every direction by the
same law (one input, or new examples of equal inputs) that is the mean of |M u|^s over students and steps.
Else directions with weights |M ... M u|^s go on as a population (`steps.selected`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np

from teacherstudent.problems.heavy_tails import HeavyTails
from teacherstudent.sims.heavy_tails.batches import (
    RESAMPLING,
    Batches,
    block_of,
    directions,
    generator,
)
from teacherstudent.sims.heavy_tails.chains import between, pieces
from teacherstudent.sims.heavy_tails.estimators import Estimate
from teacherstudent.sims.heavy_tails.steps import Population, growths, selected

STORED = 2**21
"""Growths of single steps that are kept, where a step is as good as any other."""

POPULATION = 4096
"""Directions of a population at most."""

ENOUGH = 100
"""Effective number of draws that a mean must hang on."""

ROUNDS = 40
"""Of the search for a root."""

CLOSE = 1e-4
"""Relative change of an order at which a search ends: a tenth of what draws leave open, or less."""

MOST_ORDERS = 2.0**30
"""Over it, the smallest order at which a root is searched for."""


class Growth(NamedTuple):
    """ln h at an order, and the effective number of draws that it hangs on."""

    log: float
    effective: float


def same_for_all_directions(problem: HeavyTails) -> bool:
    """Whether a step lengthens every direction by the same law."""
    return problem.d == 1 or (problem.isotropic and problem.n is None)


def growth(
    problem: HeavyTails, seed: int, rate: float, chains: int, steps: int
) -> Callable[[np.ndarray], list[Growth]]:
    """What gives ln h of one draw at orders, (J,), always from the same batches."""
    if same_for_all_directions(problem):
        return partial(of_steps, kept(problem, seed, rate, chains, steps))
    return partial(of_population, problem, seed, rate, chains, steps)


def kept(problem: HeavyTails, seed: int, rate: float, chains: int, steps: int) -> np.ndarray:
    """ln |M u| of single steps, at most `STORED` of them, but one of each chain."""
    size = block_of(problem, chains)
    each = min(steps, max(1, STORED // chains))
    found = []
    for block in range(-(-chains // size)):
        u, batches = directions(problem, seed, block, size), Batches(problem, seed, block, size)
        for begin, end in pieces(each, batches.count):
            batches.draw()
            u, grown = growths(rate / problem.batch, u, batches.inputs)
            found.append(np.asarray(grown)[: end - begin, : chains - block * size].ravel())
    return np.concatenate(found)


def of_steps(logs: np.ndarray, orders: np.ndarray) -> list[Growth]:
    """ln of the mean growth to each order, of independent growths with these logarithms."""
    found = []
    for order in orders:
        highest = float(np.max(order * logs))
        shares = np.exp(order * logs - highest)
        mean, square = float(np.mean(shares)), float(np.mean(shares**2))
        found.append(Growth(highest + np.log(mean), logs.size * mean**2 / square))
    return found


def of_population(
    problem: HeavyTails, seed: int, rate: float, chains: int, steps: int, orders: np.ndarray
) -> list[Growth]:
    """The same of populations, each of `POPULATION` chains at most, after a quarter of the steps."""
    count = -(-chains // POPULATION)
    size = -(-chains // count)
    logs, effective = np.zeros((count, len(orders))), np.zeros((count, len(orders)))
    since = steps // 4
    for block in range(count):
        u, batches = directions(problem, seed, block, size), Batches(problem, seed, block, size)
        states = [Population(u, np.zeros(size), 0.0, float(size)) for _ in orders]
        resampling = generator(seed, RESAMPLING, block)
        for begin, end in pieces(steps, batches.count):
            batches.draw()
            inputs, uniform = jnp.asarray(batches.inputs), resampling.random(batches.count)
            for j, order in enumerate(orders):
                for first, last, mark in between(begin, end, (since, steps)):
                    where = (first - begin, last - begin)
                    states[j], grown = selected(
                        rate / problem.batch, float(order), states[j], inputs, uniform, *where
                    )
                    if mark:
                        logs[block, j] = float(grown) - logs[block, j]
        effective[block] = [float(state.effective) for state in states]
    return [*map(Growth, logs.mean(axis=0) / (steps - since), effective.min(axis=0))]


def index(problem: HeavyTails, seed: int, rate: float, chains: int, steps: int, largest: float) -> Estimate:
    """The order above 0 at which products of steps neither grow nor shrink; its standard error is not known.

    Its bias is upwards and falls like 1/number of growths: of the rarest, which lengthen most, most samples
    have too few. Only where they shrink at orders near 0. NaN where the answer hangs on too few draws,
    infinite beyond `largest`. Batches are the same for all orders. ln h(s)/s, nearly a line, is searched for
    its root: first by factors of 2, then by the rule of false position (Illinois).
    """
    at = growth(problem, seed, rate, chains, steps)

    def slope(order: float) -> tuple[float, bool]:
        found = at(np.array([order]))[0]
        return found.log / order, found.effective >= ENOUGH

    order = 1.0
    value, sure = slope(order)
    factor = 2.0 if value < 0 else 0.5
    last, before = order, value
    while (value < 0) == (before < 0):
        if not sure:
            return Estimate(np.nan, np.nan)
        last, before = order, value
        order *= factor
        if not 1 / MOST_ORDERS < order < 2 * largest:
            return Estimate(np.inf if factor > 1 else np.nan, np.nan)
        value, sure = slope(order)
    ends = [last, order], [before, value]
    for _ in range(ROUNDS):
        (one, other), (low, high) = ends
        middle = (one * high - other * low) / (high - low)
        if abs(middle - other) < CLOSE * middle:
            return Estimate(middle if sure else np.nan, np.nan)
        value, sure = slope(middle)
        if (value < 0) != (high < 0):
            ends = [other, middle], [high, value]
        else:
            ends = [one, middle], [low / 2, value]
    return Estimate(np.nan, np.nan)


def log_mean(logs: np.ndarray) -> float:
    """ln of the mean of what has these logarithms."""
    highest = float(np.max(logs))
    if not np.isfinite(highest):
        return highest
    return highest + float(np.log(np.mean(np.exp(logs - highest))))
