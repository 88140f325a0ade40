"""Sums of iterates come to a stable law where alpha < 2: how their size grows, and how wide it is.

What is left at K terms falls like a power of K above 1/2 here: it is at most what K and K/4 differ by.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from teacherstudent.house.catalogue import find_problem
from teacherstudent.paper_checks.heavy_tails import check
from teacherstudent.paper_checks.heavy_tails.kit.asking import ID, ask, entry
from teacherstudent.paper_checks.judging.agreement import mean_within_errors
from teacherstudent.paper_checks.judging.cases import worst_case
from teacherstudent.paper_checks.judging.effects import Contrast
from teacherstudent.paper_checks.judging.evidence import Seeds, Tooth, Verdict

CASES = ((0.95, 1, 1), (0.76, 2, 3))
"""Step size, batch, dimension: alpha near 1.2."""

COUNTS = (250, 1000, 4000)
DRAWS, CHAINS, BURN_IN = 24, 1000, 300


class Sums(NamedTuple):
    """Of ln |sum|, one row a draw: growth of its mean per ln K, and its variance; what both may be off."""

    found: np.ndarray
    bias: np.ndarray


def summed(seeds: Seeds) -> list[Sums]:
    """Evidence: of the sums of 1000 to 4000 iterates, and of a quarter as many."""
    return [_of_case(seeds, *case) for case in CASES]


def _of_case(seeds: Seeds, c: float, b: int, d: int) -> Sums:
    from teacherstudent.sims.heavy_tails.sums import log_sums

    problem = find_problem(ID).instance(batch=b, d=d)
    logs = np.stack([log_sums(problem, seed, c, CHAINS, BURN_IN, COUNTS) for seed in seeds(DRAWS)])
    growth = np.diff(logs.mean(axis=1), axis=1) / np.log(COUNTS[1] / COUNTS[0])
    variance = np.var(logs, axis=1, ddof=1)
    found = np.stack([growth[:, 1], variance[:, 2]], axis=1)
    before = np.stack([growth[:, 0], variance[:, 1]], axis=1)
    return Sums(found, np.abs(np.mean(found - before, axis=0)))


def stable_law(_: object, times: float = 1.0, normal: bool = False) -> list[np.ndarray]:
    """The claim: growth 1/alpha, variance (pi^2/6)(1/alpha^2 + 1/2). Wrong with another alpha."""
    found = []
    for c, b, d in CASES:
        alpha = 2.0 if normal else times * float(ask("stationary", "exact", "tail_index", c, batch=b, d=d)[0])
        found.append(np.array([1 / alpha, np.pi**2 / 6 * (1 / alpha**2 + 1 / 2)]))
    return found


@worst_case
def within(found: Sums, claimed: np.ndarray) -> list[Verdict]:
    """Each of the two numbers."""
    return [mean_within_errors(found.found[:, j : j + 1], claimed[j], found.bias[j]) for j in range(2)]


SUMS = check(
    id="ht-sums",
    title="sums of iterates of alpha = 1.2 grow and scatter as the stable law of that index says",
    ref="stable law of sums",
    paper="gurbuzbalaban2021",
    evidence=summed,
    claim=stable_law,
    judge=within,
    teeth=(
        Tooth("a normal law", partial(stable_law, normal=True)),
        Tooth("an index larger by a fifth", partial(stable_law, times=1.2)),
    ),
    effect=Contrast("a normal law", "the difference to a normal law"),
    functions=(entry("stationary", "exact"), "sims.heavy_tails.sums:log_sums"),
    covers=("Sums of iterates",),
    slow=True,
)

CHECKS = (SUMS,)
