"""Growth of cost with size: theory none, one cubic decomposition for each instance, simulation linear."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from teacherstudent.benchmarks.declaration import Slope
from teacherstudent.problems.multiscale import PROBLEM
from teacherstudent.problems.multiscale.data import draw

Works = Mapping[float, Callable[[], object]]


def theory_size(quick: bool) -> Works:
    """An asymptotic curve at n = 1.5 d."""
    from teacherstudent.theory.multiscale import asymptotic

    times = np.geomspace(1, 1e6, 100)
    found: dict[float, Callable[[], object]] = {}
    for d in (10**2, 10**4, 10**6, 10**9):
        found[d] = partial(asymptotic.flow, PROBLEM.instance(n=3 * d // 2, d=d, p=3 * d // 5), times)
    return found


def instance_size(quick: bool) -> Works:
    """The decomposition of one data set."""
    from teacherstudent.benchmarks.descent import problem_of
    from teacherstudent.theory.multiscale.instance import eigensystem

    sizes = (150, 300, 600) if quick else (300, 600, 1200)
    return {d: partial(eigensystem, draw(problem_of(d), [0])) for d in sizes}


def instance_times(quick: bool) -> Works:
    """Curves of one small data set, whose decomposition costs almost nothing."""
    from teacherstudent.benchmarks.descent import problem_of
    from teacherstudent.theory.multiscale import instance

    counts = (20_000, 40_000, 80_000)
    return {n: partial(instance.flow, problem_of(50), np.geomspace(1, 1e6, n), seeds=[0]) for n in counts}


def simulated(n: int, d: int, seeds: int, steps: int) -> Callable[[], object]:
    """Training of a batch; its data are drawn beforehand."""
    from teacherstudent.sims.multiscale.descent import student_trajectory

    draws = draw(PROBLEM.instance(n=n, d=d, p=d // 2), range(seeds))
    return partial(student_trajectory, draws, np.array([1, steps]), 0.1, stepwise=steps)


def steps(quick: bool) -> Works:
    """More steps."""
    return {count: simulated(90, 60, 50, count) for count in (2000, 4000, 8000)}


def seeds(quick: bool) -> Works:
    """More draws, in groups of equal size."""
    return {count: simulated(150, 100, count, 2000) for count in (24, 48, 96)}


def data(quick: bool) -> Works:
    """More samples where a step reads the data, 2n < d; all sizes fit the cache."""
    return {n: simulated(n, 1000, 1, 2000) for n in (12, 24, 48)}


def features(quick: bool) -> Works:
    """More features where a step reads Z^T Z; all sizes fit the cache."""
    return {d: simulated(2 * d, d, 1, 20_000) for d in (64, 128, 256)}


FIXED = "a constant part: the overhead of the call and of each step"
BENCHMARKS = (
    Slope(
        "slope-theory",
        "asymptotic curve over d, 1e2 to 1e9",
        0.0,
        0.05,
        "the noise of time measurements",
        theory_size,
    ),
    Slope(
        "slope-instance",
        "instance route, decomposition over d",
        3.0,
        0.5,
        "small matrices, which run at a lower rate than large ones",
        instance_size,
    ),
    Slope("slope-instance-times", "instance route over recorded times", 1.0, 0.2, FIXED, instance_times),
    Slope("slope-steps", "simulation over steps", 1.0, 0.2, FIXED, steps),
    Slope("slope-seeds", "simulation over seeds", 1.0, 0.2, FIXED, seeds),
    Slope("slope-samples", "simulation over n, data form", 1.0, 0.3, FIXED, data),
    Slope("slope-features", "simulation over d, Gram form", 2.0, 0.5, FIXED, features),
)
