"""Which weights a support leaves free. Blocks are consecutive units, as equal in number as they can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from teacherstudent.problems.linear_network.instance import LinearNetwork

if TYPE_CHECKING:
    import numpy as np


def blocks(problem: LinearNetwork) -> tuple[np.ndarray, np.ndarray]:
    """The block of each input, (N_in,), and of each output, (N_out,), from 0 on: one a mode."""
    import numpy as np

    def of(units: int) -> np.ndarray:
        return np.arange(units) * problem.modes // units

    return of(problem.inputs), of(problem.outputs)


def supports(problem: LinearNetwork) -> tuple[np.ndarray, np.ndarray] | None:
    """Where W_1, (N_hid, N_in), and W_2, (N_out, N_hid), may be other than 0; None: everywhere."""
    import numpy as np

    if problem.support == "full":
        return None
    if problem.support == "triangular":
        whole = np.ones((2, 2), dtype=bool)
        return np.triu(whole), np.tril(whole)
    unit, (inputs, outputs) = np.arange(problem.modes), blocks(problem)
    return unit[:, None] == inputs, outputs[:, None] == unit
