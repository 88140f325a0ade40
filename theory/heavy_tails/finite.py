"""A finite set of examples of one input, given each draw: exact averages over all batches.

A batch multiplies v by 1 - eta A and adds eta B, A and B the means over it of a^2 and of a times the noise
of its label. All C(n, b) batches are equally likely, so h(s) is the mean of |1 - eta A|^s over them. Where
none of these factors is above 1 in size, v stays bounded, and there is no power law.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain, combinations

import numpy as np

from teacherstudent.house.certainty import nan_where
from teacherstudent.house.errors import InputError
from teacherstudent.problems.heavy_tails import HeavyTails
from teacherstudent.problems.heavy_tails.data import rows
from teacherstudent.theory.heavy_tails import answers, tails
from teacherstudent.theory.heavy_tails.growth import Growth

Arrays = dict[str, np.ndarray]

MOST = 10**5
"""Batches that are enumerated at most."""


def stationary(problem: HeavyTails, times: np.ndarray, *, seeds: Sequence[int]) -> Arrays:
    """rho, tail index and excess risk of the law that v has in the end, (S, T)."""
    rho, alpha, risk, bounded = np.empty((4, len(seeds), times.size))
    for s, seed in enumerate(seeds):
        own = batches(problem, seed)
        for t, eta in enumerate(times):
            rho[s, t], alpha[s, t], risk[s, t], bounded[s, t] = _of_step(float(eta), *own)
    said = {"tail_index": alpha}
    said = nan_where((bounded > 0) & (rho < 0), "no batch lengthens v, so v is bounded and has no tail", said)
    index = answers.tail_index(problem, times, rho, said["tail_index"])
    infinite = "excess risk is infinite: the mean square of a batch's factor on v is at least 1"
    return {"lyapunov": rho, "tail_index": index} | nan_where(np.isnan(risk), infinite, {"excess_risk": risk})


def orders(problem: HeavyTails, times: np.ndarray, *, seeds: Sequence[int], learning_rate: float) -> Arrays:
    """ln h over orders s, (S, T)."""
    found = []
    for seed in seeds:
        growth = _growth(1 - learning_rate * batches(problem, seed)[0])
        found.append([growth.log_moment(order) for order in times])
    return {"log_growth": np.array(found)}


def batches(problem: HeavyTails, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A and B of all batches of a draw. Raises `InputError` for more than one input, or too many batches."""
    n, b = problem.n, problem.batch
    if n is None:
        raise InputError(
            "n", "none", "given on this route", "use --route exact for new examples at each step"
        )
    if problem.d > 1:
        raise InputError("d", problem.d, "1 on this route", "use --route simulation for more inputs")
    if math.comb(n, b) > MOST:
        raise InputError(
            "batch", b, f"such that n = {n} examples have at most {MOST:g} batches on this route",
            "use --route simulation",
        )  # fmt: skip
    drawn = rows(problem, [seed])
    a = drawn.inputs[0, :, 0]
    places = np.fromiter(chain.from_iterable(combinations(range(n), b)), dtype=int).reshape(-1, b)
    return (a**2)[places].mean(axis=1), (a * drawn.noise[0])[places].mean(axis=1)


def _growth(factors: np.ndarray) -> Growth:
    """Of factors that are equally likely."""
    with np.errstate(divide="ignore"):
        return Growth(2 * np.log(np.abs(factors)), np.full(factors.size, -np.log(factors.size)))


def _of_step(eta: float, A: np.ndarray, B: np.ndarray) -> tuple[float, float, float, bool]:
    """rho, tail index, excess risk and whether v is bounded."""
    factors = 1 - eta * A
    growth = _growth(factors)
    rho, bounded = growth.lyapunov(), bool(np.max(np.abs(factors)) <= 1)
    alpha = np.nan
    if rho < 0 and not bounded:
        alpha = tails.index(rho, lambda _: growth.log_moment, [answers.HIGHEST])
    shrinks = np.mean(eta * A * (2 - eta * A))  # 1 - h(2)
    mean = np.mean(B) / np.mean(A)
    square = (2 * eta * mean * np.mean(factors * B) + eta**2 * np.mean(B**2)) / shrinks
    return rho, alpha, square / 2 if shrinks > 0 else np.nan, bounded
