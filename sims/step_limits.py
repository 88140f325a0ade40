"""How far descent of linear students goes in which way; needs no JAX, as statements of memory do not."""

from __future__ import annotations

from teacherstudent.house.machine import cores

STEPWISE = 2_000
"""Steps taken one by one before the step map is composed: the first three decades."""

LONGEST = {"float64": 1e10, "float32": 1e5}
"""Steps after which a student is not answered for that no sample holds in some direction: there it moves
by about one rounding a step, in float64 by 2e-6 at that time and in float32 by 5e-4."""

BLOCK = 2**13
"""Numbers that the inputs of the batches drawn at once hold, unless one batch holds more: 64 kB."""


def of_batches(numbers: int, seeds: int) -> int:
    """Numbers that blocks of batches hold, in copies, where a batch of a draw holds so many itself."""
    return 6 * (min(seeds, 8 * cores()) * BLOCK + min(seeds, cores()) * numbers)
