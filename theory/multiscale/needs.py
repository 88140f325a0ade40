"""What the theory of the multi-scale model holds in memory, in numbers, as measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from teacherstudent.house.declarations import Algorithm
from teacherstudent.house.memory import Need
from teacherstudent.problems.batches import FRESH
from teacherstudent.problems.multiscale import MultiScale
from teacherstudent.theory.composing import by_algorithm
from teacherstudent.theory.contours import longest
from teacherstudent.theory.spectral.batches import held as of_batches

NODE = 130
"""Numbers for each time and scale on a contour round a spectrum, while its resolvent is solved for."""

BESIDE = 3.5
"""Scales that what does not grow with them amounts to: points, weights, certificates."""

GROUP = 2**21
"""Numbers of a group of draws: the memory of one group serves the next, instead of pages that are new."""

PAIR = 12
"""Numbers for each point of a circle and each other, in each kernel: complex, and what makes it."""


def instance(problem: MultiScale, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Of each draw: data, matrices of modes (d^2), and filters T d."""
    parts = "parts" in (options.get("observable") or ())

    def numbers(n: int, d: int, times: int, seeds: int) -> float:
        plain = 3.0 * n * d + 7 * d * d + 10 * times * d
        return seeds * (plain + parts * (4 * d * d + 2 * times * d))

    return Need({"n": problem.n, "d": problem.d}, numbers, GROUP)


def instance_sgd(problem: MultiScale, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """As `instance`, and one draw at a time its bases, moments of residuals and covariance."""
    whole = instance(problem, times, options)

    def numbers(n: int, d: int, times: int, seeds: int) -> float:
        rank = min(n, d)
        return whole.numbers(n=n, d=d, times=times, seeds=seeds) + 6.0 * n * d + 8.0 * rank * (n + rank)

    return Need(whole.sizes, numbers)


def sgd(problem: MultiScale, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Points of a contour and scales, of a block of times; of batches also what `contours` holds."""
    scales, fresh = len(problem.counts), options["data"] == FRESH
    mean = contours(problem, times, options)

    def numbers(times: int, seeds: int) -> float:
        own = of_batches(scales, times, fresh)
        return own if fresh else own + mean.numbers(times=times, seeds=seeds)

    return Need({}, numbers)


def contours(problem: MultiScale, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Two contours for each time, one round the eigenvalues < 0 of a step, and sums over pairs of their
    points for a block of times. Flow has one contour: less.
    """
    scales = len(problem.counts)
    block = 160e3 + 20e3 * scales  # pairs of points; points and scales
    return Need({}, lambda times, seeds: block + 2 * NODE * times * (BESIDE + scales))


def ridge(problem: MultiScale, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """One point for each time."""
    scales = len(problem.counts)
    return Need({}, lambda times, seeds: 16.0 * times * (1 + scales))


def trained(
    problem: MultiScale, times: np.ndarray, options: Mapping[str, Any], *, algorithm: Algorithm
) -> Need:
    """As `contours`; of a recursion also all pairs of points of its longest circle."""
    mean, pairs = contours(problem, times, options), 0.0
    if algorithm.recursion:
        kernels = 2 if {"training", "outputs"}.intersection(options["observable"] or ()) else 1
        own = {each.name: options[each.name] for each in algorithm.options if each.name != "learning_rate"}
        points = longest(float(times[-1]), partial(algorithm.recursion.step, **own))
        pairs = PAIR * float(kernels * points**2)
    return Need({}, lambda times, seeds: pairs + mean.numbers(times=times, seeds=seeds))


def quadrature(problem: MultiScale, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Ten values at each of up to 700 eigenvalues, more of them the later the last time."""
    return Need({}, lambda times, seeds: 7000.0 * times)


def __getattr__(name: str) -> Callable[..., Need]:
    """`trained` by the algorithm of that name, but for ridge regression."""
    return by_algorithm(trained, name)
