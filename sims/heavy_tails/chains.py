"""Blocks of chains on their way: what they are at chosen steps, for several step sizes on the same
batches."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import jax.numpy as jnp
import numpy as np

from teacherstudent.house.errors import InputError
from teacherstudent.problems.heavy_tails import HeavyTails
from teacherstudent.problems.heavy_tails.data import rows
from teacherstudent.sims.heavy_tails.batches import Batches
from teacherstudent.sims.heavy_tails.steps import Chains, advanced

MOST_STEPS = 10**6
"""Steps of a burn-in beyond which no answer is tried."""


def burn_in_of(
    problem: HeavyTails, rates: np.ndarray, seeds: Sequence[int], given: int | None, option: str
) -> np.ndarray:
    """Steps of each seed at each step size, (S, T): as given, or 200 + 20/(step size x weakest curvature).

    The curvatures are those of the mean loss over all examples: the inputs' variances, or the eigenvalues of
    a finite set. Raises `InputError` where that is more than `MOST_STEPS`.
    """
    if given is not None:
        return np.full((len(seeds), len(rates)), given)
    weakest = np.array([_weakest(problem, seed) for seed in seeds])
    with np.errstate(divide="ignore", over="ignore"):
        steps = 200 + 20 / (rates * weakest[:, None])
    if np.any(steps > MOST_STEPS):
        least = np.min(rates)
        raise InputError(
            option,
            f"{steps.max():.3g}",
            f"at most {MOST_STEPS:g}; this value is the default at step size {least:g}",
            f"give --{option.replace('_', '-')}, or a larger step size",
        )
    return np.ceil(steps).astype(int)


def _weakest(problem: HeavyTails, seed: int) -> float:
    if problem.n is None:
        return float(min(problem.strengths))
    inputs = rows(problem, [seed]).inputs[0]
    return float(np.linalg.svd(inputs, compute_uv=False)[-1] ** 2 / problem.n)


def unit(problem: HeavyTails) -> float:
    """What distances are measured in: then noise and start are numbers of about 1, however large they are."""
    return max(problem.noise, problem.init) or 1.0


def begun(start: np.ndarray, directions: np.ndarray) -> Chains:
    """Chains at distances `start` (d, C), in units, with these directions, (d, C) or none."""
    return Chains(start, np.zeros(start.shape[1]), directions, np.zeros(directions.shape[1]))


def passed(
    problem: HeavyTails,
    batches: Batches,
    start: Chains,
    rates: np.ndarray,
    marks: Sequence[Sequence[int]],
    kept: Callable[[Chains], np.ndarray],
) -> list[list[np.ndarray]]:
    """For each step size what is `kept` of the chains at each of its marks, which are steps that increase."""
    chains = [start for _ in rates]
    found = [[kept(start)] if own[0] == 0 else [] for own in marks]
    for begin, end in pieces(max(own[-1] for own in marks), batches.count):
        batches.draw()
        inputs, noise = jnp.asarray(batches.inputs), jnp.asarray(batches.noise)
        for t, rate in enumerate(rates):
            for first, last, mark in between(begin, end, marks[t]):
                where = (first - begin, last - begin)
                chains[t] = advanced(rate / problem.batch, unit(problem), chains[t], inputs, noise, *where)
                if mark:
                    found[t].append(kept(chains[t]))
    return found


def pieces(steps: int, size: int) -> Iterator[tuple[int, int]]:
    """Ranges of steps, each of at most the given length."""
    for begin in range(0, steps, size):
        yield begin, min(begin + size, steps)


def between(begin: int, end: int, marks: Sequence[int]) -> Iterator[tuple[int, int, bool]]:
    """The steps from `begin` to `end`, as far as the last mark, in parts that end at marks or at the end.

    Each with whether it ends at a mark.
    """
    own = marks[bisect_right(marks, begin) : bisect_right(marks, end)]
    stops = [*own] if own and own[-1] == min(end, marks[-1]) else [*own, min(end, marks[-1])]
    for first, then in pairwise([begin, *stops]):
        if first < then:
            yield first, then, then in own[-1:] or then < stops[-1]
