"""The version space of binary weights, all of it: each of the 2^d students that gives every label.

Axes: T numbers of examples, d inputs.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.problems.perceptron.data import Draws
from teacherstudent.sims.perceptron.measures import overlaps


def observed(rule: str, draws: Draws, s: int, seed: int, counts: np.ndarray) -> dict[str, np.ndarray]:
    """The observables, (T,), of draw s: means over all members (gibbs), or those of their mean (bayes)."""
    signed, teacher = draws.labels[s][:, None] * draws.inputs[s], draws.teacher[s]
    d = signed.shape[1]
    halves = _patterns(d // 2), _patterns(d - d // 2)
    numbers = np.arange(2**d)
    found = []
    for first, last in zip([0, *counts[:-1]], counts, strict=True):
        for z in signed[first:last]:  # what a pattern's two halves give to its output, each computed once
            low, high = halves[0] @ z[: d // 2], halves[1] @ z[d // 2 :]
            kept = low[numbers % len(low)] + high[numbers // len(low)] > 0
            numbers = numbers[kept]
        low, high = numbers % len(halves[0]), numbers // len(halves[0])
        members = np.concatenate([halves[0][low], halves[1][high]], axis=1)
        if rule == "bayes":
            found.append({**overlaps(members.mean(axis=0), teacher, draws.strengths), "training_error": 0.0})
        else:
            each = overlaps(members, teacher, draws.strengths)
            means = {name: values.mean() for name, values in each.items()}
            entropy = np.log(len(numbers) / 2**d) / d
            found.append({**means, "training_error": 0.0, "entropy": entropy})
    return {name: np.array([each[name] for each in found]) for name in found[0]}


def _patterns(d: int) -> np.ndarray:
    """Every row of -1 and 1, (2^d, d), in the order of whole numbers."""
    return 2.0 * (np.arange(2**d)[:, None] >> np.arange(d) & 1) - 1
