"""Questions put to the routes of flexible activations, and the systems that they are put to."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import xarray as xr

from teacherstudent.house.errors import UnconvergedWarning
from teacherstudent.house.running import run

ID = "flexible-activations"
RANK = "theory.flexible_activations.rank:rank"
PENCIL = "theory.flexible_activations.pencil:pencil"
TRAINED = "sims.flexible_activations.trained:trained"

ENDLESS = 10_000
"""Examples beyond which none tells anything more, in every system."""

ZERO = 1e-5
"""Errors of a student below this are 0.

It agrees with its examples to 1e-12, and the least singular value of its Jacobian is above 1e-7: 1e-12/1e-7.
"""


def system(inputs: int, outputs: int, units: int, degree: int, lowest: int) -> dict[str, int]:
    """Its parameters by name."""
    return {"inputs": inputs, "outputs": outputs, "units": units, "degree": degree, "lowest": lowest}


def ask(route: str, times: Sequence[int], **question: Any) -> xr.Dataset:
    """The answer of a route. Draws of which no student agrees with the examples are NaN."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnconvergedWarning)
        return run(ID, "examples", route, times, **question)


COUNTED = ("ambiguity", "direction_ambiguity")


def free(times: Sequence[int], of: Mapping[str, int]) -> np.ndarray:
    """Parameters left free by so many examples: all, and those that turn directions, (T, 2)."""
    answer = ask("rank", times, **of)
    return np.stack([answer[name].values for name in COUNTED], axis=-1)


def enough(of: Mapping[str, int]) -> int:
    """The least number of examples that leave no more free than all do."""
    counts = range(1, 300)
    left = free(counts, of)[:, 0]
    return counts[int(np.argmax(left == left[-1]))]
