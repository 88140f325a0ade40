"""One pass by a plain loop: mean and second moment of the error in each mode, step after step.

With e = u - w of a mode, u = F w_hat, a step on b fresh examples (`problems.batches`) has E[x x^T x x^T] in
it: by Isserlis twice an outer product and once a trace. Axes: T recorded times, K scales.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from teacherstudent.problems.multiscale import MultiScale


class Law(NamedTuple):
    """What a step has of its terms: factors that are 1, or 0 where a term is dropped."""

    own: float = 1.0
    """of what the error along an input's own direction adds to the variance"""
    shared: float = 1.0
    """of what all directions together add to it"""
    noise: float = 1.0
    """of the variance of label noise"""
    batched: bool = True
    """whether a gradient is the sum over a batch times n/b, not times 1"""


EXACT = Law()


def recursed(problem: MultiScale, batch: int, rate: float, times: np.ndarray, law: Law = EXACT) -> np.ndarray:
    """R, Q and excess risk after whole steps `times` (T,), side by side, (3 T,)."""
    counts, strengths = np.array(problem.counts), np.array(problem.sigmas)
    scale = problem.n if law.batched else batch
    gain = rate * scale * strengths**2 / problem.d  # of e itself: strengths times the gradient, twice
    kept = rate * problem.ridge
    stay = 1 - gain - kept
    mean = -np.ones(counts.size)  # of e/w: in the mean students start at 0
    second = 1 + (strengths * problem.init) ** 2
    found, now = [], 0
    for last in times:
        for _ in range(int(last) - now):
            missed = np.sum(counts * second) / problem.d  # E[(x.w_hat - z.w)^2]
            varied = (
                law.shared * problem.d * missed + law.own * second + problem.d * law.noise * problem.noise**2
            )
            second = stay**2 * second - 2 * stay * kept * mean + kept**2 + gain**2 * varied / batch
            mean = stay * mean - kept
        now = int(last)
        share = counts / problem.d
        found.append((share @ (1 + mean), share @ (1 + 2 * mean + second), share @ second / 2))
    return np.stack(found, axis=1).ravel()
