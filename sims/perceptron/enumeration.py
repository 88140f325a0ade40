"""The version space of binary weights, all of it: each of the 2^d students that gives every label.

Axes: T numbers of examples, d inputs.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.problems.perceptron.data import Draws
from teacherstudent.sims.perceptron.measures import overlaps

DENSE = 6
"""Examples for which all students are tried: each leaves about half of them, and later only these are."""


def observed(rule: str, draws: Draws, s: int, seed: int, counts: np.ndarray) -> dict[str, np.ndarray]:
    """The observables, (T,), of draw s: means over all members (gibbs), or those of their mean (bayes)."""
    signed, teacher = draws.labels[s][:, None] * draws.inputs[s], draws.teacher[s]
    d = signed.shape[1]
    parts = slice(0, d // 2), slice(d // 2, d)
    halves = [_patterns(part.stop - part.start) for part in parts]
    # what a pattern's two halves give to its output for each example, and to its overlap, each computed once
    one, other = (half @ signed[:, part].T for half, part in zip(halves, parts, strict=True))
    overlap = [
        _distances(half, teacher, draws.strengths, part) for half, part in zip(halves, parts, strict=True)
    ]
    kept, begun = np.ones((len(other), len(one)), bool), min(DENSE, counts[0])
    for k in range(begun):
        kept &= np.greater.outer(other[:, k], -one[:, k])  # a positive sum
    high, low = np.nonzero(kept)
    found = []
    for first, last in zip([begun, *counts[:-1]], counts, strict=True):
        for k in range(first, last):
            right = one[low, k] + other[high, k] > 0
            low, high = low[right], high[right]
        if rule == "bayes":
            mean = np.concatenate([halves[0][low].mean(axis=0), halves[1][high].mean(axis=0)])
            found.append({**overlaps(mean, teacher, draws.strengths), "training_error": 0.0})
        else:
            far, near, R = overlap[0][:, low] + overlap[1][:, high]
            angle = 2 * np.arctan2(np.sqrt(far), np.sqrt(near)).mean()
            size = np.mean(draws.strengths)  # of every member
            entropy = np.log(len(low) / 2**d) / d
            found.append(
                {"R": R.mean(), "angle": angle, "generalisation_error": angle / np.pi, "Q": size}
                | {"training_error": 0.0, "entropy": entropy}
            )
    return {name: np.array([each[name] for each in found]) for name in found[0]}


def _distances(half: np.ndarray, teacher: np.ndarray, strengths: np.ndarray, part: slice) -> np.ndarray:
    """What half of a pattern gives to its overlap with the teacher: (3, P).

    In the metric of the inputs and at size 1: squared distances to the teacher and to its opposite, which
    keep their digits where both are parallel, and R.
    """
    unit, aim = (
        np.sqrt(strengths) * weights / np.sqrt(np.sum(strengths * weights**2))
        for weights in (np.ones(len(strengths)), teacher)
    )
    own, aim = half * unit[part], aim[part]
    return np.stack([(own - aim) ** 2, (own + aim) ** 2, own * aim]).sum(axis=-1)


def _patterns(d: int) -> np.ndarray:
    """Every row of -1 and 1, (2^d, d), in the order of whole numbers."""
    return 2.0 * (np.arange(2**d)[:, None] >> np.arange(d) & 1) - 1
