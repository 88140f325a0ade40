"""What the simulations of worst groups hold in memory, in numbers a draw, as measured.

Terms: n D the examples, D = 2 + noise features, scaled, in copies; T D the recorded weights, and their
directions; T n their outputs on the examples, and those on the tests of one draw at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from teacherstudent.house.memory import Need
from teacherstudent.problems.spurious_groups import GROUPS, SpuriousGroups


def descent(problem: SpuriousGroups, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """Batches are gathered from the examples."""
    return _trained(problem, options, copies=5.0)


def normalised(problem: SpuriousGroups, times: np.ndarray, options: Mapping[str, Any]) -> Need:
    """The examples that are kept are gathered once."""
    return _trained(problem, options, copies=6.0)


def _trained(problem: SpuriousGroups, options: Mapping[str, Any], copies: float) -> Need:
    noisy = problem.test_noise == "fresh"

    def numbers(n: int, noise_features: int, test_examples: int, times: int, seeds: int) -> float:
        dimension, tests = 2 + noise_features, len(GROUPS) * test_examples
        each = copies * n * (dimension + 4) + 6 * times * dimension + 4 * times * n
        return seeds * each + tests * (4 * (dimension if noisy else 2) + 6 * times)

    sizes = {
        "n": problem.n,
        "noise_features": problem.noise_features,
        "test_examples": options["test_examples"],
    }
    return Need(sizes, numbers)
