"""What training linear students holds in memory, in numbers, as measured. Needs no JAX.

Terms, of each draw: m^2 the matrix of a step; T c m recorded coordinates, with T c q where these are not
weights; of draws that go side by side, what a step is composed in and the students that it moves.
"""

from __future__ import annotations

import numpy as np

from teacherstudent.house.machine import cores
from teacherstudent.sims.step_limits import STEPWISE

PARTS = 2
"""Parts of the state of a step that is not descent's: weights, and the weights before."""


def maps_of(times: np.ndarray, parts: int = 1) -> int:
    """Matrices m^2 of a draw while its steps are taken: the map of a step is composed at late times."""
    return 4 * parts**2 if times[-1] > STEPWISE else 1


def of_students(draws: int, m: int, q: int, c: int, times: int, *, maps: int, moved: int) -> float:
    """Of so many draws; maps, moved: matrices, and recorded students, of those that go side by side."""
    kept = m * m + 2 * times * c * m + times * c * q * (m < q)
    return draws * kept + min(draws, cores()) * (maps * m * m + moved * times * c * m)
